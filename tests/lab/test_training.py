"""Training without PyTorch: the processes that play, and the measurement of a policy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
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


class Trained:
    """A training that is over at once, and what it was given."""

    decisions, weights = 1234, "there.npz"
    given: tuple[Any, ...]

    def __init__(self, *given: Any) -> None:
        Trained.given = given

    def run(self, tell: Callable[[dict[str, Any]], None]) -> None:
        tell({"decisions": 5000, "seconds": 61.0, "loss": 0.5, "share": 0.25, "level": "easy"})


def pretend(monkeypatch: pytest.MonkeyPatch, name: str, **content: Any) -> None:
    """Put something in the place of a module that needs PyTorch."""
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize(("game", "values"), [("times_square", False), ("metromania", True)])
def test_the_command_trains_what_the_game_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, values: bool
) -> None:
    """A value network where positions can be summed up, else a policy, as large as asked for and for so long."""
    pretend(monkeypatch, "torch", cuda=SimpleNamespace(is_available=lambda: False))
    pretend(monkeypatch, "omnibus.lab.training.checkpoints", TrainingPlan=SimpleNamespace)
    pretend(monkeypatch, "omnibus.lab.training.ppo", Settings=dict)
    pretend(monkeypatch, "omnibus.lab.training.run", Training=Trained)
    pretend(monkeypatch, "omnibus.lab.training.value_model", ValueSettings=dict)
    pretend(monkeypatch, "omnibus.lab.training.value_run", ValueTraining=Trained)
    asked = ["--minutes", "2", "--processes", "3", "--parallel", "64", "--width", "16", "--seed", "7"]
    answer = CliRunner().invoke(app, ["train", game, "--out", str(tmp_path), *asked])
    assert answer.exit_code == 0, answer.output
    task, settings, *playing, plan, folder = Trained.given
    assert (task.game, settings, bool(playing), folder) == (game, {"width": 16}, values, tmp_path)
    assert (plan.seconds, plan.processes, plan.seed, plan.device, plan.ray) == (120, 3, 7, "cpu", None)
    assert plan.games == (64 if values else 32)
    assert "1,234 decisions so far, on cpu" in answer.output
    assert "5,000 decisions in 61 s: loss 0.5000, 25.0% against easy without search" in answer.output
    assert "The weights are in there.npz." in answer.output


def test_training_needs_pytorch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One sentence says what to install."""
    monkeypatch.setattr("omnibus.cli.train.find_spec", lambda name: None)
    answer = CliRunner().invoke(app, ["train", "times_square", "--out", str(tmp_path)])
    assert str(answer.exception) == "training needs PyTorch: pip install omnibus-games[train]"
