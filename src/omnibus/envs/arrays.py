"""Observations and action masks as numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omnibus.kernel.features import Feature

Bytes = NDArray[np.uint8]


class FeatureLayout:
    """Where each feature is in an observation. Numbers go from 0 to `high`."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self.features = tuple(features)
        self.slices: dict[str, slice] = {}
        start = 0
        for feature in self.features:
            self.slices[feature.name] = slice(start, start + feature.size)
            start += feature.size
        self.size = start
        self.high: Bytes = np.concatenate([np.full(each.size, each.high, np.uint8) for each in self.features])

    def named(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return an observation, or a batch of them, as named arrays; they share its memory."""
        lead = observation.shape[:-1]
        return {
            feature.name: observation[..., self.slices[feature.name]].reshape(*lead, *feature.shape)
            for feature in self.features
        }


def row(observed: bytes) -> Bytes:
    """Return an observation as a new, writable array."""
    return np.frombuffer(bytearray(observed), np.uint8)


def mask(moves: list[int], width: int) -> NDArray[np.int8]:
    """Return an array with 1 for every legal move; int8, as `Discrete.sample` expects."""
    marks = np.zeros(width, np.int8)
    marks[moves] = 1
    return marks
