"""The layout of the picture, in its own units: 1080 across, so three to a pixel on a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final

from omnibus.games.metromania.board import CORNERS, POINTS

Spot = tuple[float, float]

WIDTH: Final = 1080
MARGIN: Final = 24
MIDDLE: Final = WIDTH / 2
UNIT: Final = 92  # the length of an edge
RISE: Final = sqrt(3) / 2
CITY_Y: Final = 604  # the middle of the city, counted from above
CITY_BOTTOM: Final = 1112

PANELS: Final = CITY_BOTTOM + 10
PANEL_WIDTH: Final = 508
PANEL_HEIGHT: Final = 172
PANEL_GAP: Final = 16

BAR: Final = 18  # where the bar above the city begins: stock and legend
BAR_HEIGHT: Final = 68
STOCK_WIDTH: Final = 290
LEGEND: Final = MARGIN + STOCK_WIDTH + 16  # where the legend begins
LEGEND_STEP: Final = 240

RIDE_WIDTH: Final = 508
RIDE_HEIGHT: Final = 616
RIDE_MIDDLE: Final = 308  # the middle of the small city in it
RIDE_UNIT: Final = 43


def point_place(point: Sequence[int], unit: float = UNIT) -> Spot:
    """Return where a vertex (a, b) stands, seen from the middle of the city (§1.1)."""
    return unit * (point[0] + point[1] / 2), -unit * RISE * point[1]


def vertex_place(vertex: int) -> Spot:
    """Return where a vertex stands in the picture."""
    return city_place(POINTS[vertex])


def city_place(point: Sequence[int]) -> Spot:
    """Return where a vertex (a, b) stands in the picture."""
    x, y = point_place(point)
    return MIDDLE + x, CITY_Y + y


def corners_of(cell: int, unit: float = UNIT) -> list[Spot]:
    """Return the three corners of a cell, seen from the middle of the city."""
    return [point_place(POINTS[vertex], unit) for vertex in CORNERS[cell]]


def middle_of(cell: int, unit: float = UNIT) -> Spot:
    """Return the middle of a cell, seen from the middle of the city."""
    corners = corners_of(cell, unit)
    return sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3


def cell_place(cell: int) -> Spot:
    """Return the middle of a cell in the picture."""
    x, y = middle_of(cell)
    return MIDDLE + x, CITY_Y + y


def panel_place(seat: int) -> Spot:
    """Return the upper left corner of a seat's panel: two in a row."""
    row, column = divmod(seat, 2)
    return MARGIN + column * (PANEL_WIDTH + PANEL_GAP), PANELS + row * (PANEL_HEIGHT + PANEL_GAP)


def rides_top(seats: int) -> float:
    """Return where the test rides begin, below the panels."""
    return PANELS + (seats + 1) // 2 * (PANEL_HEIGHT + PANEL_GAP)


def ride_place(number: int, seats: int) -> Spot:
    """Return the upper left corner of a test ride's picture: two in a row."""
    row, column = divmod(number, 2)
    top = rides_top(seats) + row * (RIDE_HEIGHT + PANEL_GAP)
    return MARGIN + column * (RIDE_WIDTH + PANEL_GAP), top


def height(view: Mapping[str, Any]) -> float:
    """Return how tall the picture is: at the end the test rides are drawn below."""
    top = rides_top(view["seats"])
    return top + 4 * (RIDE_HEIGHT + PANEL_GAP) if view["outcome"] else top


def legend_place(number: int) -> Spot:
    """Return where an entry of the legend stands."""
    return LEGEND + 36 + number * LEGEND_STEP, BAR + BAR_HEIGHT / 2


def line_row(seat: int, which: int) -> Spot:
    """Return where a line's row in a seat's panel begins, at the middle of its height."""
    x, y = panel_place(seat)
    return x + 206, y + 42 + 44 * which


def tile_place(seat: int, number: int) -> Spot:
    """Return where a destination in a hand lies."""
    x, y = panel_place(seat)
    return x + 46 + 76 * number, y + PANEL_HEIGHT - 40
