"""Rollouts, as in backgammon, where nothing is hidden: play on after a move, again and again, and average.

For a few decisions everybody plays like the player who judges, mostly what a search visited most. Then the position is
searched once more, and what that finds is the result. The searches are equally large however much time there is; more
time makes more rollouts. So their mean settles, while the value of a tree that grows keeps changing.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from omnibus.bots.hard import Hard
from omnibus.bots.search import Node, node
from omnibus.bots.turn import settle
from omnibus.kernel.game import Game
from omnibus.lab.analysis.searches import SLICE, SMALL, Moves, Samples, state_after, tree_shares

SIZES: Final = (1024, 512, 256, 128, 64, 64, 64)
"""Simulations of the searches for each decision of a rollout, and of the last one, which gives the result."""
SIMULATIONS: Final = sum(SIZES)
"""At most so many simulations the first rollout after a move takes."""
SHARPNESS: Final = 2
"""A move is played in proportion to this power of its visits."""
KEPT: Final = 64
"""So many states in which rollouts ended are kept for each move, to say what it leads to."""


class Rollouts(Samples):
    """Rollouts after each of several moves."""

    least = 16

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
        self._weights = [each**SHARPNESS for each in visits]
        return made

    def chosen(self, random: Random) -> int:
        """Return a move, rather one that was visited often."""
        return random.choices(self.moves, self._weights)[0] if len(self.moves) > 1 else self.moves[0]

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
