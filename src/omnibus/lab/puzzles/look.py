"""Look at a position from the view of the seat to act: which of its lines are better than the others, and by how much.

A first search over many redeals ranks all lines. The best of them are then compared: each is searched on its own, from
the same redeals and equally often. Times are those of the processor, so that other programs do not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from random import Random
from statistics import fmean, pvariance
from time import process_time
from typing import Any, Final

from omnibus.bots.hard import no_collection
from omnibus.bots.search import CONFIDENCE, Node, node, plant, search
from omnibus.bots.turn import plans
from omnibus.kernel.game import Game

REDEALS: Final = 64
"""So many redeals of what the seat cannot see are looked at."""
GROUPS: Final = 8
"""They are looked at in so many groups; how much these differ tells how sure the result is."""
SEARCHED: Final = 0.3
"""So much of the time goes into the first search."""
COMPARED: Final = 8
"""So many lines are compared."""
SLICE: Final = 16
"""Simulations of one line before the next has its turn, so that all get the same number."""
LEAST: Final = 0.25
"""What is clearly a puzzle is looked at for at least so much of the time, if nothing else is asked for."""
CHECKED: Final = frozenset(times << power for power in range(2, 30) for times in (2, 3))
"""After so many rounds it is asked whether the result is clear."""
WIDTH: Final = 8
"""Beam width when looking through the seat's own turn before the search."""


@dataclass(slots=True)
class Tried:
    """A line that is compared: its tree, and what the simulations of each group of redeals said."""

    move: int
    tree: Node
    states: list[list[Any]]
    """The states after it, by group."""
    rounds: list[list[float]] = field(default_factory=list)
    """The seat's share in each round, by group."""

    @property
    def groups(self) -> list[float]:
        """The seat's share in the second half of the rounds, when the tree has grown, by group."""
        return [fmean(shares) for shares in zip(*self.rounds[len(self.rounds) // 2 :], strict=True)]

    @property
    def early(self) -> float:
        """The seat's share in the first half of the rounds."""
        return fmean(fmean(shares) for shares in self.rounds[: len(self.rounds) // 2])

    @property
    def share(self) -> float:
        """The seat's share in the second half of the rounds."""
        return fmean(self.groups)

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return sqrt(_spread(self.groups) + (self.share - self.early) ** 2 / 4)


@dataclass(frozen=True, slots=True)
class Look:
    """The lines of a position that were compared, the best first, in a state with the view of the seat."""

    state: Any
    tried: list[Tried]

    def error(self, first: Tried, second: Tried) -> float:
        """Return the standard error of the difference between two lines."""
        gaps = [one - other for one, other in zip(first.groups, second.groups, strict=True)]
        change = fmean(gaps) - (first.early - second.early)
        return sqrt(_spread(gaps) + change * change / 4)


Clear = Callable[[Look], bool | None]
"""Tells whether a look has become so clear that it can end: True or False if there is a puzzle or none, else None."""


def look(
    game: Game[Any],
    view: Mapping[str, Any],
    *,
    seconds: float,
    seed: str,
    clock: Callable[[], float] = process_time,
    clear: Clear = lambda found: None,
    least: float = LEAST,
) -> Look:
    """Compare the best lines of the seat that has this view, for so long or until the result is clear.

    What is clearly no puzzle ends it at once, a clear puzzle after the `least` part of the time.
    """
    random = Random(seed)
    began = clock()
    deals = redeals(game, view, random)
    state = deals[0]
    with no_collection():
        moves = ranked(game, deals, random, began + SEARCHED * seconds, clock)[:COMPARED]
        tried = [_tried(game, deals, move) for move in moves]
        for number in _rounds(began + seconds, clock):
            _compare(game, tried, state.actor, random, clock)
            if number in CHECKED:
                said = clear(_sorted(state, tried))
                if said is False or (said and clock() >= began + least * seconds):
                    break
    return _sorted(state, tried)


def _sorted(state: Any, tried: list[Tried]) -> Look:
    return Look(state, sorted(tried, key=lambda each: -each.share))


def _rounds(deadline: float, clock: Callable[[], float]) -> Iterator[int]:
    """Count rounds up to a deadline; there are at least two."""
    number = 0
    while number < 2 or clock() < deadline:
        number += 1
        yield number


def redeals(game: Game[Any], view: Mapping[str, Any], random: Random) -> list[Any]:
    """Return redeals of what the seat cannot see; one, if nothing is hidden."""
    few = [game.redeal(view, random.randrange) for _ in range(4)]
    position = game.position(few[0])
    if all(game.position(other) == position for other in few[1:]):
        return few[:1]
    return [*few, *(game.redeal(view, random.randrange) for _ in range(REDEALS - len(few)))]


def ranked(game: Game[Any], deals: list[Any], random: Random, deadline: float, clock: Callable[[], float]) -> list[int]:
    """Return the legal moves, the most promising first, after a search up to a deadline."""
    state = deals[0]
    root = node(-1, 0.0, state.seats)
    for plan in plans(game, state, random.random, WIDTH, (clock() + deadline) / 2, clock):
        plant(root, plan.path, plan.shares[state.actor], state.seats)
    search(game, root, deals, random.random, 1 << 60, deadline, clock)
    legal = set(game.legal(state))
    children = [child for child in root.children if child.move in legal]
    children.sort(key=lambda child: -_estimate(child, state.actor))
    return [child.move for child in children]


def _estimate(child: Node, seat: int) -> float:
    return (child.worth[seat] + CONFIDENCE * child.first) / (child.visits + CONFIDENCE)


def _tried(game: Game[Any], deals: list[Any], move: int) -> Tried:
    states = []
    for state in deals:
        after = state.clone()
        game.apply(after, move)
        states.append(after)
    groups = [states[number::GROUPS] or states for number in range(GROUPS)]
    return Tried(move, node(-1, 0.0, deals[0].seats), groups)


def _compare(game: Game[Any], tried: list[Tried], seat: int, random: Random, clock: Callable[[], float]) -> None:
    """Search each line on its own for a round, by turns; every group is looked at equally often."""
    for each in tried:
        shares = []
        for states in each.states:
            before, visits = each.tree.worth[seat], each.tree.visits
            search(game, each.tree, states, random.random, SLICE, inf, clock)
            shares.append((each.tree.worth[seat] - before) / (each.tree.visits - visits))
            random.shuffle(states)
        each.rounds.append(shares)


def path(game: Game[Any], state: Any, tried: Tried) -> list[int]:
    """Return the moves of the turn that begins with a line: the most visited ones."""
    seat, after = state.actor, state.clone()
    game.apply(after, tried.move)
    here, moves = tried.tree, [tried.move]
    while after.actor == seat:
        legal = set(game.legal(after))
        known = [one for one in here.children if one.move in legal and one.visits]
        if not known:
            break
        here = max(known, key=lambda one: one.visits)
        game.apply(after, here.move)
        moves.append(here.move)
    return moves


def _spread(values: Sequence[float]) -> float:
    """Return the squared standard error of a mean."""
    return pvariance(values) / (len(values) - 1)
