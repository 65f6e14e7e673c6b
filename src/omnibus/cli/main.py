"""The command `omnibus`: its commands, and how its errors reach the user."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from omnibus import __version__
from omnibus.cli import (
    admin,
    analysis,
    export,
    lab,
    moderation,
    play,
    puzzle,
    puzzles,
    records,
    rules,
    serve,
    static,
    train,
)
from omnibus.cli.console import language
from omnibus.kernel.i18n import error_text

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
for command in (
    play.play,
    puzzle.puzzle,
    serve.serve,
    rules.games,
    rules.rules,
    records.replay,
    records.draw,
    records.verify,
    analysis.analyse,
    lab.simulate,
    lab.arena,
    lab.protocol,
    lab.perft,
    train.train,
    export.export,
    static.static,
):
    app.command()(command)
for moderating in moderation.COMMANDS:
    admin.app.command(context_settings=admin.IDS)(moderating)
app.add_typer(puzzles.app, name="puzzles")
app.add_typer(admin.app, name="admin")


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"omnibus {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """City board games to play, replay, draw and measure."""


def main() -> NoReturn:
    """Run the command. User errors are printed as one sentence, with exit code 2."""
    _run(sys.argv[1:])


def open_page() -> NoReturn:
    """Run the command `omnibus-games`: the same, but without the name of a command it opens the page."""
    arguments = sys.argv[1:]
    named = bool(arguments) and (not arguments[0].startswith("-") or arguments[0] in ("--help", "--version"))
    _run(arguments if named else ["serve", *arguments])


def _run(arguments: list[str]) -> NoReturn:
    _repair_streams()
    try:
        app(arguments)
    except (ValueError, OSError) as error:
        _warn(_sentence(error))
        sys.exit(2)
    sys.exit(0)


def _warn(sentence: str) -> None:
    print(f"omnibus: {sentence}", file=sys.stderr)  # noqa: T201 — rich would wrap the sentence


def _repair_streams() -> None:
    """Replace characters the terminal cannot show with question marks, and closed streams with the null device."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 — it stays open to the end
        getattr(sys, name).reconfigure(errors="replace")


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return error_text(error, language()) if isinstance(error, ValueError) else str(error)
