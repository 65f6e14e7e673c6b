"""Play many games between bots and count how they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final

from omnibus import games
from omnibus.bots import bot
from omnibus.kernel.game import Game, Outcome
from omnibus.kernel.perft import playout
from omnibus.lab.game_loop import GameLoop
from omnibus.lab.processes import spread

TOGETHER: Final = 100  # random games in one piece of work: a game takes about as long as passing it on


@dataclass(slots=True)
class Statistics:
    """How a number of games ended."""

    seats: int
    games: int = 0
    decisions: int = 0
    longest: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    tie_breaks: Counter[str] = field(default_factory=Counter)
    wins: list[float] = field(default_factory=list)
    """By seat; a shared win is divided among its winners."""
    scores: list[int] = field(default_factory=list)
    undecided: int = 0

    def __post_init__(self) -> None:
        self.wins = [0.0] * self.seats
        self.scores = [0] * self.seats

    def count(self, outcome: Outcome, decisions: int) -> None:
        """Add one game."""
        self.games += 1
        self.decisions += decisions
        self.longest = max(self.longest, decisions)
        self.reasons[outcome.reason] += 1
        if outcome.tie_break:
            self.tie_breaks[outcome.tie_break] += 1
        for seat in outcome.winners:
            self.wins[seat] += 1 / len(outcome.winners)
        self.undecided += not outcome.winners
        self.scores = [total + score for total, score in zip(self.scores, outcome.scores, strict=True)]

    def add(self, other: Statistics) -> None:
        """Add other games."""
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.reasons += other.reasons
        self.tie_breaks += other.tie_breaks
        self.wins = [mine + more for mine, more in zip(self.wins, other.wins, strict=True)]
        self.scores = [mine + more for mine, more in zip(self.scores, other.scores, strict=True)]
        self.undecided += other.undecided


@dataclass(frozen=True)
class Series:
    """Games between the same bots, one name per seat. Each game has a number, and follows from it and the seed."""

    game: str
    seats: int
    options: Mapping[str, Any]
    bots: Sequence[str]
    seed: int

    def play(self, numbers: range) -> Statistics:
        """Play the games of some numbers."""
        game: Game[Any] = games.find(self.game)
        statistics = Statistics(self.seats)
        for number in numbers:
            random = Random(f"{self.seed} {number}")
            state = game.setup(self.seats, self.options)
            decisions = self._decisions(game, state, random)
            outcome = game.outcome(state)
            assert outcome is not None
            statistics.count(outcome, decisions)
        return statistics

    def _decisions(self, game: Game[Any], state: Any, random: Random) -> int:
        """Play a game to its end; return how many decisions were made."""
        if self.quick:
            return playout(game, state, random.random)  # the compiled loop does the same, much faster
        seated = [bot(name, game, seed=random.getrandbits(64)) for name in self.bots]
        loop = GameLoop(game, state, UnverifiedChance(random))
        loop.play(seated)
        return loop.decisions

    @property
    def quick(self) -> bool:
        """Whether nobody thinks."""
        return all(name == "random" for name in self.bots)


def simulate(
    series: Series,
    number: int,
    *,
    jobs: int | None = 1,
    ray: str | None = None,
    tick: Callable[[int], None] = lambda games: None,
) -> Statistics:
    """Play so many games of a series; `tick` is told after some games how many those were.

    `jobs` and `ray` are those of `spread`; the result does not depend on them.
    """
    size = TOGETHER if series.quick else 1
    parts = [range(first, min(first + size, number)) for first in range(0, number, size)]
    found: dict[int, Statistics] = {}
    with closing(spread(partial(_part, series), parts, jobs, ray=ray)) as played:
        for first, statistics in played:
            found[first] = statistics
            tick(statistics.games)
    total = Statistics(series.seats)
    for part in parts:  # in order: sums of fractions depend on it
        total.add(found[part.start])
    return total


def _part(series: Series, numbers: range) -> tuple[int, Statistics]:
    return numbers.start, series.play(numbers)


class UnverifiedChance:
    """Chance from a stream of random numbers: faster than dice, and not verifiable."""

    rolled: Final = None

    def __init__(self, random: Random) -> None:
        self._random = random

    def roll(self, below: int) -> int:
        """Return one of 0 … below − 1."""
        return int(self._random.random() * below)
