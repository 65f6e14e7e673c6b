"""`omnibus export`: the finished games of a server as open data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnibus.cli.admin import Data, DatabaseUrl, progress_bar, with_database


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The archive (.zip); it must not exist yet.")],
    data: Data = None,
    database: DatabaseUrl = "",
) -> None:
    """Export the finished games of a server as open data.

    Only games that everyone at the table shares are written, with numbers in place of names (docs/open-data.md).
    """
    from omnibus.server.tables.export import export_games

    with progress_bar("Exporting games") as progress:
        done = with_database(data, database, lambda store: export_games(store, file, progress))
    typer.echo(f"Games written to {file}: {done.games:,}")
    if done.not_shared:
        typer.echo(f"Left out, because not everyone at the table shares them: {done.not_shared:,}")
    if done.unsuitable:
        typer.echo(f"Left out, because of a custom board or rules that no longer replay: {done.unsuitable:,}")
