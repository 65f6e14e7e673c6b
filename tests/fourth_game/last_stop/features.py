"""What a seat sees, as named arrays of bytes."""

from __future__ import annotations

from last_stop.board import COPIES, VALUES
from last_stop.state import State
from omnibus.kernel.features import Feature, one_hots

HANDS = one_hots(VALUES + 1)


def features(state: State) -> list[Feature]:
    """Return the parts of an observation."""
    return [
        Feature("left", (1,), state.stops, "stops left to the last one"),
        Feature("hand", (VALUES + 1,), 1, "the own ticket; first: none"),
        Feature("held", (state.seats,), 1, "who has a ticket, from the own seat on"),
        Feature("turn", (state.seats,), 1, "whose turn it is, from the own seat on"),
        Feature("unseen", (VALUES,), COPIES, "tickets of each value that cannot be seen"),
    ]


def observe(state: State, seat: int) -> bytes:
    """Return what a seat sees."""
    order = [(seat + other) % state.seats for other in range(state.seats)]
    hidden = [state.hands[other] for other in order[1:]]
    return b"".join(
        [
            bytes([max(0, state.stops - state.at)]),
            HANDS[state.hands[seat]],
            bytes(state.hands[other] > 0 for other in order),
            bytes(other == state.seat for other in order),
            bytes(state.deck[value - 1] + hidden.count(value) for value in range(1, VALUES + 1)),
        ]
    )


def standing(state: State) -> list[int]:
    """Return the stops each seat has moved the bus."""
    return state.ridden[:]
