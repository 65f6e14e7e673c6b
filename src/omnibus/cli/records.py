"""`omnibus replay`, `draw` and `verify`: what can be done with a recorded game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from omnibus.cli.console import board, console, language, seat_names
from omnibus.cli.parameters import Language, Ply, RecordFile, Viewer, naming, read_match
from omnibus.kernel import dice_proof
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.status import status


def replay(file: RecordFile, ply: Ply = None, seat: Viewer = None, lang: Language = None) -> None:
    """Print the log of a recorded game and its final position."""
    match = read_match(file, ply, lang)
    game = match.game
    told = words(lang or language(), game.folder, COMMON_TEXTS)
    names = match.names or seat_names(match.seats, told)
    out = console(game)
    view = match.view(seat)
    for number, sentence in match.log(seat, names, told):
        out.print(Text.assemble((f"{number:>4}  ", "section"), sentence))
    out.print(board(game.text(view, told)))
    out.print(Text(status(match, view, names, told), "status"))


def draw(
    file: RecordFile,
    ply: Ply = None,
    seat: Viewer = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file. [default: standard output]")
    ] = None,
    wide: Annotated[bool, typer.Option("--wide", help="Draw in landscape, as for a wide window.")] = False,
    lang: Language = None,
) -> None:
    """Draw a position of a recorded game as SVG."""
    match = read_match(file, ply, lang)
    told = words(lang or language(), match.game.folder, COMMON_TEXTS)
    picture = match.game.svg(match.view(seat), told, names=match.names, wide=wide)
    if output is None:
        sys.stdout.write(picture + "\n")
    elif output.exists() and output.samefile(file):
        raise ValueError(f"{output} is the record itself; choose another file for the picture")
    else:
        output.write_text(picture + "\n", encoding="utf-8")


def verify(file: RecordFile, lang: Language = None) -> None:
    """Check the dice of a recorded game.

    The exit code is 0 if they are verified, 1 if they are not or if the game began from a position set up by hand,
    and 2 if the record cannot be read.
    """
    spoken = lang or language()
    told = words(spoken, COMMON_TEXTS)
    with naming(file, spoken):
        proof = dice_proof.verify(file.read_text(encoding="utf-8"))
    verdict, *sentences = dice_proof.tell(proof, spoken)
    out = console()
    out.print(Text(verdict, "status"))
    for sentence in sentences:
        out.print(Text(sentence))
    for name, value in ((told.gettext("Commitment"), proof.commitment), (told.gettext("Seed"), proof.seed)):
        if value is not None:
            out.print(Text.assemble((f"{name}  ", "section"), value), soft_wrap=True)
    raise typer.Exit(0 if proof.verified else 1)
