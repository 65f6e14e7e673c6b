"""What one seat may see: everything, as nothing in Bus is hidden; so what it may suppose is what there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.bus import moves
from omnibus.games.bus.board.pieces import (
    ACTION_COUNT,
    ACTIONS,
    BUILDINGS,
    CAPACITY,
    LINE,
    MOST_SEATS,
    PASSENGERS,
    SLOTS,
    VRROOMM,
)
from omnibus.games.bus.position import KEYS, chosen, place, position
from omnibus.games.bus.rules.resolve import largest_fleet
from omnibus.games.bus.scoring import outcome, score
from omnibus.games.bus.state import State
from omnibus.kernel.game import Document, Roll, actor_of

WORTH_BY_FLEET: Final = (LINE, PASSENGERS, BUILDINGS)  # §5.2


def view(state: State, seat: int | None) -> Document:
    """Return what a seat (None: a spectator) may see, as a JSON object: the position, and what follows from it."""
    ended = outcome(state)
    return {
        "game": "bus",
        "viewer": seat,
        "options": chosen(state),
        "actor": actor_of(state),
        **position(state),
        "largest_fleet": largest_fleet(state),
        "yields": {ACTIONS[action]: _yields(state, action) for action in range(ACTION_COUNT)},
        "zone": None if not state.vacant else "ABCD"[state.zone],
        "supply": list(state.supply),
        "sticks_left": [None if state.sticks > 1000 else state.sticks - laid for laid in state.laid],
        "scores": [score(state, each) for each in range(state.seats)],
        "outcome": ended.document() if ended else None,
    }


def _yields(state: State, action: int) -> list[int]:
    """What each field of an action is worth at this moment: sticks, passengers, buildings, rides or 1 (§5.2, §11.2).

    A field of vrroomm is worth the fleet of its owner; while it is free, that of the seat to decide.
    """
    if action in WORTH_BY_FLEET:
        top = largest_fleet(state) + (state.seats == MOST_SEATS and action == LINE)
        return [max(0, top - field) for field in range(CAPACITY[action])]
    if action == VRROOMM:
        owners = state.fields[action * SLOTS : action * SLOTS + CAPACITY[action]]
        return [state.buses[owner if owner >= 0 else state.seat] for owner in owners]
    return [1] * CAPACITY[action]


def seen(state: State, move: int, seat: int | None) -> str:
    """Return the line of a move about to be applied: everybody reads the same."""
    return moves.write(state.city, move)


def redeal(seen: Mapping[str, Any], roll: Roll) -> State:
    """Return the state that this view shows."""
    return place({key: seen[key] for key in KEYS})
