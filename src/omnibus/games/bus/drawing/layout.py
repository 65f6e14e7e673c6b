"""Where everything stands in the picture, upright or in landscape, in the picture's own units.

Upright it is 1080 across, three units to a pixel on a phone: map, action board, players and score track below each
other. In landscape it is 1760 by 1100, in the proportions of a screen: the map on the left, action board and players
on the right, the score track along the bottom.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import hypot
from typing import Any, Final, NamedTuple

from omnibus.games.bus import cities
from omnibus.games.bus.board import City
from omnibus.games.bus.board.pieces import ACTIONS, CAPACITY
from omnibus.games.bus.drawing.geometry import Area, Point, Stretch
from omnibus.games.bus.drawing.surroundings import surroundings

EDGE: Final = 8  # between the edge of the picture and what is in it
GAP: Final = 12
TALL_WIDTH: Final = 1080
WIDE_WIDTH: Final = 1760
WIDE_HEIGHT: Final = 1100
SIGN_HIGH: Final = 72
TALL_MAP: Final = 1020
WIDE_MAP: Final = 1024

MAP_INSET: Final = 94  # between the edge of the map and its outermost crossings
LANE: Final = 10  # from one line to the next on a shared street
ROAD: Final = 15
NODE: Final = 27
RING: Final = 35  # around a crossing where lines end
PLOT: Final = 52

ACTION_HIGH: Final = 70
PLAYER_HIGH: Final = 92
MOST_PLAYER_HIGH: Final = 104

TRACK_LEAST: Final = -5
TRACK_MOST: Final = 35
TRACK_STEP: Final = 15  # how far a disc sticks out below the next one, on the same score
DISC: Final = 17
TALL_DISC: Final = 14
TRACK_LABEL: Final = 40


class PictureAreas(NamedTuple):
    """The areas of the picture."""

    wide: bool
    seats: int
    width: float
    height: float
    sign: Area
    map: Area
    board: Area
    players: Area
    track: Area

    @property
    def action_high(self) -> float:
        """How tall the row of an action is."""
        return (self.board.height - GAP) / len(ACTIONS)

    @property
    def label_wide(self) -> float:
        """How much of an action's row its sign and its name take up."""
        return 250 if self.wide else 346

    @property
    def field_wide(self) -> float:
        """How much of an action's row a field takes up."""
        return (self.board.width - self.label_wide - GAP) / max(CAPACITY)

    @property
    def player_high(self) -> float:
        """How tall a player's row is, with the gap below it."""
        return self.players.height / self.seats

    @property
    def disc(self) -> float:
        """The radius of a disc on the score track."""
        return DISC if self.wide else TALL_DISC

    def action_y(self, action: str) -> float:
        """Return the upper edge of an action's row."""
        return self.board.y + GAP / 2 + ACTIONS.index(action) * self.action_high

    def field_x(self, field: int) -> float:
        """Return the left edge of a field."""
        return self.board.x + self.label_wide + field * self.field_wide

    def player_y(self, seat: int) -> float:
        """Return the upper edge of a player's row."""
        return self.players.y + seat * self.player_high

    def track_x(self, score: int) -> float:
        """Return the middle of a space of the score track; who is beyond its ends stands on the last one."""
        step = self.track.width / (TRACK_MOST - TRACK_LEAST + 1)
        return self.track.x + (min(max(score, TRACK_LEAST), TRACK_MOST) - TRACK_LEAST + 0.5) * step

    def disc_y(self, below: int) -> float:
        """Return how high a disc lies on the score track, above so many others."""
        return self.track.bottom - TRACK_LABEL - self.disc - 6 - below * TRACK_STEP


def _track_high(seats: int, disc: float) -> float:
    return 2 * disc + (seats - 1) * TRACK_STEP + 12 + TRACK_LABEL


@lru_cache(maxsize=8)
def plan(seats: int, *, wide: bool) -> PictureAreas:
    """Return the areas of the picture for so many seats."""
    return _wide(seats) if wide else _tall(seats)


def _tall(seats: int) -> PictureAreas:
    across = TALL_WIDTH - 2 * EDGE
    sign = Area(EDGE, EDGE, across, SIGN_HIGH)
    map_ = Area(EDGE, sign.bottom, across, TALL_MAP)
    board = Area(EDGE, map_.bottom + GAP, across, len(ACTIONS) * ACTION_HIGH + GAP)
    players = Area(EDGE, board.bottom + GAP, across, seats * PLAYER_HIGH)
    track = Area(EDGE + GAP, players.bottom + GAP, across - 2 * GAP, _track_high(seats, TALL_DISC))
    return PictureAreas(False, seats, TALL_WIDTH, track.bottom + EDGE, sign, map_, board, players, track)


def _wide(seats: int) -> PictureAreas:
    track_high = _track_high(seats, DISC)
    track = Area(EDGE, WIDE_HEIGHT - EDGE - track_high, WIDE_WIDTH - 2 * EDGE, track_high)
    map_ = Area(EDGE, EDGE, WIDE_MAP, track.y - GAP - EDGE)
    x, across = map_.right + GAP, WIDE_WIDTH - EDGE - map_.right - GAP
    sign = Area(x, EDGE, across, SIGN_HIGH)
    rest = map_.bottom - sign.bottom - GAP
    player_high = min(MOST_PLAYER_HIGH, (rest - len(ACTIONS) * 64 - GAP) / seats)
    board = Area(x, sign.bottom, across, rest - seats * player_high)
    players = Area(x, board.bottom + GAP, across, seats * player_high)
    return PictureAreas(True, seats, WIDE_WIDTH, WIDE_HEIGHT, sign, map_, board, players, track)


class Layout:
    """The places on one city's map."""

    def __init__(self, city: City, area: Area) -> None:
        self.city = city
        self.area = area
        self.spots = _spots(city, area)
        self.plots, self.crowds = surroundings(city, self.spots, area)

    def street(self, street: int) -> Stretch:
        """Return the two ends of a street."""
        return self.spots[self.city.tail[2 * street]], self.spots[self.city.tip[2 * street]]

    def middle(self, street: int) -> Point:
        """Return the middle of a street."""
        (x, y), (u, v) = self.street(street)
        return (x + u) / 2, (y + v) / 2

    def lane(self, street: int, seat: int, seats: int) -> Stretch:
        """Return the ends of a seat's lane on a street, seen from its middle: everybody keeps their own."""
        (x, y), (u, v) = sorted(self.street(street))
        long = hypot(u - x, v - y) or 1.0
        off = (seat - (seats - 1) / 2) * LANE
        across = (-(v - y) / long * off, (u - x) / long * off)
        half = ((u - x) / 2, (v - y) / 2)
        return (across[0] - half[0], across[1] - half[1]), (across[0] + half[0], across[1] + half[1])


def _spots(city: City, area: Area) -> list[Point]:
    """Spread the crossings over the map, whatever box they were drawn in."""
    points = [crossing["xy"] for crossing in city.document["crossings"]]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide = max(max(x for x, _ in points) - left, 1)
    high = max(max(y for _, y in points) - top, 1)
    return [
        (
            area.x + MAP_INSET + (x - left) / wide * (area.width - 2 * MAP_INSET),
            area.y + MAP_INSET + (y - top) / high * (area.height - 2 * MAP_INSET),
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


@lru_cache(maxsize=32)
def _laid_out(city: _Map, area: Area) -> Layout:
    """Lay out a city; cached because it is slow and never changes."""
    return Layout(cities.find(city.city), area)


def layout_of(view: Mapping[str, Any], area: Area) -> Layout:
    """Return the layout of the city a view shows."""
    return _laid_out(_Map(view["city"]), area)


def fields_of(action: str) -> range:
    """Return the fields of an action."""
    return range(CAPACITY[ACTIONS.index(action)])
