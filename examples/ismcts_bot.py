"""A textbook bot: information-set Monte Carlo tree search with random rollouts, for every game of Omnibus.

    omnibus arena times_square hard --program "python3 examples/ismcts_bot.py" --seconds 0.2

It speaks the line protocol of docs/protocol.md and uses Omnibus only for the rules. Every iteration begins from another
deal of what the bot cannot see, walks down one tree for all deals (UCB1, counting how often a move was available), adds
one node, and plays on at random to the end: single-observer ISMCTS after Cowling, Powley and Whitehouse (2012).
"""

from __future__ import annotations

import json
import sys
from math import inf, log, sqrt
from random import Random
from time import perf_counter
from typing import Any, Final

from omnibus import games
from omnibus.kernel.game import Game
from omnibus.kernel.perft import playout

EXPLORATION: Final = 0.7
"""The constant of UCB1, the usual one for rewards from 0 to 1."""
SECONDS: Final = 0.2
"""How long it thinks when `go` sets no limit."""
DEALS: Final = 100
"""So many deals of what it cannot see are made, and then used in turn: dealing takes longer than playing."""
PUNCTUAL: Final = 0.95
"""It stops searching after this part of its time, to answer within all of it."""


class Node:
    """A sequence of moves from the root: who made the last one, and what came of it."""

    def __init__(self, mover: int) -> None:
        self.mover = mover
        self.visits = 0
        self.available = 0
        self.won = 0.0
        self.children: dict[int, Node] = {}

    def bound(self) -> float:
        """Return the upper confidence bound of the mover's reward (UCB1); a new node comes first."""
        if not self.visits:
            return inf
        return self.won / self.visits + EXPLORATION * sqrt(log(self.available) / self.visits)


def choose(view: dict[str, Any], seconds: float, simulations: float, random: Random) -> str:
    """Search until a limit is reached; return the line visited most."""
    deadline = perf_counter() + seconds * PUNCTUAL
    game = games.find(view["game"])
    state = game.redeal(view, random.randrange)
    root = Node(state.actor)
    deals: list[Any] = []
    done = 0
    while len(view["legal"]) > 1 and done < simulations and (done == 0 or perf_counter() < deadline):
        if done < DEALS:
            deals.append(game.redeal(view, random.randrange))
        simulate(game, root, deals[done % DEALS].clone(), random)
        done += 1
    if not root.children:
        return str(view["legal"][0])
    return game.write(state, max(root.children, key=lambda move: root.children[move].visits))


def simulate(game: Game[Any], root: Node, state: Any, random: Random) -> None:
    """Walk down the tree, add one node, play on at random to the end, and reward every node on the way."""
    path = [root]
    new = False
    while not new and (moves := decision(game, state, random)):
        here = path[-1]
        untried = [move for move in moves if move not in here.children]
        new = bool(untried)
        if untried:
            here.children[random.choice(untried)] = Node(state.actor)
        open_moves = [move for move in moves if move in here.children]
        for move in open_moves:
            here.children[move].available += 1
        best = max(open_moves, key=lambda move: here.children[move].bound())
        game.apply(state, best)
        path.append(here.children[best])
    playout(game, state, random.random)
    rewards = shares(game, state)
    for node in path:
        node.visits += 1
        node.won += rewards[node.mover]


def decision(game: Game[Any], state: Any, random: Random) -> list[int]:
    """Let chance act until a seat decides; return its legal moves, or none at the end."""
    while total := game.chance_total(state):
        game.apply(state, game.chance_at(state, random.randrange(total)))
    return game.legal(state)


def shares(game: Game[Any], state: Any) -> list[float]:
    """Return what each seat has won: the winners share 1; if nobody has won, everybody does."""
    outcome = game.outcome(state)
    winners = (outcome.winners if outcome else ()) or range(state.seats)
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(state.seats)]


def limits(words: list[str]) -> tuple[float, float]:
    """Read `seconds S` and `simulations N`; what is not limited is infinite, unless nothing is."""
    given = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    seconds = given.get("seconds", inf if "simulations" in given else SECONDS)
    return seconds, given.get("simulations", inf)


def main() -> None:
    """Answer line by line until told to quit."""
    random = Random()
    view: dict[str, Any] = {}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "omnibus":
            say("name ISMCTS with random rollouts", "option seed WHOLE_NUMBER", "ready")
        elif word == "set":
            random.seed(rest.removeprefix("seed "))
            say("ready")
        elif word == "game":
            say("ready")
        elif word == "view":
            view = json.loads(rest)
        elif word == "go":
            say(f"play {choose(view, *limits(rest.split()), random)}")
        elif word == "quit":
            return


def say(*lines: str) -> None:
    """Answer, and make sure that it is sent at once."""
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
