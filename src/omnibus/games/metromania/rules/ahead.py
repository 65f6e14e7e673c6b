"""The exact look-ahead of §4.2, and how it is mostly avoided.

A dig that does not end a line is legal only if the largest possible number of tunnels can still be reached. In open
country that is obvious, so first a **run** is looked for: one or two further tunnels through plain free cells, without
acute angles and without the border. A run of the other line that does not need the dug cell, or of the same line from
where the dig arrives, proves the dig; such a run never crosses itself, as three tunnels without acute angles cannot
close a circle. It needs no destination, and no station either while the stock has two for each tunnel. Only where no
run is found everything is tried out, tunnel by tunnel, on the state itself and taken back again.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import CELL, CITY, HOME, LEISURE, NEXT, NOBODY, ONWARD, PLAIN, SLOT, TO, TUNNELS
from omnibus.games.metromania.rules.tunnels import (
    between_stations,
    digs,
    may_begin_now,
    needed,
    openings,
    starts,
    stations_of,
)
from omnibus.games.metromania.state import State, begin_line, lay_tunnel

NO_RUN: Final = -1
CELL_BITS: Final = 8
CELL_MASK: Final = 255


def run(state: State, line: int, v: int, d: int, tunnels: int, without: int) -> int:
    """Find a run of one or two tunnels for a line that has come to v in direction d, without using one cell.

    Returns its cells (the second in the upper bits; twice the same for one tunnel), or NO_RUN.
    """
    soil = state.soil
    on = state.on
    at = (v * 6 + d) * 3
    for i in range(at, at + 3):
        onward = ONWARD[i]
        r = NEXT[onward]
        if r >= CITY or on[r] >> line & 1:
            continue
        cell = CELL[2 * onward]
        if soil[cell] != PLAIN or cell == without:
            cell = CELL[2 * onward + 1]
            if soil[cell] != PLAIN or cell == without:
                continue
        if tunnels == 1:
            return cell << CELL_BITS | cell
        more = run(state, line, r, onward % 6, 1, without)
        if more != NO_RUN:
            return (more & CELL_MASK) << CELL_BITS | cell
    return NO_RUN


def run_from_tip(state: State, line: int, tunnels: int, without: int) -> int:
    """Find a run for a line from where it stands."""
    if state.begun[line] < 0 or state.finished >> line & 1 or state.length[line] + tunnels > TUNNELS:
        return NO_RUN
    return run(state, line, state.tip[line], state.way[line], tunnels, without)


def is_open(state: State, line: int, bore: int, tunnels: int, other_run: int) -> bool:
    """Tell whether a run proves that so many tunnels can follow a dig; `other_run` is one of the other line.

    True is true whatever the seat holds. False may only mean that one has to look closer.
    """
    if state.stock < 2 * tunnels + 2:
        return False
    cell = CELL[bore]
    other = line ^ 1
    if other_run != NO_RUN:
        if cell != other_run & CELL_MASK and cell != other_run >> CELL_BITS:
            return True
        if run_from_tip(state, other, tunnels, cell) != NO_RUN:
            return True
    elif tunnels == 1 and state.begun[line] >= 0 and may_begin_now(state, other) and openings(state, other):
        return True  # the other line can be begun
    r = TO[bore]
    if r >= CITY or state.length[line] + 1 + tunnels > TUNNELS:
        return False
    return run(state, line, r, bore % 12 // 2, tunnels, cell) != NO_RUN


def can_follow(state: State, line: int, bore: int, tunnels: int, held: int) -> bool:
    """Try out whether so many tunnels can be dug after this one, with these destinations in hand."""
    if tunnels == 0:
        return True
    begins = state.begun[line] < 0
    t = bore // 12
    r = TO[bore]
    cell = CELL[bore]
    slot = SLOT[bore]
    caused = stations_of(state, line, bore)
    soil = state.soil[cell]
    tip = state.tip[line]
    way = state.way[line]
    last = state.slot[line]
    on = state.on[r]
    if begins:
        begin_line(state, line, bore)
    else:
        lay_tunnel(state, line, bore)
    if caused & 1:
        state.station[t] = 1
    if caused & 2:
        state.station[r] = 1
    state.stock -= needed(caused)
    if r >= CITY:
        found = _can_follow_end(state, line, tunnels, held)
    else:
        found = can_dig(state, tunnels, 0 if HOME <= soil <= LEISURE else held)
    # Undo it.
    state.stock += needed(caused)
    if caused & 1:
        state.station[t] = 0
    if caused & 2:
        state.station[r] = 0
    state.soil[cell] = soil
    state.tunnel[cell] = NOBODY
    state.track[slot] = NOBODY
    state.on[r] = on
    state.tip[line] = tip
    state.way[line] = way
    state.slot[line] = last
    state.length[line] = state.length[line] - 1
    if begins:
        state.begun[line] = NOBODY
        state.on[t] = 0
    return found


def _can_follow_end(state: State, line: int, tunnels: int, held: int) -> bool:
    """The line has just been finished: the most favourable bonus decision counts (§4.2, §7.2)."""
    state.finished = state.finished | 1 << line
    found = can_dig(state, tunnels, held)
    if not found and state.stock > 0:
        state.stock -= 1
        for vertex in between_stations(state, line):
            state.station[vertex] = 1
            found = can_dig(state, tunnels, held)
            state.station[vertex] = 0
            if found:
                break
        state.stock += 1
    state.finished = state.finished & ~(1 << line)
    return found


def can_dig(state: State, tunnels: int, held: int) -> bool:
    """Try out whether the seat can dig so many tunnels from here, in the same turn."""
    first = 2 * state.seat
    for line in (first, first + 1):
        if state.finished >> line & 1:
            continue
        if state.begun[line] >= 0:
            bores = digs(state, line, held)
        elif may_begin_now(state, line):
            bores = starts(state, line)
        else:
            continue
        for bore in bores:
            if can_follow(state, line, bore, tunnels - 1, held):
                return True
    return False


def most(state: State, tunnels: int, held: int) -> int:
    """Return the largest number of tunnels, at most so many, that the seat can dig from here (§4.2)."""
    while tunnels > 0 and not can_dig(state, tunnels, held):
        tunnels -= 1
    return tunnels
