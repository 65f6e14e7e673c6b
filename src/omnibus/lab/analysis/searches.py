"""What one player finds in searches after each of two moves of a seat.

Where something is hidden, many pairs of small searches are made, each from new deals. Their results differ by luck more
than by depth, so more time makes more pairs, as in a rollout, and not larger trees. Where nothing is hidden all pairs
would be the same. There one pair of trees grows for as long as there is time, for a first look, and `rollouts` judge
what matters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from statistics import fmean, pvariance
from typing import Any, Final

from omnibus.bots.hard import Hard
from omnibus.bots.search import Node, node
from omnibus.kernel.game import Game

PAIR: Final = 128
"""Simulations of each of two small searches that are compared."""
SLICE: Final = 16
"""Simulations after one move before the other has its turn, so that both get the same number."""
REDEALS: Final = 8
"""So many redeals each slice begins from."""

Moves = tuple[int, int]


class Searches(ABC):
    """What one player finds in searches after each of two moves."""

    least = 2
    """The result is worth something after so many moments."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves) -> None:
        self.game = game
        self.player = player
        self.view = view
        self.moves = moves
        self.seat: int = view["viewer"]
        self.seats: int = self.redeals(1)[0].seats

    @abstractmethod
    def go_on(self) -> int:
        """Search on for a moment; return for how many simulations."""

    @abstractmethod
    def shares(self) -> tuple[list[float], list[float]]:
        """Return each seat's share of the win after each of the moves."""

    @abstractmethod
    def variance(self) -> float:
        """Return how uncertain the difference between the moves is for the seat that decides."""

    def redeals(self, number: int) -> list[Any]:
        """Deal so many times what the seat does not see."""
        return [self.game.redeal(self.view, self.player.random.randrange) for _ in range(number)]

    def _trees(self) -> tuple[Node, Node]:
        return node(-1, 0.0, self.seats), node(-1, 0.0, self.seats)

    def _slice(self, trees: Sequence[Node], deals: list[Any]) -> None:
        for tree, move in zip(trees, self.moves, strict=True):
            self.player.simulate(tree, [state_after(self.game, state, move) for state in deals], SLICE)


class Samples(Searches):
    """Pairs of results that differ by luck; their mean counts."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves) -> None:
        super().__init__(game, player, view, moves)
        self.found: list[tuple[list[float], list[float]]] = []

    def shares(self) -> tuple[list[float], list[float]]:
        """Return the means over all pairs."""
        return mean([one for one, _ in self.found]), mean([other for _, other in self.found])

    def variance(self) -> float:
        """Return the variance of the mean difference, from how much the differences differ."""
        return variance_of_mean([one[self.seat] - other[self.seat] for one, other in self.found])


class SmallPairs(Samples):
    """Pairs of small searches from ever new deals."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves, size: int) -> None:
        super().__init__(game, player, view, moves)
        self._slices = max(1, size // SLICE)

    def go_on(self) -> int:
        """Make another pair."""
        one, other = self._trees()
        for _ in range(self._slices):
            self._slice((one, other), self.redeals(REDEALS))
        self.found.append((tree_shares(one), tree_shares(other)))
        return 2 * SLICE * self._slices


class GrowingPair(Searches):
    """One pair of trees that grows."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves) -> None:
        super().__init__(game, player, view, moves)
        self._deals = self.redeals(1)
        self._pair = self._trees()
        self._gaps: list[float] = []

    def go_on(self) -> int:
        """Let both trees grow by a slice."""
        self._slice(self._pair, self._deals)
        one, other = self.shares()
        self._gaps.append(one[self.seat] - other[self.seat])
        return 2 * SLICE

    def shares(self) -> tuple[list[float], list[float]]:
        """Return what the trees say now."""
        one, other = self._pair
        return tree_shares(one), tree_shares(other)

    def variance(self) -> float:
        """Return the square of how much the difference changed in the second half of the search."""
        return (self._gaps[-1] - self._gaps[(len(self._gaps) - 1) // 2]) ** 2


def state_after(game: Game[Any], state: Any, move: int) -> Any:
    """Return the state after a move."""
    after = state.clone()
    game.apply(after, move)
    return after


def tree_shares(tree: Node) -> list[float]:
    """Return each seat's share; a network's add up to 1 only nearly, these do."""
    whole = sum(tree.worth)
    return [worth / whole for worth in tree.worth]


def mean(vectors: list[list[float]]) -> list[float]:
    """Return the mean of vectors."""
    return [fmean(values) for values in zip(*vectors, strict=True)]


def variance_of_mean(values: list[float]) -> float:
    """Return the variance of the mean of some values, from how much they differ; 0 for a single one."""
    return pvariance(values) / max(1, len(values) - 1)
