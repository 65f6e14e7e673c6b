"""The PettingZoo environment: the library's own checks, parity with `Match`, rewards, errors."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
import pettingzoo

from omnibus import IllegalMove, Match, games
from omnibus.envs import actions, aec
from omnibus.envs.pettingzoo_env import AEC
from omnibus.envs.registry import name as registered
from omnibus.games.bus import cities
from omnibus.kernel import record as records
from omnibus.kernel.batch import payoffs

with warnings.catch_warnings():  # PettingZoo's tests import an environment in a way PettingZoo no longer recommends
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

every_game = pytest.mark.parametrize(
    ("name", "seats"), [(name, n) for name in games.names() for n in games.find(name).seats]
)

# What PettingZoo says of every environment whose observations carry a mask, its own ones too.
WARNED = {
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros.",
}


def play(env: AEC, seed: int) -> dict[str, float]:
    """Play random legal actions to the end; return what each agent earned."""
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    earned = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        earned[agent] += reward
        choices = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated else random.choice(choices))
    return earned


@every_game
def test_pettingzoo_accepts_it(name: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    """`api_test`, with no warnings but those all environments with masks have; `seed_test`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(aec(name, seats=seats), num_cycles=250)
    assert {str(warning.message) for warning in caught} <= WARNED
    seed_test(lambda: aec(name, seats=seats), num_cycles=40)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("name", games.names())
def test_pettingzoo_renders_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's own `make` knows it; `render_test`: text, SVG, and the terminal board printed."""

    def drawn(picture: Any) -> bool:
        return isinstance(picture, str) and picture.startswith("<svg") and picture.rstrip().endswith("</svg>")

    render_test(lambda render_mode: aec(name, render_mode=render_mode), custom_tests={"svg": drawn})
    env = pettingzoo.make("aec", registered(name), render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert env.unwrapped.setup.game.name == name
    assert text.count("\n") > 1
    capsys.readouterr()
    aec(name, render_mode="human").reset(seed=1)
    assert capsys.readouterr().out.strip() == text.strip()


@every_game
def test_parity_with_match(name: str, seats: int) -> None:
    """The same seed and the same choices: the same record, byte for byte, which replays ply by ply."""
    env = aec(name, seats=seats)
    earned = play(env, 5)
    match = Match.new(name, seats=seats, seed=5)
    for line in (line for actor, line in env.match.plies if actor != "chance"):
        match.play(line)
    replayed = Match.read(env.match.record())
    assert match.record() == env.match.record() == replayed.record()
    positions = [[match.game.position(state) for state in each.states] for each in (replayed, env.match)]
    assert positions[0] == positions[1]
    assert replayed.outcome == env.match.outcome
    assert replayed.outcome is not None
    assert list(earned.values()) == pytest.approx(payoffs(replayed.outcome, seats))


def test_games_after_a_seed_follow_from_it() -> None:
    """A seed decides the first game and those after it; a seed given at the beginning counts once."""
    views: list[Any] = []
    for env, seeds in ((aec("times_square", seed=3), (None, None)), (aec("times_square"), (3, None))):
        for seed in seeds:
            env.reset(seed=seed)
            views.append(env.match.view(0))
    assert views[:2] == views[2:]
    assert views[0] != views[1]


def test_what_others_do_is_masked() -> None:
    """An agent sees at any time, but may act only when it is its decision."""
    env = aec("bus", seats=3)
    env.reset(seed=1)
    for agent in env.agents:
        observation = env.observe(agent)
        assert env.observation_space(agent).contains(observation)
        assert bool(observation["action_mask"].any()) == (agent == env.agent_selection)


@pytest.mark.parametrize("name", games.names())
def test_shaping(name: str) -> None:
    """With shaping, points earn rewards on the way, zero in sum; without, only the end does."""
    env = aec(name, shaping=0.1)
    plain, shaped = play(aec(name), 3), play(env, 3)
    assert plain != shaped
    assert sum(shaped.values()) == pytest.approx(0)
    gains = env.match.game.standing(env.match.state)
    for gain, agent in zip(gains, env.possible_agents, strict=True):
        others = (sum(gains) - gain) / (len(gains) - 1)
        assert shaped[agent] - plain[agent] == pytest.approx(0.1 * (gain - others))


@pytest.mark.parametrize("name", games.names())
def test_a_position_of_a_game(name: str) -> None:
    """A game starts from a position document and is played to its end; impossible positions are refused."""
    env, seats = aec(name), games.find(name).seats
    play(env, 1)
    ended, middle = env.match, env.match.at(env.match.length // 2)
    env.reset(seed=2, options={"position": middle.position()})
    assert records.parse(env.match.record()).position == middle.position()
    while env.match.outcome is None:
        env.step(env.action_space(env.agent_selection).sample(env.observe(env.agent_selection)["action_mask"]))
    assert Match.read(env.match.record()).outcome == env.match.outcome
    with pytest.raises(ValueError, match="the game is over in this position"):
        env.reset(options={"position": ended.position()})
    if len(seats) > 1:
        with pytest.raises(ValueError, match="other seats or options"):
            aec(name, seats=seats[-1]).reset(options={"position": middle.position()})


def test_a_city_of_ones_own() -> None:
    """Another map is another space of actions and observations."""
    document = {**cities.find("small-town").document, "name": "elsewhere"}
    env = aec("bus", options={"city": document})
    play(env, 1)
    assert env.match.options["city"] == document
    assert env.action_space("seat_0").n == len(actions("bus", options={"city": document})) - 3
    assert env.action_space("seat_0").n < aec("bus").action_space("seat_0").n


def test_errors() -> None:
    """One sentence each, and nothing has changed."""
    env = aec("times_square")
    with pytest.raises(RuntimeError, match="reset"):
        env.observe("seat_0")
    env.reset(seed=1)
    before = env.match.record()
    mask = env.observe(env.agent_selection)["action_mask"]
    with pytest.raises(IllegalMove, match="§"):
        env.step(int(np.flatnonzero(mask == 0)[0]))
    for action in (-1, 95, 1.5, "sue left"):
        with pytest.raises(ValueError, match="from 0 to 94"):
            env.step(action)
    assert env.match.record() == before
    with pytest.raises(ValueError, match="nothing to render"):
        env.render()
    with pytest.raises(ValueError, match="render_mode may be"):
        aec("times_square", render_mode="rgb_array")
    with pytest.raises(ValueError, match="2 seats"):
        aec("times_square", seats=3)
    with pytest.raises(ValueError, match=re.escape("there is no game 'chess'")):
        aec("chess")
