"""The layout of the picture, in its own units: upright 1080 across, in landscape 1640."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, NamedTuple

from omnibus.games.metromania.board import CORNERS, POINTS

Spot = tuple[float, float]

MARGIN: Final = 24
GAP: Final = 14
UNIT: Final = 92  # the length of an edge
RISE: Final = sqrt(3) / 2
MIDDLE: Final = 540  # the middle of the city, across
CITY_HALF: Final = 508  # the city with its border cells and their numbers, from the middle upwards


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    wide: float
    tall: float


@dataclass(frozen=True, slots=True)
class Layout:
    """One shape of the picture: players and rides stand below the city, or beside it."""

    wide: bool
    width: float
    city_y: float  # the middle of the city, counted from above
    panel_wide: float
    panel_tall: float
    ride_wide: float
    ride_tall: float
    ride_unit: float  # the length of an edge in the small map of a ride
    small: float  # the size of the smallest text

    def vertex_place(self, vertex: int) -> Spot:
        """Return where a vertex stands in the picture."""
        return self.city_place(POINTS[vertex])

    def city_place(self, point: Sequence[int]) -> Spot:
        """Return where a vertex (a, b) stands in the picture."""
        x, y = point_place(point)
        return MIDDLE + x, self.city_y + y

    def cell_place(self, cell: int) -> Spot:
        """Return the middle of a cell in the picture."""
        x, y = middle_of(cell)
        return MIDDLE + x, self.city_y + y

    @property
    def below(self) -> Spot:
        """Return where panels and rides begin."""
        return (2 * MIDDLE + 10, 20) if self.wide else (MARGIN, self.city_y + CITY_HALF + 10)

    def panel_place(self, seat: int) -> Spot:
        """Return the upper left corner of a seat's panel: one below the other, or two in a row."""
        row, column = (seat, 0) if self.wide else divmod(seat, 2)
        x, y = self.below
        return x + column * (self.panel_wide + GAP), y + row * (self.panel_tall + GAP)

    def ride_place(self, number: int) -> Spot:
        """Return the upper left corner of a test ride's picture: two in a row, or four."""
        row, column = divmod(number, 2 if self.wide else 4)
        x, y = self.below
        return x + column * (self.ride_wide + GAP), y + row * (self.ride_tall + GAP)

    def height(self, view: Mapping[str, Any]) -> float:
        """Return how tall the picture is: at the end the rides take the place of the panels."""
        if self.wide:
            return self.city_y + CITY_HALF + 12
        if view["outcome"]:
            return self.ride_place(4)[1] + self.ride_tall + MARGIN
        return self.panel_place(view["seats"] - 1)[1] + self.panel_tall + MARGIN

    def line_row(self, seat: int, which: int) -> Spot:
        """Return where a line's row in a seat's panel begins, at the middle of its height."""
        x, y = self.panel_place(seat)
        return (x + 44 + 240 * which, y + 112) if self.wide else (x + 206, y + 42 + 44 * which)

    def tile_place(self, seat: int, number: int) -> Spot:
        """Return where a destination in a hand lies."""
        x, y = self.panel_place(seat)
        return x + 46 + 76 * number, y + self.panel_tall - (46 if self.wide else 40)

    def seal_place(self, seat: int) -> Spot:
        """Return where the mark of a seat stands in its panel."""
        x, y = self.panel_place(seat)
        return x + 62, y + 50

    def points_place(self, seat: int) -> Spot:
        """Return where the points of a seat stand, with a star before them."""
        x, y = self.panel_place(seat)
        return (x + 390, y + 50) if self.wide else (x + 132, y + 50)

    def sign_place(self, seat: int) -> Spot:
        """Return where a panel shows whose turn it is."""
        x, y = self.panel_place(seat)
        return x + self.panel_wide - 40, y + (50 if self.wide else 64)

    def legend_place(self, number: int) -> Spot:
        """Return where an entry of the legend stands: in the corner beside the city, or in a row above it."""
        return (MARGIN + 22, 44 + 50 * number) if self.wide else (366 + 240 * number, 52)

    def legend_area(self, number: int) -> Box:
        """Return the area of an entry of the legend."""
        x, y = self.legend_place(number)
        return Box(x - 24, y - 23, 190, 46) if self.wide else Box(x - 30, 18, 232, 68)

    @property
    def stock(self) -> Box:
        """Return the box of the stations left."""
        return Box(2 * MIDDLE - 250, 20, 240, 68) if self.wide else Box(MARGIN, 18, 290, 68)


UPRIGHT: Final = Layout(
    wide=False, width=1080, city_y=604, panel_wide=509, panel_tall=172, ride_wide=247, ride_tall=342, ride_unit=21,
    small=36,
)  # fmt: skip
LANDSCAPE: Final = Layout(
    wide=True, width=1640, city_y=520, panel_wide=526, panel_tall=239, ride_wide=256, ride_tall=239, ride_unit=15.6,
    small=24,
)  # fmt: skip


def layout_of(wide: bool) -> Layout:
    """Return the layout of a shape."""
    return LANDSCAPE if wide else UPRIGHT


def point_place(point: Sequence[int], unit: float = UNIT) -> Spot:
    """Return where a vertex (a, b) stands, seen from the middle of the city (§1.1)."""
    return unit * (point[0] + point[1] / 2), -unit * RISE * point[1]


def corners_of(cell: int, unit: float = UNIT) -> list[Spot]:
    """Return the three corners of a cell, seen from the middle of the city."""
    return [point_place(POINTS[vertex], unit) for vertex in CORNERS[cell]]


def middle_of(cell: int, unit: float = UNIT) -> Spot:
    """Return the middle of a cell, seen from the middle of the city."""
    corners = corners_of(cell, unit)
    return sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3
