"""Putting pieces on the map: sticks (§6) and buildings (§9)."""

from __future__ import annotations

from omnibus.games.bus.board.pieces import KIND_COUNT, ZONE_COUNT
from omnibus.games.bus.moves import BUILD0
from omnibus.games.bus.state import State, changed


def open_line(state: State, seat: int, way: int) -> None:
    """Lay a first stick: its ends are the heads (§3.3)."""
    tail = state.city.tail[way]
    tip = state.city.tip[way]
    _lay(state, seat, way >> 1, tail, tip)
    _set_heads(state, seat, tail, tip)


def lengthen(state: State, seat: int, way: int) -> None:
    """Move the head at the tail of a way to its tip (§6.1)."""
    tail = state.city.tail[way]
    tip = state.city.tip[way]
    _lay(state, seat, way >> 1, tail, tip)
    other = state.heads[2 * seat]
    if other == tail:
        other = state.heads[2 * seat + 1]
    _set_heads(state, seat, other, tip)


def _lay(state: State, seat: int, street: int, tail: int, tip: int) -> None:
    own = 1 << seat
    state.usage = changed(state.usage, street, state.usage[street] | own)
    on = state.on[:]
    on[tail] = on[tail] | own
    on[tip] = on[tip] | own
    state.on = on
    state.laid = changed(state.laid, seat, state.laid[seat] + 1)


def _set_heads(state: State, seat: int, one: int, other: int) -> None:
    """Store the heads in the order of the city, so that every position is written in one way only."""
    heads = state.heads[:]
    heads[2 * seat] = one if one < other else other
    heads[2 * seat + 1] = other if one < other else one
    state.heads = heads


def put_up(state: State, move: int) -> None:
    """Put a building on an empty plot of the open zone (§9.1)."""
    kind = move % KIND_COUNT
    plot = (move - BUILD0) // KIND_COUNT
    place = kind * state.city.crossing_count + state.city.plot_at[plot]
    state.plots = changed(state.plots, plot, kind)
    state.built = changed(state.built, place, state.built[place] + 1)
    state.supply = changed(state.supply, kind, state.supply[kind] - 1)
    first = state.vacant.index(move - kind)
    state.vacant = state.vacant[:first] + state.vacant[first + KIND_COUNT :]
    if not state.vacant:
        _open_zone(state)


def _open_zone(state: State) -> None:
    """The next zone that has plots; none has an empty one before its turn comes."""
    while not state.vacant and state.zone < ZONE_COUNT:
        state.zone += 1
        if state.zone < ZONE_COUNT:
            state.vacant = state.city.zone_builds[state.zone]
