"""How well a policy plays without any search, against a level of bots."""

from __future__ import annotations

from pathlib import Path
from random import Random

from omnibus.bots import Bot, bot
from omnibus.bots.master import Master
from omnibus.bots.network import read
from omnibus.lab.game_loop import GameLoop
from omnibus.lab.simulate import UnverifiedChance
from omnibus.lab.training.actors import Task


def win_share(task: Task, weights: Path, level: str, games: int, seed: int, simulations: int = 1) -> float:
    """Return the share of the win of one network against bots of a level, in every seat equally often.

    With one simulation a move it plays what its policy likes best; with more it searches.
    """
    game, state = task.begin()
    network = read(game, state, weights)
    total = 0.0
    for number in range(games):
        own = number % task.seats
        seeds = Random(f"{seed} {number}")
        players: list[Bot] = [
            Master(game, Random(seeds.getrandbits(63)), None, simulations, network)
            if seat == own
            else bot(level, game, seed=seeds.getrandbits(63), seconds=0.2 if level == "hard" else None)
            for seat in range(task.seats)
        ]
        loop = GameLoop(game, state.clone(), UnverifiedChance(seeds))
        loop.play(players)
        total += game.judge(loop.state)[own]  # once the game is over, the actual share
    return total / games
