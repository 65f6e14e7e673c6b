"""What one tunnel may be and what it causes: the fast path of §5, §6 and §8, a single dig at a time."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import (
    ALL_DESTINATIONS,
    ANGLES,
    APEX0,
    BORDER0,
    CELL,
    CITY,
    FAR_BLACK,
    FAR_WHITE,
    LEISURE,
    NEXT,
    OF_KIND,
    OPPOSED,
    PER_SIDE,
    PLAIN,
    SLOT,
    STARTS,
    TO,
    TOUCHING,
    TUNNELS,
    TWIN,
    WHITE,
)
from omnibus.games.metromania.state import STRIDE, State

FREELY: Final = -1  # an opening that needs no destination


def stations_of(state: State, line: int, bore: int) -> int:
    """Return the stations a dig causes: 1 for one where it leaves (§6.1), 2 where it arrives (§6.2), 3 for both."""
    track = state.track
    beside = track[SLOT[bore] ^ 1]
    caused = 0
    last = state.slot[line]
    if last >= 0:
        left = track[last ^ 1]
        if left >= 0 and left != beside and state.station[bore // 12] == 0:
            caused = 1
    if beside < 0:
        r = TO[bore]
        if state.on[r] & ~(1 << line) and state.station[r] == 0:
            caused += 2
    return caused


def needed(caused: int) -> int:
    """Return how many stations these are."""
    return (caused + 1) >> 1


def usable(state: State, cell: int, held: int) -> int:
    """Return which destinations held a spot can receive: of its kind, no equal letter touching (§8.1, §8.3)."""
    left = held & OF_KIND[state.ground[cell] - 1]
    good = 0
    one = 0
    while left >> one:
        if left >> one & 1:
            other = state.placed[TWIN[one]]
            if other < 0 or TOUCHING[cell][other] == 0:
                good |= 1 << one
        one += 1
    return good


def unplaced(state: State) -> int:
    """Return the destinations that lie in no cell yet."""
    left = ALL_DESTINATIONS
    for one in range(len(state.placed)):
        if state.placed[one] >= 0:
            left &= ~(1 << one)
    return left


def free_whites(state: State, line: int) -> list[int]:
    """Return the white cells where a line may begin (§5.2); §4.3 is not looked at here."""
    other = state.begun[line ^ 1]
    tunnel = state.tunnel
    if other >= 0:
        free = [n for n in FAR_WHITE[other // PER_SIDE] if tunnel[BORDER0 + n] < 0]
        if free:
            return free
    return [n for n in WHITE if tunnel[BORDER0 + n] < 0]


def may_end(state: State, line: int, n: int) -> bool:
    """Tell whether a line may end in the free black cell n: far from its beginning, or nothing far is free (§5.8)."""
    begun = state.begun[line] // PER_SIDE
    if OPPOSED[begun * 6 + n // PER_SIDE]:
        return True
    for other in FAR_BLACK[begun]:  # noqa: SIM110 — no generators in hot paths
        if state.tunnel[BORDER0 + other] < 0:
            return False
    return True


def starts(state: State, line: int) -> list[int]:
    """Return the bores with which a line may be begun now."""
    bores: list[int] = []
    for n in free_whites(state, line):
        for bore in (STARTS[2 * n], STARTS[2 * n + 1]):
            if state.stock > 0 or stations_of(state, line, bore) == 0:
                bores.append(bore)
    return bores


def digs(state: State, line: int, held: int) -> list[int]:
    """Return the bores with which a begun, unfinished line may go on by one tunnel (§5, §6.4, §8).

    `held` are the destinations that may be placed: none after one has been placed in this turn (§8.2).
    """
    bores: list[int] = []
    if state.length[line] >= TUNNELS:
        return bores
    t = state.tip[line]
    way = state.way[line]
    soil = state.soil
    on = state.on
    bit = 1 << line
    poor = state.stock < 2
    for i in range(5 if state.station[t] else 3):
        d = (way + ANGLES[i]) % 6
        r = NEXT[t * 6 + d]
        if on[r] & bit:
            continue
        bore = t * 12 + d * 2
        for _ in range(2):
            cell = CELL[bore]
            ground = soil[cell]
            if ground <= LEISURE and (ground == PLAIN or (held & OF_KIND[ground - 1] and usable(state, cell, held))):
                good = r < CITY or may_end(state, line, r - APEX0)
                if good and poor:
                    good = needed(stations_of(state, line, bore)) <= state.stock
                if good:
                    bores.append(bore)
            bore += 1
    return bores


def openings(state: State, line: int) -> int:
    """Return what a line needs to be extended by one tunnel, were it its owner's fresh turn (§9.2).

    FREELY if nothing; else the destinations of which one must be held to dig on a spot; 0 if nothing helps.
    """
    if state.finished >> line & 1:
        return 0
    if state.begun[line] < 0:
        return FREELY if _can_begin(state, line) else 0
    if state.length[line] >= TUNNELS:
        return 0
    t = state.tip[line]
    way = state.way[line]
    soil = state.soil
    on = state.on
    bit = 1 << line
    poor = state.stock < 2
    helpful = 0
    for i in range(5 if state.station[t] else 3):
        d = (way + ANGLES[i]) % 6
        r = NEXT[t * 6 + d]
        if on[r] & bit:
            continue
        bore = t * 12 + d * 2
        for _ in range(2):
            ground = soil[CELL[bore]]
            good = ground <= LEISURE and (r < CITY or may_end(state, line, r - APEX0))
            if good and poor:
                good = needed(stations_of(state, line, bore)) <= state.stock
            if good:
                if ground == PLAIN:
                    return FREELY
                helpful |= usable(state, CELL[bore], unplaced(state))
            bore += 1
    return helpful


def _can_begin(state: State, line: int) -> bool:
    if state.stock > 0:
        for n in WHITE:  # noqa: SIM110 — no generators in hot paths
            if state.tunnel[BORDER0 + n] < 0:
                return True
        return False
    return len(starts(state, line)) > 0


def may_begin_now(state: State, line: int) -> bool:
    """Tell whether §4.3 lets this line be begun: in a player's first turn only one is."""
    return state.begun[line] < 0 and (state.turn >= state.seats or state.begun[line ^ 1] < 0)


def goes_on(state: State) -> int:
    """Return what the seat needs to dig another tunnel in this turn: FREELY, or one of some destinations, or 0."""
    line = 2 * state.seat
    helpful = 0
    for one in (line, line + 1):
        if state.begun[one] >= 0 or may_begin_now(state, one):
            needs = openings(state, one)
            if needs == FREELY:
                return FREELY
            helpful |= needs
    return 0 if state.placed_now else helpful


def between_stations(state: State, line: int) -> list[int]:
    """Return the vertices of a line without a station that lie strictly between two (§7.1, §7.2).

    The beginning counts as a station, and so does the end of a finished line.
    """
    station = state.station
    path = state.path
    first = line * STRIDE
    last = state.length[line]
    if not state.finished >> line & 1:
        while last > 0 and station[path[first + last]] == 0:
            last -= 1
    found: list[int] = []
    for at in range(first + 1, first + last):
        if station[path[at]] == 0:
            found.append(path[at])
    return found
