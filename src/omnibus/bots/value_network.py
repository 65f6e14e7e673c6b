"""A value network in numpy: each seat's share of the win, from the summary of a position.

One small network looks at a position from each seat in turn: its own numbers first, then those of the others clockwise,
then what is common. What it makes of each seat is compared.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a bot is one of many on a machine, and its matrices are small

import numpy as np
from numpy.typing import NDArray

from omnibus.kernel.game import Game

Floats = NDArray[np.float32]


def seat_order(seats: int, each: int, common: int) -> NDArray[np.int64]:
    """Return for each seat where the numbers of a summary stand as it sees them."""
    rows = [
        [(seat + step) % seats * each + number for step in range(seats) for number in range(each)]
        + [seats * each + number for number in range(common)]
        for seat in range(seats)
    ]
    return np.array(rows, np.int64)


class ValueNetwork:
    """Says for one game, number of seats and options how the win will be shared."""

    def __init__(self, game: Game[Any], state: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
        assert game.summary is not None
        self.seats: int = state.seats
        self.order = seat_order(self.seats, game.summary.each, game.summary.common)
        count = sum(name.startswith("value.") for name in arrays) // 2
        self._layers = [
            (arrays[f"value.{layer}.weight"].astype(np.float32), arrays[f"value.{layer}.bias"].astype(np.float32))
            for layer in range(count)
        ]

    def evaluate(self, summaries: list[bytes]) -> list[list[float]]:
        """Return for each position every seat's share of the win."""
        if not summaries:
            return []
        told: list[list[float]] = self.shares(summaries).tolist()
        return told

    def shares(self, summaries: list[bytes]) -> Floats:
        """Return for each position every seat's share of the win, as an array."""
        numbers = np.frombuffer(b"".join(summaries), np.uint8).reshape(len(summaries), -1)
        seen = numbers[:, self.order].reshape(len(summaries) * self.seats, -1).astype(np.float32)
        scores = self._scores(seen).reshape(len(summaries), self.seats)
        chances: Floats = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        return chances

    def _scores(self, seen: Floats) -> Floats:
        """Send rows through the layers: the inner ones add to what they get."""
        (weight, bias), *inner, (last, last_bias) = self._layers
        here = np.maximum(seen @ weight + bias, 0)
        for weight, bias in inner:
            here = here + np.maximum(here @ weight + bias, 0)
        told: Floats = here @ last + last_bias
        return told
