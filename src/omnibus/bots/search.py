"""Information-set Monte Carlo tree search: one tree for many redeals of the hidden information. Compiled.

Every simulation starts from another full state with the same view. The tree is open-loop: its nodes are sequences of
decisions of seats, whatever chance did between them, so a decision is averaged over chance and the hidden cards. Every
player maximises their own share (max^n).
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt
from typing import Any, Final

from omnibus.bots.turn import foresee, settle
from omnibus.kernel.game import Game

CURIOSITY: Final = 3.0
"""The exploration constant, relative to the spread of the first evaluations of the moves."""
CONFIDENCE: Final = 2.0
"""The first evaluation of a move counts as much as so many visits."""
LEVEL: Final = 0.0005
"""Moves whose evaluations differ by less than this count as equal."""
LEAST: Final = 10
"""The minimum number of simulations, even if the time is up: a choice needs them."""


_UNTOLD: Final[list[float]] = []


class Node:
    """A sequence of decisions, and the results of its simulations."""

    __slots__ = ("children", "first", "move", "places", "prior", "shares", "spread", "visits", "worth")

    move: int
    shares: list[float]  # what a value network told of the position after it; empty where none was asked
    first: float  # the evaluation for the mover right after it
    prior: float  # how likely it seems to be the best of its siblings
    spread: float  # how much the first evaluations of its children differ
    visits: int
    worth: list[float]  # the sum of the shares of all visits, by seat
    children: list[Node]
    places: dict[int, int]  # the index of the child of a move


def node(move: int, first: float, seats: int) -> Node:
    """Return a node without visits."""
    made = Node()
    made.move = move
    made.shares = _UNTOLD
    made.first = first
    made.prior = 0.0
    made.spread = LEVEL
    made.visits = 0
    made.worth = [0.0] * seats
    made.children = []
    made.places = {}
    return made


def search(
    game: Game[Any],
    root: Node,
    states: list[Any],
    random: Callable[[], float],
    simulations: int,
    deadline: float,
    clock: Callable[[], float],
) -> int:
    """Simulate from the states in turn, so many times or until the deadline; return how often."""
    done = 0
    while done < simulations and (done < LEAST or clock() < deadline):
        simulate(game, root, states[done % len(states)].clone(), random)
        done += 1
    return done


def simulate(game: Game[Any], root: Node, state: Any, random: Callable[[], float]) -> None:
    """Descend the tree, add one node, evaluate it, and update all nodes on the path."""
    legal = game.legal
    apply = game.apply
    seats: int = state.seats
    path: list[Node] = [root]
    here = root
    growing = True
    while growing:
        settle(game, state, random)
        moves = legal(state)
        if not moves:
            break
        here = choose(game, here, state, moves)
        growing = here.visits > 0
        apply(state, here.move)
        path.append(here)
    shares = foresee(game, state, random)
    for one in path:
        one.visits += 1
        worth = one.worth
        for seat in range(seats):
            worth[seat] = worth[seat] + shares[seat]


def choose(game: Game[Any], here: Node, state: Any, moves: list[int]) -> Node:
    """Return the child to visit, by PUCT from the mover's point of view."""
    places = here.places
    children = here.children
    actor: int = state.actor
    tried = 1
    for move in moves:
        if move in places:
            tried += children[places[move]].visits
        else:
            after = state.clone()
            game.apply(after, move)
            places[move] = len(children)
            children.append(node(move, game.judge(after)[actor], state.seats))
            here.spread = 0.0
    if here.spread == 0.0:
        weigh(here)
    curiosity = CURIOSITY * here.spread * sqrt(float(tried))
    best = children[places[moves[0]]]
    most = -1.0
    for move in moves:
        child = children[places[move]]
        n = float(child.visits) + CONFIDENCE
        value = (child.worth[actor] + CONFIDENCE * child.first) / n + curiosity * child.prior / n
        if value > most:
            most = value
            best = child
    return best


def weigh(here: Node) -> None:
    """Compute the priors of the children from their first evaluations."""
    count = float(len(here.children))
    mean = 0.0
    for child in here.children:
        mean += child.first / count
    variance = 0.0
    for child in here.children:
        variance += (child.first - mean) * (child.first - mean) / count
    spread = max(sqrt(variance), LEVEL)
    total = 0.0
    for child in here.children:
        child.prior = exp((child.first - mean) / spread)
        total += child.prior
    for child in here.children:
        child.prior = child.prior / total
    here.spread = spread


def plant(root: Node, path: list[int], first: float, seats: int) -> None:
    """Add the moves of a planned turn to the tree."""
    here = root
    for move in path:
        if move not in here.places:
            here.places[move] = len(here.children)
            here.children.append(node(move, first, seats))
        here.spread = 0.0
        here = here.children[here.places[move]]
        here.first = max(here.first, first)
