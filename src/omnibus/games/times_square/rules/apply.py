"""Apply a move and everything that follows from it. The move is trusted to be legal.

Items of lists are written `x[i] = x[i] + n`: compiled, that is a machine addition, while `x[i] += n` calls Python's.
"""

from __future__ import annotations

from omnibus.games.times_square.board import (
    CHARLIE,
    COLOUR_OF,
    DEB,
    END,
    ENTRANCE,
    HAL,
    HAND,
    KINDS,
    LAST_EXHAUSTION,
    ROYAL_VISIT,
    SUE,
    SUE_CARD,
    A,
    B,
)
from omnibus.games.times_square.moves import (
    BOTH,
    CARD,
    DONE,
    DROP0,
    EFFECT,
    FIGURE,
    JOKER,
    LURE0,
    MANHOLE,
    NO_JOKER,
    NOTHING,
    PAIR,
    SIDE,
    SIDE0,
    STEP,
    STEP_B,
    WALK,
)
from omnibus.games.times_square.state import (
    ACT,
    DEALING,
    DISCARDS,
    DROPPING,
    ENDED,
    HAS,
    PLAYING,
    REFILL,
    SUPPLY,
    State,
)
from omnibus.kernel.game import CHANCE, OVER


def apply(state: State, move: int) -> None:
    """Apply a legal move, with everything that follows by itself."""
    if move < LURE0:
        _play(state, move)
    elif move == DONE:
        _finish(state)
    elif move > DONE:
        if EFFECT[move] == SIDE:
            _choose_side(state, move - SIDE0)
        else:
            _draw(state, CARD[move])
    elif move >= DROP0:
        _discard(state, CARD[move])
        state.step = DROPPING
    else:
        state.at[FIGURE[move]] = state.at[HAL]  # §6.1
        if not -ENTRANCE < state.at[SUE] < ENTRANCE:
            _end(state)  # §10.1
        else:
            _end_turn(state)  # §6.3: no card is drawn


def _play(state: State, move: int) -> None:
    """Play a card, or a pair of cards (§4, §5)."""
    card = CARD[move]
    _discard(state, card)
    at = state.at
    effect = EFFECT[move]
    if effect == WALK:
        figure = FIGURE[move]
        at[figure] = at[figure] + STEP[move]
    elif effect == PAIR:
        _discard(state, SUE_CARD)
        step = STEP[move]
        at[SUE] = at[SUE] + step
        at[A] = at[A] + step
        at[B] = at[B] + step
    elif effect == BOTH:
        at[A] = at[A] + STEP[move]
        at[B] = at[B] + STEP_B[move]
    elif effect == MANHOLE:
        at[FIGURE[move]] = 0
    else:
        at[A] = at[SUE] - 1
        at[B] = at[SUE] + 1
    if not -ENTRANCE < at[SUE] < ENTRANCE:
        _end(state)  # §10.1, even in mid-turn
    else:
        state.step = PLAYING
        state.colour = COLOUR_OF[card]
        state.joker = JOKER[move]


def _discard(state: State, card: int) -> None:
    """Put one card of the active seat's hand on the discards."""
    seat = state.seat
    cards = state.cards
    hand = card + KINDS if seat else card
    left = cards[hand] - 1
    cards[hand] = left
    cards[DISCARDS + card] = cards[DISCARDS + card] + 1
    state.hands[seat] = state.hands[seat] - 1
    if left == 0:
        state.hands[HAS + seat] = state.hands[HAS + seat] - (1 << card)


def _finish(state: State) -> None:
    """`done`: refill, then Charlie (§3.4); in royal_visit Charlie, then refill (§11.3)."""
    if state.step == ACT:
        _end_turn(state)  # there was nothing to do, and nothing is drawn (§11.2)
        return
    state.colour = NOTHING
    state.joker = NO_JOKER
    if state.edition == ROYAL_VISIT:
        _walk_charlie(state)
    if state.actor != OVER:
        _begin_refill(state)


def _begin_refill(state: State) -> None:
    if state.hands[state.seat] < HAND:
        state.step = REFILL
        state.actor = CHANCE
    else:
        _end_refill(state)


def _end_refill(state: State) -> None:
    if state.edition == ROYAL_VISIT:
        _next_turn(state)  # Charlie has already moved (§11.3)
    else:
        _end_turn(state)


def _end_turn(state: State) -> None:
    """Charlie moves, then the other seat's turn begins, unless he has decided the game (§9.1, §10.2)."""
    _walk_charlie(state)
    if state.actor != OVER:
        _next_turn(state)


def _next_turn(state: State) -> None:
    state.seat = state.actor = 1 - state.seat
    state.step = ACT


def _walk_charlie(state: State) -> None:
    """§9.1: a space for each figure in the active seat's entrance, and one for a trio on its side."""
    at = state.at
    if state.seat == 0:
        far = (at[A] <= -ENTRANCE) + (at[B] <= -ENTRANCE) + (at[HAL] <= -ENTRANCE) + (at[DEB] <= -ENTRANCE)
        far += at[B] < 0
        at[CHARLIE] = max(at[CHARLIE] - far, -END)
    else:
        far = (at[A] >= ENTRANCE) + (at[B] >= ENTRANCE) + (at[HAL] >= ENTRANCE) + (at[DEB] >= ENTRANCE)
        far += at[A] > 0
        at[CHARLIE] = min(at[CHARLIE] + far, END)
    if not -ENTRANCE < at[CHARLIE] < ENTRANCE:
        _end(state)  # §10.2


def _choose_side(state: State, seat: int) -> None:
    """§3.1: Hal on that seat's side, Deb on the other; then the deal."""
    state.at[HAL] = 1 if seat else -1
    state.at[DEB] = -state.at[HAL]
    _deal_on(state, 0)


def _deal_on(state: State, seat: int) -> None:
    """Deal to the first seat from this one on whose hand is not full; then the seat with Hal begins (§3.2, §3.3)."""
    while seat < state.seats and state.hands[seat] == HAND:
        seat += 1
    if seat < state.seats:
        state.step = DEALING
        state.seat = seat
    else:
        state.step = ACT
        state.seat = state.actor = 1 if state.at[HAL] > 0 else 0


def _draw(state: State, card: int) -> None:
    """Move a card from the supply to the hand of the seat that is dealt to or refills (§8)."""
    seat = state.seat
    cards = state.cards
    hand = card + KINDS if seat else card
    supplied = state.supplied - 1
    cards[SUPPLY + card] = cards[SUPPLY + card] - 1
    state.supplied = supplied
    cards[hand] = cards[hand] + 1
    if cards[hand] == 1:
        state.hands[HAS + seat] = state.hands[HAS + seat] + (1 << card)
    held = state.hands[seat] + 1
    state.hands[seat] = held
    if state.step == DEALING:
        _deal_on(state, seat)
        return
    if supplied == 0:
        _exhaust(state)
        if state.actor == OVER:
            return
    if held == HAND:
        _end_refill(state)


def _exhaust(state: State) -> None:
    """The supply has just been emptied: the discards become the new one, unless this decides (§8.2, §8.3, §11.4)."""
    state.exhausted += 1
    discarded = sum(state.cards[DISCARDS:])
    if discarded == 0:
        state.exhausted = max(state.exhausted, 2)  # ruling: a supply of no cards is exhausted again at once
    last = state.exhausted >= LAST_EXHAUSTION[state.edition] or discarded == 0
    if last or (state.exhausted >= 2 and state.at[SUE] != 0):
        _end(state)
        return
    state.cards = state.cards[:SUPPLY] + state.cards[DISCARDS:] + [0] * KINDS
    state.supplied = discarded


def _end(state: State) -> None:
    state.actor = OVER
    state.step = ENDED
    state.colour = NOTHING
    state.joker = NO_JOKER
