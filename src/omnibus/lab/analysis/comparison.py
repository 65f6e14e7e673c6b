"""Compare moves of a seat: players search after each of them, and the shares of the win they find are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any

from omnibus.bots.hard import FEW, Hard, are_same
from omnibus.kernel.game import Game
from omnibus.lab.analysis.rollouts import Rollouts
from omnibus.lab.analysis.searches import (
    SMALL,
    GrowingTrees,
    Moves,
    Searches,
    Shares,
    SmallTrees,
    mean,
    variance_of_mean,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two moves compared: each seat's share after each of them, and how uncertain the difference is."""

    first: Shares
    second: Shares
    error: float
    """The standard error of the difference for the seat that decides."""
    noise: float = 0.0
    """The part of the standard error that more time would make smaller."""
    rough: bool = False
    """Whether the standard error is only estimated, from how much the difference still changed."""
    gaps: tuple[float, ...] = ()
    """By how much the first move is better for the seat that decides, in the eyes of each player."""
    errors: tuple[float, ...] = ()
    """How uncertain each player is about that."""
    later: tuple[Sequence[Any], Sequence[Any]] = ((), ())
    """States to which the two moves led, where the game was played on."""


class Comparer:
    """Compares moves with the last of them by searches of several players, all of them as long as each other."""

    def __init__(
        self,
        game: Game[Any],
        players: Sequence[Hard],
        view: dict[str, Any],
        moves: Moves,
        *,
        size: int = SMALL,
        thorough: bool = False,
    ) -> None:
        """`size` is that of a small search; with fewer simulations in all there are still several.

        A `thorough` comparison takes a second or more where nothing is hidden.
        """
        self.rate = inf
        """Simulations a second of the slowest player, once they have searched for some time."""
        self._seat: int = view["viewer"]
        self._moves = moves
        self._is_open = is_open(game, view, players[0].random)

        def searches(player: Hard) -> Searches:
            if not self._is_open:
                return SmallTrees(game, player, view, moves, size)
            if thorough:
                return Rollouts(game, player, view, moves, size)
            return GrowingTrees(game, player, view, moves)

        self._searches = [searches(player) for player in players]

    def turn_to(self, moves: Moves) -> None:
        """Begin again with other moves; positions that rollouts have come to stay searched."""
        self._moves = moves
        for each in self._searches:
            each.turn_to(moves)

    def search(self, seconds: float, at_most: float = inf) -> None:
        """Search on for so long, and until each player has searched for the least number of moments in all.

        If that takes longer than `at_most`, two moments have to do.
        """
        began = perf_counter()
        for number, each in enumerate(self._searches, 1):
            part = number / len(self._searches)
            start, until, latest = perf_counter(), began + part * seconds, began + part * at_most
            simulations = 0
            while (
                each.moments < Searches.least
                or (each.moments < each.least and perf_counter() < latest)
                or perf_counter() < until
            ):
                simulations += each.go_on()
            if simulations:
                self.rate = min(self.rate, simulations / (perf_counter() - start))

    def search_simulations(self, simulations: int) -> None:
        """Search on for so many simulations of each player, and until each has searched for the least number."""
        for each in self._searches:
            left = simulations
            while each.moments < each.least or left > 0:
                left -= each.go_on()

    def results(self) -> list[Comparison]:
        """Return what the players found about each move but the last, compared with that one.

        It is the mean of what they found or, where nothing is hidden, what they agree on. Where something is, half of
        what they differ by is part of the standard error.
        """
        found = [each.shares() for each in self._searches]
        return [self._result(number, found) for number in range(len(self._moves) - 1)]

    def _result(self, number: int, found: Sequence[list[Shares]]) -> Comparison:
        first, second = mean([each[number] for each in found]), mean([each[-1] for each in found])
        gaps = [each[number][self._seat] - each[-1][self._seat] for each in found]
        variances = [each.variance(number) for each in self._searches]
        if self._is_open:
            first = _at_gap(first, second, self._seat, agreed(gaps))
            noise, apart = min(zip(map(abs, gaps), variances, strict=True))[1], 0.0
        else:
            noise, apart = fmean(variances) / len(variances), variance_of_mean(gaps)
        rough = any(isinstance(each, GrowingTrees) for each in self._searches)
        errors = tuple(map(sqrt, variances))
        return Comparison(
            first, second, sqrt(noise + apart), sqrt(noise), rough, tuple(gaps), errors, self._later(number)
        )

    def _later(self, number: int) -> tuple[Sequence[Any], Sequence[Any]]:
        """Return where a move and the last one led in the rollouts of the last player, whose judgement has terms."""
        ends = self._searches[-1].ends
        return ends[number], ends[-1]


def is_open(game: Game[Any], view: dict[str, Any], random: Random) -> bool:
    """Tell whether a seat with this view sees everything there is."""
    return are_same(game, [game.redeal(view, random.randrange) for _ in range(FEW)])


def agreed(gaps: Sequence[float]) -> float:
    """Return what all agree on: the difference nearest to zero, or zero where they do not even agree who is better."""
    least, most = min(gaps), max(gaps)
    return least if least > 0 else min(most, 0.0)


def _at_gap(first: Shares, second: Shares, seat: int, gap: float) -> Shares:
    """Return shares on the way from the second to the first ones, where the seat has so much more than there."""
    whole = first[seat] - second[seat]
    part = gap / whole if whole else 0.0
    return [other + part * (one - other) for one, other in zip(first, second, strict=True)]
