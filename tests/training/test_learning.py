"""Training with PyTorch: a tiny run on the CPU learns something, and goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import torch

from omnibus.bots.guided import Leaf
from omnibus.bots.network import PolicyNetwork, read
from omnibus.bots.turn import settle
from omnibus.bots.weights import read_card
from omnibus.kernel.batch import everything
from omnibus.lab.training.actors import Task
from omnibus.lab.training.checkpoints import TrainingPlan
from omnibus.lab.training.evaluation import win_share
from omnibus.lab.training.model import Model, to_arrays
from omnibus.lab.training.ppo import Settings
from omnibus.lab.training.run import Training

TASK = Task("times_square", 2, {"edition": "times_square"})
TINY = Settings(width=64, depth=2, horizon=16, minibatch=1024, rate=3e-3)


def trained(folder: Path, decisions: int) -> Training:
    plan = TrainingPlan(decisions, 3600, processes=1, games=64, seed=1, measured=0, save_s=3600)
    training = Training(TASK, TINY, plan, folder)
    training.run()
    return training


def test_a_tiny_run_improves_on_its_start(tmp_path: Path) -> None:
    """After some ten thousand decisions the policy beats the one it began with, and the critic knows who is ahead."""
    training = trained(tmp_path, 60_000)
    assert training.curve[-1]["critic"] < 0.66  # a critic that knows nothing has 0.693
    start = tmp_path / "start.npz"
    torch.manual_seed(1)
    game, state = TASK.begin()
    np.savez(start, **dict(to_arrays(Model(game, state, TINY.width, TINY.depth).state_dict())))  # type: ignore[arg-type]
    assert win_share(TASK, training.weights, "random", 40, 1) > win_share(TASK, start, "random", 40, 1)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """With the same folder and a longer plan, decisions, curve and averaged weights are taken up again."""
    first = trained(tmp_path, 4096)
    again = Training(TASK, TINY, TrainingPlan(8192, 3600, processes=1, games=64, measured=0), tmp_path)
    assert (again.decisions, again.curve, again.learner.rounds) == (first.decisions, first.curve, first.learner.rounds)
    for name, tensor in first.learner.average.items():
        assert torch.equal(tensor, again.learner.average[name])
    again.run()
    assert again.decisions == 8192
    assert [row["decisions"] for row in again.curve] == [4096, 8192]
    card = read_card(again.weights.with_suffix(".json"))
    assert card.fits(*TASK.begin())
    assert isinstance(read(*TASK.begin(), card.file), PolicyNetwork)


def test_numpy_computes_the_same() -> None:
    """The network that plays and the one that was trained say the same of positions of both seats."""
    game, state = TASK.begin()
    model = Model(game, state, 64, 3)
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()
    network, random, leaves = PolicyNetwork(game, state, to_arrays(model.state_dict())), Random(1), []
    for _ in range(30):
        settle(game, state, random.random)
        leaf = Leaf()
        leaf.seat = leaf.viewer = state.actor
        leaf.observation, leaf.seen_by_all = game.observe(state, state.actor), everything(game, state, state.actor)
        leaves.append(leaf)
        game.apply(state, random.choice(game.legal(state)))
    seat = torch.tensor([leaf.seat for leaf in leaves])
    turned = model.turned(torch.tensor([list(leaf.seen_by_all) for leaf in leaves], dtype=torch.uint8), seat)
    logits = model.logits(turned, torch.ones(30, 1)).gather(1, model.mirrored_moves[seat])
    shares = model.shares(turned).softmax(1).gather(1, (torch.arange(2) - seat[:, None]) % 2)
    assert set(seat.tolist()) == {0, 1}
    assert np.allclose(logits.detach().numpy(), network.logits(leaves), atol=1e-4)
    assert np.allclose(shares.detach().numpy(), network.shares(leaves), atol=1e-5)
