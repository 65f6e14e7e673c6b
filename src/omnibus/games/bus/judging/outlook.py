"""The rest of the round, as the cubes on the action board promise it. Compiled.

What is still to be laid, to arrive and to be built, what the clock will show, and who then finds how many rides.
"""

from __future__ import annotations

from omnibus.games.bus.board.pieces import (
    BUILDINGS,
    BUS,
    CLOCK,
    CUBES,
    KIND_COUNT,
    LARGEST_FLEET,
    LAST_FIRST,
    LINE,
    MOST_BUSES,
    MOST_SEATS,
    PASSENGERS,
    SLOTS,
    VRROOMM,
)
from omnibus.games.bus.judging.weights import DUE, OPEN, TERM_COUNT, TIME
from omnibus.games.bus.moves import BUILD0
from omnibus.games.bus.state import ARRIVE, BUILD, CHOOSE, LAY, RIDE, State


class Outlook:
    """What is expected of the rest of the round. Made by `outlook`."""

    __slots__ = ("doors", "fleets", "free", "guests", "kind", "own", "spots", "sticks", "want", "worth")

    worth: list[float]  # seat × TERM_COUNT + term
    fleets: list[int]  # with the bus to come
    sticks: list[int]  # to come, by seat
    guests: list[int]  # passengers to come where the seat's line passes
    doors: list[int]  # buildings to come where the seat's line passes
    kind: int  # what the clock will show
    spots: list[int]  # crossings where somebody waits for a ride or a building is free
    want: list[float]  # at each of the spots: how many wait …
    free: list[float]  # … and how many buildings are free
    own: list[float]  # those of the buildings to come that are still free, by seat


def outlook(state: State) -> Outlook:
    """Return what is expected of the rest of the round."""
    look = Outlook()
    look.worth = [0.0] * (state.seats * TERM_COUNT)
    _look_at_board(state, look)
    _look_at_clock(state, look)
    return look


def _look_at_board(state: State, look: Outlook) -> None:
    """What cubes on the action board will still bring (§5.2); `line` comes before `bus`, which may raise the rest."""
    seats = state.seats
    step = state.step
    look.fleets = state.buses[:]
    look.sticks = [0] * seats
    look.guests = [0] * seats
    look.doors = [0] * seats
    if step < CHOOSE or step > BUILD:
        return
    if step <= LAY:
        top = _largest(look.fleets) + (1 if seats == MOST_SEATS else 0)
        _expect(state, LINE, step == LAY, top, CUBES * LARGEST_FLEET, look.sticks)
        _end_with_sticks(state, look.sticks)
        if state.taken[BUS] > 0:
            seat = state.fields[BUS * SLOTS]
            if look.fleets[seat] < MOST_BUSES[state.edition]:
                look.fleets[seat] = look.fleets[seat] + 1
    top = _largest(look.fleets)
    if step <= ARRIVE:
        _expect(state, PASSENGERS, step == ARRIVE, top, state.box, look.guests)
    _expect(state, BUILDINGS, step == BUILD, top, len(state.vacant), look.doors)
    for seat in range(seats):
        if look.doors[seat] > 0:
            look.doors[seat] = _plots_passed(state, seat, look.doors[seat])


def _end_with_sticks(state: State, owed: list[int]) -> None:
    """Nobody lays more sticks than are left (§2.2)."""
    for seat in range(state.seats):
        left = state.sticks[seat] - state.laid[seat]
        if owed[seat] > left:
            owed[seat] = left


def _largest(fleets: list[int]) -> int:
    most = 0
    for fleet in fleets:
        if fleet > most:
            most = fleet
    return most


def _expect(state: State, action: int, now: bool, top: int, left: int, owed: list[int]) -> None:
    """Add what the fields of an action that are still to be resolved owe each seat."""
    begin = 0
    end = state.taken[action]
    if now:
        owed[state.seat] = state.owed
        left -= state.owed
        if LAST_FIRST[action]:
            end = state.field
        else:
            begin = state.field + 1
    for field in range(begin, end):
        number = top - field
        if number > left:
            number = left
        if number <= 0:
            break
        seat = state.fields[action * SLOTS + field]
        owed[seat] = owed[seat] + number
        left -= number


def _plots_passed(state: State, seat: int, enough: int) -> int:
    """Count the empty plots of the zone where a line passes (§9.1), as far as that matters."""
    on = state.on
    vacant = state.vacant
    plot_at = state.city.plot_at
    found = 0
    for index in range(0, len(vacant), KIND_COUNT):
        if on[plot_at[(vacant[index] - BUILD0) // KIND_COUNT]] >> seat & 1:
            found += 1
            if found == enough:
                break
    return found


def _look_at_clock(state: State, look: Outlook) -> None:
    """What the clock will show, and who finds how many rides then. Who took it decides as it suits them (§10.1)."""
    if state.step == RIDE:
        look.kind = state.clock
        _look_at_rides(state, look)
        return
    look.kind = (state.clock + 1) % KIND_COUNT
    _look_at_rides(state, look)
    if state.taken[CLOCK] == 0:
        return
    owner = state.fields[CLOCK * SLOTS]
    look.worth[owner * TERM_COUNT + TIME] = 1.0
    if state.pile == 1 or state.taken[VRROOMM] == 0:
        return  # stopping would end the game (§10.2), or matter to nobody
    ticked = look.worth
    look.worth = ticked[:]
    look.kind = (state.clock + KIND_COUNT - 1) % KIND_COUNT if state.clock_back else state.clock
    _look_at_rides(state, look)
    due = owner * TERM_COUNT + DUE
    look.worth[due] = look.worth[due] - 1.0
    if _lead(look.worth, state.seats, owner) <= _lead(ticked, state.seats, owner):
        look.worth = ticked
        look.kind = (state.clock + 1) % KIND_COUNT


def _lead(worth: list[float], seats: int, owner: int) -> float:
    """How far ahead of the others the rides of a round bring a seat."""
    rivals = 0.0
    for seat in range(seats):
        if seat != owner:
            rivals += worth[seat * TERM_COUNT + DUE]
    return worth[owner * TERM_COUNT + DUE] - rivals / float(seats - 1)


def _look_at_rides(state: State, look: Outlook) -> None:
    """Count the rides of each seat, field by field (§11)."""
    worth = look.worth
    for seat in range(state.seats):
        worth[seat * TERM_COUNT + DUE] = 0.0
    _look_at_waiting(state, look)
    begin = 0
    if state.step == RIDE:
        begin = state.field + 1
        _ride(state, look, state.seat, state.owed)
    for field in range(begin, state.taken[VRROOMM]):
        seat = state.fields[VRROOMM * SLOTS + field]
        _ride(state, look, seat, look.fleets[seat])
    if state.step == CHOOSE and state.taken[VRROOMM] < SLOTS:
        for seat in range(state.seats):
            if state.cubes[seat] > 0 and not state.passed >> seat & 1:
                worth[seat * TERM_COUNT + OPEN] = _open_rides(state, look, seat)


def _look_at_waiting(state: State, look: Outlook) -> None:
    """Who waits where, and where a building is free, once everybody beside one has taken a seat (§10.3)."""
    waiting = state.waiting
    built = state.built
    riding = state.step == RIDE
    kind = look.kind * len(waiting)
    spots: list[int] = []
    want: list[float] = []
    free: list[float] = []
    for crossing in range(len(waiting)):
        here = waiting[crossing]
        doors = built[kind + crossing]
        if riding:
            doors -= state.seated[crossing]
        if here != doors and state.on[crossing] != 0:
            spots.append(crossing)
            want.append(float(here - doors) if here > doors else 0.0)
            free.append(float(doors - here) if doors > here else 0.0)
    look.spots = spots
    look.want = want
    look.free = free
    look.own = [float(doors) for doors in look.doors]
    for seat in range(state.seats):
        if look.guests[seat] > 0:
            _welcome(state, look, seat)


def _welcome(state: State, look: Outlook, seat: int) -> None:
    """Add a seat's arrivals at the station on its line shared by the fewest; without one they bring nothing."""
    best = -1
    fewest = MOST_SEATS + 1
    for station in state.city.stations:
        lines = state.on[station]
        if lines >> seat & 1 and lines_of(lines) < fewest:
            fewest = lines_of(lines)
            best = station
    if best >= 0:
        look.spots.append(best)
        look.want.append(float(look.guests[seat]))
        look.free.append(0.0)


def lines_of(lines: int) -> int:
    """Count the seats in a set."""
    count = 0
    while lines > 0:
        count += lines & 1
        lines >>= 1
    return count


def _open_rides(state: State, look: Outlook, seat: int) -> float:
    """How many rides one more cube on vrroomm would find."""
    on = state.on
    wanted = 0.0
    free = look.own[seat]
    for index in range(len(look.spots)):
        if on[look.spots[index]] >> seat & 1:
            wanted += look.want[index]
            free += look.free[index]
    return least(wanted, free, float(look.fleets[seat]))


def least(one: float, other: float, third: float) -> float:
    """Return the smallest of three numbers."""
    if other < one:
        one = other
    return third if third < one else one


def _ride(state: State, look: Outlook, seat: int, buses: int) -> None:
    """Let a seat make all the rides it can, taking passengers and buildings evenly from everywhere on its line."""
    on = state.on
    spots = look.spots
    want = look.want
    doors = look.free
    wanted = 0.0
    free = look.own[seat]
    for index in range(len(spots)):
        if on[spots[index]] >> seat & 1:
            wanted += want[index]
            free += doors[index]
    rides = least(wanted, free, float(buses))
    if rides <= 0.0:
        return
    due = seat * TERM_COUNT + DUE
    look.worth[due] = look.worth[due] + rides
    staying = 1.0 - rides / wanted
    left = 1.0 - rides / free
    look.own[seat] = look.own[seat] * left
    for index in range(len(spots)):
        if on[spots[index]] >> seat & 1:
            if want[index] > 0.0:
                want[index] = want[index] * staying
            else:
                doors[index] = doors[index] * left
