"""What is on the table now."""

from __future__ import annotations

from last_stop.board import COPIES, VALUES
from omnibus.kernel.game import CHANCE


class State:
    """The bus, the tickets, and whose turn it is."""

    def __init__(self) -> None:
        self.actor = CHANCE
        self.seats = 0
        self.stops = 0
        self.at = 0
        """The stop of the bus; 0 is before the first."""
        self.seat = 0
        """Whose turn it is, or who is dealt a ticket."""
        self.hands: list[int] = []
        """The ticket of each seat; 0 for none."""
        self.deck: list[int] = []
        """How many tickets of each value are left."""
        self.ridden: list[int] = []
        """How many stops each seat has moved the bus."""

    def clone(self) -> State:
        """Return an independent copy."""
        copy = State()
        copy.actor, copy.seats, copy.stops, copy.at, copy.seat = self.actor, self.seats, self.stops, self.at, self.seat
        copy.hands, copy.deck, copy.ridden = self.hands[:], self.deck[:], self.ridden[:]
        return copy


def setup(seats: int, stops: int) -> State:
    """Return the state at the start: everybody is about to be dealt a ticket (§1)."""
    state = State()
    state.seats, state.stops = seats, stops
    state.hands, state.deck, state.ridden = [0] * seats, [COPIES] * VALUES, [0] * seats
    return state
