"""`omnibus export`: the finished games of a server as open data."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from omnibus.cli.admin import Data, progress_bar


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The archive (.zip); it must not exist yet.")],
    data: Data = None,
) -> None:
    """Export the finished games of a server as open data.

    Only games that everyone at the table shares are written, with numbers in place of names (docs/open-data.md).
    """
    from omnibus.server.store.maintenance import open_existing
    from omnibus.server.tables.export import export_games

    with closing(open_existing(data)) as store, progress_bar("Exporting games") as progress:
        done = asyncio.run(export_games(store, file, progress))
    typer.echo(f"Games written to {file}: {done.games:,}")
    if done.not_shared:
        typer.echo(f"Left out, because not everyone at the table shares them: {done.not_shared:,}")
    if done.unsuitable:
        typer.echo(f"Left out, because of a custom board or rules that no longer replay: {done.unsuitable:,}")
