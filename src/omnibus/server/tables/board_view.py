"""A position as one reader sees it, at a live table or in a record: picture, pieces, status, panels."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from omnibus import __version__
from omnibus.kernel.game import TURN_PIECES, Document, Journey, Piece, Words
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.match import Match
from omnibus.kernel.names import Names, is_you, say
from omnibus.kernel.seat_changes import BOT_FOR, names_at, resigned
from omnibus.kernel.status import status
from omnibus.kernel.svg import SEATS, seat_name

Drawn = tuple[str, str, float, float, str]
"""A piece as it is sent: id, symbol, x, y, label."""


class Kept(Struct, frozen=True, gc=False):
    """Pieces that are as they were: those of the scene before from place `start` up to, not including, `stop`."""

    start: int
    stop: int


class Reader(Struct, frozen=True, gc=False):
    """For whom something is shown: the seat they look through (None: a spectator), language, and shape of the board."""

    seat: int | None
    language: str
    wide: bool = False
    """Whether the board is drawn in landscape."""
    you: int | None = None
    """The seat that sentences call “you”: the reader's only one; None for a spectator, or several on one device."""


class PiecesByPly(dict[int, list[Drawn]]):
    """The pieces after numbers of plies, drawn when they are first asked for."""

    def __init__(self, draw: Callable[[int], list[Drawn]]) -> None:
        super().__init__()
        self._draw = draw
        self._changed: dict[tuple[int, int], list[tuple[Drawn | None, Drawn]]] = {}

    def __missing__(self, ply: int) -> list[Drawn]:
        self[ply] = drawn = self._draw(ply)
        return drawn

    def changed(self, before: int, after: int) -> list[tuple[Drawn | None, Drawn]]:
        """Return the pieces that are not as they were, each with how it was; None if it was not there."""
        if (before, after) not in self._changed:
            self._changed[before, after] = differing(self[before], self[after])
        return self._changed[before, after]


class Panel(Struct, frozen=True, gc=False):
    """A seat as a reader sees it."""

    seat: int
    letter: str
    name: str
    sitter: str
    """Which bot sits there; empty for a person."""
    you: bool
    """Whether it is the reader's own seat, and the only one."""
    resigned: bool
    """Whether its player has resigned: whatever the bot in the seat achieves, it is ranked last."""
    holdings: list[tuple[str, str]]
    turn: bool
    winner: bool


class BoardView(Struct, frozen=True, tag="position", gc=False):
    """A position."""

    ply: int
    plies: int
    seat: int | None
    wide: bool
    """Whether the board is drawn in landscape."""
    ground: str
    """A name for what is below the pieces: the picture is sent when this has changed."""
    svg: str | None
    pieces: list[Drawn | Kept]
    """Id, symbol, x, y and label of each; in differences to the scene before also which of its pieces are kept."""
    marks: list[str]
    """The pieces the last decision moved or changed."""
    status: str
    panels: list[Panel]
    breakdown: list[tuple[str, list[str]]]
    journeys: list[Journey] = []
    """What is shown at the end of the game, one after the other, before the result."""


def words_for(match: Match, language: str) -> Words:
    """Return the texts of a match in a language."""
    return words(language, match.game.folder, COMMON_TEXTS)


def shared_reader(match: Match, reader: Reader) -> Reader:
    """Return the reader whose view is the same: in an open game, a spectator with the same language and shape."""
    return replace(reader, seat=None) if match.game.open else reader


def board_view(
    match: Match,
    reader: Reader,
    names: Sequence[str],
    sitters: Sequence[str],
    *,
    ply: int | None = None,
    boards: PiecesByPly | None = None,
) -> BoardView:
    """Return a position of a match, now or after a number of plies, without the picture below the pieces.

    `boards` are the pieces after numbers of plies, where somebody keeps them.
    """
    at = match.length if ply is None else ply
    told = words_for(match, reader.language)
    view = match.view_at(at, reader.seat)
    boards = PiecesByPly(partial(pieces_at, match, reader)) if boards is None else boards
    marked = marks(match, at, boards)
    seats = panels(match, at, view, names, sitters, told, match.game.holdings(view, told))
    return BoardView(
        ply=at,
        plies=match.length,
        seat=reader.seat,
        wide=reader.wide,
        ground=ground_name(match, view, reader, seats),
        svg=None,
        pieces=[*pieces_shown(match, at, boards)],
        marks=marked,
        status=status_at(match, at, view, names, told),
        panels=seats,
        breakdown=match.game.breakdown(view, told),
        journeys=match.game.journeys(view, told, wide=reader.wide),
    )


def addressed(match: Match, reader: Reader, seen: BoardView, names: Names, sitters: Sequence[str]) -> BoardView:
    """Return a position with the texts for a reader whom they address."""
    told = words_for(match, reader.language)
    view = match.view_at(seen.ply, reader.seat)
    seats = panels(match, seen.ply, view, names, sitters, told, [panel.holdings for panel in seen.panels])
    ground = ground_name(match, view, reader, seats)
    return replace(seen, ground=ground, status=status_at(match, seen.ply, view, names, told), panels=seats)


def at_rest(seen: BoardView) -> BoardView:
    """Return a position in which it is nobody's turn, because the table was closed."""
    pieces = [piece for piece in seen.pieces if isinstance(piece, Kept) or piece[0] not in TURN_PIECES]
    quiet = [replace(panel, turn=False) for panel in seen.panels]
    return replace(seen, pieces=pieces, panels=quiet)


def status_at(match: Match, ply: int, view: Document, names: Sequence[str], told: Words) -> str:
    """Say whose turn it was after so many plies and what to do, or how the game ended."""
    if ply < match.length:
        return match.game.status(view, names_at(match.changes, ply, names, told), told)
    return status(match, view, names, told)


def draw_ahead(match: Match) -> None:
    """Draw a board in both shapes: what takes long about a map is kept, so that it is quick when somebody looks."""
    for wide in (False, True):
        reader = Reader(None, "en", wide)
        names = [seat_name(seat, words_for(match, "en")) for seat in range(match.seats)]
        view = board_view(match, reader, names, [""] * match.seats)
        for_reader(match, reader, view, "")


def for_reader(match: Match, reader: Reader, seen: BoardView, *known: str) -> BoardView:
    """Return a position for one reader, with the picture unless the reader knows it already."""
    if seen.ground in known:
        return seen if seen.seat == reader.seat else replace(seen, seat=reader.seat)
    view = match.game.view(match.states[seen.ply], reader.seat)
    names = [panel.name for panel in seen.panels]
    svg = match.game.bare(view, words_for(match, reader.language), names=names, wide=reader.wide)
    return replace(seen, seat=reader.seat, svg=svg)


def ground_name(match: Match, view: Document, reader: Reader, seats: Sequence[Panel]) -> str:
    """Return a name for what is below the pieces; it depends on the version, which may draw it differently."""
    ground = match.game.ground(view, names=[panel.name for panel in seats], wide=reader.wide)
    return _hashed(f"{__version__} {match.game.name} {reader.language} {ground}")


@lru_cache(maxsize=1 << 10)
def _hashed(ground: str) -> str:
    return hashlib.sha256(ground.encode()).hexdigest()[:12]


def drawn(match: Match, view: Document, told: Words, *, wide: bool) -> list[Drawn]:
    """Return the pieces of a view."""
    return as_sent(match.game.pieces(view, told, wide=wide))


def pieces_at(match: Match, reader: Reader, ply: int) -> list[Drawn]:
    """Return the pieces as a reader saw them after a number of plies."""
    return drawn(match, match.view_at(ply, reader.seat), words_for(match, reader.language), wide=reader.wide)


def pieces_shown(match: Match, at: int, boards: PiecesByPly) -> list[Drawn]:
    """Return the pieces of a position, given those of the boards."""
    if at == match.length and match.unopposed is not None:  # the game itself does not know it is over
        return [piece for piece in boards[at] if piece[0] not in TURN_PIECES]
    return boards[at]


def as_sent(pieces: Sequence[Piece]) -> list[Drawn]:
    """Return pieces as they are sent."""
    return [(id_, symbol, _rounded(x), _rounded(y), label) for id_, symbol, x, y, label in pieces]


@lru_cache(maxsize=1 << 14, typed=True)  # 3 and 3.0 are written differently
def _rounded(length: float) -> float:
    """Round a coordinate; boards have the same ones again and again, and rounding is slow."""
    return round(length, 2)


def last_decision(match: Match, at: int) -> int | None:
    """Return the ply of the last decision of a seat, among the first plies."""
    plies = match.plies
    return next((ply for ply in range(at - 1, -1, -1) if plies[ply][0] != "chance"), None)


def marks(match: Match, at: int, boards: PiecesByPly) -> list[str]:
    """Return the pieces that the last decision of a seat moved or changed, among the parts of the move."""
    last = last_decision(match, at)
    if last is None:
        return []
    game, state = match.game, match.states[last]
    said = game.parts(state, game.parse(state, match.plies[last][1]))
    changed = boards.changed(last, at)
    return [new[0] for old, new in changed if part_of(new) in said and (not old or old[1:4] != new[1:4])]


def differing(before: Iterable[Drawn], now: Iterable[Drawn]) -> list[tuple[Drawn | None, Drawn]]:
    """Return the pieces that are not as they were, each with how it was; None if it was not there."""
    was = {piece[0]: piece for piece in before}
    return [(old, piece) for piece in now if (old := was.get(piece[0])) != piece]


def differences(before: Sequence[Drawn], now: Sequence[Drawn]) -> list[Drawn | Kept]:
    """Return pieces, of those that are as they were before only the places where they were.

    They are made of the two lists alone: they tell a reader nothing that is not in what the reader was shown.
    """
    where = {piece[0]: at for at, piece in enumerate(before)}
    told: list[Drawn | Kept] = []
    start = stop = 0
    for piece in now:
        if stop < len(before) and before[stop] == piece:  # nearly always
            stop += 1
            continue
        if stop > start:
            told.append(Kept(start, stop))
        at = where.get(piece[0], -1)
        if at >= 0 and before[at] == piece:
            start, stop = at, at + 1
        else:
            start = stop = at + 1  # what follows is likely to be what followed
            told.append(piece)
    return [*told, Kept(start, stop)] if stop > start else told


def part_of(piece: Drawn) -> str:
    """Return the part of the board that a piece belongs to."""
    return piece[0].partition("_")[0]


def panels(
    match: Match,
    ply: int,
    view: Document,
    names: Sequence[str],
    sitters: Sequence[str],
    told: Words,
    holdings: Sequence[list[tuple[str, str]]],
) -> list[Panel]:
    """Return the panels of the seats: who sits there, what they hold, whose turn it is, who has won."""
    ended = match.outcome if ply == match.length else None
    winners: Any = ended.winners if ended else ()
    gone = resigned(match.changes, ply)
    return [
        Panel(
            seat=seat,
            letter=SEATS[seat].letter,
            name=_panel_name(seat, names, told, replaced=seat in gone and bool(gone[seat] < ply or sitters[seat])),
            sitter=told.gettext("resigned") if seat in gone else sitters[seat],
            you=is_you(seat, names),
            resigned=seat in gone,
            holdings=held,
            turn=view["actor"] == seat and not ended,
            winner=seat in winners,
        )
        for seat, held in enumerate(holdings)
    ]


def _panel_name(seat: int, names: Sequence[str], told: Words, *, replaced: bool) -> str:
    """Return the name in a panel: a bot that replaces somebody is called so, a reader without a name “You”."""
    if replaced:
        return say(BOT_FOR, seat, names, told)
    nameless = names[seat] == seat_name(seat, told)
    return told.gettext("You") if nameless and is_you(seat, names) else names[seat]
