"""Each seat's share of the win. Compiled."""

from __future__ import annotations

from math import exp
from typing import Final

from omnibus.games.bus.board.pieces import CLOCK, CUBES, SLOTS
from omnibus.games.bus.judging.outlook import outlook
from omnibus.games.bus.judging.prospects import look_at_seat, look_at_start
from omnibus.games.bus.judging.weights import AHEAD, CUBES_LEFT, EARLY, LAST, LATE, NEXT, TERM_COUNT, TERMS
from omnibus.games.bus.rules.round import count_with_cubes
from omnibus.games.bus.scoring import outcome
from omnibus.games.bus.state import CHOOSE, DECIDE, State
from omnibus.kernel.game import OVER

SURE: Final = 0.99  # the share of who can end the game at once and win it


def worths(state: State) -> list[float]:
    """Return the unweighted worth of each term for each seat: seat × TERM_COUNT + term."""
    look = outlook(state)
    for seat in range(state.seats):
        look_at_seat(state, seat, look)
    look_at_start(state, look)
    return look.worth


def left(state: State) -> float:
    """How much of the game was left when the round began, from 1 to 0, which is reached when no round follows (§13.1).

    It stays the same while cubes are put on the board, so that nobody gains by making the end seem near.
    """
    if state.step > CHOOSE and (not state.vacant or count_with_cubes(state) < 2):
        return 0.0
    most = 0
    second = 0
    for seat in range(state.seats):
        cubes = state.cubes[seat] + state.placed[seat]
        if cubes > most:
            second = most
            most = cubes
        elif cubes > second:
            second = cubes
    return float(second) / float(CUBES)


def weight(term: int, early: float) -> float:
    """Return what a term weighs when so much of the game is left."""
    if early == 0.0:
        return LAST[term]
    return EARLY[term] * early + LATE[term] * (1.0 - early)


def terms(state: State, seat: int) -> dict[str, float]:
    """Return the worth of each term for a seat, weighted.

    What the cubes spent in this round would have been good for is told of the cubes, not of what they would have used.
    """
    worth = worths(state)
    early = left(state)
    told = [weight(term, early) * worth[seat * TERM_COUNT + term] for term in range(TERM_COUNT)]
    hand = worth[seat * TERM_COUNT + CUBES_LEFT]
    if hand > 0.0:
        spent = float(state.placed[seat]) / float(CUBES) / hand
        for term in range(NEXT, AHEAD + 1):
            if term != CUBES_LEFT:
                told[CUBES_LEFT] = told[CUBES_LEFT] - spent * told[term]
                told[term] = told[term] + spent * told[term]
    return {TERMS[term]: told[term] for term in range(TERM_COUNT)}


def judge(state: State) -> list[float]:
    """Return each seat's share of the win as things stand, adding up to 1; a shared win is shared."""
    if state.actor == OVER:
        return _result(state)
    sure = last_stone_wins(state)
    if sure >= 0:
        shares = [(1.0 - SURE) / float(state.seats - 1)] * state.seats
        shares[sure] = SURE
        return shares
    return _shares(state)


def _shares(state: State) -> list[float]:
    """Weigh the terms, and let what is worth more have the greater share."""
    worth = worths(state)
    shares = [0.0] * state.seats
    early = left(state)
    for term in range(TERM_COUNT):
        heavy = weight(term, early)
        for seat in range(state.seats):
            shares[seat] = shares[seat] + heavy * worth[seat * TERM_COUNT + term]
    total = 0.0
    for seat in range(state.seats):
        shares[seat] = exp(shares[seat])
        total += shares[seat]
    for seat in range(state.seats):
        shares[seat] = shares[seat] / total
    return shares


def _result(state: State) -> list[float]:
    shares = [0.0] * state.seats
    ended = outcome(state)
    if ended is not None:
        for seat in ended.winners:
            shares[seat] = 1.0 / float(len(ended.winners))
    return shares


def last_stone_wins(state: State) -> int:
    """Return the seat that has the clock, the last time stone and enough of a lead to take it (§10.2); -1 if none."""
    if state.pile != 1 or state.taken[CLOCK] == 0 or state.step < CHOOSE or state.step > DECIDE:
        return -1
    seat = state.fields[CLOCK * SLOTS]
    score = state.rides[seat] - state.stones[seat] - 1
    for rival in range(state.seats):
        if rival != seat:
            behind = score - state.rides[rival] + state.stones[rival]
            if behind < 0 or (behind == 0 and state.stones[seat] + 1 <= state.stones[rival]):
                return -1
    return seat
