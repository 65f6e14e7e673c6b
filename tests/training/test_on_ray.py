"""Training on a Ray cluster: the same weights as with processes, also after an interruption and without a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from omnibus.lab.ray_cluster import LOCAL
from omnibus.lab.training.actors import Task
from omnibus.lab.training.checkpoints import CHECKPOINT, TrainingPlan
from omnibus.lab.training.on_ray import RayActors
from omnibus.lab.training.ppo import Settings
from omnibus.lab.training.run import Training

pytestmark = pytest.mark.nightly

pytest.importorskip("ray")

TASK = Task("times_square", 2, {"edition": "times_square"})
TINY = Settings(width=32, depth=1, horizon=8, minibatch=256, rate=3e-3)
ROUND = 2 * 2 * 16 * TINY.horizon  # decisions of two groups of 16 games in each of two processes
ROUNDS = 3


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Sums in one order, so that the same games give the same weights."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def trained(folder: Path, ray: str | None) -> Training:
    plan = TrainingPlan(ROUNDS * ROUND, 3600, processes=2, games=16, seed=1, measured=0, save_s=0.0, ray=ray)
    training = Training(TASK, TINY, plan, folder)
    training.run()
    return training


def weights(run: Training) -> dict[str, bytes]:
    """Return what was learned."""
    with np.load(run.weights) as arrays:
        return {name: arrays[name].tobytes() for name in arrays.files}


def test_the_same_weights(tmp_path: Path) -> None:
    """With processes and with Ray, from the same seed."""
    runs = [trained(tmp_path / str(ray), ray) for ray in (None, LOCAL)]
    assert weights(runs[0]) == weights(runs[1])
    assert [row["critic"] for row in runs[0].curve] == [row["critic"] for row in runs[1].curve]
    assert runs[1].decisions == ROUNDS * ROUND


def test_an_actor_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The round is played again with others, and the run comes to its end."""
    import ray

    killed: list[object] = []
    play = RayActors.play

    def kill_once(actors: RayActors, group: int) -> None:
        play(actors, group)
        if not killed:
            killed.append(actors.actors[0])
            ray.kill(actors.actors[0])

    monkeypatch.setattr(RayActors, "play", kill_once)
    assert trained(tmp_path, LOCAL).decisions == ROUNDS * ROUND
    assert killed


def test_interrupted_and_resumed(tmp_path: Path) -> None:
    """Ctrl+C ends the command and its cluster; the next one goes on from the last checkpoint."""
    chosen = f"--out {tmp_path} --processes 2 --parallel 16 --width 16 --depth 1 --ray local --minutes 60 --decisions"
    command = [sys.executable, "-m", "omnibus", "train", "times_square", *chosen.split()]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*command, "1000000000"], env=environment, stdout=subprocess.PIPE, text=True) as first:
        patience = threading.Timer(300, first.kill)
        patience.start()
        while not (tmp_path / CHECKPOINT).exists() and first.poll() is None:
            time.sleep(0.1)
        first.send_signal(signal.SIGINT)
        first.communicate()
        patience.cancel()
    assert first.returncode == 130
    answer = subprocess.run([*command, "1"], env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert answer.returncode == 0, answer.stderr
    assert " 0 decisions so far" not in answer.stdout
