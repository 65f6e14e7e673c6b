"""The outcome: who won, and why (§10)."""

from __future__ import annotations

from omnibus.games.times_square.board import CHARLIE, ENTRANCE, SUE
from omnibus.games.times_square.state import State
from omnibus.kernel.game import OVER, Outcome


def outcome(state: State) -> Outcome | None:
    """Return how the game ended; None while it goes on. The reason follows from the position."""
    if state.actor != OVER:
        return None
    sue = state.at[SUE]
    charlie = state.at[CHARLIE]
    if abs(sue) >= ENTRANCE:
        return _won("sue", sue, state)
    if abs(charlie) >= ENTRANCE:
        return _won("charlie", charlie, state)
    if sue:
        return _won("supply-sue", sue, state)
    if charlie:
        return _won("supply-charlie", charlie, state)
    return Outcome("draw", (0, 0), (), None, _details(state))


def _won(reason: str, space: int, state: State) -> Outcome:
    winner = 0 if space < 0 else 1
    return Outcome(reason, (1 - winner, winner), (winner,), None, _details(state))


def _details(state: State) -> dict[str, int]:
    return {"sue": state.at[SUE], "charlie": state.at[CHARLIE], "exhausted": state.exhausted}
