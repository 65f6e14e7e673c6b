"""All games with all numbers of seats and options, and random states of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from omnibus import games
from omnibus.kernel.game import OVER, Game
from omnibus.kernel.perft import step

SEEDS = st.integers(0, 2**32)


def setups() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield every game with every number of seats, with its defaults and with every other choice of a single option."""
    for name in games.names():
        game = games.find(name)
        defaults = {key: option.default for key, option in game.options.items()}
        others = [
            {key: choice}
            for key, option in game.options.items()
            for choice in option.choices
            if choice != option.default
        ]
        chosen = [defaults] + [defaults | other for other in others]
        for seats, options in itertools.product(game.seats, chosen):
            try:
                game.setup(seats, options)
            except ValueError:
                continue  # not possible with this number of seats
            yield name, seats, options


SETUPS = list(setups())
every_setup = pytest.mark.parametrize(("name", "seats", "options"), SETUPS)


def somewhere(name: str, seats: int, options: dict[str, Any], random: Random) -> tuple[Game[Any], Any]:
    """Return a random state of a random game."""
    game = games.find(name)
    state = game.setup(seats, options)
    for _ in range(random.choice([0, 1, 5, 20, 80, 320, game.longest])):
        move = step(game, state, random.random)
        if move == OVER:
            break
        game.apply(state, move)
    return game, state
