"""Write a position document: the position as a JSON object. `read` is the way back."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board import City
from omnibus.games.bus.board.pieces import (
    ACTIONS,
    BUILDINGS,
    KINDS,
    LETTERS,
    LINE,
    PASSENGERS,
    SLOTS,
    VRROOMM,
)
from omnibus.games.bus.moves import street_name
from omnibus.games.bus.position.options import chosen
from omnibus.games.bus.state import ARRIVE, BUILD, EMPTY, LAY, NOBODY, RIDE, STEPS, State
from omnibus.kernel.game import Document

RESOLVED: Final = {
    LAY: LINE,
    ARRIVE: PASSENGERS,
    BUILD: BUILDINGS,
    RIDE: VRROOMM,
}  # steps with fields, and their action


def position(state: State) -> Document:
    """Return the position document; nothing in Bus is hidden."""
    city = state.city
    deciding = state.actor >= 0
    return {
        "seats": state.seats,
        **chosen(state),
        "round": state.round,
        "step": STEPS[state.step],
        "seat": state.seat if deciding else None,
        "start": None if state.start == NOBODY else state.start,
        "field": LETTERS[state.field] if state.step in RESOLVED else None,
        "owed": state.owed,
        "clock": KINDS[state.clock],
        "stones": state.pile,
        "box": state.box,
        "waiting": _repeated(city, state.waiting),
        "seated": _repeated(city, state.seated),
        "buildings": {city.plot_names[plot]: KINDS[kind] for plot, kind in enumerate(state.plots) if kind != EMPTY},
        "fields": {
            name: state.fields[action * SLOTS : action * SLOTS + state.taken[action]]
            for action, name in enumerate(ACTIONS)
        },
        "players": [_player(state, seat) for seat in range(state.seats)],
    }


def _repeated(city: City, counts: list[int]) -> list[int]:
    """Name each crossing as often as it counts."""
    return [name for name, count in zip(city.names, counts, strict=True) for _ in range(count)]


def _player(state: State, seat: int) -> Document:
    city = state.city
    heads = state.heads[2 * seat : 2 * seat + 2]
    return {
        "cubes": state.cubes[seat],
        "buses": state.buses[seat],
        "stones": state.stones[seat],
        "rides": state.rides[seat],
        "reached": state.reached[seat],
        "passed": bool(state.passed >> seat & 1),
        "streets": [street_name(city, street) for street, used in enumerate(state.usage) if used >> seat & 1],
        "heads": [city.names[head] for head in heads] if state.laid[seat] else [],
    }
