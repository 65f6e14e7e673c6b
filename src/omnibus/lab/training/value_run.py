"""A training run of a value network: games by its own values, and learning what came of them."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from omnibus.lab.training.actors import Task
from omnibus.lab.training.evaluation import win_share
from omnibus.lab.training.run import CHECKPOINT, Plan, settled, write_card, write_curve
from omnibus.lab.training.self_play import Players, Playing
from omnibus.lab.training.value_model import Learner, Memory, Settings, ValueModel, to_arrays

COLUMNS: Final = ("decisions", "seconds", "games", "positions", "loss", "level", "share")
PUBLISH_S: Final = 1.0
"""Seconds between two versions of the weights that play."""
BURST: Final = 32
"""Minibatches at most between two looks at what has come in."""

Tell = Callable[[dict[str, Any]], None]


class ValueTraining:
    """A run in a folder: `checkpoint.pt`, `curve.csv`, and the weights with their card."""

    def __init__(self, task: Task, settings: Settings, playing: Playing, plan: Plan, folder: Path) -> None:
        self.task, self.settings, self.playing, self.plan, self.folder = task, settings, playing, plan, folder
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        self.game, state = task.begin()
        assert self.game.summary is not None
        self.model = ValueModel(self.game, state, settings.width, settings.depth).to(plan.device)
        self.learner = Learner(self.model, settings)
        wide = state.seats * self.game.summary.each + self.game.summary.common
        self.memory = Memory(self.model, wide, settings.kept, plan.device)
        self.decisions = 0
        self.games = 0
        self.positions = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        self._losses: list[float] = []
        self._measuring: list[tuple[dict[str, Any], Future[float]]] = []
        if (folder / CHECKPOINT).exists():
            self._restore()

    @property
    def progress(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        return min(1.0, max(self.decisions / self.plan.decisions, self.seconds / self.plan.seconds))

    @property
    def weights(self) -> Path:
        """The file of the averaged weights."""
        return self.folder / f"{self.task.game}-{self.task.seats}.npz"

    def run(self, tell: Tell = lambda row: None) -> None:
        """Train to the end of the plan."""
        plan = self.plan
        shapes = {name: array.shape for name, array in to_arrays(self.learner.average).items()}
        players = Players(self.task, self.playing, shapes, plan.processes, plan.seed + self.decisions)
        context = multiprocessing.get_context("spawn")
        try:
            with ProcessPoolExecutor(1, context) as measurer:
                self._rounds(players, measurer, tell)
        finally:
            players.close()

    def _rounds(self, players: Players, measurer: ProcessPoolExecutor, tell: Tell) -> None:
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
                self._checkpoint(measurer, tell)
        for row, future in self._measuring:
            row["share"] = future.result()
            tell(row)
        self._write_curve()

    def _listen(self, players: Players) -> int:
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

    def _checkpoint(self, measurer: ProcessPoolExecutor, tell: Tell) -> None:
        row: dict[str, Any] = {
            "decisions": self.decisions,
            "seconds": round(self.seconds, 1),
            "games": self.games,
            "positions": self.positions,
            "loss": float(np.mean(self._losses)) if self._losses else 0.0,
        }
        self._losses = []
        self.curve.append(row)
        self.export()
        if self.plan.measured and not any(not future.done() for _, future in self._measuring):
            frozen = self.folder / "measured.npz"
            frozen.write_bytes(self.weights.read_bytes())
            row["level"] = self.plan.level
            asked = (self.task, frozen, self.plan.level, self.plan.measured, self.plan.seed)
            self._measuring.append((row, measurer.submit(win_share, *asked)))
        self._measuring = [(one, future) for one, future in self._measuring if not settled(one, future, tell)]
        self._write_curve()
        self._save()
        tell(row)

    def _save(self) -> None:
        kept = {name: getattr(self, name) for name in ("decisions", "games", "positions", "seconds", "curve")}
        new = self.folder / f"{CHECKPOINT}.new"
        torch.save({"learner": self.learner.state(), **kept}, new)
        new.replace(self.folder / CHECKPOINT)

    def _restore(self) -> None:
        kept = torch.load(self.folder / CHECKPOINT, map_location=self.plan.device, weights_only=False)
        self.learner.restore(kept.pop("learner"))
        for name, value in kept.items():
            setattr(self, name, value)

    def export(self) -> None:
        """Write the averaged weights and their card."""
        arrays: dict[str, Any] = {
            name: array.astype(np.float16) for name, array in to_arrays(self.learner.average).items()
        }
        np.savez(self.weights, **arrays)
        made = {
            "method": "values by self-play",
            "decisions": self.decisions,
            "games": self.games,
            "seconds": round(self.seconds),
            "seed": self.plan.seed,
            "settings": asdict(self.settings) | asdict(self.playing),
        }
        write_card(self.task, made, self.weights)

    def _write_curve(self) -> None:
        write_curve(self.folder, COLUMNS, self.curve)
