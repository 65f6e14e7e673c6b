"""Networks of MetroMania drawn by hand, and the test rides on them."""

from __future__ import annotations

from omnibus import games
from omnibus.games.metromania.board import APEX0, CELL_NAMED, DESTINATIONS, VERTEX_AT, destination_name
from omnibus.games.metromania.scoring import Ride, network, ride_letter
from omnibus.games.metromania.state import STRIDE, State

NAMES = [destination_name(one) for one in range(DESTINATIONS)]


def drawn(
    seats: int, lines: dict[int, str], placed: dict[str, tuple[str, int]], *, without: str = "", town_hall: str = "open"
) -> State:
    """A network drawn by hand: lines by the stations they call at, destinations by cell and placer.

    Seat · 2 is the solid line of a seat. All vertices named are stations, except those in `without`.
    """
    state: State = games.find("metromania").setup(seats, {"town_hall": town_hall})
    for line, points in lines.items():
        path = [APEX0 + line] + [VERTEX_AT[_point(point)] for point in points.split()]
        state.path[line * STRIDE : line * STRIDE + len(path)] = path
        state.length[line] = len(path) - 1
        for vertex in path[1:]:
            state.station[vertex] = 1
    for point in without.split():
        state.station[VERTEX_AT[_point(point)]] = 0
    state.hands = [0] * seats
    for name, (cell, seat) in placed.items():
        state.placed[NAMES.index(name)] = CELL_NAMED[cell]
        state.placer[NAMES.index(name)] = seat
    return state


def _point(text: str) -> tuple[int, int]:
    a, b = text.split(",")
    return int(a), int(b)


def ridden(state: State, letter: str) -> Ride:
    return ride_letter(state, network(state), "ABCDEF".index(letter))
