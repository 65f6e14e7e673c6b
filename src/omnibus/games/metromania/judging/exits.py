"""The distance of a line from its end (§5.8): how many tunnels it still needs."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import (
    APEX0,
    CELL,
    CITY,
    LEISURE,
    NEXT,
    NO_CELL,
    NOWHERE,
    OF_KIND,
    ONWARD,
    OPPOSED,
    PER_SIDE,
    PLAIN,
    SIDES,
    TUNNELS,
    is_white,
)
from omnibus.games.metromania.state import State

NO_WAY: Final = 99  # more tunnels than a line has
SHORTEST: Final = 8  # tunnels of the shortest possible line (§14)
WAYS: Final = CITY * 6


def _is_exit(side: int, onward: int) -> bool:
    """Tell whether a way (vertex · 6 + direction) ends a line begun on a side, in an empty city (§5.8)."""
    r = NEXT[onward]
    if not APEX0 <= r < NOWHERE or CELL[2 * onward] == CELL[2 * onward + 1] == NO_CELL:
        return False
    return not is_white(r - APEX0) and OPPOSED[side * SIDES + (r - APEX0) // PER_SIDE] == 1


def _far(side: int) -> list[int]:
    """By vertex · 6 + direction of arrival: the tunnels to the end of a line begun on a side, in an empty city."""
    far = [1 if any(_is_exit(side, ONWARD[3 * at + i]) for i in range(3)) else NO_WAY for at in range(WAYS)]
    for tunnels in range(2, TUNNELS):
        for at in range(WAYS):
            if far[at] == NO_WAY:
                for onward in ONWARD[3 * at : 3 * at + 3]:
                    if NEXT[onward] < CITY and far[NEXT[onward] * 6 + onward % 6] == tunnels - 1:
                        far[at] = tunnels
    return far


FAR: Final[list[int]] = [tunnels for side in range(SIDES) for tunnels in _far(side)]


def way_out(state: State, line: int) -> int:  # noqa: C901 — the innermost loop of every evaluation makes no calls
    """Return how many tunnels a line still needs to its end as the city is now, or NO_WAY.

    The most promising way is followed first, so in open country this is quick. Two tunnels of the way in one cell and
    two destinations in one turn are not looked for: this is an estimate.
    """
    if state.finished >> line & 1:
        return 0
    if state.begun[line] < 0:
        return SHORTEST
    left = TUNNELS - state.length[line]
    side = state.begun[line] // PER_SIDE
    zero = side * WAYS
    start = state.tip[line] * 6 + state.way[line]
    held = state.hands[line >> 1]
    soil = state.soil
    on = state.on
    station = state.station
    bit = 1 << line
    needs = FAR[zero + start]
    if needs == NO_WAY:
        return NO_WAY
    seen = [0] * CITY
    now = [start]
    later: list[int] = []
    latest: list[int] = []
    while needs <= left:
        while now:
            at = now.pop()
            v = at // 6
            if seen[v]:
                continue
            seen[v] = 1
            here = FAR[zero + at]
            for i in range(5 if station[v] else 3):
                # The last two are by two steps to either side, only at a station (§5.4).
                onward = ONWARD[3 * at + i] if i < 3 else v * 6 + (at + 2 * i + 2) % 6
                r = NEXT[onward]
                if on[r] & bit:
                    continue
                ground = soil[CELL[2 * onward]]
                if ground != PLAIN and (ground > LEISURE or not held & OF_KIND[ground - 1]):
                    ground = soil[CELL[2 * onward + 1]]
                    if ground != PLAIN and (ground > LEISURE or not held & OF_KIND[ground - 1]):
                        continue
                if r >= CITY:
                    if OPPOSED[side * SIDES + (r - APEX0) // PER_SIDE]:
                        return needs - here + 1
                    continue
                there = r * 6 + onward % 6
                more = FAR[zero + there] + 1 - here
                if more <= 0:
                    now.append(there)
                elif more == 1:
                    later.append(there)
                elif more < NO_WAY // 2:
                    latest.append(there)
        now = later
        later = latest
        latest = []
        needs += 1
        if not now and not later:
            break
    return NO_WAY
