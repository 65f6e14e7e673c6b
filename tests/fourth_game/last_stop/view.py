"""What one seat may see: its own ticket, and how many tickets of each value it does not see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from last_stop.board import VALUES
from last_stop.moves import HIDDEN_DEAL, LINES, SEAT_MOVES
from last_stop.position import place
from last_stop.scoring import outcome
from last_stop.state import State
from omnibus.kernel.game import Document, Roll, actor_of


def view(state: State, seat: int | None) -> Document:
    """Return what a seat (None: a spectator) may see."""
    ended = outcome(state)
    others = [ticket for other, ticket in enumerate(state.hands) if other != seat]
    return {
        "game": "last_stop",
        "viewer": seat,
        "seats": state.seats,
        "options": {"stops": state.stops},
        "actor": actor_of(state),
        "at": state.at,
        "seat": state.seat,
        "hand": None if seat is None else state.hands[seat],
        "held": [int(ticket > 0) for ticket in state.hands],
        "unseen": [state.deck[value - 1] + others.count(value) for value in range(1, VALUES + 1)],
        "ridden": state.ridden[:],
        "outcome": ended.document() if ended else None,
    }


def seen(state: State, move: int, seat: int | None) -> str:
    """Return the line of a move as a seat may see it: a deal is hidden from the others (§4.1)."""
    return HIDDEN_DEAL if move >= SEAT_MOVES and seat != state.seat else LINES[move]


def redeal(view: Mapping[str, Any], roll: Roll) -> State:
    """Return a state with this view: the unseen tickets are dealt at random."""
    deck = [value for value, number in enumerate(view["unseen"], 1) for _ in range(number)]
    hands = [
        view["hand"] if seat == view["viewer"] else deck.pop(roll(len(deck))) if held else 0
        for seat, held in enumerate(view["held"])
    ]
    left = [deck.count(value) for value in range(1, VALUES + 1)]
    document = {"stops": view["options"]["stops"], "hands": hands, "deck": left}
    return place({**document, "at": view["at"], "seat": view["seat"], "ridden": view["ridden"]})
