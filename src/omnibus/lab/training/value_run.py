"""A training run of a value network: games by its own values, and learning what came of them."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from omnibus.lab.training.actors import Task
from omnibus.lab.training.checkpoints import Tell, TrainingPlan, TrainingRun
from omnibus.lab.training.on_ray import AnyPlayers, RayPlayers
from omnibus.lab.training.self_play import Players, Playing, width
from omnibus.lab.training.value_model import Memory, ValueLearner, ValueModel, ValueSettings, to_arrays

PUBLISH_S: Final = 1.0
"""Seconds between two versions of the weights that play."""
BURST: Final = 32
"""Minibatches at most between two looks at what has come in."""


class ValueTraining(TrainingRun):
    """A run of self-play by values."""

    columns = ("decisions", "seconds", "games", "positions", "loss", "level", "share")
    kept = ("decisions", "games", "positions", "seconds", "curve")

    def __init__(self, task: Task, settings: ValueSettings, playing: Playing, plan: TrainingPlan, folder: Path) -> None:
        super().__init__(task, plan, folder)
        self.settings, self.playing = settings, playing
        self.game, state = task.begin()
        assert self.game.summary is not None
        self.model = ValueModel(self.game, state, settings.width, settings.depth).to(plan.device)
        self.learner = ValueLearner(self.model, settings)
        self.memory = Memory(self.model, width(task), settings.kept, plan.device)
        self.games = 0
        self.positions = 0
        self._losses: list[float] = []
        self.restore()

    def run(self, tell: Tell = lambda row: None) -> None:
        """Train to the end of the plan."""
        players = self._players()
        context = multiprocessing.get_context("spawn")
        try:
            with ProcessPoolExecutor(1, context) as measurer:
                self._rounds(players, measurer, tell)
        finally:
            players.close()

    def _players(self) -> AnyPlayers:
        plan, seed = self.plan, self.plan.seed + self.decisions
        if plan.ray is not None:
            return RayPlayers(self.task, self.playing, plan.processes, seed, plan.ray)
        shapes = {name: array.shape for name, array in to_arrays(self.learner.average).items()}
        return Players(self.task, self.playing, shapes, plan.processes or 1, seed)

    def _rounds(self, players: AnyPlayers, measurer: ProcessPoolExecutor, tell: Tell) -> None:
        earlier, began = self.seconds, time.monotonic()
        saved = published = earlier
        known = self.learner.steps > 0
        if known:
            players.weights.write(to_arrays(self.learner.average))
        trained = 0.0
        while self.progress < 1:
            trained += self.settings.replay * self._listen(players)
            trained = self._learn(trained)
            self.seconds = earlier + time.monotonic() - began
            players.weights.tell(self.progress)
            ready = known or self.positions >= self.settings.taught
            if ready and self.learner.steps and self.seconds - published >= PUBLISH_S:
                known, published = True, self.seconds
                players.weights.write(to_arrays(self.learner.average))
            if self.seconds - saved >= self.plan.save_s or self.progress >= 1:
                saved = self.seconds
                self.checkpoint(self._told(), measurer, tell)
        self.finish(tell)

    def _listen(self, players: AnyPlayers) -> int:
        """Take in what the processes have played; return how many positions."""
        heard = 0
        for lesson in players.lessons(0.05):
            if self.learner.steps:
                self._losses.append(self.learner.loss(lesson))
            self.memory.add(lesson)
            self.decisions += lesson.decisions
            self.games += lesson.games
            heard += len(lesson.rows)
        self.positions += heard
        return heard

    def _learn(self, trained: float) -> float:
        """Learn from as many positions as may be, a few minibatches at a time; return how many are left."""
        s = self.settings
        if self.memory.count < 4 * s.minibatch:
            return trained
        if not self.learner.steps:
            self.learner.measure(self.memory)
        for _ in range(min(BURST, int(trained / s.minibatch))):
            self.learner.learn(self.memory, self.progress)
            trained -= s.minibatch
        return min(trained, BURST * s.minibatch * s.replay)

    def _told(self) -> dict[str, Any]:
        """Return what there is to tell since the last checkpoint."""
        losses, self._losses = self._losses, []
        loss = float(np.mean(losses)) if losses else 0.0
        return {"games": self.games, "positions": self.positions, "loss": loss}

    def export(self) -> None:
        """Write the averaged weights and their card."""
        arrays: dict[str, Any] = {
            name: array.astype(np.float16) for name, array in to_arrays(self.learner.average).items()
        }
        np.savez(self.weights, **arrays)
        self.write_card(
            {
                "method": "values by self-play",
                "decisions": self.decisions,
                "games": self.games,
                "seconds": round(self.seconds),
                "seed": self.plan.seed,
                "settings": asdict(self.settings) | asdict(self.playing),
            }
        )
