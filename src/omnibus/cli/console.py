"""The terminal: its language, its styles, and how boards and seats are shown in it."""

from __future__ import annotations

import os
import shutil
from typing import Any, Final

from rich.console import Console
from rich.text import Text
from rich.theme import Theme

from omnibus.kernel.game import Game, Span, Words
from omnibus.kernel.i18n import LANGUAGES
from omnibus.kernel.svg import SEATS, seat_name

SEAT_COLOURS: Final = ("blue", "dark_orange", "green", "magenta", "cyan", "yellow", "red", "white")
STYLES: Final = {"status": "bold", "section": "dim", "complaint": "red"} | {
    f"seat{seat}": f"bold {SEAT_COLOURS[seat % len(SEAT_COLOURS)]}" for seat in range(len(SEATS))
}
NARROWEST: Final = 80


def language() -> str:
    """Return the language the terminal is set to, or English if Omnibus does not speak it."""
    setting = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return setting[:2] if setting[:2] in LANGUAGES else "en"


def console(game: Game[Any] | None = None) -> Console:
    """Return a console with the common styles and those of a game."""
    width = None if shutil.get_terminal_size().columns >= NARROWEST else NARROWEST
    return Console(theme=Theme(STYLES | dict(game.styles if game else {})), highlight=False, width=width)


def board(lines: list[list[Span]]) -> Text:
    """Join the lines of a board into one styled text."""
    return Text("\n").join(Text.assemble(*line) for line in lines)


def seat_names(seats: int, told: Words) -> list[str]:
    """Return names for the seats of a match whose players have none."""
    return [seat_name(seat, told) for seat in range(seats)]
