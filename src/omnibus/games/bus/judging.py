"""How good it is: the worth of a position in named terms, each that of a seat less that of its best rival."""

from __future__ import annotations

from math import exp
from typing import Final

from omnibus.games.bus.board.pieces import (
    ACTION_COUNT,
    BUS,
    KIND_COUNT,
    LINE,
    MOST_BUSES,
    MOST_SEATS,
    PASSENGERS,
    SLOTS,
    VRROOMM,
)
from omnibus.games.bus.rules.resolve import largest_fleet
from omnibus.games.bus.scoring import outcome, score
from omnibus.games.bus.state import State

WEIGHTS: Final = {
    "score": 0.60,  # rides less time stones (§13.2)
    "fleet": 0.30,  # buses: how many rides a vrroomm may be
    "cubes": 0.10,  # actions left
    "doors": 0.06,  # buildings on the own line
    "fares": 0.10,  # passengers waiting on the own line
    "next": 0.15,  # rides the own fleet could make if the clock ticked now
    "plans": 0.35,  # what the own cubes on the action board will yield
}

# What a cube on the board is worth: for every piece its field yields, and for being there at all.
PIECE: Final = [0.25, 1.0, 0.12, 0.3, 0.0, 1.4, 0.0]
FIELD: Final = [0.0, 0.0, 0.0, 0.0, 0.25, 0.05, 0.15]


def terms(state: State, seat: int) -> dict[str, float]:
    """Return the worth of each term for a seat, against the best of the others in it."""
    worths = [_worths(state, each) for each in range(state.seats)]
    rivals = [worths[each] for each in range(state.seats) if each != seat]
    return {name: worths[seat][name] - max(rival[name] for rival in rivals) for name in WEIGHTS}


def _worths(state: State, seat: int) -> dict[str, float]:
    crossings = [crossing for crossing, on in enumerate(state.on) if on >> seat & 1]
    return {
        "score": float(score(state, seat)),
        "fleet": float(state.buses[seat]),
        "cubes": float(state.cubes[seat]),
        "doors": float(sum(_buildings(state, crossing) for crossing in crossings)),
        "fares": float(sum(state.waiting[crossing] for crossing in crossings)),
        "next": float(_next_rides(state, seat, crossings)),
        "plans": _plans(state, seat, _next_rides(state, seat, crossings)),
    }


def _buildings(state: State, crossing: int) -> int:
    return sum(state.built[kind * state.city.crossing_count + crossing] for kind in range(KIND_COUNT))


def _next_rides(state: State, seat: int, crossings: list[int]) -> int:
    """Count the rides of one vrroomm if the clock moved on now (§10, §11)."""
    kind = (state.clock + 1) % KIND_COUNT * state.city.crossing_count
    waiting = sum(max(0, state.waiting[crossing] - state.built[kind + crossing]) for crossing in crossings)
    free = sum(max(0, state.built[kind + crossing] - state.waiting[crossing]) for crossing in crossings)
    return min(waiting, free, state.buses[seat])


def _plans(state: State, seat: int, rides: int) -> float:
    """Add up what the own fields will yield; a second vrroomm finds fewer passengers left."""
    worth = 0.0
    for action in range(ACTION_COUNT):
        for field in range(state.taken[action]):
            if state.fields[action * SLOTS + field] == seat:
                worth += FIELD[action] + PIECE[action] * _pieces(state, seat, action, field, rides)
                rides -= rides if action == VRROOMM else 0
    return worth


def _pieces(state: State, seat: int, action: int, field: int, rides: int) -> int:
    """Count the pieces a field will yield (§5.2, §7.1, §11.2)."""
    if action == BUS:
        return int(state.buses[seat] < MOST_BUSES)
    if action == VRROOMM:
        return rides
    top = largest_fleet(state) + (action == LINE and state.seats == MOST_SEATS)
    return max(0, min(top - field, state.box if action == PASSENGERS else top))


def judge(state: State, seat: int) -> float:
    """Return how well a seat stands, from 0 (lost) to 1 (won); a shared win is shared."""
    ended = outcome(state)
    if ended:
        return 1 / len(ended.winners) if seat in ended.winners else 0.0
    worth = sum(WEIGHTS[name] * value for name, value in terms(state, seat).items())
    return 1 / (1 + exp(-worth))
