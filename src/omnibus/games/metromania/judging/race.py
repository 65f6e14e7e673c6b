"""Who will finish which lines before the construction is over (§9.1), and how much of it is left."""

from __future__ import annotations

from math import exp
from typing import Final

from omnibus.games.metromania.board import BLOCKING, DIGS, NOBODY, TUNNELS
from omnibus.games.metromania.judging.exits import NO_WAY, way_out
from omnibus.games.metromania.state import State

LEISURELY: Final = 3.0  # so many tunnels more than the least are dug before the last line is finished
# How likely a line is to be finished, fitted to many games: a logistic curve over these.
AT_ALL: Final = -0.45
IN_TIME: Final = 0.096  # for a tunnel more than needed before the construction ends
TO_GO: Final = -0.09  # for a tunnel to go
IN_RESERVE: Final = 0.133  # for a tunnel of the line more than needed
LOST: Final = 0.01  # a line without a way out
STOCK_PACE: Final = 1.6  # stations built in a turn


class Race:
    """How the lines stand to their ends."""

    __slots__ = ("needs", "prospects", "rounds")

    needs: list[int]  # by line: the tunnels to its end, or NO_WAY
    prospects: list[float]  # by line: how likely it is to be finished
    rounds: float  # rounds of turns to the end of the construction


def race(state: State) -> Race:
    """Find out how far every line is from its end, and who will be in time."""
    found = Race()
    seats = state.seats
    found.needs = [way_out(state, line) for line in range(2 * seats)]
    found.prospects = [0.0] * (2 * seats)
    if state.ended != NOBODY:
        _last_turns(state, found)
    else:
        _open_race(state, found)
    return found


def _last_turns(state: State, found: Race) -> None:
    """The construction has ended: whoever has not had it yet has one turn (§9.1)."""
    seats = state.seats
    found.rounds = float(state.ended + seats - state.turn) / seats
    for seat in range(seats):
        waits = (seat - state.seat) % seats
        tunnels = 0
        if state.turn + waits < state.ended + seats and state.actor >= 0:
            tunnels = DIGS - (state.dug if waits == 0 else 0)
        first = 2 * seat
        if found.needs[first] > found.needs[first + 1]:
            first += 1
        for line in (first, first ^ 1):
            if found.needs[line] <= tunnels:
                found.prospects[line] = 1.0 if found.needs[line] == 0 else 0.95
                tunnels -= found.needs[line]


def _open_race(state: State, found: Race) -> None:
    seats = state.seats
    over = 0
    for line in range(2 * seats):
        over += (state.finished | state.blocked) >> line & 1
    last_of_all = over + 1 >= BLOCKING[seats]  # one more line ends the construction
    by_stock = float(state.stock) / STOCK_PACE
    times: list[float] = [_time(state, found, seat, last_of_all) for seat in range(seats)]
    nearest = by_stock
    for seat in range(seats):
        nearest = min(nearest, times[seat])
    found.rounds = 1.0 + nearest / seats
    for seat in range(seats):
        end = by_stock
        for other in range(seats):
            if other != seat:
                end = min(end, times[other])
        waits = (seat - state.seat) % seats
        turns = (end + seats - 1 - waits) / seats + 0.5
        tunnels = DIGS * turns - (state.dug if waits == 0 else 0)
        _suppose(state, found, seat, tunnels)


def _time(state: State, found: Race, seat: int, last_of_all: bool) -> float:
    """Return how many turns of anybody pass before a seat ends the construction."""
    needs = found.needs[2 * seat]
    other = found.needs[2 * seat + 1]
    if last_of_all and needs > 0 and other > 0:
        needs = min(needs, other)
    elif needs == NO_WAY or other == NO_WAY:
        return float(NO_WAY)
    else:
        needs += other
    waits = (seat - state.seat) % state.seats
    tunnels = float(needs + (state.dug if waits == 0 else 0))
    if needs > DIGS:
        tunnels += LEISURELY
    return (tunnels / DIGS - 1.0) * state.seats + waits if tunnels > DIGS else float(waits)


def _suppose(state: State, found: Race, seat: int, tunnels: float) -> None:
    """Suppose that a seat finishes its nearer line first, and has so many tunnels for both."""
    first = 2 * seat
    if found.needs[first] > found.needs[first + 1]:
        first += 1
    found.prospects[first] = _likely(state, found, first, tunnels)
    found.prospects[first ^ 1] = _likely(state, found, first ^ 1, tunnels - found.needs[first])


def _likely(state: State, found: Race, line: int, tunnels: float) -> float:
    needs = found.needs[line]
    if needs == 0:
        return 1.0
    if needs == NO_WAY:
        return LOST
    in_time = max(-8.0, min(10.0, tunnels - needs))
    in_reserve = min(8.0, float(TUNNELS - state.length[line] - needs))
    return 1.0 / (1.0 + exp(-(AT_ALL + IN_TIME * in_time + TO_GO * needs + IN_RESERVE * in_reserve)))
