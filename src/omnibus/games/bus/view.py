"""What one seat may see: everything, as nothing in Bus is hidden; so what it may suppose is what there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.bus import moves
from omnibus.games.bus.board.pieces import (
    ACTION_COUNT,
    ACTIONS,
    BUILDINGS,
    BUS,
    CAPACITY,
    KIND_COUNT,
    KINDS,
    LINE,
    MOST_BUSES,
    MOST_SEATS,
    PASSENGERS,
    REPRINT,
    SLOTS,
    UNLIMITED,
    VRROOMM,
)
from omnibus.games.bus.position import KEYS, chosen, place, position
from omnibus.games.bus.rules.resolve import largest_fleet
from omnibus.games.bus.scoring import outcome, score
from omnibus.games.bus.state import DECIDE, LAY, NOBODY, RIDE, State
from omnibus.kernel.game import Document, Roll, actor_of

WORTH_BY_FLEET: Final = (PASSENGERS, BUILDINGS)  # §5.2, after the bus; `line` comes before it


def view(state: State, seat: int | None) -> Document:
    """Return what a seat (None: a spectator) may see, as a JSON object: the position, and what follows from it."""
    ended = outcome(state)
    fleets = _fleets(state)
    return {
        "game": "bus",
        "viewer": seat,
        "options": chosen(state),
        "actor": actor_of(state),
        **position(state),
        "largest_fleet": largest_fleet(state),
        "yields": {ACTIONS[action]: _yields(state, action, fleets) for action in range(ACTION_COUNT)},
        "rides_as_it_stands": _rides_as_it_stands(state, fleets),
        "rides_if_stopped": _rides_if_stopped(state, fleets),
        "zone": None if not state.vacant else "ABCD"[state.zone],
        "supply": list(state.supply) if state.edition == REPRINT else None,
        "sticks_left": [
            None if sticks == UNLIMITED else sticks - laid
            for sticks, laid in zip(state.sticks, state.laid, strict=True)
        ],
        "scores": [score(state, each) for each in range(state.seats)],
        "outcome": ended.document() if ended else None,
    }


def _fleets(state: State) -> list[int]:
    """Count the buses of each seat with the one taken in this round and not yet delivered (§5.4)."""
    fleets = list(state.buses)
    if state.step <= LAY and state.taken[BUS]:
        buyer = state.fields[BUS * SLOTS]
        fleets[buyer] = min(fleets[buyer] + 1, MOST_BUSES[state.edition])
    return fleets


def _yields(state: State, action: int, fleets: list[int]) -> list[int]:
    """What each field of an action will yield: sticks, passengers, buildings, rides or 1 (§5.2, §5.4, §11.2).

    A field of vrroomm is worth the fleet of its owner; while it is free, that of the seat to decide.
    """
    if action == LINE:
        top = largest_fleet(state) + (state.seats == MOST_SEATS)
        return [max(0, top - field) for field in range(CAPACITY[action])]
    if action in WORTH_BY_FLEET:
        return [max(0, max(fleets) - field) for field in range(CAPACITY[action])]
    if action == VRROOMM:
        return [fleets[rider] for rider in _riders(state)]
    return [1] * CAPACITY[action]


def _riders(state: State) -> list[int]:
    """Return who rides for each field of vrroomm: its owner, or while it is free the seat to decide."""
    owners = state.fields[VRROOMM * SLOTS : VRROOMM * SLOTS + CAPACITY[VRROOMM]]
    return [state.seat if owner == NOBODY else owner for owner in owners]


def _rides_as_it_stands(state: State, fleets: list[int]) -> Document:
    """How many passengers each field of vrroomm could carry if the clock ticked now and nothing else changed (§5.4).

    Once the buses ride, the clock has been decided on, and what is still to be carried counts. A player's fields before
    this one are taken into account, those of others are not: which passengers they will take is not known.
    """
    kind = state.clock if state.step == RIDE else (state.clock + 1) % KIND_COUNT
    return {"clock": KINDS[kind], "fields": _rides(state, fleets, kind)}


def _rides_if_stopped(state: State, fleets: list[int]) -> list[int] | None:
    """The same if the clock were stopped, which may turn it back (§10.1, §14); None unless that is to be decided."""
    if state.step != DECIDE:
        return None
    return _rides(state, fleets, (state.clock - state.clock_back) % KIND_COUNT)


def _rides(state: State, fleets: list[int], kind: int) -> list[int]:
    """Return how many passengers each field of vrroomm could carry to buildings of a kind, if nothing else changed."""
    riding = state.step == RIDE
    riders = _riders(state)
    left = {rider: _possible_rides(state, rider, kind) for rider in riders}
    rides = []
    for field, rider in enumerate(riders):
        buses = fleets[rider]
        if riding and field <= state.field:
            buses = state.owed if field == state.field else 0
        rides.append(min(buses, left[rider]))
        if field < state.taken[VRROOMM]:
            left[rider] -= rides[field]
    return rides


def _possible_rides(state: State, rider: int, kind: int) -> int:
    """Count the rides along a line, however many buses there are, once everybody has taken a seat (§10.3, §11.1)."""
    crossings = state.city.crossing_count
    passengers = buildings = 0
    for crossing, lines in enumerate(state.on):
        if lines >> rider & 1:
            free = state.built[kind * crossings + crossing] - state.seated[crossing]
            passengers += max(0, state.waiting[crossing] - free)
            buildings += max(0, free - state.waiting[crossing])
    return min(passengers, buildings)


def seen(state: State, move: int, seat: int | None) -> str:
    """Return the line of a move about to be applied: everybody reads the same."""
    return moves.write(state.city, move)


def redeal(seen: Mapping[str, Any], roll: Roll) -> State:
    """Return the state that this view shows."""
    return place({key: seen[key] for key in KEYS})
