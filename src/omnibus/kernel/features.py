"""The features of an observation: what its numbers mean.

An observation is a row of bytes, one number each. A game lists its features in order; each is a named array with a
shape within that row. There is no numpy here: callers that have it wrap the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True)
class Feature:
    """One named array of an observation: its shape, its highest number (the lowest is 0) and its meaning."""

    name: str
    shape: tuple[int, ...]
    high: int
    text: str

    @property
    def size(self) -> int:
        """The number of its numbers."""
        return prod(self.shape)


def one_hots(size: int) -> list[bytes]:
    """Return rows with a single 1, by its place; the last row, index −1, has none."""
    return [bytes(int(place == one) for place in range(size)) for one in range(size)] + [bytes(size)]


def bits(of: int) -> list[bytes]:
    """Return for each bit the table with which `bytes.translate` extracts it from every byte."""
    return [bytes(number >> bit & 1 for number in range(256)) for bit in range(of)]


def equals(numbers: int) -> list[bytes]:
    """Return for each smaller number the table with which `bytes.translate` marks it: 1 there, 0 elsewhere."""
    return [bytes(int(number == one) for number in range(256)) for one in range(numbers)]
