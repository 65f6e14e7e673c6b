"""Rollouts, as in backgammon, where nothing is hidden: play on after a move, again and again, and average.

For a few decisions everybody plays like the player who judges, mostly what a search visited most. Then the position is
searched once more, and what that finds is the result. The searches are equally large however much time there is; more
time makes more rollouts. So their mean settles, while the value of a tree that grows keeps changing.

The dice that choose the moves are quasi-random: in each position they are spread as evenly as can be, so that even a
few rollouts play every move nearly as often as they should. The mean is as sure as that of four times as many with real
dice.
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from math import sqrt
from random import Random
from statistics import fmean
from typing import Any, Final

from omnibus.bots.hard import Hard
from omnibus.bots.search import Node, node
from omnibus.bots.turn import settle
from omnibus.kernel.game import Game
from omnibus.lab.analysis.searches import SLICE, SMALL, Moves, Samples, state_after, tree_shares, variance_of_mean

SIZES: Final = (1024, 512, 256, 128, 64, 64, 64)
"""Simulations of the searches for each decision of a rollout, and of the last one, which gives the result."""
SIMULATIONS: Final = sum(SIZES)
"""At most so many simulations the first rollout after a move takes."""
SHARPNESS: Final = 2
"""A move is played in proportion to this power of its visits."""
STEP: Final = (sqrt(5) - 1) / 2
"""The dice of a position go on by this part of the whole; no other one spreads the multiples as evenly."""
BATCHES: Final = 16
"""Results are put together in at least so many batches, to see how uncertain their mean is."""
EVENNESS: Final = 0.5
"""The standard error is at most this part of what batches tell, as measured: batches make up for each other too."""
KEPT: Final = 64
"""So many states in which rollouts ended are kept for each move, to say what it leads to."""


class Rollouts(Samples):
    """Rollouts after each of several moves."""

    least = 8

    def __init__(self, game: Game[Any], player: Hard, view: dict[str, Any], moves: Moves, size: int) -> None:
        """`size` is what a small search has elsewhere; searches are larger or smaller in proportion."""
        super().__init__(game, player, view, moves)
        sizes = tuple(max(SLICE, each * size // SMALL) for each in SIZES)
        (state,) = self.redeals(1)
        self._here = Position(game, state, node(-1, 0.0, state.seats), sizes)

    def go_on(self) -> int:
        """Play on once after each of the moves; return how many simulations that took."""
        simulations = SLICE  # at least, because a rollout takes time even where all has been searched
        results = []
        for move, ends in zip(self.moves, self.ends, strict=True):
            end, made = rollout(self._here.after(move, self.player.random), self.player)
            results.append(end.shares)
            simulations += made
            if len(ends) < KEPT:
                ends.append(end.state)
        self.found.append(results)
        return simulations

    def variance(self, number: int) -> float:
        """Return the variance of the mean difference, from how much the means of batches differ.

        Results one after the other differ more than by chance, because the dice avoid what they have just thrown.
        """
        gaps = [shares[number][self.seat] - shares[-1][self.seat] for shares in self.found]
        size = len(gaps) // BATCHES
        if size < 2:
            return variance_of_mean(gaps)
        batches = [fmean(gaps[first : first + size]) for first in range(0, len(gaps) - size + 1, size)]
        return EVENNESS**2 * variance_of_mean(batches)


class Position:
    """A position rollouts come to. It is searched only once."""

    def __init__(self, game: Game[Any], state: Any, tree: Node, sizes: tuple[int, ...]) -> None:
        """`sizes` are those of its own search and of the next ones."""
        self.game = game
        self.state = state
        self.sizes = sizes
        self.moves = game.legal(state)
        self.shares: list[float] = [] if self.moves else list(game.judge(state))
        self._tree = tree
        self._weights: list[int] = []
        """The sums of the weights of all moves up to each, once the position has been searched."""
        self._dice: float | None = None
        self._next: dict[int, Position] = {}

    @property
    def is_last(self) -> bool:
        """Whether a rollout ends here: the game is over, or there is another decision after the last one."""
        return not self.moves or (len(self.moves) > 1 and len(self.sizes) == 1)

    def search(self, player: Hard) -> int:
        """Search, unless that was done; return how many simulations it took."""
        if self.shares:
            return 0
        tree, made = self._tree, 0
        while tree.visits < self.sizes[0]:
            made += player.simulate(tree, [self.state], min(SLICE, self.sizes[0] - tree.visits))
        self.shares = tree_shares(tree)
        visits = [tree.children[tree.places[move]].visits if move in tree.places else 0 for move in self.moves]
        self._weights = list(accumulate(each**SHARPNESS for each in visits))
        return made

    def chosen(self, random: Random) -> int:
        """Return a move, rather one that was visited often."""
        if len(self.moves) == 1:
            return self.moves[0]
        self._dice = random.random() if self._dice is None else (self._dice + STEP) % 1.0
        return self.moves[bisect(self._weights, self._dice * self._weights[-1], hi=len(self.moves) - 1)]

    def after(self, move: int, random: Random) -> Position:
        """Return the position after a move; it is always the same one, unless chance acts."""
        if move in self._next:
            return self._next[move]
        state = state_after(self.game, self.state, move)
        sizes = self.sizes[1:] if self._weights else self.sizes
        if self.game.chance_total(state):
            settle(self.game, state, random.random)
            return Position(self.game, state, node(-1, 0.0, state.seats), sizes)
        tree = self._tree.children[self._tree.places[move]] if self._weights else node(-1, 0.0, state.seats)
        self._next[move] = Position(self.game, state, tree, sizes)
        return self._next[move]


def rollout(here: Position, player: Hard) -> tuple[Position, int]:
    """Play on from a position; return the last one, which has been searched, and how many simulations it took."""
    simulations = 0
    while not here.is_last:
        if len(here.moves) > 1:
            simulations += here.search(player)
        here = here.after(here.chosen(player.random), player.random)
    simulations += here.search(player)
    return here, simulations
