"""A trained network in numpy: what it would play, and each seat's share of the win.

It has two parts. The policy sees what the seat to act sees, and only that. The critic sees what all seats see: it is
asked about redeals, in which nothing is hidden.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a bot is one of many on a machine, and its matrices are small

import numpy as np
from numpy.typing import NDArray

from omnibus.bots.guided import Leaf
from omnibus.bots.value_network import ValueNetwork
from omnibus.kernel.game import Game

Floats = NDArray[np.float32]
Layers = list[tuple[Floats, Floats]]
"""The weights and biases of one part, layer by layer."""

PARTS: Final = ("policy", "critic")


class PolicyNetwork:
    """A policy and a critic for one game, number of seats and options."""

    def __init__(self, game: Game[Any], state: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
        features = game.features(state)
        self.seats: int = state.seats
        self._scale: Floats = np.reciprocal(np.concatenate([np.full(one.size, one.high, "f4") for one in features]))
        self._policy, self._critic = (_layers(arrays, part) for part in PARTS)
        mirrors = [game.mirror(seat) for seat in range(self.seats)] if game.mirror else []
        self._numbers = np.array([numbers for numbers, _ in mirrors])
        self._moves = np.array([moves for _, moves in mirrors])

    def evaluate(self, leaves: list[Leaf]) -> tuple[list[list[float]], list[list[float]]]:
        """Return for each leaf the logit of every move, and every seat's share of the win."""
        return self.logits(leaves).tolist(), self.shares(leaves).tolist()

    def logits(self, leaves: list[Leaf]) -> Floats:
        """Return for each leaf how much the policy likes every move, legal or not."""
        seats = np.array([leaf.seat for leaf in leaves])
        seen = np.frombuffer(b"".join([leaf.observation for leaf in leaves]), np.uint8).reshape(len(leaves), -1)
        if len(self._numbers):
            seen = np.take_along_axis(seen, self._numbers[seats], 1)
        liked = _forward(self._policy, seen.astype(np.float32) * self._scale)
        return np.take_along_axis(liked, self._moves[seats], 1) if len(self._moves) else liked

    def shares(self, leaves: list[Leaf]) -> Floats:
        """Return for each leaf every seat's share of the win."""
        viewers = np.array([leaf.viewer for leaf in leaves])
        seen = np.frombuffer(b"".join([leaf.seen_by_all for leaf in leaves]), np.uint8)
        seen = seen.reshape(len(leaves), self.seats, -1)
        if len(self._numbers):
            seen = np.take_along_axis(seen, self._numbers[viewers][:, None, :], 2)
        told = _forward(self._critic, (seen.astype(np.float32) * self._scale).reshape(len(leaves), -1))
        chances = np.exp(told - told.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        places = (np.arange(self.seats) - viewers[:, None]) % self.seats  # the critic's first share is the viewer's
        return np.take_along_axis(chances, places, 1)


def _layers(arrays: Mapping[str, NDArray[Any]], part: str) -> Layers:
    count = sum(name.startswith(f"{part}.") for name in arrays) // 2
    return [
        (arrays[f"{part}.{layer}.weight"].astype(np.float32), arrays[f"{part}.{layer}.bias"].astype(np.float32))
        for layer in range(count)
    ]


def _forward(layers: Layers, seen: Floats) -> Floats:
    """Send rows through the layers: the inner ones add to what they get."""
    (weight, bias), *inner, (last, last_bias) = layers
    here = np.maximum(seen @ weight + bias, 0)
    for weight, bias in inner:
        here = here + np.maximum(here @ weight + bias, 0)
    told: Floats = here @ last + last_bias
    return told


AnyNetwork = PolicyNetwork | ValueNetwork


def read(game: Game[Any], state: Any, file: Path) -> AnyNetwork:
    """Read the weights of a network from a file."""
    with np.load(file) as arrays:
        return ValueNetwork(game, state, arrays) if "value.0.weight" in arrays else PolicyNetwork(game, state, arrays)
