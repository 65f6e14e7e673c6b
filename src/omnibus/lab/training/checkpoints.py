"""What all training runs share: a plan, a folder with checkpoints, the curve, and measurements on the way."""

from __future__ import annotations

import csv
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import torch

from omnibus.lab.training.actors import Task
from omnibus.lab.training.evaluation import win_share

CHECKPOINT: Final = "checkpoint.pt"
CURVE: Final = "curve.csv"

Tell = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and on what to train: it ends after so many decisions or seconds, whichever comes first."""

    decisions: int
    seconds: float
    processes: int | None
    """None: all cores of the cluster."""
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
    ray: str | None = None
    """The address of the Ray cluster on which games are played; None: they are played on this machine."""


class TrainingRun(ABC):
    """A run in a folder: `checkpoint.pt`, `curve.csv`, and the weights with their card."""

    columns: ClassVar[tuple[str, ...]]
    """Of the curve."""
    kept: ClassVar[tuple[str, ...]] = ("decisions", "seconds", "curve")
    """What a checkpoint keeps besides the learner."""
    learner: Any

    def __init__(self, task: Task, plan: TrainingPlan, folder: Path) -> None:
        self.task, self.plan, self.folder = task, plan, folder
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        self.decisions = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        self._measuring: list[tuple[dict[str, Any], Future[float]]] = []

    @property
    def progress(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        return min(1.0, max(self.decisions / self.plan.decisions, self.seconds / self.plan.seconds))

    @property
    def weights(self) -> Path:
        """The file of the averaged weights."""
        return self.folder / f"{self.task.game}-{self.task.seats}.npz"

    @abstractmethod
    def export(self) -> None:
        """Write the averaged weights and their card."""

    def restore(self) -> None:
        """Go on from the checkpoint of the folder, if there is one."""
        if (self.folder / CHECKPOINT).exists():
            kept = torch.load(self.folder / CHECKPOINT, map_location=self.plan.device, weights_only=False)
            self.learner.restore(kept.pop("learner"))
            for name, value in kept.items():
                setattr(self, name, value)

    def checkpoint(self, told: dict[str, Any], measurer: ProcessPoolExecutor, tell: Tell) -> None:
        """Keep everything, and begin to measure how strong the weights are, unless that is going on."""
        row: dict[str, Any] = {"decisions": self.decisions, "seconds": round(self.seconds, 1), **told}
        self.curve.append(row)
        self.export()
        if self.plan.measured and all(future.done() for _, future in self._measuring):
            frozen = self.folder / "measured.npz"
            frozen.write_bytes(self.weights.read_bytes())
            row["level"] = self.plan.level
            asked = (self.task, frozen, self.plan.level, self.plan.measured, self.plan.seed)
            self._measuring.append((row, measurer.submit(win_share, *asked)))
        self._measuring = [(one, future) for one, future in self._measuring if not _settled(one, future, tell)]
        self._write_curve()
        new = self.folder / f"{CHECKPOINT}.new"
        torch.save({"learner": self.learner.state()} | {name: getattr(self, name) for name in self.kept}, new)
        new.replace(self.folder / CHECKPOINT)
        tell(row)

    def finish(self, tell: Tell) -> None:
        """Wait for the last measurements."""
        for row, future in self._measuring:
            row["share"] = future.result()
            tell(row)
        self._write_curve()

    def write_card(self, made: dict[str, Any]) -> None:
        """Write the card of the weights beside them: what they are for, and how they were made."""
        game, _ = self.task.begin()
        card = {
            "game": game.name,
            "rules": game.version,
            "numbering": game.numbering,
            "seats": self.task.seats,
            "options": dict(self.task.options),
            "made": made,
            "strength": {},
        }
        self.weights.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")

    def _write_curve(self) -> None:
        with (self.folder / CURVE).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self.columns)
            writer.writeheader()
            writer.writerows(
                {name: f"{value:.4g}" if isinstance(value, float) else value for name, value in row.items()}
                for row in self.curve
            )


def _settled(row: dict[str, Any], future: Future[float], tell: Tell) -> bool:
    """Add the result of a measurement to its row, if it is there."""
    if not future.done():
        return False
    row["share"] = future.result()
    tell(row)
    return True
