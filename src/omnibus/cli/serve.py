"""`omnibus serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines connect.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")] = 8787,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to keep the database. [default: the user's data folder]")
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="OMNIBUS_DATABASE",
            help="Keep everything in PostgreSQL instead: postgresql://user:password@host/name",
            show_default=False,
        ),
    ] = "",
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Server processes behind one address; more than one needs PostgreSQL.")
    ] = 1,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The server's public address, such as https://games.example.org.")
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Trust the X-Forwarded headers of this proxy. Repeatable."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page in a browser.")] = False,
    smtp: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="OMNIBUS_SMTP",
            help="Email server for turn notifications: smtp://user:password@host:587?from=ADDRESS",
            show_default=False,
        ),
    ] = "",
    private_webhooks: Annotated[
        bool, typer.Option("--private-webhooks", help="Also send webhooks to private network addresses.")
    ] = False,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Let this address or network read /metrics. Repeatable."),
    ] = None,
    tournament_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Let only players with these claimed names set up tournaments. Repeatable."),
    ] = None,
) -> None:
    """Run the server and play in the browser, alone or with friends."""
    # Long: most of it declares the options.
    from omnibus.server import serve as server  # no other command needs the server

    config = server.server_config(
        host,
        public_url,
        proxy or [],
        smtp=smtp,
        private_webhooks=private_webhooks,
        metrics=metrics or [],
        tournament_hosts=tournament_host or None,
    )
    server.serve(config, port, data, database, browser=not no_browser, processes=processes)
