"""Observations: what they contain, and that they contain nothing a view does not."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from omnibus import Match, games
from omnibus.envs import FeatureLayout
from support.games_played import EVERYWHERE, WHOLE, GamePlayed, in_positions, random_match
from support.observations import read

pytestmark = pytest.mark.engine


@pytest.mark.walk
@in_positions(5)
def test_observations_are_functions_of_the_view(played: GamePlayed) -> None:
    """From the state, from any redeal of the view and from the view alone: the same bytes, for every seat."""
    game, state = played.game, played.state
    for seat in range(played.seats):
        observed = game.observe(state, seat)
        view = json.loads(json.dumps(game.view(state, seat)))
        assert read(view).tobytes() == observed
        for _ in range(3):
            assert game.observe(game.redeal(view, played.random.randrange), seat) == observed


@pytest.mark.parametrize(("name", "seats"), [("times_square", 2), ("metromania", 3), ("metromania", 4)])
def test_redeals_do_differ(name: str, seats: int) -> None:
    """The test above would see a leak: other hands change, and what their owners see changes with them."""
    game = games.find(name)
    random = Random(2)
    states = random_match(name, 3, seats=seats).states
    state = states[len(states) // 2]
    others = [game.redeal(game.view(state, 0), random.randrange) for _ in range(20)]
    assert len({game.observe(other, 1) for other in others}) > 1
    assert len({game.observe(other, 0) for other in others}) == 1


@pytest.mark.walk
@in_positions(3, ways=EVERYWHERE)
def test_observations_keep_to_their_layout(played: GamePlayed) -> None:
    """Every observation has the size that was announced, and no number beyond its highest."""
    game, state = played.game, played.state
    layout = FeatureLayout(game.features(state))
    assert len({feature.name for feature in layout.features}) == len(layout.features)
    for seat in range(played.seats):
        observed = np.frombuffer(game.observe(state, seat), np.uint8)
        assert observed.shape == (layout.size,)
        assert (observed <= layout.high).all()
        assert observed.any()


@in_positions(2, ways=WHOLE)
def test_standing_is_the_score_at_the_end(played: GamePlayed) -> None:
    """Scores as they stand begin at zero; in the games with points they end as the outcome says."""
    game = played.game
    outcome = game.outcome(played.state)
    assert outcome is not None
    standings = [game.standing(state) for state, _ in played.states()]
    assert standings[0] == [0] * played.seats
    if game.name != "times_square":
        assert standings[-1] == list(outcome.scores)
    else:
        assert all(min(sides) == 0 for sides in standings)
        assert any(max(sides) > 0 for sides in standings) or outcome.reason != "charlie"


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
    without = "import sys; sys.modules['numpy'] = None; "
    game = "from omnibus import Match, games; [games.find(n).observe(Match.new(n).state, 0) for n in games.names()]"
    subprocess.run([sys.executable, "-c", without + game], check=True)
    command = [sys.executable, "-c", without + "import omnibus.envs"]
    failed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "install omnibus-games[rl]" in failed.stderr
