"""Compare two moves of a seat: search after each of them, and compare each seat's share of the win.

Where something is hidden, many pairs of small searches are made, each from new deals. Their results differ by luck more
than by depth, so more time makes more pairs, as in a rollout, and not larger trees. Where nothing is hidden all pairs
would be the same; there one pair of trees grows for as long as there is time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import fmean, pvariance
from time import perf_counter
from typing import Any, Final

from omnibus.bots.hard import FEW, Hard, are_same
from omnibus.bots.search import Node, node
from omnibus.kernel.game import Game

PAIR: Final = 128
"""Simulations of each of two small searches that are compared."""
SLICE: Final = 16
"""Simulations after one move before the other has its turn, so that both get the same number."""
REDEALS: Final = 8
"""So many redeals each slice begins from."""

Moves = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two moves compared: each seat's share after each of them, and how uncertain the difference is."""

    first: list[float]
    second: list[float]
    error: float
    """The standard error of the difference for the seat that decides."""
    noise: float = 0.0
    """The part of the standard error that more time would make smaller."""


class Searches(ABC):
    """What one player finds in searches after each of two moves."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves) -> None:
        self.game = game
        self.player = player
        self.view = view
        self.moves = moves
        self.seat: int = view["viewer"]

    @abstractmethod
    def go_on(self) -> int:
        """Search on for a moment; return for how many simulations."""

    @abstractmethod
    def shares(self) -> tuple[list[float], list[float]]:
        """Return each seat's share of the win after each of the moves."""

    @abstractmethod
    def variance(self) -> float:
        """Return how uncertain the difference between the moves is for the seat that decides."""

    def _slice(self, trees: Sequence[Node], deals: list[Any]) -> None:
        for tree, move in zip(trees, self.moves, strict=True):
            self.player.simulate(tree, [state_after(self.game, state, move) for state in deals], SLICE)

    def _redeals(self, number: int) -> list[Any]:
        return [self.game.redeal(self.view, self.player.random.randrange) for _ in range(number)]


class SmallPairs(Searches):
    """Pairs of small searches from ever new deals."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves, size: int) -> None:
        super().__init__(game, player, view, moves)
        self._slices = max(1, size // SLICE)
        self._found: list[tuple[list[float], list[float]]] = []

    def go_on(self) -> int:
        """Make another pair."""
        deals = self._redeals(REDEALS)
        one, other = (node(-1, 0.0, deals[0].seats) for _ in self.moves)
        for _ in range(self._slices):
            self._slice((one, other), deals)
            deals = self._redeals(REDEALS)
        self._found.append((_shares(one), _shares(other)))
        return 2 * SLICE * self._slices

    def shares(self) -> tuple[list[float], list[float]]:
        """Return the means over all pairs."""
        return mean([one for one, _ in self._found]), mean([other for _, other in self._found])

    def variance(self) -> float:
        """Return the variance of the mean difference, from how much the differences differ."""
        return variance_of_mean([one[self.seat] - other[self.seat] for one, other in self._found])


class GrowingPair(Searches):
    """One pair of trees that grows."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves) -> None:
        super().__init__(game, player, view, moves)
        self._deals = self._redeals(1)
        self._trees = [node(-1, 0.0, self._deals[0].seats) for _ in moves]
        self._gaps: list[float] = []

    def go_on(self) -> int:
        """Let both trees grow by a slice."""
        self._slice(self._trees, self._deals)
        one, other = self.shares()
        self._gaps.append(one[self.seat] - other[self.seat])
        return 2 * SLICE

    def shares(self) -> tuple[list[float], list[float]]:
        """Return what the trees say now."""
        one, other = self._trees
        return _shares(one), _shares(other)

    def variance(self) -> float:
        """Return the square of how much the difference changed in the second half of the search."""
        return (self._gaps[-1] - self._gaps[(len(self._gaps) - 1) // 2]) ** 2


class Comparer:
    """Compares two moves by searches of several players, all of them as long as each other."""

    def __init__(
        self, game: Game[Any], players: Sequence[Hard], view: dict[str, Any], moves: Moves, size: int = PAIR
    ) -> None:
        """`size` is that of a small search; with fewer simulations in all there are still several."""
        self._seat: int = view["viewer"]
        few = [game.redeal(view, players[0].random.randrange) for _ in range(FEW)]
        make: Callable[..., Searches] = GrowingPair if are_same(game, few) else partial(SmallPairs, size=size)
        self._searches = [make(game, player, view, moves) for player in players]

    def search(self, seconds: float) -> None:
        """Search on for so long, and for two moments of each player at least."""
        began = perf_counter()
        for number, each in enumerate(self._searches, 1):
            until = began + seconds * number / len(self._searches)
            least = 2
            while least > 0 or perf_counter() < until:
                each.go_on()
                least -= 1

    def search_simulations(self, simulations: int) -> None:
        """Search on for so many simulations of each player, and for two moments of each at least."""
        for each in self._searches:
            left = simulations - each.go_on() - each.go_on()
            while left > 0:
                left -= each.go_on()

    def result(self) -> Comparison:
        """Return the mean of what the players found; half of what they differ by is part of its error."""
        found = [each.shares() for each in self._searches]
        noise = fmean(each.variance() for each in self._searches) / len(self._searches)
        apart = variance_of_mean([one[self._seat] - other[self._seat] for one, other in found])
        first, second = mean([one for one, _ in found]), mean([other for _, other in found])
        return Comparison(first, second, sqrt(noise + apart), sqrt(noise))


def state_after(game: Game[Any], state: Any, move: int) -> Any:
    """Return the state after a move."""
    after = state.clone()
    game.apply(after, move)
    return after


def mean(vectors: list[list[float]]) -> list[float]:
    """Return the mean of vectors."""
    return [fmean(values) for values in zip(*vectors, strict=True)]


def variance_of_mean(values: list[float]) -> float:
    """Return the variance of the mean of some values, from how much they differ; 0 for a single one."""
    return pvariance(values) / max(1, len(values) - 1)


def _shares(tree: Node) -> list[float]:
    """Return each seat's share; a network's add up to 1 only nearly, these do."""
    whole = sum(tree.worth)
    return [worth / whole for worth in tree.worth]
