"""Where everything stands in the picture, in its own units: 1080 across, so three to a pixel on a phone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import hypot
from typing import Any, Final

from omnibus.games.bus import cities
from omnibus.games.bus.board import City
from omnibus.games.bus.board.pieces import ACTIONS, CAPACITY
from omnibus.games.bus.drawing.surroundings import Point, surroundings

WIDTH: Final = 1080
MARGIN: Final = 24
MIDDLE: Final = WIDTH / 2

MAP_TOP: Final = 88
MAP_INSET: Final = 92  # between the edge of the map and its outermost crossings
MAP_HIGH: Final = 1020
LANE: Final = 10  # from one line to the next on a shared street
ROAD: Final = 15
NODE: Final = 22
PLOT: Final = 48

BOARD: Final = MAP_TOP + MAP_HIGH + 18
COLUMN: Final = (WIDTH - 2 * MARGIN) / 7
HEAD_HIGH: Final = 84
FIELD_HIGH: Final = 62
BOARD_HIGH: Final = HEAD_HIGH + 6 * FIELD_HIGH + 10

PLAYERS: Final = BOARD + BOARD_HIGH + 22
PLAYER_HIGH: Final = 76

TRACK_LEAST: Final = -5
TRACK_MOST: Final = 35
TRACK_STEP: Final = 24  # from one disc to the next, on the same score


class Layout:
    """The places of one city's map."""

    def __init__(self, city: City) -> None:
        self.city = city
        self.spots = _spots(city)
        self.plots, self.crowds, self.heads = surroundings(city, self.spots)

    def street(self, street: int) -> tuple[Point, Point]:
        """Return the two ends of a street."""
        return self.spots[self.city.tail[2 * street]], self.spots[self.city.tip[2 * street]]

    def middle(self, street: int) -> Point:
        """Return the middle of a street."""
        (x, y), (u, v) = self.street(street)
        return (x + u) / 2, (y + v) / 2

    def lane(self, street: int, seat: int, seats: int) -> tuple[Point, Point]:
        """Return the ends of a seat's lane on a street, seen from its middle: everybody keeps their own."""
        (x, y), (u, v) = sorted(self.street(street))
        long = hypot(u - x, v - y) or 1.0
        off = (seat - (seats - 1) / 2) * LANE
        across = (-(v - y) / long * off, (u - x) / long * off)
        half = ((u - x) / 2, (v - y) / 2)
        return (across[0] - half[0], across[1] - half[1]), (across[0] + half[0], across[1] + half[1])


def _spots(city: City) -> list[Point]:
    """Spread the crossings over the map, whatever box they were drawn in."""
    points = [crossing["xy"] for crossing in city.document["crossings"]]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide = max(max(x for x, _ in points) - left, 1)
    high = max(max(y for _, y in points) - top, 1)
    return [
        (
            MAP_INSET + (x - left) / wide * (WIDTH - 2 * MAP_INSET),
            MAP_TOP + MAP_INSET + (y - top) / high * (MAP_HIGH - 2 * MAP_INSET),
        )
        for x, y in points
    ]


class _Map:
    """A hashable key for a city as a view names it: a bundled name, or a map document compared by its content."""

    def __init__(self, city: Any) -> None:
        self.city = city
        self._said = str(city)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Map) and other._said == self._said

    def __hash__(self) -> int:
        return hash(self._said)


@lru_cache(maxsize=16)
def _laid_out(city: _Map) -> Layout:
    """Lay out a city; cached because it is slow and never changes."""
    return Layout(cities.find(city.city))


def layout_of(view: Mapping[str, Any]) -> Layout:
    """Return the layout of the city a view shows."""
    return _laid_out(_Map(view["city"]))


def column_x(action: str) -> float:
    """Return the left edge of an action's column on the board."""
    return MARGIN + ACTIONS.index(action) * COLUMN


def field_y(field: int) -> float:
    """Return the upper edge of a field."""
    return BOARD + HEAD_HIGH + field * FIELD_HIGH


def fields_of(action: str) -> range:
    """Return the fields of an action."""
    return range(CAPACITY[ACTIONS.index(action)])


def player_y(seat: int) -> float:
    """Return the upper edge of a player's row."""
    return PLAYERS + seat * PLAYER_HIGH


def track_y(seats: int) -> float:
    """Return the upper edge of the score track."""
    return player_y(seats) + 16


def track_x(score: int) -> float:
    """Return the middle of a space of the score track; who is beyond its ends stands on the last one."""
    step = (WIDTH - 2 * MARGIN) / (TRACK_MOST - TRACK_LEAST + 1)
    return MARGIN + (min(max(score, TRACK_LEAST), TRACK_MOST) - TRACK_LEAST + 0.5) * step


def disc_y(seats: int, below: int) -> float:
    """Return how high a disc lies on the score track, above so many others."""
    return track_y(seats) + 18 + (seats - 1 - below) * TRACK_STEP


def height(seats: int) -> float:
    """Return how tall the picture is."""
    return track_y(seats) + seats * TRACK_STEP + 60
