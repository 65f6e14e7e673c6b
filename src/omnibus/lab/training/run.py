"""A training run: rounds of self-play and learning, with checkpoints from which it can go on."""

from __future__ import annotations

import csv
import json
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from omnibus.lab.training.actors import GROUPS, Actors, Task
from omnibus.lab.training.evaluation import win_share
from omnibus.lab.training.model import Model, to_arrays
from omnibus.lab.training.ppo import Experience, Learner, Settings, gather

CHECKPOINT: Final = "checkpoint.pt"
CURVE: Final = "curve.csv"
COLUMNS: Final = ("decisions", "seconds", "entropy", "kl", "critic", "level", "share")

Tell = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and on what to train: it ends after so many decisions or seconds, whichever comes first."""

    decisions: int
    seconds: float
    processes: int
    games: int
    """In each process; with a policy, in each of its two groups."""
    seed: int = 0
    device: str = "cpu"
    save_s: float = 30.0
    """Seconds between two checkpoints."""
    level: str = "medium"
    """The bots that the averaged policy is measured against at every checkpoint."""
    measured: int = 100
    """Games of a measurement; 0 for none."""


class Training:
    """A run in a folder: `checkpoint.pt`, `curve.csv`, and the weights with their card."""

    def __init__(self, task: Task, settings: Settings, plan: Plan, folder: Path) -> None:
        self.task, self.settings, self.plan, self.folder = task, settings, plan, folder
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        torch.set_float32_matmul_precision("high")
        game, state = task.begin()
        self.model = Model(game, state, settings.width, settings.depth).to(plan.device)
        self.learner = Learner(self.model, settings)
        self.decisions = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
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
                self._checkpoint(told, measurer, tell)
        for row, future in self._measuring:
            row["share"] = future.result()
            tell(row)
        self._write_curve()

    def _checkpoint(self, told: dict[str, float], measurer: ProcessPoolExecutor, tell: Tell) -> None:
        row: dict[str, Any] = {"decisions": self.decisions, "seconds": round(self.seconds, 1), **told}
        self.curve.append(row)
        self.export()
        if self.plan.measured:
            frozen = self.folder / "measured.npz"
            if not any(not future.done() for _, future in self._measuring):
                frozen.write_bytes(self.weights.read_bytes())
                row["level"] = self.plan.level
                asked = (self.task, frozen, self.plan.level, self.plan.measured, self.plan.seed)
                self._measuring.append((row, measurer.submit(win_share, *asked)))
        self._measuring = [(one, future) for one, future in self._measuring if not settled(one, future, tell)]
        self._write_curve()
        new = self.folder / f"{CHECKPOINT}.new"
        torch.save(
            {
                "learner": self.learner.state(),
                "decisions": self.decisions,
                "seconds": self.seconds,
                "curve": self.curve,
            },
            new,
        )
        new.replace(self.folder / CHECKPOINT)
        tell(row)

    def export(self) -> None:
        """Write the averaged weights and their card."""
        arrays: dict[str, Any] = dict(to_arrays(self.learner.average))
        np.savez(self.weights, **arrays)
        made = {
            "method": "PPO by self-play",
            "decisions": self.decisions,
            "seconds": round(self.seconds),
            "seed": self.plan.seed,
            "settings": asdict(self.settings),
        }
        write_card(self.task, made, self.weights)

    def _write_curve(self) -> None:
        write_curve(self.folder, COLUMNS, self.curve)

    def _restore(self) -> None:
        kept = torch.load(self.folder / CHECKPOINT, map_location=self.plan.device, weights_only=False)
        self.learner.restore(kept["learner"])
        self.decisions, self.seconds, self.curve = kept["decisions"], kept["seconds"], kept["curve"]


def write_card(task: Task, made: dict[str, Any], weights: Path) -> None:
    """Write the card of weights beside them: what they are for, and how they were made."""
    game, _ = task.begin()
    card = {
        "game": game.name,
        "rules": game.version,
        "numbering": game.numbering,
        "seats": task.seats,
        "options": dict(task.options),
        "made": made,
        "strength": {},
    }
    weights.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


def write_curve(folder: Path, columns: Sequence[str], curve: list[dict[str, Any]]) -> None:
    """Write what was told at every checkpoint as a table."""
    with (folder / CURVE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(
            {name: f"{value:.4g}" if isinstance(value, float) else value for name, value in row.items()}
            for row in curve
        )


def settled(row: dict[str, Any], future: Future[float], tell: Tell) -> bool:
    """Add the result of a measurement to its row, if it is there."""
    if not future.done():
        return False
    row["share"] = future.result()
    tell(row)
    return True
