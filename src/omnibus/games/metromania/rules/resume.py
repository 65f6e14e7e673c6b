"""A position document taken up again: what only the rules can tell about it is checked here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.metromania.board import LINES
from omnibus.games.metromania.rules.apply import find_blocked, trigger
from omnibus.games.metromania.rules.learning import learn_need
from omnibus.games.metromania.rules.legal import legal
from omnibus.games.metromania.rules.tunnels import goes_on, unplaced, usable
from omnibus.games.metromania.state.document import place_pieces
from omnibus.games.metromania.state.table import ACT, DEALING, DOUBLING, GOES_ON, PIECING, PLACING, State, last_cell
from omnibus.kernel.game import OVER, BadPosition


def place(document: Mapping[str, Any]) -> State:
    """Return the state of a position document; BadPosition names the culprit."""
    state = place_pieces(document)
    if state.step in (PIECING, DOUBLING, DEALING):
        if state.blocked:
            raise BadPosition("blocked: no line is blocked before the first turn (§9.2)")
        return state
    _check_blocked(state)
    _conclude(state)
    if state.actor != OVER and not legal(state):
        missing = "destination for this spot (§8.1)" if state.step == PLACING else "move, so the turn passes (§4.2)"
        raise BadPosition(f"step: there is no {missing}")
    return state


def _conclude(state: State) -> None:
    """Rule out what everybody can, in case the document did not: a redeal must fit what stands on the table."""
    if state.step == PLACING:
        learn_need(state, state.seat, usable(state, last_cell(state, state.line), unplaced(state)), True)
    elif state.step == ACT and state.dug > 0:
        learn_need(state, state.seat, goes_on(state), True)
    elif state.step == ACT or state.actor == OVER:
        find_blocked(state)


def _check_blocked(state: State) -> None:
    """Between turns the blocked lines are those the rules find, and the construction has not ended unnoticed."""
    if (state.step == ACT and state.dug > 0) or (state.step != ACT and state.actor != OVER):
        return  # in the middle of a turn they are those of its beginning
    now = state.clone()
    find_blocked(now)
    for line in range(2 * state.seats):
        if (now.blocked ^ state.blocked) >> line & 1:
            name = f"{line >> 1} {LINES[line & 1]}"
            raise BadPosition(f"blocked: {name} is {'blocked' if now.blocked >> line & 1 else 'not blocked'} (§9.2)")
    if state.turn and state.reason == GOES_ON and trigger(now) != GOES_ON:
        raise BadPosition("ended: something has ended the construction (§9.1)")
