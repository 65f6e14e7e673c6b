"""Parameters that several commands share, and how their values are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from omnibus.cli.console import language
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import LANGUAGES, error_text
from omnibus.kernel.match import Match

FROM_FILE: Final = "@"

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game listed by `omnibus games`.")]
RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help="A .game record.")]
Seats = Annotated[int | None, typer.Option(help="Number of seats. [default: the fewest]")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game, as listed by `omnibus games`; NAME=@FILE reads a JSON document. Repeatable.",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed of the dice. [default: random]")]
Ply = Annotated[int | None, typer.Option(help="Stop after this many plies. [default: the whole record]")]
Viewer = Annotated[int | None, typer.Option("--seat", help="Show what this seat sees. [default: a spectator's view]")]
Language = Annotated[
    str | None, typer.Option("--lang", help=f"Language: {', '.join(LANGUAGES)}. [default: the terminal's]")
]
Seconds = Annotated[float | None, typer.Option(help="Thinking time per move. [default: 0.2]")]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Number of processes. [default: 1; with --ray, the whole cluster]")
]
Ray = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Use a Ray cluster, or `local` to start one on this machine."),
]
Simulations = Annotated[
    int | None, typer.Option(help="Simulations per move, instead of or in addition to the thinking time.")
]


def jobs_or_one(jobs: int | None, ray: str | None) -> int | None:
    """Return the number of jobs: by default one, or (None) as many as a Ray cluster can do."""
    return jobs or (1 if ray is None else None)


def read_options(game: Game[Any], pairs: list[str] | None) -> dict[str, Any]:
    """Read NAME=VALUE pairs. The match refuses values that are not among the choices."""
    options: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"an option is NAME=VALUE, not {pair!r}; {game.title} has: {', '.join(game.options)}")
        options[name] = _document_of(value) if value.startswith(FROM_FILE) else _choice(game, name, value)
    return options


def _document_of(value: str) -> Any:
    file = Path(value.removeprefix(FROM_FILE))
    with naming(file):
        return read_document(file)


def _choice(game: Game[Any], name: str, value: str) -> Any:
    choices = game.options[name].choices if name in game.options else ()
    return next((choice for choice in choices if str(choice).lower() == value.lower()), value)


def read_match(file: Path, ply: int | None, lang: str | None = None) -> Match:
    """Read a record, up to a ply; the error names the file, in the reader's language."""
    with naming(file, lang):
        match = Match.read(file.read_text(encoding="utf-8"))
        return match if ply is None else match.at(ply)


def read_position(game: str, file: Path) -> Match:
    """Read a position document."""
    with naming(file):
        return Match.from_position(game, read_document(file), dice=False)


def read_document(file: Path) -> Any:
    """Read a JSON document."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"this is not JSON: {error}") from None


@contextmanager
def naming(file: Path, lang: str | None = None) -> Iterator[None]:
    """Name the file in every error about its contents."""
    try:
        yield
    except UnicodeDecodeError:
        raise ValueError(f"{file}: this is not text") from None
    except ValueError as error:
        raise ValueError(f"{file}: {error_text(error, lang or language())}") from None
    except RecursionError as error:
        raise ValueError(f"{file}: {error}") from None
