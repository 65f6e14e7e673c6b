"""A value network in the search of `hard`: what it sees of a position, and what the search makes of it."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omnibus import Match, games
from omnibus.bots import bot
from omnibus.bots.master import Master
from omnibus.bots.value_network import ValueNetwork
from omnibus.kernel.game import Game
from support.winning import winning

pytestmark = [pytest.mark.engine, pytest.mark.walk]

SUMMED_UP = [(name, seats) for name in games.names() if games.find(name).summary for seats in games.find(name).seats]


def begun(name: str, seats: int, plies: int = 0) -> tuple[Game[Any], Any]:
    """Return a position in which a seat is to act, some random moves into a game."""
    match, random = Match.new(name, seats=seats, seed=1), Random(1)
    for _ in range(plies):
        match.play(random.choice(match.lines()))
    return match.game, match.state.clone()


def untrained(game: Game[Any], state: Any, seed: int = 0, width: int = 8) -> ValueNetwork:
    """Return a small network with random weights."""
    assert game.summary
    random = np.random.default_rng(seed)
    sizes = [state.seats * game.summary.each + game.summary.common, width, width, 1]
    arrays: dict[str, NDArray[Any]] = {}
    for layer, (rows, columns) in enumerate(pairwise(sizes)):
        arrays[f"value.{layer}.weight"] = random.normal(0, 0.1 / (1 if layer else 40), (rows, columns))
        arrays[f"value.{layer}.bias"] = random.normal(0, 0.1, columns)
    return ValueNetwork(game, state, arrays)


@pytest.mark.parametrize(("name", "seats"), SUMMED_UP)
def test_a_network_treats_all_seats_alike(name: str, seats: int) -> None:
    """If everybody moves one seat on, so do the shares; they add up to 1, whatever else is asked at the same time."""
    game, state = begun(name, seats, plies=30)
    assert game.summary
    network, told = untrained(game, state), game.summary.of(state)
    each = game.summary.each
    own, rest = told[: seats * each], told[seats * each :]
    turned = own[each:] + own[:each] + rest
    first, second = network.shares([told, turned])
    assert first.sum() == pytest.approx(1)
    assert np.roll(first, -1) == pytest.approx(second, abs=1e-5)
    assert first.max() - first.min() > 1e-4
    assert network.shares([told])[0] == pytest.approx(first, abs=1e-5)


@pytest.mark.parametrize("name", sorted({name for name, _ in SUMMED_UP}))
def test_a_win_at_hand_is_played_whatever_the_network_thinks(name: str) -> None:
    """Where a move ends the game, its share is what the seat gets; one position needs more thought."""
    for position in list(winning(name).values())[:7]:
        match = Match.from_position(name, position, seed=1)
        winner, others = match.actor, bot("random", name, seed=1)
        player = Master(match.game, Random(1), None, 60, untrained(match.game, match.state))
        while isinstance(match.actor, int):
            match.play((player if match.actor == winner else others)(match.view(match.actor)))
        assert match.outcome
        assert match.outcome.winners == (winner,)
