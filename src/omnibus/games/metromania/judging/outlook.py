"""What lies ahead of a line, and what it passes already: where stations and destinations may still come to be."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import (
    CELL,
    CITY,
    CORNERS,
    DESTINATIONS,
    DIGS,
    LEISURE,
    NEXT,
    OF_KIND,
    ONWARD,
    PLAIN,
)
from omnibus.games.metromania.state import STRIDE, State


def _reach(at: int) -> list[int]:
    """List the ways (vertex · 6 + direction) a line could go with a turn's tunnels, come to a vertex in a direction."""
    found: set[int] = set()
    rim = {at}
    for _ in range(DIGS):
        onwards = {onward for way in rim for onward in ONWARD[3 * way : 3 * way + 3] if NEXT[onward] < CITY}
        found |= onwards
        rim = {NEXT[onward] * 6 + onward % 6 for onward in onwards}
    return sorted(found)


_REACH: Final[list[list[int]]] = [_reach(at) for at in range(6 * CITY)]
VERTICES_AHEAD: Final[list[list[int]]] = [sorted({NEXT[onward] for onward in reach}) for reach in _REACH]
CELLS_AHEAD: Final[list[list[int]]] = [
    sorted({CELL[2 * onward + side] for onward in reach for side in range(2)}) for reach in _REACH
]  # both by vertex · 6 + direction of arrival


class Ahead:
    """What lies ahead of all lines that go on, and which lines pass which destinations."""

    __slots__ = ("around", "best", "country", "meeting", "places")

    best: list[int]  # by line: the points of the best station that could still be built on it
    meeting: list[int]  # by line: what the vertices ahead are worth where other lines can be met (§6.2) …
    country: list[int]  # … and where nobody is yet
    places: list[int]  # by line: kinds of destinations in hand with a free spot ahead (§8.1)
    around: list[int]  # by destination: the lines that pass it, a bit each; none if it is not placed


def look_ahead(state: State) -> Ahead:
    """Find out what lies ahead of each line."""
    found = Ahead()
    lines = 2 * state.seats
    found.best = [0] * lines
    found.meeting = [0] * lines
    found.country = [0] * lines
    found.places = [0] * lines
    for line in range(lines):
        if state.begun[line] >= 0 and not state.finished >> line & 1:
            found.best[line] = best_station(state, line)
            found.places[line] = places_ahead(state, line)
            spots_ahead(state, line, found)
    found.around = [lines_around(state, one) for one in range(DESTINATIONS)]
    return found


def spots_ahead(state: State, line: int, found: Ahead) -> None:
    """Write down what the vertices ahead of a line are worth."""
    on = state.on
    worth = state.worth
    bit = 1 << line
    meeting = 0
    country = 0
    for vertex in VERTICES_AHEAD[state.tip[line] * 6 + state.way[line]]:
        points = worth[vertex]
        if points:
            through = on[vertex]
            if through == 0:
                country += points
            elif not through & bit and state.station[vertex] == 0:
                meeting += points
    found.meeting[line] = meeting
    found.country[line] = country


def places_ahead(state: State, line: int) -> int:
    """Return how many kinds of destinations in hand have a free spot ahead (§8.1)."""
    held = state.hands[line >> 1]
    if held == 0:
        return 0
    soil = state.soil
    kinds = 0
    for cell in CELLS_AHEAD[state.tip[line] * 6 + state.way[line]]:
        ground = soil[cell]
        if PLAIN < ground <= LEISURE and held & OF_KIND[ground - 1]:
            kinds |= 1 << ground
    return (kinds >> 1 & 1) + (kinds >> 2 & 1) + (kinds >> 3 & 1)


def best_station(state: State, line: int) -> int:
    """Return the points of the best station that could still be built on a line."""
    station = state.station
    path = state.path
    worth = state.worth
    best = 0
    for i in range(line * STRIDE + 1, line * STRIDE + state.length[line] + 1):
        vertex = path[i]
        if worth[vertex] > best and station[vertex] == 0:
            best = worth[vertex]
    return best


def lines_around(state: State, one: int) -> int:
    """Return the lines that pass a corner of a placed destination, a bit each; none if it is not placed."""
    cell = state.placed[one]
    if cell < 0:
        return 0
    corners = CORNERS[cell]
    return state.on[corners[0]] | state.on[corners[1]] | state.on[corners[2]]


def is_served(state: State, one: int) -> bool:
    """Tell whether a station stands at a placed destination (§11.1)."""
    corners = CORNERS[state.placed[one]]
    return state.station[corners[0]] + state.station[corners[1]] + state.station[corners[2]] > 0
