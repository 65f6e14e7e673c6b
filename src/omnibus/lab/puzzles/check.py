"""Check puzzles: their data, and whether another search finds the same solution."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from omnibus.kernel.game import Game
from omnibus.lab.puzzles.document import Puzzle, identifier, state_of
from omnibus.lab.puzzles.look import look
from omnibus.lab.puzzles.maker import TIMES, found_solution, solved
from omnibus.lab.puzzles.sieve import LEAST_LINES, MOST_SOLUTIONS, too_many


def keeps_solution(
    game: Game[Any], puzzle: Puzzle, *, seconds: float, seed: int, clock: Callable[[], float] = process_time
) -> bool:
    """Tell whether a look of the full length finds the solution of a puzzle again; an exact one is solved again."""
    state = state_of(game, puzzle)
    if puzzle.exact:
        again = solved(game, state)
        return again is not None and set(again.solution) == set(puzzle.solution)
    view = game.view(state, puzzle.seat)
    found = look(game, view, seconds=TIMES * seconds, seed=f"check {seed} {puzzle.id}", clock=clock)
    return set(found_solution(game, found)) == set(puzzle.solution)


def faults(game: Game[Any], puzzle: Puzzle) -> list[str]:
    """Return what is wrong with the data of a puzzle; nothing if it fits the rules."""
    state = state_of(game, puzzle)
    legal = [game.write(state, move) for move in game.legal(state)]
    compared = [each.line for each in puzzle.choices]
    terms = [name for each in puzzle.choices for name in (*each.reasons, *each.doubts)]
    checks = {
        "its id is not that of its position": puzzle.id == identifier(puzzle.position, puzzle.seat),
        "another seat is to act": state.actor == puzzle.seat,
        "the number of legal lines differs": puzzle.lines == len(legal) >= LEAST_LINES,
        "a line is not legal": set(compared) <= set(legal),
        "the solution is not the best lines": compared[: len(puzzle.solution)] == puzzle.solution,
        "the solution is empty, or too large": 0 < len(puzzle.solution) <= min(MOST_SOLUTIONS, len(compared) - 1),
        "too many lines are right": not too_many(len(puzzle.solution), puzzle.lines),
        "a term is unknown": {*terms, *puzzle.themes} <= set(game.phrases),
    }
    return [fault for fault, holds in checks.items() if not holds]
