"""How a machine sees a game: what the numbers of an observation mean.

An observation is a row of bytes, one number each. A game lists its features in their order; each is an array of that
row with a name and a shape. No numpy here: whoever has numpy wraps the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True)
class Feature:
    """One named array of an observation: its shape, the highest number in it (the lowest is 0) and what it tells."""

    name: str
    shape: tuple[int, ...]
    high: int
    text: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def one_hots(size: int) -> list[bytes]:
    """Return the rows with a single 1, by its place; the row behind them, index −1, has none."""
    return [bytes(int(place == one) for place in range(size)) for one in range(size)] + [bytes(size)]


def bits(of: int) -> list[bytes]:
    """Return for each of so many bits the table that `bytes.translate` takes to pick it out of every byte."""
    return [bytes(number >> bit & 1 for number in range(256)) for bit in range(of)]


def equals(numbers: int) -> list[bytes]:
    """Return for each number below this one the table with which `bytes.translate` marks it: 1 there, 0 elsewhere."""
    return [bytes(int(number == one) for number in range(256)) for one in range(numbers)]
