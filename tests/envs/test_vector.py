"""The vector environment: many games at once, the same as one by one."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from omnibus import Match, games
from omnibus.envs import Turn, vector
from omnibus.kernel.batch import payoffs
from omnibus.kernel.game import Outcome

pytestmark = pytest.mark.engine


@pytest.mark.walk
@pytest.mark.parametrize(("name", "seats"), [(name, n) for name in games.names() for n in games.find(name).seats])
def test_parity(name: str, seats: int) -> None:
    """Records of games that ended replay to the same end; observations, masks and rewards fit them at every step."""
    env, game, ended = vector(name, games=3, seats=seats, seed=4), games.find(name), 0
    turn = env.reset()
    for _ in range(400):
        if ended == 0:
            state = Match.read(env.record(1, ended=False)).state
            assert turn.seat[1] == state.actor
            assert turn.observation[1].tobytes() == game.observe(state, state.actor)
            assert np.flatnonzero(turn.mask[1]).tolist() == sorted(game.legal(state))
        turn = env.step(env.sample())
        for slot in np.flatnonzero(turn.over).tolist():
            outcome = Match.read(env.record(slot)).outcome
            assert outcome is not None
            assert turn.reward[slot].tolist() == pytest.approx(payoffs(outcome, seats))
            ended += 1
        assert not turn.reward[~turn.over].any()
    assert ended >= 3


def test_same_seed_same_games() -> None:
    """A seed and the actions decide everything; without one, games differ."""
    turns = []
    for seed in (1, 1, 2):
        env = vector("times_square", games=4, seed=seed)
        env.reset()
        for _ in range(50):
            turn = env.step(env.sample())
        turns.append(turn)
    assert all(np.array_equal(getattr(turns[0], name), getattr(turns[1], name)) for name in Turn._fields)
    assert (turns[0].observation != turns[2].observation).any()
    env = vector("times_square", games=4, seed=1)
    assert (env.reset().observation != env.reset().observation).any()
    assert (env.reset(seed=1).observation == vector("times_square", games=4, seed=1).reset().observation).all()


def test_arrays_are_new_ones() -> None:
    """What a step returned stays as it was, and may be written to."""
    env = vector("bus", games=2, seats=4)
    first = env.reset(seed=1)
    kept = {name: getattr(first, name).copy() for name in Turn._fields}
    env.step(env.sample())
    assert all(np.array_equal(getattr(first, name), kept[name]) for name in Turn._fields)
    first.observation[:] = 0
    assert [array.dtype for array in first] == [np.uint8, np.uint8, np.int64, np.float32, np.bool_]
    assert first.mask.shape == (2, env.actions)
    assert first.reward.shape == (2, 4)


@pytest.mark.parametrize("name", games.names())
def test_shaping_adds_up(name: str) -> None:
    """Shaped rewards of a whole game are the final ones plus what the scores came to."""
    env = vector(name, games=1, seed=6, shaping=0.5)
    turn, total = env.reset(), np.zeros(env.seats)
    while not turn.over[0]:
        turn = env.step(env.sample())
        assert turn.reward.sum() == pytest.approx(0, abs=1e-5)
        total += turn.reward[0]
    match = Match.read(env.record(0))
    assert match.outcome is not None
    gains = np.array(match.game.standing(match.state))
    others = (gains.sum() - gains) / (env.seats - 1)
    assert total == pytest.approx(np.array(payoffs(match.outcome, env.seats)) + 0.5 * (gains - others), abs=1e-4)


def test_payoffs() -> None:
    """A sole winner has 1, who loses −1/(n−1); winners share; a draw is 0 for all."""
    assert payoffs(Outcome("x", (0, 1), (1,)), 2) == [-1, 1]
    assert payoffs(Outcome("x", (0, 0), ()), 2) == [0, 0]
    assert payoffs(Outcome("x", (1, 0, 0, 0), (0,)), 4) == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert payoffs(Outcome("x", (1, 1, 0), (0, 1)), 3) == pytest.approx([0.25, 0.25, -0.5])
    assert payoffs(Outcome("x", (1, 1, 1), (0, 1, 2)), 3) == [0, 0, 0]


def test_errors() -> None:
    """One sentence each, before anything has changed."""
    env, other = (vector("times_square", games=2) for _ in range(2))
    with pytest.raises(RuntimeError, match="reset"):
        env.step([0, 0])
    turn, _ = env.reset(seed=1), other.reset(seed=1)
    for wrong in ([0], [0.5, 0.5], [[0, 0]]):
        with pytest.raises(ValueError, match="actions must be 2 whole numbers"):
            env.step(np.array(wrong))
    good, bad = int(env.sample()[0]), int(np.flatnonzero(turn.mask[1] == 0)[0])
    with pytest.raises(ValueError, match=r"game 1: action \d+ \(.+\) is not legal"):
        env.step(np.array([good, bad]))
    with pytest.raises(ValueError, match="game 1: action 5000 is not legal"):
        env.step([good, 5000])
    assert env.record(0, ended=False) == other.record(0, ended=False)
    with pytest.raises(ValueError, match="no game has ended"):
        env.record(0)
    with pytest.raises(ValueError, match="at least 1"):
        vector("times_square", games=0)
