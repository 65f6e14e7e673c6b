"""Positions on the pages of an analysis: what was decided there, what could be, and a mistake to try again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from omnibus.kernel.game import Words
from omnibus.kernel.match import Match
from omnibus.lab.analysis.document import Analysis, Decision
from omnibus.lab.analysis.grades import ERRORS, GRADES, grade
from omnibus.server.pages.analysis_report import END, MOVE, ONLY_ONE, Line, chances, lines, lost, named_line
from omnibus.server.pages.win_curve import SIGNS
from omnibus.server.tables.board_view import BoardView, Drawn, Reader, board_view, for_reader, words_for
from omnibus.server.tables.scene import Move, legal_moves, move_targets

MOST_RETRIED: Final = 10
"""So many mistakes of a player are offered to be tried again."""
MARKED: Final = "<style>{better}{{filter:drop-shadow(0 0 4px #d97a00) drop-shadow(0 0 9px #d97a00)}}</style></svg>"


class Spot(Struct, frozen=True):
    """A position of an analysed game, as the seat that decided there saw it."""

    position: BoardView
    heading: str
    played: str
    """What was played there; empty at the end of the game."""
    shares: str
    """Everybody's chances to win there."""
    sign: str
    grade: str
    lines: list[Line]
    """What could be played, the best first."""
    note: str
    """Why there is nothing to choose from."""


class Exercise(Struct, frozen=True):
    """A mistake to try again: the position, the legal moves, what was played, and the solution."""

    ply: int
    position: BoardView
    moves: list[Move]
    targets: list[Drawn]
    played: Line
    lost: str
    """What it did to the chance to win."""
    grade: str
    solution: Line


def decision_at(analysis: Analysis, ply: int) -> Decision | None:
    """Return the decision that was made after so many plies."""
    return next((decision for decision in analysis.decisions if decision.ply == ply), None)


def spot(match: Match, analysis: Analysis, names: Sequence[str], ply: int, reader: Reader, ground: str = "") -> Spot:
    """Show a decision, or the end of the game, to somebody who has the picture of this ground."""
    told, decision = words_for(match, reader.language), decision_at(analysis, ply)
    position = _position(match, names, ply, reader, decision, ground)
    if decision is None:
        return Spot(position, told.gettext(END), "", "", "", "", [], position.status)
    name, number = grade(decision), analysis.decisions.index(decision) + 1
    return Spot(
        position=position,
        heading=told.gettext(MOVE).format(number=number, total=len(analysis.decisions)),
        played=names[decision.seat]
        + told.gettext(": ")
        + named_line(match, decision, decision.line, names, told).label,
        shares=chances(decision, names, told),
        sign=SIGNS.get(name, ""),
        grade=told.gettext(GRADES[name]) if name else "",
        lines=lines(match, decision, names, told),
        note=told.gettext(ONLY_ONE) if decision.choices == 1 else "",
    )


def _position(
    match: Match, names: Sequence[str], ply: int, reader: Reader, decision: Decision | None, ground: str
) -> BoardView:
    seat = None if decision is None or match.game.open else decision.seat
    looking = Reader(seat, reader.language, reader.wide)
    return for_reader(match, looking, board_view(match, looking, names, [""] * match.seats, ply=ply), ground)


def worst(analysis: Analysis, seat: int) -> list[Decision]:
    """Return the graded errors of a seat, the worst first."""
    found = [each for each in analysis.decisions if each.seat == seat and grade(each) in ERRORS]
    return sorted(found, key=lambda each: (-each.loss, each.ply))[:MOST_RETRIED]


def exercise(match: Match, decision: Decision, names: Sequence[str], reader: Reader, ground: str = "") -> Exercise:
    """Return a mistake to try again, for somebody who has the picture of this ground."""
    game, state = match.game, match.states[decision.ply]
    told, view = words_for(match, reader.language), game.view(state, decision.seat)
    moves = legal_moves(game, state, view, told)
    return Exercise(
        ply=decision.ply,
        position=_position(match, names, decision.ply, reader, decision, ground),
        moves=moves,
        targets=move_targets(game, view, moves, told, wide=reader.wide),
        played=named_line(match, decision, decision.line, names, told),
        lost=lost(decision, names, told),
        grade=told.gettext(GRADES[grade(decision)]),
        solution=named_line(match, decision, decision.best, names, told),
    )


def picture(match: Match, decision: Decision, names: Sequence[str], told: Words, *, wide: bool, theme: str) -> str:
    """Draw the position before a decision as its seat saw it, with the better line marked."""
    game, state = match.game, match.states[decision.ply]
    view = game.view(state, decision.seat)
    parts = game.parts(state, game.parse(state, decision.best))
    better = ",".join(f'[data-part="{part}"]' for part in parts)
    drawn = game.svg(view, told, names=names, wide=wide).removesuffix("</svg>") + MARKED.format(better=better)
    return drawn.replace('class="omnibus"', f'class="omnibus" data-theme="{theme}"', 1) if theme else drawn
