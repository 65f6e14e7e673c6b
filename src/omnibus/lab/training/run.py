"""A training run by PPO: rounds of self-play and learning, with checkpoints from which it can go on."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from omnibus.lab.training.actors import GROUPS, Actors, Task
from omnibus.lab.training.checkpoints import Plan, Tell, TrainingRun
from omnibus.lab.training.model import Model, to_arrays
from omnibus.lab.training.ppo import Experience, Learner, Settings, gather


class Training(TrainingRun):
    """A run of self-play PPO."""

    columns = ("decisions", "seconds", "entropy", "kl", "critic", "level", "share")

    def __init__(self, task: Task, settings: Settings, plan: Plan, folder: Path) -> None:
        super().__init__(task, plan, folder)
        self.settings = settings
        torch.set_float32_matmul_precision("high")
        game, state = task.begin()
        self.model = Model(game, state, settings.width, settings.depth).to(plan.device)
        self.learner = Learner(self.model, settings)
        self.restore()

    def run(self, tell: Tell = lambda row: None) -> None:
        """Train to the end of the plan."""
        plan = self.plan
        actors = Actors(self.task, plan.processes, plan.games, plan.seed + self.decisions)
        context = multiprocessing.get_context("spawn")
        experience = Experience(self.model, actors, self.settings.horizon, plan.device)
        try:
            with ProcessPoolExecutor(1, context) as measurer:
                self._rounds(actors, experience, measurer, tell)
        finally:
            actors.close()

    def _rounds(self, actors: Actors, experience: Experience, measurer: ProcessPoolExecutor, tell: Tell) -> None:
        earlier, began = self.seconds, time.monotonic()
        saved = earlier
        while self.progress < 1:
            gather(self.model, actors, experience, self.plan.device)
            told = self.learner.learn(experience, self.progress)
            self.decisions += GROUPS * actors.games * self.settings.horizon
            self.seconds = earlier + time.monotonic() - began
            if self.seconds - saved >= self.plan.save_s or self.progress >= 1:
                saved = self.seconds
                self.checkpoint(told, measurer, tell)
        self.finish(tell)

    def export(self) -> None:
        """Write the averaged weights and their card."""
        arrays: dict[str, Any] = dict(to_arrays(self.learner.average))
        np.savez(self.weights, **arrays)
        self.write_card(
            {
                "method": "PPO by self-play",
                "decisions": self.decisions,
                "seconds": round(self.seconds),
                "seed": self.plan.seed,
                "settings": asdict(self.settings),
            }
        )
