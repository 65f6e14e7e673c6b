"""How fast `hard` searches, for `bench.py`: simulations per second, in positions from all stages of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

SIMULATIONS = 500
Play = Callable[[Random], int]


def searching(name: str, seats: int) -> Play:
    """Return a function that lets `hard` think about one position of a random game."""
    from omnibus import games
    from omnibus.bots import bot
    from omnibus.kernel.game import OVER
    from omnibus.kernel.perft import playout

    game = games.find(name)
    options = {key: option.default for key, option in game.options.items()}

    def think(random: Random) -> int:
        state: Any = None
        while state is None or state.actor == OVER:
            state = game.setup(seats, options)
            playout(game, state, random.random, 1 + random.randrange(60))
            while game.chance_total(state):
                game.apply(state, game.chance_at(state, random.randrange(game.chance_total(state))))
        player: Any = bot("hard", game, seed=random.getrandbits(32), simulations=SIMULATIONS)
        player(game.view(state, state.actor))
        return int(player.simulations_made)

    return think


def ours() -> Iterator[tuple[str, Play]]:
    """List the games and numbers of seats in which `hard` is measured."""
    from omnibus import games

    for name in games.names():
        for seats in games.find(name).seats[:2]:
            yield f"{name}, {seats} seats", searching(name, seats)


def peers() -> Iterator[tuple[str, Play]]:
    """List the searches of others that are installed: OpenSpiel's, in Python and in C++, with one random rollout."""
    if not find_spec("pyspiel"):
        return
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("connect_four")

    def python(random: Random) -> int:
        rng = np.random.RandomState(random.getrandbits(32))
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        mcts.MCTSBot(game, 1.4, SIMULATIONS, evaluator, random_state=rng, solve=False).step(game.new_initial_state())
        return SIMULATIONS

    def native(random: Random) -> int:
        seed = random.getrandbits(31)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        kind = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, SIMULATIONS, 100, False, seed, False, kind)
        bot.step(game.new_initial_state())
        return SIMULATIONS

    yield "OpenSpiel MCTS in Python, connect_four", python
    yield "OpenSpiel MCTS in C++, connect_four", native
