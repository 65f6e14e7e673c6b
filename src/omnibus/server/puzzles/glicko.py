"""Glicko-2: ratings with a deviation and a volatility, changed after every attempt.

Mark Glickman, "Example of the Glicko-2 system" (2022). A person who tries a puzzle plays a game against it: whoever
solves it wins, and both ratings change. Every attempt is a rating period of its own; a deviation grows while its owner
is away.
"""

from __future__ import annotations

from math import exp, log, pi, sqrt
from typing import Final

from omnibus.server.store.models import DAY
from omnibus.server.store.puzzles import Rated

MIDDLE: Final = 1500.0
"""Where Glicko-2's own scale is zero; only differences between ratings matter."""
SCALE: Final = 173.7178
TAU: Final = 0.5
"""How fast a volatility changes."""
START: Final = 1000.0
"""The rating of somebody without attempts: between the bots `easy` and `medium`, in the middle of most puzzles."""
UNKNOWN: Final = 200.0
"""The deviation of somebody without attempts; none counts as larger, so one puzzle changes a rating by at most 230."""
SURE: Final = 45.0
"""No deviation becomes smaller, so that a rating can always change."""
VOLATILITY: Final = 0.06
PERIOD_S: Final = DAY
"""So long somebody is away until the deviation grows as after a period without attempts."""
CLOSE: Final = 1e-6

NEWCOMER: Final = Rated(START, UNKNOWN, VOLATILITY)


def after(player: Rated, opponent: Rated, score: float, now: float) -> Rated:
    """Return a rating after a game with a score of 1, 0.5 or 0."""
    away = max(0.0, now - player.at) / PERIOD_S if player.at else 0.0
    phi = min(UNKNOWN / SCALE, sqrt((player.deviation / SCALE) ** 2 + away * player.volatility**2))
    mu = (player.rating - MIDDLE) / SCALE
    g = 1 / sqrt(1 + 3 * (opponent.deviation / SCALE) ** 2 / pi**2)
    expected = 1 / (1 + exp(-g * (mu - (opponent.rating - MIDDLE) / SCALE)))
    variance = 1 / (g * g * expected * (1 - expected))
    volatility = _volatility(phi, variance, variance * g * (score - expected), player.volatility)
    phi = 1 / sqrt(1 / (phi * phi + volatility * volatility) + 1 / variance)
    mu += phi * phi * g * (score - expected)
    return Rated(MIDDLE + SCALE * mu, min(UNKNOWN, max(SURE, SCALE * phi)), volatility, now)


def _volatility(phi: float, variance: float, delta: float, before: float) -> float:
    """Return the new volatility, by the Illinois algorithm (step 5)."""
    start = log(before * before)

    def f(x: float) -> float:
        spread = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (TAU * TAU)

    low, high = (
        start,
        log(delta * delta - phi * phi - variance) if delta * delta > phi * phi + variance else start - TAU,
    )
    while high < start and f(high) < 0:
        high -= TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
