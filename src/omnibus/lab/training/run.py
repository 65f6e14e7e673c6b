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

from omnibus.lab.errors import WorkerDied
from omnibus.lab.ray_cluster import TRIES
from omnibus.lab.training.actors import GROUPS, Actors, Task
from omnibus.lab.training.checkpoints import Tell, TrainingPlan, TrainingRun
from omnibus.lab.training.model import Model, to_arrays
from omnibus.lab.training.on_ray import AnyActors, RayActors
from omnibus.lab.training.ppo import Experience, Learner, Settings, gather


class Training(TrainingRun):
    """A run of self-play PPO."""

    columns = ("decisions", "seconds", "entropy", "kl", "critic", "level", "share")

    def __init__(self, task: Task, settings: Settings, plan: TrainingPlan, folder: Path) -> None:
        super().__init__(task, plan, folder)
        self.settings = settings
        torch.set_float32_matmul_precision("high")
        game, state = task.begin()
        self.model = Model(game, state, settings.width, settings.depth).to(plan.device)
        self.learner = Learner(self.model, settings)
        self.restore()

    def run(self, tell: Tell = lambda row: None) -> None:
        """Train to the end of the plan."""
        actors = self._actors()
        context = multiprocessing.get_context("spawn")
        experience = Experience(self.model, actors, self.settings.horizon, self.plan.device)
        try:
            with ProcessPoolExecutor(1, context) as measurer:
                self._rounds(actors, experience, measurer, tell)
        finally:
            actors.close()

    def _actors(self) -> AnyActors:
        plan, seed = self.plan, self.plan.seed + self.decisions
        if plan.ray is not None:
            return RayActors(self.task, plan.processes, plan.games, seed, plan.ray)
        return Actors(self.task, plan.processes or 1, plan.games, seed)

    def _gather(self, actors: AnyActors, experience: Experience) -> None:
        """Play a round; if an actor on a cluster vanishes meanwhile, play it again with new ones."""
        for tries in range(TRIES + 1):
            try:
                gather(self.model, actors, experience, self.plan.device)
            except WorkerDied:
                if tries == TRIES or not isinstance(actors, RayActors):
                    raise
                actors.renew()
            else:
                return

    def _rounds(self, actors: AnyActors, experience: Experience, measurer: ProcessPoolExecutor, tell: Tell) -> None:
        earlier, began = self.seconds, time.monotonic()
        saved = earlier
        while self.progress < 1:
            self._gather(actors, experience)
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
