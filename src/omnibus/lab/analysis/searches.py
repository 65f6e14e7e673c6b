"""What one player finds in searches after several moves of a seat, the last of which is compared with the others.

Where something is hidden, many small searches are made after each move, from new deals each time. Their results differ
by luck more than by depth, so more time makes more searches, as in a rollout, and not larger trees. Where nothing is
hidden they would all be the same. There one tree for each move grows for as long as there is time, for a first look,
and `rollouts` judge what matters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from statistics import fmean, pvariance
from typing import Any, Final

from omnibus.bots.hard import Hard
from omnibus.bots.search import Node, node
from omnibus.kernel.game import Game

SMALL: Final = 128
"""Simulations of each of the small searches that are compared."""
SLICE: Final = 16
"""Simulations after one move before the next has its turn, so that all get the same number."""
REDEALS: Final = 8
"""So many redeals each slice begins from."""

Moves = tuple[int, ...]
Shares = list[float]
"""Each seat's share of the win."""


class Searches(ABC):
    """What one player finds in searches after each of several moves."""

    least = 2
    """The result is worth something after so many moments."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves) -> None:
        self.game = game
        self.player = player
        self.view = view
        self.seat: int = view["viewer"]
        self.seats: int = self.redeals(1)[0].seats
        self.turn_to(moves)

    def turn_to(self, moves: Moves) -> None:
        """Begin again with other moves."""
        self.moves = moves
        self.ends: list[list[Any]] = [[] for _ in moves]
        """States to which each of the moves led, where the game is played on."""

    @property
    @abstractmethod
    def moments(self) -> int:
        """For how many moments this has searched."""

    @abstractmethod
    def go_on(self) -> int:
        """Search on for a moment; return for how many simulations."""

    @abstractmethod
    def shares(self) -> list[Shares]:
        """Return the shares after each of the moves."""

    @abstractmethod
    def variance(self, number: int) -> float:
        """Return how uncertain the difference between a move and the last is for the seat that decides."""

    def redeals(self, number: int) -> list[Any]:
        """Deal so many times what the seat does not see."""
        return [self.game.redeal(self.view, self.player.random.randrange) for _ in range(number)]

    def _trees(self) -> list[Node]:
        return [node(-1, 0.0, self.seats) for _ in self.moves]

    def _slice(self, trees: Sequence[Node], deals: list[Any]) -> None:
        for tree, move in zip(trees, self.moves, strict=True):
            self.player.simulate(tree, [state_after(self.game, state, move) for state in deals], SLICE)


class Samples(Searches):
    """Results that differ by luck; their mean counts."""

    def turn_to(self, moves: Moves) -> None:
        """Begin again with other moves."""
        super().turn_to(moves)
        self.found: list[list[Shares]] = []
        """The shares after each of the moves, again and again."""

    @property
    def moments(self) -> int:
        """How many results there are."""
        return len(self.found)

    def shares(self) -> list[Shares]:
        """Return the means of all results."""
        return [mean(list(results)) for results in zip(*self.found, strict=True)]

    def variance(self, number: int) -> float:
        """Return the variance of the mean difference, from how much the differences differ."""
        return variance_of_mean([shares[number][self.seat] - shares[-1][self.seat] for shares in self.found])


class SmallTrees(Samples):
    """Small searches from ever new deals."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves, size: int) -> None:
        super().__init__(game, player, view, moves)
        self._slices = max(1, size // SLICE)

    def go_on(self) -> int:
        """Make another search after each of the moves."""
        trees = self._trees()
        for _ in range(self._slices):
            self._slice(trees, self.redeals(REDEALS))
        self.found.append([tree_shares(tree) for tree in trees])
        return len(trees) * SLICE * self._slices


class GrowingTrees(Searches):
    """One tree after each of the moves, which grows."""

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves) -> None:
        super().__init__(game, player, view, moves)
        self._deals = self.redeals(1)

    def turn_to(self, moves: Moves) -> None:
        """Begin again with other moves."""
        super().turn_to(moves)
        self._growing = self._trees()
        self._worth: list[list[float]] = []
        """What the moves were worth to the seat that decides, after each slice."""

    @property
    def moments(self) -> int:
        """By how many slices the trees have grown."""
        return len(self._worth)

    def go_on(self) -> int:
        """Let all trees grow by a slice."""
        self._slice(self._growing, self._deals)
        self._worth.append([shares[self.seat] for shares in self.shares()])
        return len(self._growing) * SLICE

    def shares(self) -> list[Shares]:
        """Return what the trees say now."""
        return [tree_shares(tree) for tree in self._growing]

    def variance(self, number: int) -> float:
        """Return the square of how much the difference changed in the second half of the search."""
        gaps = [worth[number] - worth[-1] for worth in self._worth]
        return (gaps[-1] - gaps[(len(gaps) - 1) // 2]) ** 2


def state_after(game: Game[Any], state: Any, move: int) -> Any:
    """Return the state after a move."""
    after = state.clone()
    game.apply(after, move)
    return after


def tree_shares(tree: Node) -> Shares:
    """Return each seat's share; a network's add up to 1 only nearly, these do."""
    whole = sum(tree.worth)
    return [worth / whole for worth in tree.worth]


def mean(vectors: list[list[float]]) -> list[float]:
    """Return the mean of vectors."""
    return [fmean(values) for values in zip(*vectors, strict=True)]


def variance_of_mean(values: list[float]) -> float:
    """Return the variance of the mean of some values, from how much they differ; 0 for a single one."""
    return pvariance(values) / max(1, len(values) - 1)
