"""`hard`: a tree search, limited by time or simulations per move."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from random import Random
from time import perf_counter
from typing import Any, Final

from omnibus.bots.bot import Bot, Candidate, View
from omnibus.bots.search import Node, node, plant, search
from omnibus.bots.turn import Plan, plans
from omnibus.kernel.game import Game

SECONDS: Final = 1.0
"""Thinking time if no limit is given."""
REDEALS: Final = 32
"""How many redeals of the hidden information are simulated in turn."""
FEW: Final = 3
WIDTH: Final = 8
"""Beam width when looking through its own turn before the search."""
PUNCTUAL: Final = 0.97
"""It stops searching after this part of its time, in order to answer in time."""
SLICE: Final = 64
"""After so many simulations it checks whether the remaining ones could still change its choice."""


class Hard(Bot):
    """Information-set Monte Carlo tree search on the compiled core, in one process."""

    def __init__(self, game: Game[Any], random: Random, seconds: float | None, simulations: int | None) -> None:
        super().__init__(game, random)
        self.seconds = SECONDS if seconds is None and simulations is None else seconds
        self.simulations = simulations
        self.simulations_made = 0
        self.seconds_searched = 0.0
        self._tree: tuple[list[Any], Node] | None = None

    def candidates(self, view: View) -> tuple[Any, list[Candidate]]:
        """Return a state with this view, and the moves that were searched, the most visited first."""
        self._began = perf_counter()
        with no_collection():
            return super().candidates(view)

    def _think(self, state: Any, view: View) -> list[Candidate]:
        moves = self.game.legal(state)
        root = self._kept(state, view) or node(-1, 0.0, state.seats)
        if len(moves) > 1:
            self._search(root, state, view)
        self._tree = (view["plies"], root) if "plies" in view else None
        chosen = [root.children[root.places[move]] for move in moves if move in root.places]
        chosen.sort(key=lambda child: (-child.visits, -child.first, -child.prior))
        if not chosen:
            return [Candidate(moves[0], self.game.judge(state), 0, lambda: state, lambda: moves[:1])]
        return [
            Candidate(
                child.move,
                _shares(child, state.actor),
                child.visits,
                partial(self._after, state, child),
                partial(self._path, state, child),
            )
            for child in chosen
        ]

    def _search(self, root: Node, state: Any, view: View) -> None:
        """Look through its own turn first to initialise the tree, then simulate."""
        began = perf_counter()
        deadline = inf if self.seconds is None else self._began + self.seconds * PUNCTUAL
        if not root.children:
            half = inf if self.seconds is None else self._began + self.seconds / 2
            for plan in self._plans(state, half):
                plant(root, plan.path, plan.shares[state.actor], state.seats)
        states = self._redeals(state, view)
        left = self.simulations or 1 << 60
        done = 0
        while left > 0 and (done == 0 or perf_counter() < deadline):
            made = self.simulate(root, states, min(SLICE, left), deadline)
            done += made
            left -= made
            if lead(root) > min(left, affordable(done, began, deadline)):
                break
        self.simulations_made += done
        self.seconds_searched += perf_counter() - began

    def _plans(self, state: Any, deadline: float) -> list[Plan]:
        """Return a plan of its turn for each legal move."""
        return plans(self.game, state, self.random.random, WIDTH, deadline, perf_counter)

    def simulate(self, root: Node, states: list[Any], number: int, deadline: float = inf) -> int:
        """Simulate from the states in turn, so many times or until the deadline; return how often."""
        return search(self.game, root, states, self.random.random, number, deadline, perf_counter)

    def _redeals(self, state: Any, view: View) -> list[Any]:
        """Return several redeals of the hidden information; one is enough if nothing is hidden."""
        few = [self._suppose(view) for _ in range(FEW)]
        if are_same(self.game, [state, *few]):
            return [state]
        return [state, *few, *(self._suppose(view) for _ in range(REDEALS - 1 - FEW))]

    def _kept(self, state: Any, view: View) -> Node | None:
        """Return the part of the last tree for this position, if only seats have acted since."""
        if self._tree is None or "plies" not in view:
            return None
        (known, here), self._tree = self._tree, None
        plies = view["plies"]
        if plies[: len(known)] != known:
            return None
        for actor, line in plies[len(known) :]:
            if actor == "chance":
                return None
            move = self.game.parse(state, line)
            if move not in here.places:
                return None
            here = here.children[here.places[move]]
        return here

    def _after(self, state: Any, child: Node) -> Any:
        """Return the state after the turn if it continues with the most visited moves."""
        after = state.clone()
        for move in self._path(state, child):
            self.game.apply(after, move)
        return after

    def _path(self, state: Any, child: Node) -> list[int]:
        """Return the most visited moves of the turn that begins with this one."""
        seat = state.actor
        after = state.clone()
        self.game.apply(after, child.move)
        here, path = child, [child.move]
        while after.actor == seat and here.children:
            moves = self.game.legal(after)
            here = max((one for one in here.children if one.move in moves), key=lambda one: one.visits, default=here)
            if here.move not in moves:
                break
            self.game.apply(after, here.move)
            path.append(here.move)
        return path


def _shares(child: Node, seat: int) -> list[float]:
    if child.visits:
        return [worth / child.visits for worth in child.worth]
    others = (1 - child.first) / (len(child.worth) - 1)
    return [child.first if one == seat else others for one in range(len(child.worth))]


def lead(root: Node) -> int:
    """Return by how many visits the first choice leads the second."""
    visits = sorted((child.visits for child in root.children), reverse=True)
    return visits[0] - visits[1] if len(visits) > 1 else 0


def affordable(done: int, began: float, deadline: float) -> float:
    """Return how many more simulations fit in the remaining time, at the speed so far."""
    now = perf_counter()
    return done * (deadline - now) / (now - began)


def are_same(game: Game[Any], states: list[Any]) -> bool:
    """Tell whether states are the same position; redeals are where nothing is hidden."""
    position = game.position(states[0])
    return all(game.position(other) == position for other in states[1:])


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the garbage collector: it costs time, and a search leaves no cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
