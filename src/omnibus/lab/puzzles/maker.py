"""Make a puzzle of a position, if it is one: look at it, look again much longer, explain it and rate it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean
from time import process_time
from typing import Any, Final

from msgspec import Struct

from omnibus.bots.reasons import MOST, NOTABLE, notable_terms
from omnibus.kernel.game import Game
from omnibus.lab.puzzles.document import ComparedLine, Puzzle, identifier
from omnibus.lab.puzzles.exact import solve
from omnibus.lab.puzzles.look import COMPARED, LEAST, Look, look, path, redeals
from omnibus.lab.puzzles.rating import rate
from omnibus.lab.puzzles.sieve import ENDGAME, GAP, LEAST_LINES, MOST_SOLUTIONS, Position, solutions, too_many

SECONDS: Final = 2.0
"""Processor time of the first look."""
SECOND: Final = 2
"""The second look takes so many times as long: most of what only looked like a puzzle is dropped there."""
TIMES: Final = 10
"""A puzzle is confirmed by looking so many times as long …"""
CONFIRMATIONS: Final = 2
"""… and so often, each time with another seed."""
POSITIONS: Final = 50_000
"""The end of a game is solved exactly by going through at most so many positions."""
SURE: Final = 4.0
"""A gap is clearly large, or clearly too small, if it differs from the one wanted by so many standard errors …"""
MARGIN: Final = 0.05
"""… and by at least so much."""

TRIFLE: Final = 0.005
"""A term of the evaluation with a smaller difference than this is no theme."""

Clock = Callable[[], float]


class Judged(Struct, frozen=True):
    """What came of a position: a puzzle, or why it is none."""

    position: str
    """The key of the position (`key`)."""
    puzzle: Puzzle | None = None
    why: str = ""
    seconds: float = 0.0
    """The processor time it took."""


class NoPuzzle(Exception):
    """A position is no puzzle; the message says why."""


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """The lines of a position, the best first, and how many of them are the solution."""

    choices: list[ComparedLine]
    number: int
    gap: float
    error: float
    exact: bool = False

    @property
    def solution(self) -> list[str]:
        """The lines of the solution."""
        return [each.line for each in self.choices[: self.number]]


def key(position: Position) -> str:
    """Return a key of a position: where it comes from."""
    source = position.source
    return f"{source.record or source.game}{f'.{source.ending}' if source.ending else ''} {source.ply}"


def make(game: Game[Any], position: Position, *, seconds: float = SECONDS, clock: Clock = process_time) -> Judged:
    """Judge a position; the puzzle contains nothing that its seat cannot see."""
    seed = f"{position.source.seed} {key(position)}"
    view = game.view(game.place(position.document), position.seat)
    deals = redeals(game, view, Random(seed))
    try:
        answer = _answer(game, position, view, deals, seconds=seconds, seed=seed, clock=clock)
    except NoPuzzle as reason:
        return Judged(key(position), why=str(reason))
    document = game.position(deals[0])
    lines = len(game.legal(deals[0]))
    rating, deviation = rate(game, view, answer.solution, lines=lines, seed=seed)
    puzzle = Puzzle(
        id=identifier(document, position.seat),
        seat=position.seat,
        position=document,
        solution=answer.solution,
        choices=answer.choices,
        gap=round(answer.gap, 4),
        error=round(answer.error, 4),
        lines=lines,
        themes=themes(game, deals[0], answer.choices, answer.number),
        rating=rating,
        deviation=deviation,
        source=position.source,
        exact=answer.exact,
    )
    return Judged(key(position), puzzle)


def _answer(
    game: Game[Any],
    position: Position,
    view: Mapping[str, Any],
    deals: list[Any],
    *,
    seconds: float,
    seed: str,
    clock: Clock,
) -> SolvedPosition:
    """Return the answer to a position; NoPuzzle."""
    state = deals[0]
    lines = len(game.legal(state))
    if lines < LEAST_LINES:
        raise NoPuzzle("few lines")
    if len(deals) == 1 and position.left <= ENDGAME and (exact := solved(game, state)):
        _expect_few(exact.solution, lines)
        return exact
    solution: list[str] = []
    looks: list[Look] = []
    for number, times in enumerate((1, SECOND, *[TIMES] * CONFIRMATIONS)):
        least = 1.0 if times == TIMES else LEAST  # a long search may change what seemed clear
        again = f"{seed} {number}"
        found = look(game, view, seconds=times * seconds, seed=again, clock=clock, clear=clear, least=least)
        looks.append(found)
        solution = solution or found_solution(game, found)
        _expect_few(solution, lines)
        if set(found_solution(game, found)) != set(solution):
            raise NoPuzzle(f"not confirmed by look {number + 1}")
    answer = _joined(game, state, looks[-CONFIRMATIONS:], len(solution))
    if answer.gap - answer.error < GAP:
        raise NoPuzzle("unsure")
    return answer


def _expect_few(solution: Sequence[str], lines: int) -> None:
    """Expect a solution of a few lines; NoPuzzle."""
    if not solution:
        raise NoPuzzle("no gap")
    if too_many(len(solution), lines):
        raise NoPuzzle("too many solutions")


def clear(found: Look) -> bool | None:
    """Tell whether a look has clearly found a solution (True) or that there is none (False)."""
    for first, second in pairwise(found.tried[: MOST_SOLUTIONS + 1]):
        over = first.share - second.share - GAP
        if abs(over) < max(MARGIN, SURE * found.error(first, second)):
            return None
        if over > 0:
            return True
    return False


def found_solution(game: Game[Any], found: Look) -> list[str]:
    """Return the lines that are better than all others, after a look; none if there is no such gap."""
    number = solutions([each.share for each in found.tried])
    return [game.write(found.state, each.move) for each in found.tried[:number]]


def solved(game: Game[Any], state: Any, most: int = POSITIONS) -> SolvedPosition | None:
    """Solve a position exactly; None if it is too large."""
    found = solve(game, state, most)
    if found is None:
        return None
    shares = {move: each[state.actor] for move, each in found.shares.items()}
    moves = sorted(shares, key=lambda move: -shares[move])
    number = solutions([shares[move] for move in moves])
    gap = shares[moves[number - 1]] - shares[moves[number]] if number else 0.0
    turns = {move: found.solver.turn(state, move) for move in moves[:COMPARED]}
    return SolvedPosition(
        _explained(game, state, turns, {move: (shares[move], 0.0) for move in turns}), number, gap, 0.0, True
    )


def _joined(game: Game[Any], state: Any, looks: Sequence[Look], number: int) -> SolvedPosition:
    """Join the results of several looks that agree about the solution, which has so many lines."""
    seen = [{each.move: each for each in found.tried} for found in looks]
    solution = [each.move for each in looks[0].tried[:number]]
    shares: dict[int, tuple[float, float]] = {}
    for move in dict.fromkeys(each.move for found in looks for each in found.tried):
        tried = [found[move] for found in seen if move in found]
        shares[move] = fmean(each.share for each in tried), _joint([each.error for each in tried])
    order = sorted(shares, key=lambda move: (move not in solution, -shares[move][0]))
    turns = {move: path(game, state, next(found[move] for found in seen if move in found)) for move in order}
    gaps = [(found.tried[number - 1], found.tried[number]) for found in looks]
    gap = fmean(last.share - other.share for last, other in gaps)
    error = _joint([found.error(*pair) for found, pair in zip(looks, gaps, strict=True)])
    return SolvedPosition(_explained(game, state, turns, shares), number, gap, error)


def themes(game: Game[Any], state: Any, choices: Sequence[ComparedLine], number: int) -> list[str]:
    """Return the terms that speak most for the solution, the first `number` lines, compared with the other lines.

    If none differs much, the largest difference is the theme, unless it is a trifle; an evaluation does not see all.
    """
    worths = [game.terms(_after_turn(game, state, choice), state.actor) for choice in choices]
    gains = {
        name: fmean(worth[name] for worth in worths[:number]) - fmean(worth[name] for worth in worths[number:])
        for name in worths[0]
    }
    best = sorted((name for name in gains if gains[name] >= TRIFLE), key=lambda name: -gains[name])
    return [name for name in best if gains[name] >= NOTABLE][:MOST] or best[:1]


def _after_turn(game: Game[Any], state: Any, choice: ComparedLine) -> Any:
    """Return the state after the turn that a line begins."""
    after = state.clone()
    for line in choice.turn or [choice.line]:
        game.apply(after, game.parse(after, line))
    return after


def _joint(errors: Sequence[float]) -> float:
    """Return the standard error of a mean of values that have these errors."""
    return sqrt(sum(error * error for error in errors)) / len(errors)


def _explained(
    game: Game[Any], state: Any, turns: Mapping[int, list[int]], shares: Mapping[int, tuple[float, float]]
) -> list[ComparedLine]:
    """Put the lines together with their shares, how the turn goes on, and the reasons for and against them."""
    afters, written = [], []
    for moves in turns.values():
        here, lines = state.clone(), []
        for move in moves:
            lines.append(game.write(here, move))
            game.apply(here, move)
        afters.append(here)
        written.append(lines)
    return [
        ComparedLine(lines[0], round(shares[move][0], 4), round(shares[move][1], 4), lines, list(pros), list(cons))
        for move, lines, (pros, cons) in zip(turns, written, notable_terms(game, state, afters), strict=True)
    ]
