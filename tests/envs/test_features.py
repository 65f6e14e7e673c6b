"""Observations: what they contain, and that they contain nothing a view does not."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from omnibus import Match, games
from omnibus.envs import FeatureLayout
from omnibus.kernel.game import OVER
from omnibus.kernel.perft import step
from support.observations import read

pytestmark = pytest.mark.engine


def setups(name: str) -> list[tuple[str, int, dict[str, Any]]]:
    """Return every number of seats as usual, and each other choice of every option with the most seats."""
    game = games.find(name)
    usual: list[tuple[str, int, dict[str, Any]]] = [(name, seats, {}) for seats in game.seats]
    others = [(key, choice) for key, option in game.options.items() for choice in option.choices]
    return usual + [
        (name, game.seats[-1], {key: choice}) for key, choice in others if choice != game.options[key].default
    ]


SETUPS = [setup for name in games.names() for setup in setups(name)]
every_setup = pytest.mark.parametrize(
    ("name", "seats", "options"), SETUPS, ids=lambda value: str(value).replace(" ", "")
)


def walk(name: str, seats: int, options: dict[str, Any], seed: int) -> list[Any]:
    """Return the states of a random game, from before the first ply to the end."""
    game = games.find(name)
    state = Match.new(name, seats=seats, options=options, dice=False).state
    random = Random(seed)
    states = [state.clone()]
    while (move := step(game, state, random.random)) != OVER:
        game.apply(state, move)
        states.append(state.clone())
    return states


@pytest.mark.walk
@every_setup
def test_observations_are_functions_of_the_view(name: str, seats: int, options: dict[str, Any]) -> None:
    """From the state, from any redeal of the view and from the view alone: the same bytes, for every seat."""
    game = games.find(name)
    random = Random(1)
    states = walk(name, seats, options, 7)
    for state in states[::4] + states[-1:]:
        for seat in range(seats):
            observed = game.observe(state, seat)
            view = json.loads(json.dumps(game.view(state, seat)))
            assert read(view).tobytes() == observed
            for _ in range(3):
                assert game.observe(game.redeal(view, random.randrange), seat) == observed


@pytest.mark.parametrize(("name", "seats"), [("times_square", 2), ("metromania", 3), ("metromania", 4)])
def test_redeals_do_differ(name: str, seats: int) -> None:
    """The test above would see a leak: other hands change, and what their owners see changes with them."""
    game = games.find(name)
    random = Random(2)
    states = walk(name, seats, {}, 3)
    state = states[len(states) // 2]
    others = [game.redeal(game.view(state, 0), random.randrange) for _ in range(20)]
    assert len({game.observe(other, 1) for other in others}) > 1
    assert len({game.observe(other, 0) for other in others}) == 1


@pytest.mark.walk
@every_setup
def test_observations_keep_to_their_layout(name: str, seats: int, options: dict[str, Any]) -> None:
    """Every observation has the size that was announced, and no number beyond its highest."""
    game = games.find(name)
    states = walk(name, seats, options, 11)
    layout = FeatureLayout(game.features(states[0]))
    assert len({feature.name for feature in layout.features}) == len(layout.features)
    highest = np.zeros(layout.size, np.uint8)
    for state in states:
        assert game.features(state) == game.features(states[0])
        for seat in range(seats):
            observed = np.frombuffer(game.observe(state, seat), np.uint8)
            assert observed.shape == (layout.size,)
            highest = np.maximum(highest, observed)
    assert (highest <= layout.high).all()
    assert highest.any()


@every_setup
def test_standing_is_the_score_at_the_end(name: str, seats: int, options: dict[str, Any]) -> None:
    """Scores as they stand begin at zero; in the games with points they end as the outcome says."""
    game = games.find(name)
    states = walk(name, seats, options, 5)
    outcome = game.outcome(states[-1])
    assert outcome is not None
    assert game.standing(states[0]) == [0] * seats
    if name != "times_square":
        assert game.standing(states[-1]) == list(outcome.scores)
    else:
        sides = [game.standing(state) for state in states]
        assert all(min(side) == 0 for side in sides)
        assert any(max(side) > 0 for side in sides)


def test_named_arrays() -> None:
    """A row, or a batch of rows, falls into arrays with names and shapes that share its memory."""
    game = games.find("times_square")
    match = Match.new("times_square", seed=1)
    layout = FeatureLayout(game.features(match.state))
    rows = np.stack([np.frombuffer(game.observe(match.state, seat), np.uint8) for seat in (0, 1)])
    named = layout.named(rows)
    assert named["figures"].shape == (2, 6, 17)
    assert named["figures"][0, 0, 8] == 1  # Sue on the manhole
    assert named["hand"].sum(axis=1).tolist() == [8, 8]
    assert named["viewer"].tolist() == [[1, 0], [0, 1]]
    rows[0, layout.slices["hand"]] = 9
    assert (named["hand"][0] == 9).all()


def test_games_need_no_numpy() -> None:
    """Games are loaded, played and observed without numpy; only the environments need it, and say what to install."""
    game = (
        "import sys; sys.modules['numpy'] = None\n"
        "from omnibus import Match, games\n"
        "for name in games.names():\n"
        "    state = Match.new(name, seed=1).state\n"
        "    assert games.find(name).observe(state, 0)\n"
    )
    subprocess.run([sys.executable, "-c", game], check=True)
    env = "import sys; sys.modules['numpy'] = None; import omnibus.envs"
    failed = subprocess.run([sys.executable, "-c", env], capture_output=True, text=True, check=False)
    assert "install omnibus-games[rl]" in failed.stderr
