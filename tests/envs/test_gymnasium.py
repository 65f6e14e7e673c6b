"""The Gymnasium environment: the library's own checks, parity with `Match`, opponents, illegal actions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")
import gymnasium
from gymnasium.utils.env_checker import check_env

from omnibus import Match, games
from omnibus.bots import names
from omnibus.envs import Single
from omnibus.envs.registry import name as registered
from omnibus.kernel.batch import payoffs


def play(env: Single, seed: int) -> float:
    """Play random legal actions to the end; return what they earned."""
    observation, _ = env.reset(seed=seed)
    random = np.random.default_rng(seed)
    earned, over = 0.0, False
    while not over:
        action = random.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, over, truncated, _ = env.step(action)
        assert not truncated
        assert env.observation_space.contains(observation)
        earned += reward
    return earned


@pytest.mark.parametrize("name", games.names())
def test_gymnasium_accepts_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`check_env` on the registered environments, every render mode included, without a warning."""
    env = gymnasium.make(registered(name), opponents="random")
    check_env(env.unwrapped)
    assert capsys.readouterr().out.count("\n") > 5  # the render mode "human" prints the board


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("seat", [0, 1])
def test_parity_with_match(name: str, seat: int) -> None:
    """The record of a game replays to the same end, which is what was earned; the seed's dice are those of Match."""
    env = Single(name, seat=seat, opponents="random")
    earned = play(env, 8)
    match = Match.new(name, seed=8)
    for line in (line for actor, line in env.match.plies if actor != "chance"):
        match.play(line)
    replayed = Match.read(match.record())
    assert replayed.record() == match.record() == env.match.record()
    assert replayed.outcome is not None
    assert earned == pytest.approx(payoffs(replayed.outcome, match.seats)[seat])


def test_any_seat() -> None:
    """The seat is drawn for each game: all come up, and the same seed draws the same."""
    env = Single("bus", seat="any", opponents="random")
    drawn = [env.reset(seed=seed)[1]["seat"] for seed in range(20)]
    assert set(drawn) == {0, 1, 2}
    assert drawn == [env.reset(seed=seed)[1]["seat"] for seed in range(20)]


def test_games_over_before_the_first_decision_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that ends before the own first decision is skipped, and another one begins."""
    env = Single("times_square", opponents="random")
    play(env, 1)
    over, begin = [env.match], env.setup.begin
    monkeypatch.setattr(env.setup, "begin", lambda seed, **more: over.pop() if over else begin(seed, **more))
    observation, _ = env.reset(seed=2)
    assert not over
    assert env.match.outcome is None
    assert observation["action_mask"].any()


def test_opponents() -> None:
    """Bots by name (if none is named, the weakest that are not random), or anything that answers a view with a line."""
    viewers: set[int] = set()

    def first(view: Mapping[str, Any]) -> str:
        viewers.add(view["viewer"])
        game = games.find(view["game"])
        state = game.redeal(view, lambda n: 0)
        return game.write(state, game.legal(state)[0])

    for one, other in (
        (Single("bus"), Single("bus", opponents=names()[1])),
        [Single("bus", seat=1, opponents=[first, names()[0]]) for _ in range(2)],
    ):
        assert play(one, 1) == play(other, 1)
        assert one.match.record() == other.match.record()
    assert viewers == {0}


def test_illegal_actions_lose() -> None:
    """The reward is −1, the game is over, and `info` has the reason."""
    env = Single("times_square", opponents="random")
    observation, _ = env.reset(seed=1)
    action = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    _, reward, terminated, _, told = env.step(action)
    assert (reward, terminated) == (-1.0, True)
    assert "§" in told["refusal"]


def test_errors() -> None:
    """One sentence each."""
    with pytest.raises(RuntimeError, match="reset"):
        Single("bus").step(0)
    wrong: dict[str, Any]
    for game, wrong, sentence in (
        ("times_square", {"seat": 2}, "seat may be 0 to 1 or 'any'"),
        ("bus", {"opponents": ["random"]}, "2 other seats, but 1 opponents"),
        ("bus", {"opponents": "nobody"}, "no bot 'nobody'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Single(game, **wrong)


def test_a_position_of_a_game() -> None:
    """A game starts from a position document, unless it ends before the own seat has anything to decide."""
    env = Single("times_square", opponents="random")
    for seed in count():
        play(env, seed)
        if env.match.plies[-1][0] == 1:
            break
    match, line = env.match, env.match.plies[-1][1]
    own = max(ply for ply, (actor, _) in enumerate(match.plies) if actor == 0)
    observation, _ = env.reset(seed=2, options={"position": match.at(own).position()})
    assert env.match.length == 0
    assert (observation["observation"] == env.setup.row(match.states[own], 0)).all()
    ending = Single("times_square", opponents=lambda view: line)
    with pytest.raises(ValueError, match="ends before the own seat decides"):
        ending.reset(options={"position": match.at(match.length - 1).position()})
