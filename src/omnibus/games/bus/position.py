"""The position document: a position told as a JSON object. `placing` is the way back."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from omnibus.games.bus import cities
from omnibus.games.bus.board import City
from omnibus.games.bus.board.pieces import (
    ACTIONS,
    BUILDINGS,
    KINDS,
    LETTERS,
    LINE,
    PASSENGERS,
    SLOTS,
    UNLIMITED,
    VRROOMM,
)
from omnibus.games.bus.moves import street_name
from omnibus.games.bus.state import ARRIVE, BUILD, EMPTY, LAY, NOBODY, RIDE, STEPS, State, setup
from omnibus.kernel.game import Document

RESOLVED: Final = {
    LAY: LINE,
    ARRIVE: PASSENGERS,
    BUILD: BUILDINGS,
    RIDE: VRROOMM,
}  # steps with fields, and their action


def chosen(state: State) -> Document:
    """Return the options a state is played with (§14)."""
    city = state.city
    return {
        "sticks": "unlimited" if state.sticks == UNLIMITED else state.sticks,
        "clock_back": state.clock_back,
        "city": city.given or deepcopy(city.document),
    }


def begun(seats: int, options: Mapping[str, Any]) -> State:
    """Return the state before anything has happened, with these options."""
    limited = options["sticks"] != "unlimited"
    return setup(cities.find(options["city"]), seats, limited=limited, clock_back=options["clock_back"])


def position(state: State) -> Document:
    """Tell the whole position; nothing in Bus is hidden."""
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
