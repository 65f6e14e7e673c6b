"""Statistics of a contest: win shares, Elo ratings and a sequential test, with their uncertainty.

The games of a round share their dice, so they are not independent trials; the rounds are. All intervals therefore come
from how the rounds differ.

* **Win share**: Wilson's interval with an effective number of games. It is the number of independent games that would
  vary as much as the rounds do, share × (1 − share) / variance of the mean; never more than were played (rounds that
  agree by luck prove little) and never fewer than there are rounds. Where a contestant won all or nothing the rounds
  say nothing of their spread, and each round counts as one game.
* **Elo**: 400 Elo are odds of 10 : 1 for one chair against another. Of two contestants the difference follows from the
  win share and how many chairs each has; the interval is that of the share, carried over.
* **Several contestants**: a Bradley–Terry fit over all games (the winner of a game is drawn with the contestants'
  strengths as weights), with one drawn game each against an average player so that nobody is infinitely strong. The
  interval has the larger of two standard errors: that of the fit, as if all games were independent, and the robust one
  (the "sandwich") from how the rounds differ.
* **SPRT**: the generalised sequential probability ratio test on the shares of whole rounds, in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, log, log10, sqrt
from statistics import NormalDist, fmean, geometric_mean, variance
from typing import Final

CONFIDENCE: Final = 0.95
Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
ERROR: Final = 0.05
"""Both errors of the sequential test: to accept the one hypothesis where the other is true."""
FEWEST_ROUNDS: Final = 8
"""The sequential test decides nothing before: the spread of a few rounds says little."""
ADDED_ROUNDS: Final = 4
"""Rounds of single games added to the spread in the test; without them it errs in 6 % of even matches."""

Interval = tuple[float, float]


def wilson(share: float, trials: float) -> Interval:
    """Return Wilson's 95 % interval of a share seen in so many trials."""
    if not trials:
        return 0.0, 1.0
    centre = (share + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    reach = Z / (1 + Z * Z / trials) * sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials))
    return max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach))


def effective_games(shares: Sequence[float], games: int) -> float:
    """Return how many independent games the rounds are worth, given the share of each round."""
    rounds = len(shares)
    if rounds < 2:
        return float(rounds)
    mean = fmean(shares)
    spread = mean * (1 - mean)
    if spread <= 0:
        return float(rounds)
    between = variance(shares, mean) / rounds
    return float(games) if between * games <= spread else max(float(rounds), spread / between)


def share_interval(shares: Sequence[float], games: int) -> Interval:
    """Return the 95 % interval of a win share, given the share of each round and the number of games in them all."""
    return wilson(fmean(shares), effective_games(shares, games))


def elo(share: float, chairs: int = 1, others: int = 1) -> float:
    """Return the Elo by which a contestant in some chairs leads one in the others, from its share of the wins."""
    if share <= 0 or share >= 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / chairs / ((1 - share) / others))


def share_of(lead: float, chairs: int = 1, others: int = 1) -> float:
    """Return the share of the wins that a lead in Elo promises: the inverse of `elo`."""
    odds = chairs * 10 ** (lead / 400)
    return float(odds / (odds + others))


@dataclass(frozen=True, slots=True)
class Lineup:
    """Contestants that met: how many seats each has, and how many games were played."""

    chairs: tuple[int, ...]
    games: float


def bradley_terry(wins: Sequence[float], lineups: Sequence[Lineup]) -> list[float]:
    """Return the Elo of each contestant, 0 on average, from the wins of each and its lineups.

    Found by minorisation–maximisation, which rises to the most likely strengths step by step.
    """
    strengths = [1.0] * len(wins)
    for _ in range(10_000):
        better = _stronger(strengths, wins, lineups)
        moved = max(abs(new / old - 1) for new, old in zip(better, strengths, strict=True))
        strengths = better
        if moved < 1e-6:
            break
    return [400 * log10(strength) for strength in strengths]


def _stronger(strengths: Sequence[float], wins: Sequence[float], lineups: Sequence[Lineup]) -> list[float]:
    """Return more likely strengths, 1 on (geometric) average."""
    faced = [1 / (strength + 1) for strength in strengths]  # the drawn game against an average player
    for lineup in lineups:
        whole = sum(chairs * strength for chairs, strength in zip(lineup.chairs, strengths, strict=True))
        for index, chairs in enumerate(lineup.chairs):
            faced[index] += lineup.games * chairs / whole
    better = [(won + 0.5) / against for won, against in zip(wins, faced, strict=True)]
    average = geometric_mean(better)
    return [strength / average for strength in better]


def ratings(rounds: Sequence[Sequence[float]], lineups: Sequence[Lineup]) -> list[tuple[float, Interval]]:
    """Return Elo and its 95 % interval for each contestant, given the wins of each in every round."""
    wins = [sum(column) for column in zip(*rounds, strict=True)]
    fitted = bradley_terry(wins, lineups)
    if len(rounds) < 2:  # nothing is known of how rounds differ
        return [(rating, (-inf, inf)) for rating in fitted]
    reaches = [Z * error * 400 / log(10) for error in _standard_errors(rounds, lineups, fitted)]
    return [(rating, (rating - reach, rating + reach)) for rating, reach in zip(fitted, reaches, strict=True)]


def _standard_errors(
    rounds: Sequence[Sequence[float]], lineups: Sequence[Lineup], fitted: Sequence[float]
) -> list[float]:
    """Return the standard error of each strength (its natural logarithm, relative to the mean)."""
    several = range(len(fitted))
    chances = [_chances(lineup, fitted) for lineup in lineups]
    spread = inverse(_information(lineups, chances, fitted))
    means = [fmean(column) for column in zip(*spread, strict=True)]
    spread = [[value - mean for value, mean in zip(row, means, strict=True)] for row in spread]
    shares = [sum(t.games * chance[i] for t, chance in zip(lineups, chances, strict=True)) for i in several]
    awaited = [share / len(rounds) for share in shares]
    surprises = [[sum(spread[i][j] * (won[j] - awaited[j]) for j in several) for i in several] for won in rounds]
    scale = len(rounds) / (len(rounds) - 1)
    robust = [scale * sum(surprise[i] ** 2 for surprise in surprises) for i in several]
    return [sqrt(max(robust[i], spread[i][i] - fmean(spread[i]))) for i in several]


def _information(
    lineups: Sequence[Lineup], chances: Sequence[Sequence[float]], fitted: Sequence[float]
) -> list[list[float]]:
    """Return the Fisher information of the fit, including the drawn games."""
    several = range(len(fitted))
    drawn = [share_of(rating) * (1 - share_of(rating)) for rating in fitted]
    return [
        [
            (i == j) * drawn[i]
            + sum(t.games * chance[i] * ((i == j) - chance[j]) for t, chance in zip(lineups, chances, strict=True))
            for j in several
        ]
        for i in several
    ]


def inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a small positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for index in range(size):
            if index != pivot:
                factor = rows[index][pivot]
                rows[index] = [value - factor * of for value, of in zip(rows[index], rows[pivot], strict=True)]
    return [row[size:] for row in rows]


def _chances(lineup: Lineup, fitted: Sequence[float]) -> list[float]:
    """Return each contestant's chance to win in a lineup."""
    weights = [chairs * 10 ** (rating / 400) for chairs, rating in zip(lineup.chairs, fitted, strict=True)]
    return [weight / sum(weights) for weight in weights]


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A sequential test between two hypotheses about a lead in Elo: `low` (H0) and `high` (H1)."""

    low: float
    high: float

    @property
    def bound(self) -> float:
        """The log likelihood ratio above which H1 is accepted; below its negative, H0 is."""
        return log((1 - ERROR) / ERROR)

    def ratio(self, shares: Sequence[float], chairs: int = 1, others: int = 1) -> float:
        """Return the log likelihood ratio of H1 to H0 after rounds with these shares.

        The shares of rounds are assumed to be normal with the observed variance, plus a few rounds that vary like
        single games, so that early rounds that happen to agree do not decide.
        """
        rounds = len(shares)
        if not rounds:
            return 0.0
        mean = fmean(shares)
        fair = chairs / (chairs + others)
        spread = (sum((share - mean) ** 2 for share in shares) + ADDED_ROUNDS * fair * (1 - fair)) / rounds
        low, high = share_of(self.low, chairs, others), share_of(self.high, chairs, others)
        return rounds * (high - low) * (2 * mean - low - high) / (2 * spread)

    def verdict(self, shares: Sequence[float], chairs: int = 1, others: int = 1) -> str | None:
        """Return "H0" or "H1" once one of them is accepted."""
        ratio = self.ratio(shares, chairs, others)
        if len(shares) < FEWEST_ROUNDS or abs(ratio) < self.bound:
            return None
        return "H1" if ratio > 0 else "H0"


def sequential_test(text: str) -> SequentialTest:
    """Read `E0,E1`, two leads in Elo."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"the hypotheses are two leads in Elo such as 0,50, not {text!r}") from None
    if not (isfinite(low) and isfinite(high) and low < high):
        raise ValueError(f"the first hypothesis must be below the second, both finite, not {text!r}")
    return SequentialTest(low, high)
