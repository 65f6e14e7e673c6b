"""`omnibus serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Host = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines connect.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")]
Data = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Where to keep the database. [default: the user's data folder]")
]
DatabaseUrl = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="OMNIBUS_DATABASE",
        help="Keep everything in PostgreSQL instead: postgresql://user:password@host/name",
        show_default=False,
    ),
]
Processes = Annotated[
    int, typer.Option(min=1, max=64, help="Server processes behind one address; more than one needs PostgreSQL.")
]
PublicUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="The server's public address, such as https://games.example.org.")
]
Proxies = Annotated[
    list[str] | None,
    typer.Option(metavar="ADDRESS", help="Trust the X-Forwarded headers of this proxy. Repeatable."),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open the page in a browser.")]
Smtp = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="OMNIBUS_SMTP",
        help="Email server for turn notifications: smtp://user:password@host:587?from=ADDRESS",
        show_default=False,
    ),
]
PrivateWebhooks = Annotated[
    bool, typer.Option("--private-webhooks", help="Also send webhooks to private network addresses.")
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(metavar="ADDRESS", help="Let this address or network read /metrics. Repeatable."),
]
TournamentHosts = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Let only players with these claimed names set up tournaments. Repeatable."),
]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8787,
    data: Data = None,
    database: DatabaseUrl = "",
    processes: Processes = 1,
    public_url: PublicUrl = None,
    proxy: Proxies = None,
    no_browser: NoBrowser = False,
    smtp: Smtp = "",
    private_webhooks: PrivateWebhooks = False,
    metrics: Metrics = None,
    tournament_host: TournamentHosts = None,
) -> None:
    """Run the server and play in the browser, alone or with friends."""
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
