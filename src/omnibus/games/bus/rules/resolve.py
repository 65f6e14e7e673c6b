"""What follows from a move: the actions in the order of the board, and the end of the round (§5 – §13).

Every action goes from field to field until a seat has something to decide; what leaves no choice is carried out here
and noted for those who tell it (§15).
"""

from __future__ import annotations

from omnibus.games.bus.board.pieces import (
    ACTION_COUNT,
    BUILDINGS,
    BUS,
    CLOCK,
    KIND_COUNT,
    LINE,
    MOST_BUSES,
    MOST_SEATS,
    PASSENGERS,
    SLOTS,
    START,
    VRROOMM,
)
from omnibus.games.bus.rules.legal import lays, rides
from omnibus.games.bus.rules.round import begin_round, end_reason
from omnibus.games.bus.state import ARRIVE, BUILD, DECIDE, ENDED, LAY, NOBODY, RIDE, State, changed
from omnibus.kernel.game import OVER


def note(state: State, what: str, who: int, number: int) -> None:
    """Note something that the rules do by themselves."""
    if state.trace is not None:
        state.trace.append((what, who, number))


def largest_fleet(state: State) -> int:
    """M, the maximum bus number (§5.2)."""
    largest = 0
    for fleet in state.buses:
        if fleet > largest:
            largest = fleet
    return largest


def begin_resolving(state: State) -> None:
    """Choosing is over: line, from the last field to the first (§5.1)."""
    state.passed = 0
    state.step = LAY
    state.field = state.taken[LINE]
    _next_line(state)


# line (§6)


def _next_line(state: State) -> None:
    top = largest_fleet(state) + (1 if state.seats == MOST_SEATS else 0)
    field = state.field - 1
    while field >= 0:
        state.field = field
        state.seat = state.fields[LINE * SLOTS + field]
        state.owed = top - field
        if state.owed <= 0:
            note(state, "worth-nothing", state.seat, LINE * SLOTS + field)
        elif _lay_on(state):
            return
        field -= 1
    _give_bus(state)


def after_lay(state: State) -> None:
    """A stick has been laid: the next one, or the next field."""
    state.owed -= 1
    if state.owed == 0 or not _lay_on(state):
        _next_line(state)


def _lay_on(state: State) -> bool:
    """Ask for the next stick; False if there is none or no street for it (§6.6)."""
    seat = state.seat
    if state.laid[seat] >= state.sticks[seat]:
        note(state, "no-sticks", seat, state.owed)
        return False
    moves = lays(state, seat)
    if not moves:
        note(state, "no-street", seat, state.owed)
        return False
    state.moves = moves
    state.actor = seat
    return True


# bus (§7)


def _give_bus(state: State) -> None:
    if state.taken[BUS] > 0:
        seat = state.fields[BUS * SLOTS]
        if state.buses[seat] < MOST_BUSES[state.edition]:
            state.buses = changed(state.buses, seat, state.buses[seat] + 1)
            note(state, "bus", seat, state.buses[seat])
        else:
            note(state, "no-bus", seat, state.buses[seat])
    state.step = ARRIVE
    state.field = -1
    _next_passengers(state)


# passengers (§8)


def _next_passengers(state: State) -> None:
    top = largest_fleet(state)
    field = state.field + 1
    while field < state.taken[PASSENGERS]:
        state.field = field
        state.seat = state.fields[PASSENGERS * SLOTS + field]
        state.owed = top - field
        if state.owed <= 0:
            note(state, "worth-nothing", state.seat, PASSENGERS * SLOTS + field)
        elif state.box == 0:
            note(state, "box-empty", state.seat, state.owed)
        else:
            state.actor = state.seat
            return
        field += 1
    state.step = BUILD
    state.field = state.taken[BUILDINGS]
    _next_buildings(state)


def after_arrival(state: State, station: int) -> None:
    """A passenger comes out of the box (§8.1)."""
    state.waiting = changed(state.waiting, station, state.waiting[station] + 1)
    state.box -= 1
    state.owed -= 1
    if state.owed > 0:
        if state.box > 0:
            return
        note(state, "box-empty", state.seat, state.owed)
    _next_passengers(state)


# buildings (§9)


def _next_buildings(state: State) -> None:
    top = largest_fleet(state)
    field = state.field - 1
    while field >= 0:
        state.field = field
        state.seat = state.fields[BUILDINGS * SLOTS + field]
        state.owed = top - field
        if state.owed <= 0:
            note(state, "worth-nothing", state.seat, BUILDINGS * SLOTS + field)
        elif _build_on(state):
            state.actor = state.seat
            return
        field -= 1
    _ask_clock(state)


def after_build(state: State) -> None:
    """A building has been put up: the next one, or the next field."""
    state.owed -= 1
    if state.owed == 0 or not _build_on(state):
        _next_buildings(state)


def _build_on(state: State) -> bool:
    """Tell whether something can be built (§9.2)."""
    if not state.vacant:
        note(state, "no-plot", state.seat, state.owed)
        return False
    supply = state.supply
    if supply[0] == 0 and supply[1] == 0 and supply[2] == 0:
        note(state, "no-building", state.seat, state.owed)
        return False
    return True


# clock (§10)


def _ask_clock(state: State) -> None:
    state.field = 0
    state.owed = 0
    if state.taken[CLOCK] > 0:
        state.step = DECIDE
        state.seat = state.actor = state.fields[CLOCK * SLOTS]
        return
    _tick(state)
    note(state, "ticks", -1, state.clock)
    _seat_passengers(state)


def after_decision(state: State, stop: bool) -> None:
    """The clock has been stopped or let tick (§10.1)."""
    if not stop:
        _tick(state)
    else:
        state.stones = changed(state.stones, state.seat, state.stones[state.seat] + 1)
        state.pile -= 1
        if state.pile == 0:
            _end(state)  # §10.2
            return
        if state.clock_back:
            state.clock = state.clock - 1 if state.clock > 0 else KIND_COUNT - 1  # §14
    _seat_passengers(state)


def _tick(state: State) -> None:
    state.clock = state.clock + 1 if state.clock + 1 < KIND_COUNT else 0


def _seat_passengers(state: State) -> None:
    """§10.3: whoever stands beside a building of the kind shown takes a seat there."""
    crossings = state.city.crossing_count
    kind = state.clock * crossings
    waiting = state.waiting[:]
    seated = [0] * crossings
    for crossing in range(crossings):
        here = waiting[crossing]
        if here > 0:
            if here > state.built[kind + crossing]:
                here = state.built[kind + crossing]
            if here > 0:
                waiting[crossing] = waiting[crossing] - here
                seated[crossing] = here
                note(state, "seated", crossing, here)
    state.waiting = waiting
    state.seated = seated
    state.step = RIDE
    state.field = -1
    _next_vrroomm(state)


# vrroomm (§11)


def _next_vrroomm(state: State) -> None:
    field = state.field + 1
    while field < state.taken[VRROOMM]:
        state.field = field
        state.seat = state.fields[VRROOMM * SLOTS + field]
        state.owed = state.buses[state.seat]  # §11.3
        if _ride_on(state):
            return
        field += 1
    _end_round(state)


def after_ride(state: State, ends: int) -> None:
    """A passenger has been taken from one crossing to another: a point (§11.1)."""
    crossings = state.city.crossing_count
    begin = ends // crossings
    end = ends % crossings
    seat = state.seat
    state.waiting = changed(state.waiting, begin, state.waiting[begin] - 1)
    state.seated = changed(state.seated, end, state.seated[end] + 1)
    state.rides = changed(state.rides, seat, state.rides[seat] + 1)
    state.reached = changed(state.reached, seat, _rides_in_all(state))
    state.owed -= 1
    if state.owed == 0 or not _ride_on(state):
        _next_vrroomm(state)


def _rides_in_all(state: State) -> int:
    """Count the rides of the whole game, to know who reached a score earlier (§13.2)."""
    count = 0
    for number in state.rides:
        count += number
    return count


def _ride_on(state: State) -> bool:
    """Ask for the next ride; False if none is possible (§11.2)."""
    moves = rides(state, state.seat)
    if not moves:
        if state.owed == state.buses[state.seat]:
            _note_no_ride(state)
        else:
            note(state, "no-more-rides", state.seat, state.owed)
        return False
    state.moves = moves
    state.actor = state.seat
    return True


def _note_no_ride(state: State) -> None:
    """Note why no ride is possible: nobody waits along the line, or there is no free building of the kind shown."""
    if state.trace is None:
        return
    waiting = seated = 0
    for crossing in range(state.city.crossing_count):
        if state.on[crossing] >> state.seat & 1:
            waiting += state.waiting[crossing]
            seated += state.seated[crossing]
    if waiting > 0:
        note(state, "no-ride-free", state.seat, state.clock)
    elif seated > 0:
        note(state, "no-ride-seated", state.seat, seated)
    else:
        note(state, "no-ride-waiting", state.seat, 0)


# the end of the round (§12, §13)


def _end_round(state: State) -> None:
    if state.taken[START] > 0:
        state.start = state.fields[START * SLOTS]
        note(state, "start-taken", state.start, 0)
    else:
        state.start = state.start + 1 if state.start + 1 < state.seats else 0
        note(state, "start-passes", state.start, 0)
    _clear(state)
    if end_reason(state):
        _end(state)  # §13.1
    else:
        begin_round(state)
        note(state, "round", state.seat, state.round)


def _clear(state: State) -> None:
    """§12.2: passengers stand up, cubes leave the game."""
    waiting = state.waiting[:]
    seated = state.seated
    for crossing in range(state.city.crossing_count):
        if seated[crossing] > 0:
            waiting[crossing] = waiting[crossing] + seated[crossing]
    state.waiting = waiting
    state.seated = [0] * state.city.crossing_count
    state.fields = [NOBODY] * (ACTION_COUNT * SLOTS)
    state.taken = [0] * ACTION_COUNT
    state.full = 0
    state.placed = [0] * state.seats
    state.field = 0
    state.owed = 0


def _end(state: State) -> None:
    state.actor = OVER
    state.seat = 0  # nobody's decision; as it is when such a position is placed
    state.step = ENDED
    state.field = 0
    state.owed = 0
