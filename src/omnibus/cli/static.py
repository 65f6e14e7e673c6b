"""`omnibus static`: the site without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def static(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder for the site; it must be new or empty.")],
) -> None:
    """Write a site that plays without a server: the same pages, answered by Python in the browser.

    Any file server can publish it (docs/offline.md). The first time, Pyodide is downloaded with npm.
    """
    from omnibus.static_site.builder import build
    from omnibus.static_site.packages import cache_folder

    built = build(folder, cache_folder(), lambda doing: typer.echo(f"{doing} …"))
    typer.echo(f"Site written to {folder}: {built.files} files, {built.size / 1e6:.1f} MB")
    typer.echo(f"Try it: python -m http.server --directory {folder}")
