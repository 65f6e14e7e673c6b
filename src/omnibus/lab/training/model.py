"""The network in PyTorch: the same computation as `bots.network`, which plays with its weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from omnibus.kernel.game import Game


class Part(nn.Module):
    """Layers of which the inner ones add to what they get."""

    def __init__(self, numbers: int, width: int, depth: int, outputs: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            [nn.Linear(numbers, width), *(nn.Linear(width, width) for _ in range(depth - 1)), nn.Linear(width, outputs)]
        )
        nn.init.zeros_(self.layers[-1].bias)
        self.layers[-1].weight.data *= 0.1  # begins with nearly equal chances

    def forward(self, seen: Tensor) -> Tensor:
        """Return the outputs for rows of scaled numbers."""
        first, *inner, last = self.layers
        here = torch.relu(first(seen))
        for layer in inner:
            here = here + torch.relu(layer(here))
        told: Tensor = last(here)
        return told


class Model(nn.Module):
    """A policy that sees what the seat to act sees, and a critic that sees what all seats see."""

    def __init__(self, game: Game[Any], state: Any, width: int, depth: int) -> None:
        super().__init__()
        high = [one.high for one in game.features(state) for _ in range(one.size)]
        self.numbers = len(high)
        self.seats: int = state.seats
        actions = game.space(state)[0]
        plain = list(range(self.numbers)), list(range(actions))
        mirrors = [game.mirror(seat) if game.mirror else plain for seat in range(self.seats)]
        self.register_buffer("scale", 1 / torch.tensor(high, dtype=torch.float32))
        self.register_buffer("mirrored_numbers", torch.tensor([numbers for numbers, _ in mirrors]))
        self.register_buffer("mirrored_moves", torch.tensor([moves for _, moves in mirrors]))
        self.policy = Part(self.numbers, width, depth, actions)
        self.critic = Part(self.numbers * self.seats, width, depth, self.seats)

    def turned(self, full: Tensor, seat: Tensor) -> Tensor:
        """Turn rows of all seats' observations to how seat 0 would see them."""
        index = self.mirrored_numbers[seat]
        rows = full.view(len(full), self.seats, self.numbers)
        return rows.gather(2, index[:, None, :].expand(-1, self.seats, -1)).view(len(full), -1)

    def logits(self, turned: Tensor, mask: Tensor) -> Tensor:
        """Return the policy's logits for turned rows; the mask is turned as well."""
        told: Tensor = self.policy(turned[:, : self.numbers] * self.scale)
        return told.masked_fill(mask == 0, -1e9)

    def shares(self, turned: Tensor) -> Tensor:
        """Return the logits of the seats' shares for turned rows, the viewer's first."""
        told: Tensor = self.critic(turned * self.scale.repeat(self.seats))
        return told


def to_arrays(model: Mapping[str, Tensor]) -> dict[str, NDArray[np.float16]]:
    """Return the weights of a model as `bots.network` reads them."""
    arrays: dict[str, NDArray[np.float16]] = {}
    for name, tensor in model.items():
        part, _, rest = name.partition(".layers.")
        if rest:
            weights = tensor.detach().float().cpu().numpy()
            arrays[f"{part}.{rest}"] = (weights.T if rest.endswith("weight") else weights).astype(np.float16)
    return arrays
