"""Value networks with PyTorch: a tiny run on the CPU learns something, and goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.bots.master import Master
from omnibus.bots.network import read
from omnibus.bots.turn import settle
from omnibus.bots.value_network import ValueNetwork
from omnibus.bots.weights import read_card
from omnibus.cli.main import app
from omnibus.lab.training.actors import Task
from omnibus.lab.training.checkpoints import TrainingPlan
from omnibus.lab.training.self_play import Playing
from omnibus.lab.training.value_model import ValueModel, ValueSettings, to_arrays
from omnibus.lab.training.value_run import ValueTraining

TASK = Task("metromania", 2, Match.new("metromania", seats=2, dice=False).options)
TINY = ValueSettings(width=32, depth=1, minibatch=256, kept=1 << 14, taught=1500, rate=3e-3, average=0.98)


def trained(folder: Path, decisions: int) -> ValueTraining:
    plan = TrainingPlan(decisions, 3600, processes=1, games=4, seed=1, measured=0, save_s=3600)
    training = ValueTraining(TASK, TINY, Playing(games=4, sent=64), plan, folder)
    training.run()
    return training


def test_a_tiny_run_knows_who_is_ahead(tmp_path: Path) -> None:
    """After some games it foresees results better than chance, which is ln 2; it goes on where it stopped."""
    first = trained(tmp_path, 6_000)
    assert 0 < first.curve[-1]["loss"] < 0.66
    card = read_card(first.weights.with_suffix(".json"))
    assert (card.game, card.seats, card.made["decisions"]) == ("metromania", 2, first.decisions)
    second = trained(tmp_path, first.decisions + 2_000)
    assert second.learner.steps > first.learner.steps
    assert len(second.curve) == len(first.curve) + 1
    game, state = TASK.begin()
    network = read(game, state, second.weights)
    settle(game, state, Random(1).random)
    assert Master(game, Random(1), None, 10, network)(game.view(state, state.actor))


@pytest.mark.parametrize("name", [name for name in games.names() if games.find(name).summary])
def test_numpy_and_pytorch_agree(name: str) -> None:
    """The weights that are played with say what the model said."""
    game = games.find(name)
    match = Match.new(name, dice=False)
    model = ValueModel(game, match.state, 16, 2)
    random, rows, state = Random(2), [], match.state.clone()
    assert game.summary
    for _ in range(40):
        settle(game, state, random.random)
        rows.append(game.summary.of(state))
        game.apply(state, random.choice(game.legal(state)))
    told = torch.tensor([list(row) for row in rows], dtype=torch.uint8)
    model.measure(told)
    network = ValueNetwork(game, match.state, to_arrays(model.state_dict()))
    assert np.allclose(model(told).softmax(1).detach().numpy(), network.shares(rows), atol=1e-4)


def test_the_command(tmp_path: Path) -> None:
    """`omnibus train` trains the kind of network the game is made for, and says where the weights are."""
    asked = ["train", "metromania", "--out", str(tmp_path), "--minutes", "0.05", "--processes", "1", "--width", "16"]
    answer = CliRunner().invoke(app, asked)
    assert answer.exit_code == 0, answer.output
    assert "metromania-2.npz" in answer.output.replace("\n", "")
    assert (tmp_path / "metromania-2.npz").exists()
