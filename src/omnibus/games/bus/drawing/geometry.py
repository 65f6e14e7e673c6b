"""Points, streets and areas of the picture."""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

Point = tuple[float, float]
Stretch = tuple[Point, Point]
"""The two ends of a street."""


class Area(NamedTuple):
    """A rectangle of the picture."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height


def distance(at: Point, ends: Stretch) -> float:
    """Return how far a point is from a street."""
    (x, y), (u, v) = ends
    long = (u - x) ** 2 + (v - y) ** 2 or 1.0
    along = min(1.0, max(0.0, ((at[0] - x) * (u - x) + (at[1] - y) * (v - y)) / long))
    return hypot(at[0] - x - along * (u - x), at[1] - y - along * (v - y))
