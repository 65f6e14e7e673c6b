"""Which moves may be made: the fast path. `refusal` says the same slowly and with reasons."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import ACTION_COUNT, ALL_FULL, KIND_COUNT, LEAST_CUBES
from omnibus.games.bus.moves import ARRIVE0, PASS, STOP, TICK
from omnibus.games.bus.state import ARRIVE, BUILD, CHOOSE, DECIDE, FIRST, FOUND, OPEN, STEPS, State

# What may be chosen, by the actions whose fields are all taken; with `pass` behind it and without.
_TAKES: Final[list[list[int]]] = [
    [action for action in range(ACTION_COUNT) if not full >> action & 1] for full in range(ALL_FULL + 1)
]
_TAKES_OR_PASS: Final[list[list[int]]] = [[*takes, PASS] for takes in _TAKES]

# Steps whose moves are found when they begin, because whether there are any decides whether somebody is asked.
_PREPARED: Final[list[bool]] = [name in ("line", "second", "vrroomm") for name in STEPS]


def legal(state: State) -> list[int]:
    """List the moves the actor may make, in a stable order."""
    step = state.step
    if step == CHOOSE:
        if state.placed[state.seat] < LEAST_CUBES:
            return _TAKES[state.full][:]
        return _TAKES_OR_PASS[state.full][:]  # §4.3
    if _PREPARED[step]:
        return state.moves[:]
    if step == BUILD:
        return _builds(state)
    if step == ARRIVE:
        return [ARRIVE0, ARRIVE0 + 1]
    if step == DECIDE:
        return [STOP, TICK]
    if step == FOUND:
        return _builds(state)
    if step == OPEN:
        return state.city.first_lays[:]
    if step == FIRST:
        return [state.city.seat_moves + seat for seat in range(state.seats)]
    return []


def _builds(state: State) -> list[int]:
    """§9.1: an empty plot of the earliest zone that has one, a kind still in supply."""
    supply = state.supply
    if supply[0] > 0 and supply[1] > 0 and supply[2] > 0:
        return state.vacant[:]
    return [move for move in state.vacant if supply[move % KIND_COUNT] > 0]


def lays(state: State, seat: int) -> list[int]:
    """List the ways along which a seat may lengthen its line, at either head (§6.2)."""
    moves: list[int] = []
    head = state.heads[2 * seat]
    other = state.heads[2 * seat + 1]
    _add_lays(state, head, 1 << seat, moves)
    if other != head:
        _add_lays(state, other, 1 << seat, moves)
    return moves


def _add_lays(state: State, head: int, own: int, moves: list[int]) -> None:
    """(a) and (b): no line on the street lacks a head here; (c): no street here is empty. Never the own line twice."""
    usage = state.usage
    out = state.city.out[head]
    barred = own
    for way in out:
        if usage[way >> 1] == 0:
            barred |= _lines_through(state, head)
            break
    lay0 = state.city.lay0
    for way in out:
        if usage[way >> 1] & barred == 0:
            moves.append(lay0 + way)


def _lines_through(state: State, crossing: int) -> int:
    """Return the seats without a head at a crossing."""
    heads = state.heads
    through = 0
    for seat in range(state.seats):
        if heads[2 * seat] != crossing and heads[2 * seat + 1] != crossing:
            through |= 1 << seat
    return through


def rides(state: State, seat: int) -> list[int]:
    """List the rides a seat may make (§11.1). Where one waits no building is free, else it would sit (§10.3)."""
    crossings = state.city.crossing_count
    on = state.on
    waiting = state.waiting
    seated = state.seated
    built = state.built
    own = 1 << seat
    kind = state.clock * crossings
    ride0 = state.city.ride0
    begins: list[int] = []
    ends: list[int] = []
    for crossing in range(crossings):
        if on[crossing] & own:
            if waiting[crossing] > 0:
                begins.append(ride0 + crossing * crossings)
            elif built[kind + crossing] > seated[crossing]:
                ends.append(crossing)
    moves: list[int] = []
    for begin in begins:
        for end in ends:
            moves.append(begin + end)
    return moves


def chances(state: State) -> list[tuple[int, int]]:
    """List what chance may do now, as (move, weight): any seat may be the start player (§3.1)."""
    return [(move, 1) for move in legal(state)] if state.step == FIRST else []


def chance_total(state: State) -> int:
    """Return the sum of the weights."""
    return state.seats if state.step == FIRST else 0


def chance_at(state: State, roll: int) -> int:
    """Return the move that a roll of 0 … total−1 selects."""
    return state.city.seat_moves + roll
