"""Read whose decision it is. The step must fit everything else in the document and leave something to decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.bus.board.pieces import ALL_FULL, CLOCK, FOUNDED, LETTERS, LINE, MOST_SEATS, SLOTS
from omnibus.games.bus.position.write import RESOLVED
from omnibus.games.bus.rules.legal import lays, legal, rides
from omnibus.games.bus.rules.resolve import largest_fleet
from omnibus.games.bus.rules.round import count_with_cubes, end_reason
from omnibus.games.bus.state import (
    ARRIVE,
    CHOOSE,
    DECIDE,
    EMPTY,
    ENDED,
    FIRST,
    FOUND,
    LAY,
    NOBODY,
    OPEN,
    RIDE,
    SECOND,
    STEPS,
    State,
)
from omnibus.kernel.checks import expect, index, whole
from omnibus.kernel.game import CHANCE, OVER


def place_step(state: State, document: Mapping[str, Any]) -> None:
    """Settle who decides what, and check that it can be so."""
    _place_start(state, document["start"])
    _place_seat(state, document["seat"])
    _place_field(state, document["field"])
    _place_owed(state, document["owed"])
    _check_lines(state)
    if state.step < CHOOSE:
        _check_setup(state)
    elif state.step == ENDED:
        expect(end_reason(state) != "", "step is `over`, but nothing has ended the game (§13.1)")
        cleared = state.pile == 0 or state.fields.count(NOBODY) == len(state.fields)
        expect(cleared, "fields must be empty after a round (§12.2)")
        expect(state.round > 0, "round must be at least 1 after the set-up")
    else:
        _check_round(state)
    if state.step == LAY:
        left = state.laid[state.seat] < state.sticks[state.seat]
        expect(left, "players[{seat}] has no stick left, so the step cannot be `line` (§6.6)", seat=state.seat)
    if state.step in (SECOND, LAY):
        state.moves = lays(state, state.seat)
    elif state.step == RIDE:
        state.moves = rides(state, state.seat)
    if state.actor >= 0:
        expect(
            bool(legal(state)),
            "step is `{step}`, but there is nothing seat {seat} can do",
            step=STEPS[state.step],
            seat=state.seat,
        )


def _place_start(state: State, start: Any) -> None:
    if state.step == FIRST:
        expect(start is None, "start must be null before chance has named the start player (§3.1)")
    else:
        state.start = whole("start", start, 0, state.seats - 1)


def _place_seat(state: State, seat: Any) -> None:
    if state.step in (FIRST, ENDED):
        expect(seat is None, "seat must be null in the step `{step}`", step=STEPS[state.step])
        state.actor = CHANCE if state.step == FIRST else OVER
    else:
        state.seat = state.actor = whole("seat", seat, 0, state.seats - 1)


def _place_field(state: State, field: Any) -> None:
    """The field being resolved, whose owner decides."""
    if state.step in RESOLVED:
        action = RESOLVED[state.step]
        state.field = index("field", field, LETTERS)
        owner = state.fields[action * SLOTS + state.field]
        expect(
            owner == state.seat,
            "field {field} of the action `{action}` does not belong to seat {seat}",
            field=field,
            action=STEPS[state.step],
            seat=state.seat,
        )
    else:
        expect(field is None, "field must be null in the step `{step}`", step=STEPS[state.step])
    if state.step == DECIDE:
        taken = state.fields[CLOCK * SLOTS] == state.seat
        expect(taken, "seat {seat} has not taken the clock (§10.1)", seat=state.seat)


def _place_owed(state: State, owed: Any) -> None:
    """What is still to be done for the field (§5.2, §11.2), or founded (§3.2)."""
    if state.step == FOUND:
        state.owed = whole("owed", owed, 1, FOUNDED)
    elif state.step == RIDE:
        state.owed = whole("owed", owed, 1, state.buses[state.seat])
    elif state.step in RESOLVED:
        more = state.seats == MOST_SEATS and RESOLVED[state.step] == LINE
        worth = largest_fleet(state) + more - state.field
        letter, action = LETTERS[state.field], STEPS[state.step]
        expect(worth > 0, "field {field} of the action `{action}` is worth nothing (§5.2)", field=letter, action=action)
        state.owed = whole("owed", owed, 1, worth)
    else:
        state.owed = whole("owed", owed, 0, 0)


def _order(state: State) -> int:
    """How many seats are served before the present one, clockwise from the start player."""
    return (state.seat - state.start) % state.seats


def _check_lines(state: State) -> None:
    """Check how many sticks each line has: the set-up fixes it until everybody has laid two (§3.3)."""
    for seat in range(state.seats):
        order = (seat - state.start) % state.seats
        least = most = 0
        if state.step == OPEN:
            least = most = int(order < _order(state))
        elif state.step == SECOND:
            least = most = 1 + int(order > _order(state))
        elif state.step > SECOND:
            least, most = 2, state.sticks[seat]
        laid = state.laid[seat]
        expect(
            least <= laid <= most,
            "players[{seat}].streets has {number}, which is not possible in the step `{step}` (§3.3)",
            seat=seat,
            number=laid,
            step=STEPS[state.step],
        )


def _check_setup(state: State) -> None:
    """Before the first round everything but buildings and sticks is as it was laid out (§3)."""
    founded = sum(kind != EMPTY for kind in state.plots)
    due = FOUNDED * state.seats
    if state.step == FIRST:
        due = 0
    elif state.step == FOUND:
        due = FOUNDED * (_order(state) + 1) - state.owed
    expect(
        founded == due,
        "buildings: there are {there}, but there must be {due} at this point of the set-up (§3.2)",
        there=founded,
        due=due,
    )
    expect(state.round == 0, "round must be 0 in the set-up")
    expect(state.clock == 0, "clock must be `house` in the set-up (§2.4)")
    expect(sum(state.stones) == 0, "stones: nobody has any in the set-up")
    expect(sum(state.rides) == 0, "players: nobody has made a ride in the set-up")
    expect(max(state.buses) == 1, "players: everybody has one bus in the set-up (§2.1)")
    for crossing, name in enumerate(state.city.names):
        here = int(crossing in state.city.centre)
        expect(
            state.waiting[crossing] == here,
            "waiting: there must be {number} at crossing {crossing} in the set-up (§3.1)",
            number=here,
            crossing=name,
        )


def _check_round(state: State) -> None:
    expect(state.round > 0, "round must be at least 1 after the set-up")
    expect(
        sum(kind != EMPTY for kind in state.plots) >= FOUNDED * state.seats,
        "buildings: those of the set-up are missing (§3.2)",
    )
    expect(state.pile > 0, "stones is 0, so the game must be `over` (§10.2)")
    expect(state.step != ARRIVE or state.box > 0, "box is empty, so nobody can arrive (§8.1)")
    if state.step != CHOOSE:
        return
    expect(bool(state.vacant), "buildings: no plot is empty, so the game must be `over` (§13.1)")
    expect(state.full != ALL_FULL, "fields are all taken, so choosing is over (§4.6)")
    expect(state.cubes[state.seat] > 0, "seat {seat} has no cubes left to choose with (§4.4)", seat=state.seat)
    expect(not state.passed >> state.seat & 1, "seat {seat} has passed (§4.3)", seat=state.seat)
    begun = sum(state.placed) > 0
    expect(begun or count_with_cubes(state) > 1, "players: only one has cubes left, so the game must be `over` (§13.1)")
