"""A value network in the search of `hard`: what it sees of a position, and what the search makes of it."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omnibus import Match, games
from omnibus.bots.hard import Hard
from omnibus.bots.master import Master
from omnibus.bots.turn import settle
from omnibus.bots.value_network import ValueNetwork
from omnibus.bots.value_search import plans
from omnibus.kernel.game import OVER, Game

pytestmark = [pytest.mark.engine, pytest.mark.walk]

SUMMED_UP = [(name, seats) for name in games.names() if games.find(name).summary for seats in games.find(name).seats]


def begun(name: str, seats: int, seed: int = 1, plies: int = 0) -> tuple[Game[Any], Any]:
    """Return a position in which a seat is to act, some random moves into a game."""
    match = Match.new(name, seats=seats, dice=False)
    game, state, random = match.game, match.state.clone(), Random(seed)
    settle(game, state, random.random)
    for _ in range(plies):
        after = state.clone()
        game.apply(after, random.choice(game.legal(after)))
        settle(game, after, random.random)
        if after.actor == OVER:
            break
        state = after
    return game, state


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


def test_some_games_sum_positions_up() -> None:
    """Or nothing below would test anything."""
    assert SUMMED_UP


@pytest.mark.parametrize(("name", "seats"), SUMMED_UP)
def test_summaries_are_of_one_length_and_tell_positions_apart(name: str, seats: int) -> None:
    """In every position of a random game there are as many numbers as the game says, and they change."""
    game, state = begun(name, seats)
    assert game.summary
    random, seen = Random(2), set()
    while state.actor != OVER:
        seen.add(told := game.summary.of(state))
        assert len(told) == seats * game.summary.each + game.summary.common
        game.apply(state, random.choice(game.legal(state)))
        settle(game, state, random.random)
    assert len(seen) > 40


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


@pytest.mark.parametrize(("name", "seats"), SUMMED_UP)
def test_same_seed_same_choice_and_equal_views_equal_choice(name: str, seats: int) -> None:
    """Whatever is hidden from the seat."""
    game, state = begun(name, seats, plies=25)
    network, view = untrained(game, state), game.view(state, state.actor)
    redealt = game.redeal(view, Random(9).randrange)
    chosen = [
        Master(game, Random(5), None, 40, network)(seen) for seen in (view, view, game.view(redealt, state.actor))
    ]
    assert len(set(chosen)) == 1
    assert game.parse(state, chosen[0]) in game.legal(state)


@pytest.mark.parametrize(("name", "seats"), SUMMED_UP)
def test_the_best_of_a_turn_is_planned(name: str, seats: int) -> None:
    """There is a plan for every legal move, which leads where it says."""
    game, state = begun(name, seats, plies=20)
    network = untrained(game, state)
    made = plans(game, state, network.evaluate, 4, 1.0, lambda: 0.0)
    assert [plan.move for plan in made] == game.legal(state)
    for plan in made:
        after = state.clone()
        for move in plan.path:
            assert move in game.legal(after)
            game.apply(after, move)
        assert game.position(after) == game.position(plan.after)
        assert plan.path[0] == plan.move
        assert sum(plan.shares) == pytest.approx(1)


@pytest.mark.parametrize("name", sorted({name for name, _ in SUMMED_UP}))
def test_the_last_move_of_a_game_is_judged_by_the_result(name: str) -> None:
    """Whatever the network thinks: where a move ends the game, its share is what the seat gets."""
    game, state = begun(name, games.find(name).seats[0])
    random, ends = Random(4), None
    while ends is None:
        afters = []
        for move in game.legal(state):
            after = state.clone()
            game.apply(after, move)
            afters.append(after)
        ends = state.clone() if len(afters) > 1 and all(after.actor == OVER for after in afters) else None
        game.apply(state, random.choice(game.legal(state)))
        settle(game, state, random.random)
        if state.actor == OVER and ends is None:
            game, state = begun(name, games.find(name).seats[0], seed=random.randrange(99))
    seat = ends.actor
    player = Master(game, Random(1), None, 20, untrained(game, ends))
    candidates = Hard.candidates(player, game.view(ends, seat))[1]
    results = {}
    for move in game.legal(ends):
        after = ends.clone()
        game.apply(after, move)
        results[move] = game.judge(after)[seat]
    assert candidates[0].shares[seat] == pytest.approx(max(results.values()))
