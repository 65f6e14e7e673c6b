"""What lies between the streets: blocks of buildings, a river and parks. They are found on any map, from its streets.

Nobody draws them by hand, because maps are data. The river takes the way that keeps farthest from crossings and plots,
parks fill the largest gaps, and the city reaches a little beyond its outermost crossings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Final

from omnibus.games.bus.drawing.geometry import Area, Point, Stretch, distance
from omnibus.games.bus.drawing.layout import Layout

GRID: Final = 32  # between the points that are looked at
SHORE: Final = 66.0  # how far the river keeps from crossings and plots, if it can
BANK: Final = 30.0  # and from streets that it does not cross
BEND: Final = 9.0  # what a bend of the river costs
MEANDER: Final = 16.0
PARKS: Final = 4
PARK_LEAST: Final = 40.0  # from the middle of a park to the nearest street
PARK_MOST: Final = 120.0
PARKS_APART: Final = 210.0
VERGE: Final = 24.0  # between the middle of a street and what is beside it
RAYS: Final = 28
MOST_STREETS: Final = 400  # a denser map has no room for a river, and looking for it would take long
OUTSKIRTS: Final = 74.0


@lru_cache(maxsize=32)
def scenery_of(layout: Layout) -> Scenery:
    """Return the scenery of a map; cached because it takes a while and never changes."""
    return Scenery(layout)


class Scenery:
    """The scenery of one map: closed or open lines of points, to be drawn as curves."""

    def __init__(self, layout: Layout) -> None:
        self.city = _outskirts(layout.spots)
        self.centre = _around([layout.spots[crossing] for crossing in layout.city.centre])
        streets = [layout.street(street) for street in range(layout.city.street_count)]
        self.river: list[Point] = []
        self.parks: list[list[Point]] = []
        if len(streets) <= MOST_STREETS:
            things = [*layout.spots, *layout.plots]
            self.river = _river(layout.area, things, streets)
            self.parks = list(_parks(layout.area, [*things, *layout.crowds], streets, self.river))


def _outskirts(spots: list[Point]) -> list[Point]:
    """Return the outline of the city: what encloses all crossings, and a little more."""
    middle = _middle(spots)
    hull: list[Point] = []
    for x, y in _hull(spots):
        far = hypot(x - middle[0], y - middle[1]) or 1.0
        hull.append((x + (x - middle[0]) / far * OUTSKIRTS, y + (y - middle[1]) / far * OUTSKIRTS))
    return hull


def _middle(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _hull(points: list[Point]) -> list[Point]:
    """Return the convex hull, by Andrew's monotone chain."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1]


def _half(points: list[Point]) -> list[Point]:
    chain: list[Point] = []
    for x, y in points:
        while len(chain) > 1:
            (a, b), (c, d) = chain[-2:]
            if (c - a) * (y - b) > (d - b) * (x - a):
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _around(points: list[Point]) -> list[Point]:
    """Return points in the order in which they lie around their middle."""
    hull = _hull(points)
    return hull if len(hull) > 2 else []


def _river(area: Area, things: list[Point], streets: list[Stretch]) -> list[Point]:
    """Return the course of the river, from one edge of the map to the other, whichever way is easier."""
    ways = []
    for across in (True, False):
        long, high = (area.width, area.height) if across else (area.height, area.width)
        start, side = (area.x, area.y) if across else (area.y, area.x)
        steps = [start + n * long / round(long / GRID) for n in range(round(long / GRID) + 1)]
        lanes = [side + high * 0.2 + n * GRID for n in range(round(high * 0.6 / GRID) + 1)]
        grid = [[(step, lane) if across else (lane, step) for lane in lanes] for step in steps]
        costs = [[_wetness(point, things, streets) for point in row] for row in grid]
        cost, course = _course(costs)
        ways.append((cost / len(steps), [row[lane] for row, lane in zip(grid, course, strict=True)]))
    return _meander(min(ways)[1])


def _meander(course: list[Point]) -> list[Point]:
    """Let the river flow in gentle bends; where it enters and leaves the map it stays."""
    wound = [(x + MEANDER * sin(n), y + MEANDER * sin(n)) for n, (x, y) in enumerate(course)]
    for _ in range(3):
        inner = [
            ((x + 2 * u + a) / 4, (y + 2 * v + b) / 4)
            for (x, y), (u, v), (a, b) in zip(wound, wound[1:], wound[2:], strict=False)
        ]
        wound = [course[0], *inner, course[-1]]
    return wound


def _wetness(at: Point, things: list[Point], streets: list[Stretch]) -> float:
    """Return how bad it is for the river to flow here."""
    x, y = at
    near = sum(max(0.0, SHORE - hypot(x - u, y - v)) ** 2 for u, v in things if abs(x - u) < SHORE > abs(y - v))
    return near / 8 + sum(max(0.0, BANK - distance(at, ends)) for ends in _close(at, streets, BANK))


def _close(at: Point, streets: list[Stretch], reach: float) -> list[Stretch]:
    """Return the streets that may come this close to a point."""
    left, right, top, bottom = at[0] - reach, at[0] + reach, at[1] - reach, at[1] + reach
    return [
        ends
        for ends in streets
        if (ends[0][0] > left or ends[1][0] > left)
        and (ends[0][0] < right or ends[1][0] < right)
        and (ends[0][1] > top or ends[1][1] > top)
        and (ends[0][1] < bottom or ends[1][1] < bottom)
    ]


def _course(costs: list[list[float]]) -> tuple[float, list[int]]:
    """Return the cheapest way through a grid, row by row, and what it costs."""
    lanes = range(len(costs[0]))
    total, came = costs[0], []
    for row in costs[1:]:
        best = [
            min((total[other] + BEND * abs(lane - other), other) for other in lanes if abs(lane - other) < 3)
            for lane in lanes
        ]
        came.append([other for _, other in best])
        total = [cost + row[lane] for lane, (cost, _) in enumerate(best)]
    least = min(total)
    course = [total.index(least)]
    for row_came in reversed(came):
        course.append(row_came[course[-1]])
    return least, course[::-1]


def _parks(area: Area, things: list[Point], streets: list[Stretch], river: list[Point]) -> Iterator[list[Point]]:
    """Find the parks: in the largest gaps between streets, one after the other."""
    banks = list(pairwise(river))
    found = []
    for n in range(2, int(area.width / GRID) - 1):
        for m in range(2, int(area.height / GRID) - 1):
            at = (area.x + n * GRID, area.y + m * GRID)
            room = _room(at, things, streets, banks)
            if room > PARK_LEAST:
                found.append((-room, at))
    chosen: list[Point] = []
    for _, at in sorted(found):
        if len(chosen) < PARKS and all(hypot(at[0] - x, at[1] - y) > PARKS_APART for x, y in chosen):
            chosen.append(at)
            yield _lawn(at, things, streets, banks)


def _room(at: Point, things: list[Point], streets: list[Stretch], banks: list[Stretch]) -> float:
    """Return how far the next thing is, less what it takes up; at most as far as a park reaches."""
    room = min([PARK_MOST, *(hypot(at[0] - x, at[1] - y) - VERGE for x, y in things)])
    road = min([room, *(distance(at, ends) for ends in _close(at, streets, room))])
    return min([road, *(distance(at, ends) - VERGE for ends in _close(at, banks, road + VERGE))])


def _lawn(at: Point, things: list[Point], streets: list[Stretch], banks: list[Stretch]) -> list[Point]:
    """Let a park grow from its middle in all directions, up to the next street, crossing or bank."""
    x, y = at
    close = [ends for ends in streets if distance(at, ends) < PARK_MOST + VERGE]
    shores = [ends for ends in banks if distance(at, ends) < PARK_MOST + VERGE]
    objects = [thing for thing in things if hypot(thing[0] - x, thing[1] - y) < PARK_MOST + 2 * VERGE]
    outline = []
    for ray in range(RAYS):
        along = (cos(2 * pi * ray / RAYS), sin(2 * pi * ray / RAYS))
        far = 12.0
        while far < PARK_MOST and _room((x + along[0] * far, y + along[1] * far), objects, close, shores) > VERGE:
            far += 7
        outline.append((x + along[0] * far, y + along[1] * far))
    return outline
