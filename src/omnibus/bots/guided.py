"""Tree search guided by a network, which is asked about several positions at a time. Compiled.

The tree is the one of `bots.search`. The network gives each new node's moves their priors, and a share of the win for
every seat in place of a simulation. It sees the position before chance acts, so that a lucky draw is not mistaken for a
good move.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt
from typing import Any, Final

from omnibus.bots.search import Node, node
from omnibus.bots.turn import settle
from omnibus.kernel.batch import everything
from omnibus.kernel.game import Game

CURIOSITY: Final = 1.0
"""The exploration constant."""
CAUTION: Final = 0.1
"""A move without visits is expected to be worth so much less than its position."""
LEAST_PRIOR: Final = 0.002
"""No legal move has a smaller prior: whatever the network thinks of it, it is tried in the end."""


class Leaf:
    """A position the network is asked about, and the path that led to it."""

    __slots__ = ("moves", "observation", "path", "seat", "seen_by_all", "viewer")

    path: list[Node]
    moves: list[int]  # the legal ones
    seat: int  # the seat to act
    observation: bytes  # what it sees
    viewer: int  # the seat that `seen_by_all` begins with
    seen_by_all: bytes


def descend(
    game: Game[Any],
    root: Node,
    states: list[Any],
    first: int,
    number: int,
    random: Callable[[], float],
) -> list[Leaf]:
    """Go down the tree so many times, from the states in turn, and return the leaves to be evaluated.

    Every path is counted as visited at once, so that the next descent rather takes another one. Games that end on the
    way need no network.
    """
    leaves: list[Leaf] = []
    for one in range(first, first + number):
        leaf = _descent(game, root, states[one % len(states)].clone(), random)
        if leaf is not None:
            leaves.append(leaf)
    return leaves


def _descent(game: Game[Any], root: Node, state: Any, random: Callable[[], float]) -> Leaf | None:
    path: list[Node] = []
    here = root
    viewer: int = state.actor
    while True:
        path.append(here)
        here.visits += 1
        seen_by_all = b"" if here.children else everything(game, state, viewer)
        settle(game, state, random)
        moves = game.legal(state)
        if not moves:
            update(path, game.judge(state))
            return None
        seat: int = state.actor
        if _unknown(here, moves):
            leaf = Leaf()
            leaf.path = path
            leaf.moves = moves
            leaf.seat = seat
            leaf.observation = game.observe(state, seat)
            leaf.viewer = viewer if seen_by_all else seat
            leaf.seen_by_all = seen_by_all or everything(game, state, seat)
            return leaf
        viewer = seat
        here = _choose(here, seat, moves)
        game.apply(state, here.move)


def _unknown(here: Node, moves: list[int]) -> bool:
    """Tell whether a move has no prior yet: in another redeal the seat held other cards."""
    places = here.places
    for move in moves:  # noqa: SIM110 — a generator is not compiled to a loop
        if move not in places:
            return True
    return False


def _choose(here: Node, seat: int, moves: list[int]) -> Node:
    """Return the child to visit, by PUCT from the point of view of the seat to act."""
    children = here.children
    places = here.places
    tried = 1
    priors = 0.0
    for move in moves:
        child = children[places[move]]
        tried += child.visits
        priors += child.prior
    factor = CURIOSITY * sqrt(float(tried)) / priors
    unvisited = here.worth[seat] / float(max(here.visits - 1, 1)) - CAUTION  # this visit has no result yet
    best = children[places[moves[0]]]
    most = -2.0
    for move in moves:
        child = children[places[move]]
        n = float(child.visits)
        value = (child.worth[seat] / n if child.visits else unvisited) + factor * child.prior / (1.0 + n)
        if value > most:
            most = value
            best = child
    return best


def grow(leaf: Leaf, logits: list[float], shares: list[float]) -> None:
    """Add the moves of a leaf to the tree with the network's priors, and its shares to all nodes on the path."""
    here = leaf.path[-1]
    highest = logits[leaf.moves[0]]
    for move in leaf.moves:
        highest = max(highest, logits[move])
    total = 0.0
    for move in leaf.moves:
        total += exp(logits[move] - highest)
    for move in leaf.moves:
        if move not in here.places:
            child = node(move, shares[leaf.seat], len(shares))
            child.prior = max(exp(logits[move] - highest) / total, LEAST_PRIOR)
            here.places[move] = len(here.children)
            here.children.append(child)
    update(leaf.path, shares)


def update(path: list[Node], shares: list[float]) -> None:
    """Add a result to all nodes on a path; they count it as a visit already."""
    for one in path:
        worth = one.worth
        for seat in range(len(shares)):
            worth[seat] = worth[seat] + shares[seat]
