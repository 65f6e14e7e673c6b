"""A position as one reader is shown it: picture, pieces, status, panels — of a live table or of a record."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from omnibus.kernel.game import Document, Piece, Words
from omnibus.kernel.match import Match
from omnibus.kernel.svg import SEATS, part_of
from omnibus.kernel.words import words

HOUSE: Final = str(Path(__file__).parent.parent)

_STYLE: Final = re.compile(r"<style>.*?</style>", re.DOTALL)
_TOLD: Final = re.compile(r"<desc>.*?</desc>", re.DOTALL)
_PIECES: Final = re.compile(r'(<g class="pieces">).*?(?=</g>)', re.DOTALL)

Drawn = tuple[str, str, float, float, str]
"""A piece on its way to the page: id, symbol, x, y, label."""


class Reader(Struct, frozen=True):
    """For whom something is told: through the eyes of which seat (None: a spectator), and in which language."""

    seat: int | None
    language: str


class Panel(Struct, frozen=True):
    """A seat as everybody sees it."""

    seat: int
    letter: str
    name: str
    sitter: str
    holdings: list[tuple[str, str]]
    turn: bool
    winner: bool


class Position(Struct, frozen=True, tag="position"):
    """What is there to be seen."""

    ply: int
    plies: int
    seat: int | None
    ground: str
    """What lies below the pieces, in short: the picture is sent when this has changed."""
    svg: str | None
    pieces: list[Drawn]
    marks: list[str]
    """The pieces the last decision moved or changed."""
    status: str
    panels: list[Panel]
    breakdown: list[tuple[str, list[str]]]


def told_in(match: Match, language: str) -> Words:
    """Return the words in which a match is told."""
    return words(language, match.game.folder, HOUSE)


def position(
    match: Match,
    reader: Reader,
    names: Sequence[str],
    sitters: Sequence[str],
    *,
    ply: int | None = None,
    ground: str = "",
) -> Position:
    """Show a match as it stands, or stood after so many plies, to somebody who has seen this ground already."""
    at = len(match.plies) if ply is None else ply
    told = told_in(match, reader.language)
    view = match.game.view(match.states[at], reader.seat)
    picture, lies = picture_below(match, view, told)
    return Position(
        ply=at,
        plies=len(match.plies),
        seat=reader.seat,
        ground=lies,
        svg=None if lies == ground else picture,
        pieces=drawn(match, view, told),
        marks=marks(match, reader, at, told),
        status=match.game.status(view, names, told),
        panels=panels(match, view, names, sitters, told),
        breakdown=match.game.breakdown(view, told),
    )


def picture_below(match: Match, view: Document, told: Words) -> tuple[str, str]:
    """Return the picture without pieces, style and what the pieces say, and its short name.

    A page has all three by other means; what is left changes rarely.
    """
    picture = _TOLD.sub("<desc></desc>", _STYLE.sub("", match.game.svg(view, told)))
    picture = _PIECES.sub(r"\1", picture)
    return picture, hashlib.sha256(picture.encode()).hexdigest()[:12]


def drawn(match: Match, view: Document, told: Words) -> list[Drawn]:
    """Return the pieces of a view."""
    return [
        (piece.id, piece.symbol, round(piece.x, 2), round(piece.y, 2), piece.label)
        for piece in match.game.pieces(view, told)
    ]


def marks(match: Match, reader: Reader, at: int, told: Words) -> list[str]:
    """Name the pieces that the last decision of a seat moved or changed, among those that say it."""
    game = match.game
    last = at - 1
    while last >= 0 and match.plies[last][0] == "chance":
        last -= 1
    if last < 0:
        return []
    before = match.states[last]
    said = game.parts(before, game.parse(before, match.plies[last][1]))
    was = {piece.id: piece for piece in game.pieces(game.view(before, reader.seat), told)}
    now = game.pieces(game.view(match.states[at], reader.seat), told)
    return [piece.id for piece in now if part_of(piece) in said and not _same(was.get(piece.id), piece)]


def _same(before: Piece | None, now: Piece) -> bool:
    return before is not None and (before.symbol, before.x, before.y) == (now.symbol, now.x, now.y)


def panels(match: Match, view: Document, names: Sequence[str], sitters: Sequence[str], told: Words) -> list[Panel]:
    """Show the seats: who sits there, what lies before them, whose turn it is, who has won."""
    winners: Any = view["outcome"]["winners"] if view["outcome"] else ()
    return [
        Panel(seat, SEATS[seat].letter, names[seat], sitters[seat], holdings, view["actor"] == seat, seat in winners)
        for seat, holdings in enumerate(match.game.holdings(view, told))
    ]
