"""The value network in PyTorch, and how it learns: the same computation as `bots.value_network`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from omnibus.bots.value_network import seat_order
from omnibus.kernel.game import Game
from omnibus.lab.training.model import Part
from omnibus.lab.training.self_play import Lesson


@dataclass(frozen=True, slots=True)
class ValueSettings:
    """How it learns. The names are those of the field."""

    width: int = 128
    depth: int = 2
    minibatch: int = 4096
    replay: float = 12.0
    """How often each position is learned from."""
    kept: int = 1 << 21
    """The latest positions, from which those of a minibatch are drawn."""
    taught: int = 150_000
    """So many positions are played by the judgement before the network plays."""
    rate: float = 1e-3
    last_rate: float = 5e-5
    average: float = 0.999
    """Decay per minibatch of the averaged weights, which are the ones that play."""


class ValueModel(nn.Module):
    """Looks at a position from each seat, and compares what it makes of them."""

    def __init__(self, game: Game[Any], state: Any, width: int, depth: int) -> None:
        super().__init__()
        assert game.summary is not None
        order = seat_order(state.seats, game.summary.each, game.summary.common)
        self.seats: int = state.seats
        self.numbers: int = order.shape[1]
        self.register_buffer("order", torch.from_numpy(order))
        self.register_buffer("mean", torch.zeros(self.numbers))
        self.register_buffer("spread", torch.full((self.numbers,), 64.0))
        self.value = Part(self.numbers, width, depth, 1)

    def seen(self, rows: Tensor) -> Tensor:
        """Return how each seat sees rows of summaries."""
        return rows[:, self.order].float()

    def measure(self, rows: Tensor) -> None:
        """Find out the mean and the spread of each number, to which it is scaled."""
        seen = self.seen(rows).flatten(0, 1)
        self.mean.copy_(seen.mean(0))
        self.spread.copy_(seen.std(0).clamp_min(0.5))

    def forward(self, rows: Tensor) -> Tensor:
        """Return the logits of the seats' shares for rows of summaries."""
        told: Tensor = self.value((self.seen(rows) - self.mean) / self.spread)
        return told.squeeze(2)


def to_arrays(model: Mapping[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a model as `bots.value_network` reads them: the scaling is part of the first layer."""
    found = {name: tensor.detach().float().cpu().numpy() for name, tensor in model.items()}
    arrays: dict[str, NDArray[np.float32]] = {}
    for name, array in found.items():
        part, _, rest = name.partition(".layers.")
        if rest:
            arrays[f"{part}.{rest}"] = array.T if rest.endswith("weight") else array
    first = arrays["value.0.weight"] / found["spread"][:, None]
    arrays["value.0.weight"] = first
    arrays["value.0.bias"] = arrays["value.0.bias"] - found["mean"] @ first
    return arrays


class Memory:
    """The latest positions."""

    def __init__(self, model: ValueModel, wide: int, kept: int, device: Any) -> None:
        self.rows = torch.zeros((kept, wide), dtype=torch.uint8, device=device)
        self.shares = torch.zeros((kept, model.seats), device=device)
        self.count = 0

    def add(self, lesson: Lesson) -> None:
        """Add positions in place of the oldest."""
        kept = len(self.rows)
        places = (self.count + torch.arange(len(lesson.rows), device=self.rows.device)) % kept
        self.rows[places] = torch.from_numpy(lesson.rows.copy()).to(self.rows.device)
        self.shares[places] = torch.from_numpy(lesson.shares.copy()).to(self.rows.device)
        self.count += len(lesson.rows)

    def sample(self, number: int) -> tuple[Tensor, Tensor]:
        """Return random positions and their shares."""
        places = torch.randint(min(self.count, len(self.rows)), (number,), device=self.rows.device)
        return self.rows[places], self.shares[places]


class ValueLearner:
    """Fits a model to positions, and keeps an average of its weights."""

    def __init__(self, model: ValueModel, settings: ValueSettings) -> None:
        self.model, self.settings = model, settings
        self.optimizer = torch.optim.Adam(model.parameters(), lr=settings.rate)
        self.average = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
        self.steps = 0

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on later."""
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average, self.steps = state["average"], state["steps"]

    def measure(self, memory: Memory) -> None:
        """Scale the numbers by what has been seen of them."""
        self.model.measure(memory.sample(1 << 14)[0])
        for name in ("mean", "spread"):
            self.average[name] = self.model.state_dict()[name].clone()

    @torch.no_grad()
    def loss(self, lesson: Lesson) -> float:
        """Return the loss on positions it has not seen."""
        device = self.model.mean.device
        rows, shares = (torch.from_numpy(one.copy()).to(device) for one in (lesson.rows, lesson.shares))
        return float(nn.functional.cross_entropy(self.model(rows), shares))

    def learn(self, memory: Memory, progress: float) -> None:
        """Learn from a minibatch; `progress` goes from 0 to 1 over the whole training."""
        s = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = s.rate + (s.last_rate - s.rate) * progress
        rows, shares = memory.sample(s.minibatch)
        loss = nn.functional.cross_entropy(self.model(rows), shares)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self._follow()

    @torch.no_grad()
    def _follow(self) -> None:
        """Move the averaged weights toward the present ones, at first quickly."""
        decay = min(self.settings.average, self.steps / (self.steps + 10))
        self.steps += 1
        for name, tensor in self.model.value.state_dict(prefix="value.").items():
            self.average[name].lerp_(tensor, 1 - decay)
