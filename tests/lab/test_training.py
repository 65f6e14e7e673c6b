"""Training without PyTorch: the processes that play, and the measurement of a policy."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.bots.value_network import ValueNetwork
from omnibus.bots.weights import cards
from omnibus.cli.main import app
from omnibus.lab.training.actors import GROUPS, Actors, Task
from omnibus.lab.training.evaluation import win_share
from omnibus.lab.training.self_play import Lesson, PlayedDecision, Players, Playing, SelfPlay, read_lesson, targets

TASK = Task("times_square", 2, {"edition": "times_square"})
VALUES = Task("metromania", 2, Match.new("metromania", seats=2, dice=False).options)
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


@pytest.mark.parametrize(("game", "values"), [("times_square", False), ("metromania", True)])
def test_the_command_trains_what_the_game_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, values: bool
) -> None:
    """A value network where positions can be summed up, else a policy, as large as asked for and for so long."""
    torch = Mock()
    torch.cuda.is_available.return_value = False
    trained = Mock(decisions=1234, weights="there.npz")
    row = {"decisions": 5000, "seconds": 61.0, "loss": 0.5, "share": 0.25, "level": "easy"}
    trained.run.side_effect = lambda tell: tell(row)
    torch.Training.return_value = torch.ValueTraining.return_value = trained
    parts = ("checkpoints", "ppo", "run", "value_model", "value_run")
    for name in ("torch", *(f"omnibus.lab.training.{part}" for part in parts)):
        monkeypatch.setitem(sys.modules, name, torch)
    monkeypatch.setattr("omnibus.cli.train.find_spec", bool)
    asked = ["--minutes", "2", "--processes", "3", "--parallel", "64", "--width", "16", "--seed", "7"]
    answer = CliRunner().invoke(app, ["train", game, "--out", str(tmp_path), *asked])
    assert answer.exit_code == 0, answer.output
    begun = torch.ValueTraining if values else torch.Training
    assert (begun.call_args.args[0].game, begun.call_args.args[-1]) == (game, tmp_path)
    (torch.ValueSettings if values else torch.Settings).assert_called_once_with(width=16)
    games = 64 if values else 32  # of a policy, in each of two groups
    plan = {"decisions": 10**12, "seconds": 120, "processes": 3, "seed": 7, "ray": None, "device": "cpu"}
    torch.TrainingPlan.assert_called_once_with(**plan, games=games)
    assert "1,234 decisions so far, on cpu" in answer.output
    assert "5,000 decisions in 61 s: loss 0.5000, 25.0% against easy without search" in answer.output
    assert "The weights are in there.npz." in answer.output


def test_training_needs_pytorch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One sentence says what to install."""
    monkeypatch.setattr("omnibus.cli.train.find_spec", lambda name: None)
    answer = CliRunner().invoke(app, ["train", "times_square", "--out", str(tmp_path)])
    assert str(answer.exception) == "training needs PyTorch: pip install omnibus-games[train]"


# Games for the learner of a value network


def untrained() -> dict[str, NDArray[np.float32]]:
    """Return the weights of a small network that knows nothing."""
    game, state = VALUES.begin()
    assert game.summary
    wide = state.seats * game.summary.each + game.summary.common
    shapes = {"value.0.weight": (wide, 4), "value.0.bias": (4,), "value.1.weight": (4, 1), "value.1.bias": (1,)}
    return {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}


def test_what_a_position_should_have_been_worth() -> None:
    """Results and later expectations are mixed; what came of a try says nothing about the moves before it."""
    told = ((b"a", [0.2, 0.8], False), (b"b", [0.6, 0.4], False), (b"c", [0.5, 0.5], True))
    steps = [PlayedDecision(*each) for each in told]
    found = targets(steps, [1.0, 0.0], 0.5)
    assert found == [pytest.approx([0.55, 0.45]), [0.5, 0.5], [1.0, 0.0]]
    assert targets(steps[:2], [1.0, 0.0], 1.0) == [[1.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize(("networked", "simulations"), [(False, 0), (True, 0), (True, 24)])
def test_games_become_lessons(networked: bool, simulations: int) -> None:
    """By the judgement, a network or a search: rows as the game sums positions up, shares that add up to 1."""
    play = SelfPlay(VALUES, Playing(games=2, simulations=simulations), "1")
    network = ValueNetwork(play.game, play.fresh, untrained()) if networked else None
    while play.games < 2:
        play.step(network, 0.5)
    assert play.game.summary
    lesson = read_lesson(play.message(), 2 * play.game.summary.each + play.game.summary.common, 2)
    assert (lesson.games, len(play.rows)) == (2, 0)
    assert len(lesson.rows) > 60
    assert simulations or lesson.decisions >= len(lesson.rows)
    assert lesson.shares.sum(1) == pytest.approx(1)
    assert set(lesson.shares[-1].tolist()) <= {0.0, 0.5, 1.0}  # what the last position led to


@pytest.mark.usefixtures("traced_processes")
def test_processes_play_until_they_are_stopped() -> None:
    """They send lessons, take up new weights, and end."""
    weights = untrained()
    shapes = {name: array.shape for name, array in weights.items()}
    with closing(Players(VALUES, Playing(games=1, sent=1), shapes, processes=2, seed=3)) as players:
        players.weights.write(weights)
        players.weights.tell(0.5)
        assert players.weights.version == 1
        heard: list[Lesson] = []
        while len(heard) < 2:
            heard += players.lessons(60)
        assert all(len(lesson.rows) for lesson in heard)
    assert not any(process.is_alive() for process in players.processes)
