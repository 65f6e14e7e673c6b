"""How it ended (§3)."""

from __future__ import annotations

from last_stop.state import State
from omnibus.kernel.game import OVER, Outcome


def outcome(state: State) -> Outcome | None:
    """Return the outcome; None while the game goes on."""
    return Outcome("arrived", tuple(state.ridden), (state.seat,)) if state.actor == OVER else None


def outcome_without(state: State, resigned: tuple[int, ...]) -> Outcome | None:
    """Return the outcome if some have resigned: of the others, who has come farthest wins."""
    ended = outcome(state)
    if ended is None or state.seat not in resigned:
        return ended
    left = [seat for seat in range(state.seats) if seat not in resigned]
    best = max(state.ridden[seat] for seat in left)
    return Outcome("arrived", ended.scores, tuple(seat for seat in left if state.ridden[seat] == best)[:1])
