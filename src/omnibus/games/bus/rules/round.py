"""How a round begins: who chooses next (§4), and why there may be none (§13.1)."""

from __future__ import annotations

from omnibus.games.bus.state import CHOOSE, State


def begin_round(state: State) -> None:
    """Ask the start player, or the next one clockwise who has cubes (§4.1, §12.1)."""
    state.step = CHOOSE
    state.round += 1
    before = state.start - 1 if state.start > 0 else state.seats - 1
    next_chooser(state, before)


def next_chooser(state: State, seat: int) -> bool:
    """Ask the next seat that has cubes and has not passed; False if there is none (§4.7)."""
    cubes = state.cubes
    passed = state.passed
    seats = state.seats
    for _ in range(seats):
        seat += 1
        if seat >= seats:
            seat = 0
        if cubes[seat] > 0 and not passed >> seat & 1:
            state.seat = state.actor = seat
            return True
    return False


def ends_turn(before: State, after: State) -> bool:
    """Tell whether a turn ended: a choice of an action (§4.1), a field resolved (§5.1), or a step of the set-up (§3).

    The same player may go on: the only one who has not passed, the owner of the next field, the last to open a line.
    """
    if before.step == CHOOSE or after.actor != before.actor:
        return True
    return after.step != before.step or after.field != before.field


def end_reason(state: State) -> str:
    """§13.1: why the game is over. If a round leaves both too few cubes and no empty plot, the reason is `cubes`."""
    if state.pile == 0:
        return "stones"
    if count_with_cubes(state) <= 1:
        return "cubes"
    return "" if state.vacant else "plots"


def count_with_cubes(state: State) -> int:
    """Count the seats that have cubes left."""
    count = 0
    for cubes in state.cubes:
        if cubes > 0:
            count += 1
    return count
