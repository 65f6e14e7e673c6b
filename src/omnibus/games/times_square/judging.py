"""How good it is: the worth of a position in named terms.

Every term is seen from one seat and antisymmetric: what is good for one is as bad for the other.
"""

from __future__ import annotations

from math import exp
from typing import Final

from omnibus.games.times_square.board import CHARLIE, DEB, END, ENTRANCE, HAL, SUE, A, B
from omnibus.games.times_square.scoring import outcome
from omnibus.games.times_square.state import State

WEIGHTS: Final = {
    "charlie": 0.45,  # how far Charlie has come
    "sue": 0.25,  # how far Sue has come
    "income": 0.40,  # how far Charlie will come with every turn
    "gate": 0.60,  # the own guard has gone to the very end, so that Sue could follow
    "jokers": 0.20,  # Deb stands so that red cards move anybody
}


def terms(state: State, seat: int) -> dict[str, float]:
    """Return the worth of each term for a seat."""
    at = state.at
    sign = 1 if seat else -1
    own, other = (B, A) if seat else (A, B)
    return {
        "charlie": float(sign * at[CHARLIE]),
        "sue": float(sign * at[SUE]),
        "income": float(_income(at, sign) - _income(at, -sign)),
        "gate": float((sign * at[own] == END) - (sign * at[other] == -END)),
        "jokers": float((sign * at[DEB] > sign * at[SUE]) - (sign * at[DEB] < sign * at[SUE])),
    }


def _income(at: list[int], sign: int) -> int:
    """How far Charlie walks toward the club on this side after a turn (§9.1)."""
    inside = sum(sign * at[figure] >= ENTRANCE for figure in (A, B, HAL, DEB))
    return inside + (sign * at[A] > 0 and sign * at[B] > 0)


def judge(state: State, seat: int) -> float:
    """Return how well a seat stands, from 0 (lost) to 1 (won)."""
    ended = outcome(state)
    if ended:
        return 1.0 if seat in ended.winners else 0.0 if ended.winners else 0.5
    worth = sum(WEIGHTS[name] * value for name, value in terms(state, seat).items())
    return 1 / (1 + exp(-worth))
