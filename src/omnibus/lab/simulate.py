"""Play many games between bots and count how they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from omnibus.bots import bot
from omnibus.kernel.game import Game, Outcome
from omnibus.kernel.perft import playout
from omnibus.lab.game_loop import GameLoop


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


def simulate(
    game: Game[Any],
    games: int,
    *,
    seats: int,
    options: Mapping[str, Any],
    bots: Sequence[str],
    seed: int,
    tick: Callable[[], None] = lambda: None,
) -> Statistics:
    """Play games between bots, one name per seat; `tick` is called after each. The same seed plays the same games."""
    statistics = Statistics(seats)
    for number in range(games):
        random = Random(f"{seed} {number}")
        state = game.setup(seats, options)
        if all(name == "random" for name in bots):
            decisions = playout(game, state, random.random)  # the compiled loop does the same, much faster
        else:
            decisions = _play(game, state, bots, random)
        outcome = game.outcome(state)
        assert outcome is not None
        statistics.count(outcome, decisions)
        tick()
    return statistics


class UnverifiedChance:
    """Chance from a stream of random numbers: faster than dice, and not verifiable."""

    rolled: Final = None

    def __init__(self, random: Random) -> None:
        self._random = random

    def roll(self, below: int) -> int:
        """Return one of 0 … below − 1."""
        return int(self._random.random() * below)


def _play(game: Game[Any], state: Any, bots: Sequence[str], random: Random) -> int:
    seated = [bot(name, game, seed=random.getrandbits(64)) for name in bots]
    loop = GameLoop(game, state, UnverifiedChance(random))
    loop.play(seated)
    return loop.decisions
