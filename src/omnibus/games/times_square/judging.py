"""Evaluation of a position, in named terms. Compiled.

Every term is seen from one seat and antisymmetric: what is good for one is as bad for the other. The weights were
fitted to the results of some thousand games (a logistic regression over positions in which a turn begins), so a turn
that goes on is judged as if it ended now.
"""

from __future__ import annotations

from math import exp
from typing import Final

from omnibus.games.times_square.board import (
    CHARLIE,
    DEB,
    DECKS,
    ENTRANCE,
    HAL,
    HAND,
    KINDS,
    ROYAL_VISIT,
    SEATS,
    SUE,
    A,
    B,
)
from omnibus.games.times_square.scoring import outcome
from omnibus.games.times_square.state import ACT, REFILL, State
from omnibus.kernel.game import OVER
from omnibus.kernel.i18n import mark

TERMS: Final = ["charlie", "sue", "income", "guards", "hal", "deb", "supply", "hand", "turn"]

PHRASES: Final = {
    "charlie": (mark("Charlie comes nearer to your club"), mark("Charlie moves away from your club")),
    "sue": (mark("Sue comes nearer to your club"), mark("Sue moves away from your club")),
    "income": (
        mark("figures in your entrance or the trio on your side draw Charlie on"),
        mark("figures in the other entrance or the trio over there draw Charlie away"),
    ),
    "guards": (mark("the guards make way toward your club"), mark("the guards make way toward the other club")),
    "hal": (
        mark("Hal stands toward your club and can lure the trio there"),
        mark("Hal stands toward the other club and can lure the trio there"),
    ),
    "deb": (
        mark("keeps Deb between Sue and your club, where your red cards move anybody"),
        mark("leaves Deb to the other side, where the other red cards move anybody"),
    ),
    "supply": (
        mark("Sue stands on your side while the supply runs out"),
        mark("Sue stands on the other side while the supply runs out"),
    ),
    "hand": (mark("keeps the more useful cards in hand"), mark("spends useful cards")),
    "turn": (mark("the turn is yours"), mark("the turn passes to the other side")),
}

FAR: Final = ENTRANCE * ENTRANCE  # a cube over this is as large as its root where Charlie or Sue would win
CARD_WORTH: Final = [0.117, -0.07, -0.07, -0.07, -0.074, -0.074, -0.074, 0.065, 0.065, 0.065, 0.065, 0.065, 0.065]


def worths(state: State) -> list[float]:
    """Return the worth of each term for seat 1, weighted; for seat 0 it is the opposite."""
    at = state.at
    sue = at[SUE]
    deb = at[DEB]
    left = _income(at, -1)
    right = _income(at, 1)
    charlie = float(_charlie(state, left, right))
    late = _late(state) if sue else 0.0
    return [
        0.102 * charlie + 0.313 * charlie * charlie * charlie / FAR,
        0.282 * sue + 0.168 * sue * sue * sue / FAR,
        0.098 * (right - left),
        0.118 * (at[A] + at[B]),
        0.134 * at[HAL] + 0.222 * _sign(at[HAL]),
        0.098 * deb + 0.04 * _sign(deb - sue),
        1.644 * late * _sign(sue),
        _hand(state, 1) - _hand(state, 0),
        0.365 * _turn(state),
    ]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _income(at: list[int], sign: int) -> int:
    """How far Charlie walks toward the club on this side after a turn (§9.1)."""
    inside = 0
    for figure in (A, B, HAL, DEB):
        inside += sign * at[figure] >= ENTRANCE
    return inside + (sign * at[A] > 0 and sign * at[B] > 0)


def _charlie(state: State, left: int, right: int) -> int:
    """Where Charlie will stand when the turn about to begin is over (§9.1)."""
    charlie = state.at[CHARLIE]
    seat = state.seat
    if state.step != ACT:
        if state.step != REFILL or state.edition != ROYAL_VISIT:  # there he has walked already (§11.3)
            charlie += right if seat else -left
        seat = 1 - seat
        if not -ENTRANCE < charlie < ENTRANCE:
            return charlie
    return charlie + (right if seat else -left)


def _late(state: State) -> float:
    """How near the supply is to deciding the game: 0 far off … 1 (§8.3, §11.4)."""
    if not state.exhausted:
        return 0.0
    return 1.0 - state.supplied / (sum(DECKS[state.edition]) - SEATS * HAND)


def _hand(state: State, seat: int) -> float:
    """What the cards in a hand are good for, whatever stands on the board."""
    worth = 0.0
    cards = state.cards
    for kind in range(KINDS):
        held = cards[seat * KINDS + kind]
        if held:
            worth += CARD_WORTH[kind] * held
    return worth


def _turn(state: State) -> int:
    """Whose turn is about to begin: 1 that of seat 1, −1 that of seat 0."""
    return 1 if (state.seat == 1) == (state.step == ACT) else -1


def terms(state: State, seat: int) -> dict[str, float]:
    """Return the worth of each term for a seat, weighted."""
    sign = 1.0 if seat else -1.0
    return {name: sign * worth for name, worth in zip(TERMS, worths(state), strict=True)}


def judge(state: State) -> list[float]:
    """Return each seat's share of the win; a draw is shared."""
    if state.actor == OVER:
        ended = outcome(state)
        if ended and ended.winners:
            return [0.0, 1.0] if ended.winners[0] else [1.0, 0.0]
        return [0.5, 0.5]
    total = 0.0
    for worth in worths(state):
        total += worth
    right = 1.0 / (1.0 + exp(-total))
    return [1.0 - right, right]
