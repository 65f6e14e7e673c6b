"""The learning environments and their peers, for `bench.py`: steps a second, observations and masks included.

A step is a decision of a seat, chosen at random among the legal ones by the library's own means; chance is not counted.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

MOST_SEATS = 4
BATCH = 256  # games of the vector environment
Play = Callable[[Random], int]


def zoo(env: Any) -> Play:
    """Return a function that plays one game of a PettingZoo environment."""

    def play(random: Random) -> int:
        env.reset(seed=random.getrandbits(30))
        steps = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                steps += 1
        return steps

    return play


def spiel(name: str) -> Play:
    """Return a function that plays one game of OpenSpiel, looking at every observation tensor."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(random: Random) -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, weights)[0])
            else:
                state.observation_tensor(state.current_player())
                state.apply_action(random.choice(state.legal_actions()))
                steps += 1
        return steps

    return play


def single(name: str, seats: int) -> Play:
    """Return a function that plays one game of a Gymnasium environment against random bots; only own steps count."""
    from omnibus.envs import Single

    env = Single(name, seats=seats, opponents="random")

    def play(random: Random) -> int:
        observation, _ = env.reset(seed=random.getrandbits(30))
        steps, over = 0, False
        while not over:
            action = env.action_space.sample(observation["action_mask"])
            observation, _, over, _, _ = env.step(action)
            steps += 1
        return steps

    return play


def many(name: str, seats: int) -> Play:
    """Return a function that takes ten steps in each game of a vector environment."""
    from omnibus.envs import vector

    env = vector(name, games=BATCH, seats=seats, seed=1)
    env.reset()

    def play(random: Random) -> int:
        for _ in range(10):
            env.step(env.sample())
        return 10 * BATCH

    return play


def ours() -> Iterator[tuple[str, Play]]:
    """List our environments, for every library."""
    if not (find_spec("gymnasium") and find_spec("pettingzoo")):
        return
    from omnibus import games
    from omnibus.envs import aec

    for name in games.names():
        seats = max(number for number in games.find(name).seats if number <= MOST_SEATS)
        yield f"AEC {name}, {seats} seats", zoo(aec(name, seats=seats))
        yield f"vector {name}, {seats} seats", many(name, seats)
        yield f"Gymnasium {name}, {seats} seats", single(name, seats)
        if find_spec("pyspiel"):
            import omnibus.envs.openspiel  # noqa: F401 — registers the games

            yield f"OpenSpiel {name}, {seats} seats", spiel(f"omnibus_{name}(players={seats})")


def peers() -> Iterator[tuple[str, Play]]:
    """List the peers that are installed: environments of the libraries themselves, written in Python."""
    if find_spec("pygame") and find_spec("pettingzoo"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            from pettingzoo.classic import connect_four_v3, tictactoe_v3

        yield "PettingZoo connect_four", zoo(connect_four_v3.env())
        yield "PettingZoo tictactoe", zoo(tictactoe_v3.env())
    if find_spec("pyspiel"):
        import open_spiel.python.games  # noqa: F401 — registers the Python games

        for name in ("python_tic_tac_toe", "python_kuhn_poker"):
            yield f"OpenSpiel {name}", spiel(name)
