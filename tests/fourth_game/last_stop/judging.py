"""How good it is: who will be able to reach the last stop first."""

from __future__ import annotations

from typing import Final

from last_stop.state import State
from omnibus.kernel.game import OVER
from omnibus.kernel.i18n import mark

PHRASES: Final = {
    "reach": (mark("the last stop is within your reach"), mark("the last stop stays out of your reach")),
    "ticket": (mark("you keep a good ticket"), mark("you use up your ticket")),
}


def judge(state: State) -> list[float]:
    """Return each seat's expected share of the win."""
    if state.actor == OVER:
        return [float(seat == state.seat) for seat in range(state.seats)]
    weights = [1 + sum(terms(state, seat).values()) for seat in range(state.seats)]
    return [weight / sum(weights) for weight in weights]


def terms(state: State, seat: int) -> dict[str, float]:
    """Return the terms of a seat's evaluation."""
    left = state.stops - state.at - (seat - state.seat) % state.seats
    return {"reach": 4.0 if 0 < left <= max(1, state.hands[seat]) else 0.0, "ticket": state.hands[seat] / 4}
