"""Training without PyTorch: the processes that play, and the measurement of a policy."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from omnibus import games
from omnibus.bots.weights import cards
from omnibus.cli.main import app
from omnibus.lab.training.actors import GROUPS, Actors, Task
from omnibus.lab.training.evaluation import win_share

TASK = Task("times_square", 2, {"edition": "times_square"})
NAMES = ("full", "mask", "seat", "between", "paused", "over", "shares")


def played(seed: int, steps: int = 12) -> list[dict[str, NDArray[Any]]]:
    """Play the first legal action in all games for some steps; return what was published."""
    seen = []
    with closing(Actors(TASK, processes=2, games=3, seed=seed)) as actors:
        for group in steps * list(range(GROUPS)):
            arrays = actors.wait(group)
            assert actors.wait(group) is arrays
            seen.append({name: arrays[name].copy() for name in NAMES})
            arrays["action"][:] = arrays["mask"].argmax(1)
            actors.play(group)
    return seen


@pytest.mark.usefixtures("traced_processes")
def test_the_same_seed_plays_the_same_games() -> None:
    """Whatever the processes do meanwhile; another seed plays others."""
    first, second, other = played(1), played(1), played(2)
    for one, two in zip(first, second, strict=True):
        for name in NAMES:
            assert (one[name] == two[name]).all() or name == "between"
    assert any((one["full"] != two["full"]).any() for one, two in zip(first, other, strict=True))


def test_a_policy_is_measured_against_a_level() -> None:
    """The network that comes with the game wins every game against random without any search."""
    card = next(card for card in cards(games.find(TASK.game).folder) if card.options == TASK.options)
    assert win_share(TASK, card.file, "random", games=4, seed=1) == 1


def test_training_needs_pytorch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One sentence says what to install."""
    monkeypatch.setattr("omnibus.cli.train.find_spec", lambda name: None)
    answer = CliRunner().invoke(app, ["train", "times_square", "--out", str(tmp_path)])
    assert str(answer.exception) == "training needs PyTorch: pip install omnibus-games[train]"
