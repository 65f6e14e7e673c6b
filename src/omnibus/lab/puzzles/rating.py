"""How difficult a puzzle is, from how often bots solve it.

Each bot is a player of a fixed rating, and each attempt a game between it and the puzzle. The puzzle's rating is the
one that makes the results most likely, with a wide normal distribution around the middle as what is expected before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from random import Random
from typing import Any, Final

from omnibus.bots import bot
from omnibus.bots.hard import no_collection
from omnibus.kernel.game import Game

MIDDLE: Final = 1500.0
EXPECTED: Final = 400.0
"""The standard deviation of ratings of puzzles, before anything is known."""
PER_POINT: Final = log(10) / 400
"""A player rated 400 points above a puzzle solves it ten times as often as not."""
STEP: Final = 100.0


@dataclass(frozen=True, slots=True)
class RatedBot:
    """A bot that tries puzzles, and the rating it is said to have; `random` is not asked, its chance is known."""

    level: str
    rating: float
    attempts: int
    simulations: int | None = None


SOLVERS: Final = (
    RatedBot("easy", 900, 4),
    RatedBot("medium", 1200, 6),
    RatedBot("hard", 1400, 4, 16),
    RatedBot("hard", 1600, 4, 64),
    RatedBot("hard", 1800, 4, 256),
    RatedBot("hard", 2000, 3, 1024),
)
RANDOM: Final = RatedBot("random", 600, 2)


def rate(
    game: Game[Any], view: Mapping[str, Any], solution: Sequence[str], *, lines: int, seed: str
) -> tuple[int, int]:
    """Return the rating of a puzzle with so many legal lines, and its deviation."""
    by_chance = RANDOM.attempts * len(solution) / lines
    results = [(RANDOM.rating, by_chance, float(RANDOM.attempts))]
    with no_collection():
        for solver in SOLVERS:
            seeds = [f"{seed} {attempt}" for attempt in range(solver.attempts)]
            solved = sum(_solves(game, view, solution, solver, each) for each in seeds)
            results.append((solver.rating, float(solved), float(solver.attempts)))
    return likeliest(results)


def _solves(game: Game[Any], view: Mapping[str, Any], solution: Sequence[str], solver: RatedBot, seed: str) -> bool:
    made = bot(solver.level, game, seed=Random(seed).getrandbits(32), simulations=solver.simulations)
    return made(view) in solution


def likeliest(results: Sequence[tuple[float, float, float]]) -> tuple[int, int]:
    """Return the likeliest rating of a puzzle and its deviation, given (rating, solved, attempts) of players.

    Newton's method in steps of limited length; the logarithm of the likelihood is concave, so it converges.
    """
    rating = MIDDLE
    for _ in range(50):
        slope = (MIDDLE - rating) / EXPECTED**2
        bend = 1 / EXPECTED**2
        for player, solved, attempts in results:
            chance = 1 / (1 + exp(-PER_POINT * (player - rating)))
            slope += PER_POINT * (attempts * chance - solved)
            bend += PER_POINT**2 * attempts * chance * (1 - chance)
        rating += max(-STEP, min(STEP, slope / bend))
    return round(rating), round(1 / sqrt(bend))
