"""Read and validate a position document.

A document is accepted only if it describes a position the game can go on from, so reading it asks the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.bus import cities
from omnibus.games.bus.board.pieces import EDITIONS, FEWEST_SEATS, KINDS, MOST_ROUNDS, MOST_SEATS
from omnibus.games.bus.position.city import place_buildings, place_passengers
from omnibus.games.bus.position.options import STICKS, begun
from omnibus.games.bus.position.players import place_fields, place_players, place_stones
from omnibus.games.bus.position.step import place_step
from omnibus.games.bus.state import STEPS, State
from omnibus.kernel.checks import POSITION, check_keys, expect, index, whole
from omnibus.kernel.game import BadPosition, Document

KEYS: Final = [
    "seats", "edition", "sticks", "clock_back", "city", "round", "step", "seat", "start", "field", "owed", "clock",
    "stones", "box", "waiting", "seated", "buildings", "fields", "players",
]  # fmt: skip


def place(document: Mapping[str, Any]) -> State:
    """Return the state of a position document; BadPosition names the culprit."""
    check_keys(POSITION, document, KEYS)
    state = begun(whole("seats", document["seats"], FEWEST_SEATS, MOST_SEATS), _options(document))
    state.step = index("step", document["step"], STEPS)
    state.round = whole("round", document["round"], 0, MOST_ROUNDS)
    state.clock = index("clock", document["clock"], KINDS)
    place_buildings(state, document["buildings"])
    place_passengers(state, document)
    place_players(state, document["players"])
    place_fields(state, document["fields"])
    place_stones(state, document["stones"])
    place_step(state, document)
    return state


def _options(document: Mapping[str, Any]) -> Document:
    edition = EDITIONS[index("edition", document["edition"], EDITIONS)]
    sticks = STICKS[index("sticks", document["sticks"], STICKS)]
    back = document["clock_back"]
    expect(isinstance(back, bool), "clock_back must be true or false, not {value!r}", value=back)
    try:
        cities.find(document["city"])
    except BadPosition as error:
        raise BadPosition("city: {reason}", reason=error.message) from None
    return {"edition": edition, "sticks": sticks, "clock_back": back, "city": document["city"]}
