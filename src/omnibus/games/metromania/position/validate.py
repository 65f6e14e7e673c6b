"""Validation of the position document: every complaint names its culprit."""

from __future__ import annotations

from typing import Any

from omnibus.games.metromania.board import (
    APEX0,
    BORDER0,
    CELL,
    CELL_NAMES,
    CITY,
    CITY_CELLS,
    DESTINATIONS,
    FAR_BLACK,
    FAR_WHITE,
    HOME,
    KIND_OF,
    LEISURE,
    LINES,
    NOBODY,
    OPPOSED,
    PER_SIDE,
    TO,
    TOUCHING,
    TUNNELS,
    TWIN,
    destination_name,
    is_white,
)
from omnibus.games.metromania.moves import is_deal
from omnibus.games.metromania.state import (
    ACT,
    BONUS,
    BY_FINISHED,
    BY_STOCK,
    DEALING,
    DOUBLING,
    ENDED,
    GOES_ON,
    PIECING,
    PLACING,
    State,
    fixed_hands,
    has_deal,
    held_at_first,
    last_cell,
)
from omnibus.kernel.checks import expect


def listed(name: str, value: Any, least: int, most: int) -> list[Any]:
    """Expect a list of some length."""
    expect(isinstance(value, list), "{what} must be a list", what=name)
    there = len(value)
    if least == most:
        expect(there == most, "{what} must have {number} entries, not {there}", what=name, number=most, there=there)
    good = least <= there <= most
    expect(
        good, "{what} must have {least} to {most} entries, not {there}", what=name, least=least, most=most, there=there
    )
    return list(value)


def check_bore(state: State, line: int, bore: int, name: str) -> None:
    """Check one tunnel about to be laid, as far as the position alone can tell (§5)."""
    cell = CELL[bore]
    expect(
        state.tunnel[cell] == NOBODY,
        "{what}: the cell {cell} already has a tunnel (§5.1)",
        what=name,
        cell=CELL_NAMES[cell],
    )
    if state.length[line] == 0:
        expect(is_white(bore // 12 - APEX0), "{what}: lines begin in white border cells (§5.2)", what=name)
        return
    expect(state.length[line] < TUNNELS, "{what}: a line has at most {most} tunnels (§5.7)", what=name, most=TUNNELS)
    expect(state.tip[line] < CITY, "{what}: a finished line goes no further (§5.8)", what=name)
    turn = (bore % 12 // 2 - state.way[line]) % 6
    expect(turn != 3, "{what}: no line goes straight back (§5.4)", what=name)
    wide = turn in (0, 1, 5) or state.station[bore // 12] == 1
    expect(wide, "{what}: an acute angle needs a station (§5.4)", what=name)
    expect(not state.on[TO[bore]] >> line & 1, "{what}: the line touches itself (§5.5)", what=name)
    if cell >= CITY_CELLS:
        expect(not is_white(cell - BORDER0), "{what}: lines end in black border cells (§5.8)", what=name)
    else:
        expect(state.ground[cell] <= LEISURE, "{what}: there is no digging under lake and park (§5.3)", what=name)


def check_ends(state: State) -> None:
    """Check that beginnings and ends are far enough apart, or that nothing farther is free (§5.2, §5.8)."""
    for line in range(2 * state.seats):
        begun = state.begun[line] // PER_SIDE
        other = state.begun[line ^ 1]
        name = f"lines[{line >> 1}].{LINES[line & 1]}"
        if state.begun[line] >= 0 and other >= 0 and not OPPOSED[begun * 6 + other // PER_SIDE]:
            free = any(state.tunnel[BORDER0 + n] < 0 for n in FAR_WHITE[begun])
            expect(not free, "{what} begins too near the player's other line (§5.2)", what=name)
        if state.finished >> line & 1 and not OPPOSED[begun * 6 + (state.tip[line] - APEX0) // PER_SIDE]:
            free = any(state.tunnel[BORDER0 + n] < 0 for n in FAR_BLACK[begun])
            expect(not free, "{what} ends too near its beginning (§5.8)", what=name)


def check_hands(state: State) -> None:
    """Check that the hands, with what has been placed, could have been dealt (§3.2, §3.3)."""
    fixed = fixed_hands(state.seats, state.hall)
    if not fixed and state.step in (PIECING, DOUBLING, DEALING):
        expect(not any(state.hands), "hands: nobody holds anything before the deal")
        return
    whole_hands = [held_at_first(state, seat) for seat in range(state.seats)]
    if fixed:
        expect(whole_hands == fixed, "hands, together with what has been placed, must be the fixed ones (§3.2, §3.3)")
    else:
        expect(
            is_deal(whole_hands, state.doubles),
            "hands, together with what has been placed, are not a valid deal (§3.2)",
        )


def check_destinations(state: State) -> None:
    """Check that dug spots have their destination, and that equal letters do not touch (§8)."""
    waiting = last_cell(state, state.line) if state.step == PLACING else NOBODY
    cells = [state.placed[one] for one in range(DESTINATIONS)]
    for cell in range(CITY_CELLS):
        if state.tunnel[cell] >= 0 and HOME <= state.ground[cell] <= LEISURE and cell != waiting:
            name = CELL_NAMES[cell]
            expect(cell in cells, "placed: the tunnel on the spot {cell} has no destination (§8.1)", cell=name)
    for one in range(DESTINATIONS):
        cell, other = cells[one], cells[TWIN[one]]
        if cell >= 0:
            name, here = destination_name(one), CELL_NAMES[cell]
            expect(cells.count(cell) == 1, "placed: there are two destinations on {cell}", cell=here)
            expect(cell != waiting, "placed: {cell} is still waiting for its destination", cell=here)
            fits = state.ground[cell] == KIND_OF[one] + HOME
            expect(fits, "placed: {cell} is not a spot for {destination} (§8.1)", cell=here, destination=name)
            apart = other < 0 or TOUCHING[cell][other] == 0
            expect(apart, "placed: {destination} touches the same letter (§8.3)", destination=name)


def check_progress(state: State) -> None:
    """Check that step, seat, turn and line fit each other and the city."""
    setting_up = state.step in (PIECING, DOUBLING, DEALING)
    expect(
        (len(state.sectors) < 6) == (state.step == PIECING),
        "sectors must have fewer than six pieces in the step `pieces`, and six after it",
    )
    pieces = [code // 3 for code in state.sectors]
    expect(len(set(pieces)) == len(pieces), "sectors: every piece may appear only once (§3.1)")
    _check_doubles(state)
    expect(state.step != DEALING or has_deal(state), "step: the hands are fixed, nothing is dealt (§3.3)")
    if setting_up:
        begun = any(state.length) or state.turn or state.dug or state.stock < 30 or any(state.points)
        expect(not begun, "step: nothing is built before the set-up is done (§3)")
        expect(state.step == DOUBLING or state.seat == 0, "seat must be 0 before the first turn (§3.1)")
    else:
        expect(state.seat == state.turn % state.seats, "seat does not fit turn: seat 0 has the first one (§3.1)")
    if setting_up or state.step == ENDED:
        between = not state.dug and not state.placed_now and state.line == NOBODY
        expect(between, "dug, placed_now and line can be set only during a turn")
    else:
        _check_turn(state)
    _check_end(state)
    total = sum(state.worth[vertex] for vertex in range(CITY) if state.station[vertex])
    expect(sum(state.points) == total, "points must add up to {total}, the value of the stations (§6.5)", total=total)


def _check_doubles(state: State) -> None:
    named = len(state.doubles)
    expect(len(set(state.doubles)) == named, "doubles: the three kinds must differ (§3.2)")
    if not has_deal(state) or state.seats != 3 or state.step == PIECING:
        expect(named == 0, "doubles are named only with three players, after the pieces (§3.2)")
        expect(state.step != DOUBLING, "step: doubles are named only with three players (§3.2)")
    elif state.step == DOUBLING:
        expect(named < 3 and state.seat == named, "doubles: the seats name them in order (§3.2)")
    else:
        expect(named == 3, "doubles: three must have been named (§3.2)")


def _check_turn(state: State) -> None:
    """A turn that is going on: tunnels dug, what waits, and the first turn."""
    line = state.line
    if state.step == ACT:
        expect(line == NOBODY, "line is set only in `place` and `bonus`; it must be null")
        expect(state.dug <= 2, "dug: after three tunnels the turn is over (§4.1)")
    else:
        expect(state.dug >= 1, "dug: a destination or bonus follows a tunnel (§8.1, §7.2)")
        expect(line >> 1 == state.seat and state.length[line] > 0, "line must be one of the seat's own")
        done = state.finished >> line & 1 == 1
        expect(
            done == (state.step == BONUS),
            "line: a bonus is for a finished line, a destination for an unfinished one (§7.2)",
        )
    if state.step == PLACING:
        spot = state.ground[last_cell(state, line)]
        expect(HOME <= spot <= LEISURE, "line: its last tunnel is not on a spot (§8.1)")
        expect(not state.placed_now, "placed_now: only one destination is placed in a turn (§8.2)")
    expect(not state.placed_now or state.dug > 0, "placed_now: a destination follows a tunnel (§8.1)")
    tunnels = state.length[2 * state.seat] + state.length[2 * state.seat + 1]
    expect(state.dug <= tunnels, "dug: the seat's lines have fewer tunnels than that")
    mine = any(state.placer[one] == state.seat for one in range(DESTINATIONS))
    expect(not state.placed_now or mine, "placed_now: the seat has placed nothing (§8.2)")


def _check_end(state: State) -> None:
    """§9.1."""
    expect((state.ended == NOBODY) == (state.reason == GOES_ON), "ended and reason must be set together")
    if state.ended == NOBODY:
        expect(state.step != ENDED, "step is `over`, but nothing has ended the construction (§9.1)")
        return
    left = state.ended + state.seats - state.turn
    expect(state.ended < state.turn, "ended: that turn has not come yet")
    expect((left <= 0) == (state.step == ENDED), "ended: everyone else has exactly one more turn (§9.1)")
    expect(left >= 0, "turn: the game was over before that (§9.1)")
    pairs = [state.finished >> 2 * seat & 3 for seat in range(state.seats)]
    expect(state.reason != BY_FINISHED or 3 in pairs, "reason: nobody has finished both lines (§9.1)")
    expect(state.reason != BY_STOCK or state.stock == 0, "reason: the stock is not empty (§9.1)")
