"""How it ended (§3)."""

from __future__ import annotations

from last_stop.state import State
from omnibus.kernel.game import OVER, Outcome


def outcome(state: State) -> Outcome | None:
    """Return the outcome; None while the game goes on."""
    return Outcome("arrived", tuple(state.ridden), (state.seat,)) if state.actor == OVER else None
