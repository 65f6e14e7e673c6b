"""The position document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from last_stop.board import COPIES, LENGTHS, VALUES
from last_stop.rules import actor
from last_stop.state import State
from omnibus.kernel.checks import POSITION, check_keys, expect, whole
from omnibus.kernel.game import Document

KEYS = ("stops", "at", "seat", "hands", "deck", "ridden")


def position(state: State) -> Document:
    """Write the position document."""
    return {
        "stops": state.stops,
        "at": state.at,
        "seat": state.seat,
        "hands": state.hands[:],
        "deck": state.deck[:],
        "ridden": state.ridden[:],
    }


def place(document: Mapping[str, Any]) -> State:
    """Read a position document; BadPosition says what is wrong with it."""
    check_keys(POSITION, document, KEYS)
    state = State()
    state.stops = whole("stops", document["stops"], min(LENGTHS), max(LENGTHS))
    expect(state.stops in LENGTHS, "stops must be one of {lengths}", lengths=LENGTHS)
    state.hands = _numbers("hands", document["hands"], VALUES)
    state.seats = len(state.hands)
    expect(state.seats in (2, 3, 4), "hands must have 2 to 4 entries")
    state.ridden = _numbers("ridden", document["ridden"], max(LENGTHS) + VALUES)
    expect(len(state.ridden) == state.seats, "ridden must have an entry for each seat")
    state.deck = _numbers("deck", document["deck"], COPIES)
    expect(len(state.deck) == VALUES, "deck must have an entry for each value")
    for value in range(1, VALUES + 1):
        there = state.deck[value - 1] + state.hands.count(value)
        expect(there <= COPIES, "there are too many tickets {value}", value=value)
    state.at = whole("at", document["at"], 0, state.stops + VALUES - 1)
    expect(sum(state.ridden) == state.at, "ridden must add up to at")
    state.seat = whole("seat", document["seat"], 0, state.seats - 1)
    state.actor = actor(state)
    return state


def _numbers(name: str, value: Any, most: int) -> list[int]:
    expect(isinstance(value, list), "{name} must be a list", name=name)
    return [whole(f"{name}[{index}]", one, 0, most) for index, one in enumerate(value)]
