"""Where plots and waiting passengers stand around their crossing: wherever they cover least of what is there.

Maps are data, so nobody has placed these by hand. Every thing tries places all around its crossing and takes the one
with the least trouble: streets under it, other things beside it, the edge of the map, a foreign crossing nearby, to
which a plot would seem to belong.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nsmallest
from math import cos, hypot, pi, sin
from typing import Final, TypeVar

from omnibus.games.bus.board import City
from omnibus.games.bus.drawing.geometry import Area, Point, Stretch, distance

T = TypeVar("T")

DIRECTIONS: Final = 24
NEAR: Final = (58.0, 66.0, 75.0, 86.0)
PLOT_ROOM: Final = 29.0  # half of what a plot takes up
CLEARLY: Final = 1.35  # so many times as far are other crossings from a plot as its own
FOREIGN: Final = 250.0  # crossings farther apart are not mistaken for each other
CROWD_ROOM: Final = 21.0
CROWD_NEAR: Final = (50.0, 56.0, 63.0, 72.0)
NODE_ROOM: Final = 36.0  # with the ring around it
STATION_ROOM: Final = 50.0
STREET_ROOM: Final = 12.0
MOST_STREETS: Final = 12  # a map may be as dense as anybody likes; where more meet nothing stands well, but it is drawn
MOST_THINGS: Final = 24
MANY_CROSSINGS: Final = 50  # of a map with more fewer places are tried, so that it does not take long
FEWER_DIRECTIONS: Final = 8


class Ground:
    """What is on the map already."""

    def __init__(self, city: City, spots: list[Point], area: Area) -> None:
        self.streets = [
            (spots[city.tail[2 * street]], spots[city.tip[2 * street]]) for street in range(city.street_count)
        ]
        self.things = [
            (spot, STATION_ROOM if crossing in city.stations else NODE_ROOM) for crossing, spot in enumerate(spots)
        ]
        self.area = area
        self.directions = DIRECTIONS if city.crossing_count <= MANY_CROSSINGS else FEWER_DIRECTIONS
        self._streets_near: dict[Point, list[Stretch]] = {}

    def near(self, spot: Point) -> Ground:
        """Return only what is close to a spot."""
        close = Ground.__new__(Ground)
        close.streets = self._close_streets(spot)
        things = [(hypot(at[0] - spot[0], at[1] - spot[1]), (at, room)) for at, room in self.things]
        close.things = _closest(things, 170, MOST_THINGS)
        close.area, close.directions = self.area, self.directions
        return close

    def _close_streets(self, spot: Point) -> list[Stretch]:
        if spot not in self._streets_near:
            streets = [(distance(spot, ends), ends) for ends in self.streets]
            self._streets_near[spot] = _closest(streets, 130, MOST_STREETS)
        return self._streets_near[spot]

    def around(self, spot: Point, more: float = 0.0, rings: tuple[float, ...] = NEAR) -> Iterable[tuple[Point, float]]:
        """List the places around a crossing, and how far away they are."""
        for far in rings:
            for n in range(self.directions):
                angle = 2 * pi * n / self.directions - pi / 2
                yield (spot[0] + (far + more) * cos(angle), spot[1] + (far + more) * sin(angle)), far

    def trouble(self, at: Point, room: float) -> float:
        """Measure how badly a thing would stand there."""
        covered = sum(max(0.0, room + STREET_ROOM - distance(at, ends)) for ends in self.streets)
        hidden = sum(max(0.0, room + other - max(abs(at[0] - x), abs(at[1] - y))) for (x, y), other in self.things)
        area, (x, y) = self.area, at
        outside = max(
            0.0, area.x + 4 + room - x, x + room + 4 - area.right, area.y + 4 + room - y, y + room + 4 - area.bottom
        )
        return covered + 6 * hidden + 40 * outside

    def put(self, at: Point, room: float) -> None:
        """Put a thing there."""
        self.things.append((at, room))


def _closest(found: list[tuple[float, T]], far: float, most: int) -> list[T]:
    """Return what is not far away; of too much only the closest."""
    close = [pair for pair in found if pair[0] < far]
    if len(close) > most:
        close = nsmallest(most, close)
    return [thing for _, thing in close]


def surroundings(city: City, spots: list[Point], area: Area) -> tuple[list[Point], list[Point]]:
    """Return the places of all plots, and of the passengers at every crossing."""
    ground = Ground(city, spots, area)
    plots: list[Point] = [(0.0, 0.0)] * city.plot_count
    at_crossing = [[p for p in range(city.plot_count) if city.plot_at[p] == c] for c in range(city.crossing_count)]
    for crossing in sorted(range(city.crossing_count), key=lambda c: (-len(at_crossing[c]), -len(city.out[c]), c)):
        for plot in at_crossing[crossing]:
            plots[plot] = _plot_place(ground, spots, crossing)
    crowds = [_crowd_place(ground, spot, 30.0 if c in city.stations else 0.0) for c, spot in enumerate(spots)]
    return plots, crowds


def _plot_place(ground: Ground, spots: list[Point], crossing: int) -> Point:
    """Return the best place for a plot, clearly nearer to its own crossing than to any other, and keep it free."""
    spot = spots[crossing]
    close = ground.near(spot)
    others = [other for other in spots if other != spot and hypot(other[0] - spot[0], other[1] - spot[1]) < FOREIGN]

    def trouble(place: tuple[Point, float]) -> float:
        (x, y), far = place
        foreign = sum(max(0.0, CLEARLY * far - hypot(x - u, y - v)) for u, v in others)
        return close.trouble(place[0], PLOT_ROOM) + 8 * foreign + 0.4 * far

    found = min(ground.around(spot), key=trouble)[0]
    ground.put(found, PLOT_ROOM)
    return found


def _crowd_place(ground: Ground, spot: Point, more: float) -> Point:
    """Return the best place for passengers at a crossing, close to it, and keep it free from now on."""
    close = ground.near(spot)
    found = min(
        ground.around(spot, more, CROWD_NEAR), key=lambda place: close.trouble(place[0], CROWD_ROOM) + 2 * place[1]
    )[0]
    ground.put(found, CROWD_ROOM)
    return found
