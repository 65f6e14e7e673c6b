"""What follows from a move: the set-up and the choosing (§3, §4). Trusts its caller: the move is legal.

Items of lists are written `x[i] = x[i] + n`: compiled, that is a machine addition, while `x[i] += n` calls Python's.
"""

from __future__ import annotations

from omnibus.games.bus.board.pieces import ALL_FULL, CAPACITY, FOUNDED, SLOTS
from omnibus.games.bus.moves import ARRIVE0, PASS, STOP
from omnibus.games.bus.rules.legal import lays
from omnibus.games.bus.rules.pieces import lengthen, open_line, put_up
from omnibus.games.bus.rules.resolve import (
    after_arrival,
    after_build,
    after_decision,
    after_lay,
    after_ride,
    begin_resolving,
    note,
)
from omnibus.games.bus.rules.round import begin_round, next_chooser
from omnibus.games.bus.state import ARRIVE, BUILD, CHOOSE, DECIDE, FIRST, FOUND, LAY, OPEN, RIDE, SECOND, State


def apply(state: State, move: int) -> None:
    """Carry a legal move out, with everything that follows by itself."""
    step = state.step
    if step == CHOOSE:
        _choose(state, move)
    elif step == LAY:
        lengthen(state, state.seat, move - state.city.lay0)
        after_lay(state)
    elif step == RIDE:
        after_ride(state, move - state.city.ride0)
    elif step == BUILD:
        put_up(state, move)
        after_build(state)
    elif step == ARRIVE:
        after_arrival(state, state.city.stations[move - ARRIVE0])
    elif step == DECIDE:
        after_decision(state, move == STOP)
    elif step == FOUND:
        put_up(state, move)
        _after_founding(state)
    elif step == OPEN:
        open_line(state, state.seat, move - state.city.lay0)
        _after_opening(state)
    elif step == SECOND:
        lengthen(state, state.seat, move - state.city.lay0)
        _after_second(state)
    elif step == FIRST:
        _name_start(state, move - state.city.seat_moves)


def _choose(state: State, move: int) -> None:
    """A field or a pass (§4.1)."""
    seat = state.seat
    if move == PASS:
        state.passed |= 1 << seat
    else:
        field = state.taken[move]
        state.fields[move * SLOTS + field] = seat
        field += 1
        state.taken[move] = field
        state.cubes[seat] = state.cubes[seat] - 1
        state.placed[seat] = state.placed[seat] + 1
        if field == CAPACITY[move]:
            state.full |= 1 << move
            if state.full == ALL_FULL:
                note(state, "all-taken", -1, 0)  # §4.6
                begin_resolving(state)
                return
    if not next_chooser(state, seat):
        begin_resolving(state)  # §4.7


def _name_start(state: State, seat: int) -> None:
    state.start = state.seat = state.actor = seat
    state.step = FOUND
    state.owed = FOUNDED


def _after_founding(state: State) -> None:
    """§3.2: two buildings, then the next seat."""
    state.owed -= 1
    if state.owed > 0:
        return
    state.seat = state.actor = _left_of(state, state.seat)
    if state.seat == state.start:
        state.step = OPEN
    else:
        state.owed = FOUNDED


def _after_opening(state: State) -> None:
    """§3.3: after the last first stick the same seat begins with the second ones."""
    seat = _left_of(state, state.seat)
    if seat == state.start:
        _ask_second(state)
    else:
        state.seat = state.actor = seat


def _ask_second(state: State) -> None:
    """There is always a way: the city is connected, so one head has another street, empty (a) or not (c)."""
    state.step = SECOND
    state.actor = state.seat
    state.moves = lays(state, state.seat)


def _after_second(state: State) -> None:
    if state.seat == state.start:
        begin_round(state)
    else:
        state.seat = state.seat - 1 if state.seat > 0 else state.seats - 1
        _ask_second(state)


def _left_of(state: State, seat: int) -> int:
    """§15: the next higher seat, then 0."""
    return seat + 1 if seat + 1 < state.seats else 0
