"""Training without PyTorch: the processes that play, and the measurement of a policy."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omnibus import games
from omnibus.bots.weights import cards
from omnibus.kernel.batch import Batch, everything
from omnibus.kernel.game import CHANCE
from omnibus.lab.training.actors import GROUPS, Actors, Task, publish
from omnibus.lab.training.evaluation import win_share

TASK = Task("times_square", 2, {"edition": "times_square"})
NAMES = ("full", "mask", "seat", "between", "paused", "over", "shares")


def played(seed: int, steps: int = 12) -> list[dict[str, NDArray[Any]]]:
    """Play the first legal action in all games for some steps; return what was published."""
    actors = Actors(TASK, processes=2, games=3, seed=seed)
    seen = []
    try:
        for _ in range(steps):
            for group in range(GROUPS):
                arrays = actors.wait(group)
                assert actors.wait(group) is arrays
                seen.append({name: arrays[name].copy() for name in NAMES})
                arrays["action"][:] = arrays["mask"].argmax(1)
                actors.play(group)
    finally:
        actors.close()
    return seen


def test_the_same_seed_plays_the_same_games() -> None:
    """Whatever the processes do meanwhile; another seed plays others."""
    first, second, other = played(1), played(1), played(2)
    for one, two in zip(first, second, strict=True):
        for name in NAMES:
            assert (one[name] == two[name]).all() or name == "between"
    assert any((one["full"] != two["full"]).any() for one, two in zip(first, other, strict=True))


def test_published_rows_are_what_the_games_show() -> None:
    """All seats' observations, the legal actions, what was seen before chance acted, and the shares at the end."""
    game, fresh = TASK.begin()
    count, random = 16, Random(5)
    batch = Batch(game, fresh, [Random(number).random for number in range(count)], 0.0)
    batch.watched = True
    wide = 2 * len(game.observe(batch.states[0], 0))
    arrays: dict[str, NDArray[Any]] = {
        "full": np.zeros((count, wide), np.uint8),
        "between": np.zeros((count, wide), np.uint8),
        "mask": np.zeros((count, batch.width), np.uint8),
        "shares": np.zeros((count, 2), np.float32),
        **{name: np.zeros(count, np.uint8) for name in ("seat", "paused", "over")},
    }
    ended = 0
    for _ in range(400):
        afters = [state.clone() for state in batch.states]
        actors, actions = batch.actors(), batch.choices(random.random)
        for after, action in zip(afters, actions, strict=True):
            game.apply(after, action)
        batch.step(actions)
        publish(batch, arrays)
        for slot, (state, after) in enumerate(zip(batch.states, afters, strict=True)):
            assert arrays["full"][slot].tobytes() == everything(game, state, state.actor)
            assert arrays["mask"][slot].nonzero()[0].tolist() == sorted(game.legal(state))
            assert arrays["paused"][slot] == (after.actor == CHANCE)
            if after.actor == CHANCE:
                assert arrays["between"][slot].tobytes() == everything(game, after, actors[slot])
        over = arrays["over"].nonzero()[0]
        ended += len(over)
        assert arrays["shares"][over].sum(1) == pytest.approx(1)
        assert set(arrays["shares"][over].flatten().tolist()) <= {0.0, 0.5, 1.0}
    assert ended


def test_a_policy_is_measured_against_a_level() -> None:
    """The network that comes with the game wins every game against random without any search."""
    card = next(card for card in cards(games.find(TASK.game).folder) if card.options == TASK.options)
    assert win_share(TASK, card.file, "random", games=4, seed=1) == 1
