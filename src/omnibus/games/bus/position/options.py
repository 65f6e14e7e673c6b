"""Translate between the options of a game (§14) and its state."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from omnibus.games.bus import cities
from omnibus.games.bus.board.pieces import EDITIONS, UNLIMITED
from omnibus.games.bus.state import State, setup
from omnibus.kernel.game import Document
from omnibus.kernel.i18n import Message, mark

MOST_STREETS: Final = 3  # for each crossing: no map without bridges has more
STICKS: Final = ["edition", "unlimited"]


def chosen(state: State) -> Document:
    """Return the options a state is played with (§14)."""
    city = state.city
    return {
        "edition": EDITIONS[state.edition],
        "sticks": STICKS[state.sticks[0] == UNLIMITED],
        "clock_back": state.clock_back,
        "city": city.given or deepcopy(city.document),
    }


def begun(seats: int, options: Mapping[str, Any]) -> State:
    """Return the state before anything has happened, with these options."""
    return setup(
        cities.find(options["city"]),
        seats,
        edition=EDITIONS.index(options["edition"]),
        limited=options["sticks"] != "unlimited",
        clock_back=options["clock_back"],
    )


def too_large(state: State) -> Message | None:
    """Say why a server starts no game in a city: it has too many streets to be drawn (§1.4); None where it does."""
    streets, most = state.city.street_count, MOST_STREETS * state.city.crossing_count
    if streets <= most:
        return None
    return Message(mark("the city has {streets} streets; at most {most} can be played"), streets=streets, most=most)
