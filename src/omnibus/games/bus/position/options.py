"""Translate between the options of a game (§14) and its state."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from omnibus.games.bus import cities
from omnibus.games.bus.board.pieces import UNLIMITED
from omnibus.games.bus.state import State, setup
from omnibus.kernel.game import Document


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
