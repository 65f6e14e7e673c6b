"""Grades of decisions, and the accuracy of a player, from what was lost.

Losses are measured in points: hundredths of the win. With more seats everybody has less to lose, so points are scaled
by the number of seats: ten points with two seats weigh as much as five with four.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from statistics import fmean, harmonic_mean, pstdev
from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.lab.analysis.document import Decision, Grade

GRADES: Final[dict[Grade, str]] = {
    "only": mark("the only good move"),
    "inaccuracy": mark("inaccuracy"),
    "mistake": mark("mistake"),
    "blunder": mark("blunder"),
}
"""What the grades are called; marked messages."""
ERRORS: Final[tuple[Grade, ...]] = ("inaccuracy", "mistake", "blunder")
THRESHOLDS: Final[list[tuple[float, Grade]]] = [(15.0, "blunder"), (10.0, "mistake"), (5.0, "inaccuracy")]
"""Scaled points of win share that were lost, and what the decision is called."""
ONLY: Final = 10.0
"""A move found is worth a praise if all others lose at least so many scaled points."""
SURE: Final = 2.0
"""A loss counts only if it exceeds so many standard errors."""
WINDOWS: Final = (2, 8)
"""The volatility of a decision is measured over a tenth of the game around it, within these bounds."""
WEIGHTS: Final = (0.5, 12.0)
"""The bounds of the weight of a decision: the standard deviation of the win share around it, in points."""


def points(share: float, seats: int) -> float:
    """Return a part of the win in scaled points."""
    return 100 * share * seats / 2


def grade(decision: Decision) -> Grade:
    """Return how good a decision was; nothing is said where the loss may be chance."""
    return grade_of(decision.gap, decision.error, len(decision.before))


def grade_of(gap: float, error: float, seats: int) -> Grade:
    """Return the grade of a decision that lost so much, with this standard error."""
    if abs(gap) <= SURE * error:
        return ""
    lost = points(gap, seats)
    if lost <= -ONLY:
        return "only"
    return next((name for least, name in THRESHOLDS if lost >= least), "")


def accuracy(lost: float) -> float:
    """Return the accuracy of a decision in percent, from the scaled points it lost: the formula lichess uses."""
    return min(100.0, max(0.0, 103.1668 * exp(-0.04354 * lost) - 3.1669))


def accuracies(decisions: Sequence[Decision], seats: int) -> list[float | None]:
    """Return each seat's accuracy over a game in percent; None where it had nothing to decide.

    As lichess does, this is the mean of two means: one weighted by how volatile the game was at each decision, so that
    quiet stretches do not hide what was lost when it mattered, and the harmonic one, which large losses pull down.
    """
    weights = _weights(decisions, seats)
    found: list[float | None] = []
    for seat in range(seats):
        own = [(each, weight) for each, weight in zip(decisions, weights, strict=True) if each.seat == seat]
        own = [(each, weight) for each, weight in own if each.choices > 1]
        values = [accuracy(points(each.loss, seats)) for each, _ in own]
        if not values:
            found.append(None)
            continue
        weighted = fmean(values, [weight for _, weight in own])
        found.append((weighted + harmonic_mean([max(value, 1e-9) for value in values])) / 2)
    return found


def _weights(decisions: Sequence[Decision], seats: int) -> list[float]:
    """Return how volatile the game was around each decision, for the seat that made it."""
    width = int(min(max(len(decisions) // 10, WINDOWS[0]), WINDOWS[1]))
    weights = []
    for number, decision in enumerate(decisions):
        first = max(0, min(number - width // 2, len(decisions) - width))
        around = [points(each.before[decision.seat], seats) for each in decisions[first : first + width]]
        weights.append(min(max(pstdev(around) if len(around) > 1 else 0.0, WEIGHTS[0]), WEIGHTS[1]))
    return weights
