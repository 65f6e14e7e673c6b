"""What follows from a move. Trusts its caller: the move is legal.

Items of lists are written `x[i] = x[i] + n`: compiled, that is a machine addition, while `x[i] += n` calls Python's.
"""

from __future__ import annotations

from omnibus.games.metromania.board import BLOCKING, CELL, CITY, DIGS, HOME, LEISURE, NOBODY, SIDES, TO, destination
from omnibus.games.metromania.moves import (
    DEAL0,
    DIG0,
    DOUBLE0,
    LINES_OF,
    PIECE0,
    PLACE0,
    SEAT_MOVES,
    SKIP,
    START0,
    STATION0,
    hands_dealt,
)
from omnibus.games.metromania.rules.learning import learn_dig, learn_need
from omnibus.games.metromania.rules.legal import bore_of, has_station, line_of
from omnibus.games.metromania.rules.tunnels import FREELY, goes_on, openings, stations_of, unplaced, usable
from omnibus.games.metromania.state import (
    ACT,
    BONUS,
    BY_BLOCKED,
    BY_FINISHED,
    BY_STOCK,
    DEALING,
    DOUBLING,
    ENDED,
    GOES_ON,
    PLACING,
    State,
    begin_line,
    has_deal,
    last_cell,
    lay_piece,
    lay_tunnel,
)
from omnibus.kernel.game import CHANCE, OVER


def apply(state: State, move: int) -> None:
    """Carry a legal move out, with everything that follows by itself."""
    if move >= SEAT_MOVES:
        if move < DEAL0:
            _lay_piece(state, move - PIECE0)
        else:
            _deal(state, move)
    elif move >= STATION0:
        if move != SKIP:
            build(state, (move - STATION0) % CITY)
        if state.step == BONUS:
            state.line = NOBODY
            _go_on(state)
        else:
            _end_turn(state)
    elif move >= PLACE0:
        _place(state, move - PLACE0)
    elif move >= START0:
        _dig(state, move)
    else:
        _double(state, move - DOUBLE0)


def _lay_piece(state: State, code: int) -> None:
    """§3.1, then what comes next of the set-up (§3.3)."""
    lay_piece(state, code)
    if len(state.sectors) < SIDES:
        return
    if not has_deal(state):
        _begin_turn(state)
    elif state.seats == 3:
        state.step = DOUBLING
        state.actor = state.seat = 0
    else:
        state.step = DEALING


def _double(state: State, kind: int) -> None:
    state.doubles.append(kind)
    if len(state.doubles) < state.seats:
        state.actor = state.seat = len(state.doubles)
    else:
        state.step = DEALING
        state.actor = CHANCE
        state.seat = 0


def _deal(state: State, move: int) -> None:
    state.hands = hands_dealt(LINES_OF[state.seats][move].removeprefix("deal "), state.doubles)
    _begin_turn(state)


def build(state: State, vertex: int) -> None:
    """Put a station on a vertex; the seat whose turn it is scores for the spots around (§6.5)."""
    state.station[vertex] = 1
    state.stock -= 1
    state.points[state.seat] = state.points[state.seat] + state.worth[vertex]


def _dig(state: State, move: int) -> None:
    """A tunnel, first or later, with its stations (§5, §6)."""
    line = line_of(state, move)
    bore = bore_of(state, move)
    learn_dig(state, line, bore)
    caused = stations_of(state, line, bore)
    if move < DIG0:
        begin_line(state, line, bore)
    else:
        lay_tunnel(state, line, bore)
    if caused & 1:
        build(state, bore // 12)
    if caused & 2:
        build(state, TO[bore])
    state.dug += 1
    if TO[bore] >= CITY:
        state.finished |= 1 << line
        state.line = line
        state.step = BONUS  # §7.2
    elif HOME <= state.ground[CELL[bore]] <= LEISURE:
        state.line = line
        state.step = PLACING  # §8.1
        learn_need(state, state.seat, usable(state, CELL[bore], unplaced(state)), True)
    else:
        _go_on(state)


def _place(state: State, letter: int) -> None:
    cell = last_cell(state, state.line)
    one = destination(state.ground[cell] - 1, letter)
    state.placed[one] = cell
    state.placer[one] = state.seat
    state.hands[state.seat] = state.hands[state.seat] & ~(1 << one)
    state.placed_now = 1
    state.line = NOBODY
    _go_on(state)


def _go_on(state: State) -> None:
    """After a tunnel: another one, if three have not been dug and one is possible (§4.2)."""
    if state.dug < DIGS:
        needs = goes_on(state)
        more = needs == FREELY or (state.hands[state.seat] & needs) != 0
        if needs:
            learn_need(state, state.seat, needs, more)
        if more:
            state.step = ACT
            return
    _end_turn(state)


def _end_turn(state: State) -> None:
    """See whether the construction ends (§9.1); then the next turn, and those that pass automatically (§4.2)."""
    find_blocked(state)
    while True:
        if state.ended == NOBODY:
            state.reason = trigger(state)
            if state.reason != GOES_ON:
                state.ended = state.turn
        state.turn += 1
        state.seat = (state.seat + 1) % state.seats
        if state.ended != NOBODY and state.turn >= state.ended + state.seats:
            _end(state)
            return
        if not passes(state):
            _begin_turn(state)
            return


def find_blocked(state: State) -> None:
    """Find out which lines are blocked (§9.2); everybody sees it."""
    blocked = 0
    for line in range(2 * state.seats):
        if not state.finished >> line & 1:
            needs = openings(state, line)
            if needs != FREELY:
                free = (state.hands[line >> 1] & needs) != 0
                if needs:
                    learn_need(state, line >> 1, needs, free)
                if not free:
                    blocked |= 1 << line
    state.blocked = blocked


def trigger(state: State) -> int:
    """Return why the construction ends with this turn, the first of three reasons, or GOES_ON (§9.1)."""
    over = state.finished
    for seat in range(state.seats):
        if over >> 2 * seat & 3 == 3:
            return BY_FINISHED
    if state.stock == 0:
        return BY_STOCK
    over |= state.blocked
    count = 0
    for line in range(2 * state.seats):
        count += over >> line & 1
    return BY_BLOCKED if count >= BLOCKING[state.seats] else GOES_ON


def passes(state: State) -> bool:
    """Tell whether the seat can do nothing in its turn: both lines finished or blocked, and no station (§4.2)."""
    return (state.finished | state.blocked) >> 2 * state.seat & 3 == 3 and not has_station(state)


def _begin_turn(state: State) -> None:
    state.step = ACT
    state.actor = state.seat
    state.dug = 0
    state.placed_now = 0


def _end(state: State) -> None:
    state.actor = OVER
    state.step = ENDED
    state.dug = 0
    state.placed_now = 0
