"""What it is worth: who won, and why (§13)."""

from __future__ import annotations

from omnibus.games.bus.rules.round import end_reason
from omnibus.games.bus.state import State
from omnibus.kernel.game import OVER, Document, Outcome


def score(state: State, seat: int) -> int:
    """Return the score as it stands: rides less time stones (§13.2)."""
    return state.rides[seat] - state.stones[seat]


def outcome(state: State) -> Outcome | None:
    """Return how the game ended; None while it goes on. The reason follows from the position."""
    return outcome_without(state, ())


def outcome_without(state: State, resigned: tuple[int, ...]) -> Outcome | None:
    """Return how the game ended for those who have not resigned: the others do not win."""
    if state.actor != OVER:
        return None
    scores = [score(state, seat) for seat in range(state.seats)]
    winners, tie_break = _winners(state, scores, [seat for seat in range(state.seats) if seat not in resigned])
    return Outcome(end_reason(state), tuple(scores), tuple(winners), tie_break, _details(state))


def _winners(state: State, scores: list[int], seats: list[int]) -> tuple[list[int], str | None]:
    """§13.2: the winners among some seats, and the last criterion that had to be applied."""
    best = max([scores[seat] for seat in seats])
    tied = [seat for seat in seats if scores[seat] == best]
    if len(tied) == 1:
        return tied, None
    most = max(state.stones[seat] for seat in tied)
    tied = [seat for seat in tied if state.stones[seat] == most]
    if len(tied) == 1:
        return tied, "stones"
    if state.rides[tied[0]] == 0:  # equal scores and equal stones are equal rides
        return tied, "shared"
    earliest = min(state.reached[seat] for seat in tied)
    return [seat for seat in tied if state.reached[seat] == earliest], "earlier"


def _details(state: State) -> Document:
    return {
        "rides": list(state.rides),
        "stones": list(state.stones),
        "reached": list(state.reached),
        "round": state.round,
    }
