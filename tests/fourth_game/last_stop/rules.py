"""What may be done, and what follows (§2)."""

from __future__ import annotations

from last_stop.board import VALUES
from last_stop.moves import DEAL, RIDE, SEAT_MOVES, WALK
from last_stop.state import State
from omnibus.kernel.game import CHANCE, OVER, Refusal


def legal(state: State) -> list[int]:
    """Return the legal moves of the actor."""
    if state.actor == OVER:
        return []
    if state.actor == CHANCE:
        return [DEAL + value for value in range(1, VALUES + 1) if state.deck[value - 1]]
    return [WALK, RIDE + state.hands[state.actor]] if state.hands[state.actor] else [WALK]


def refusal(state: State, move: int) -> Refusal | None:
    """Return why a move is not legal; None if it is."""
    if state.actor == OVER:
        return Refusal("over", "§3.1")
    if move >= SEAT_MOVES:
        return _refused_deal(state, move - DEAL)
    if state.actor == CHANCE:
        return Refusal("deal-first", "§1.2")
    if move != WALK and state.hands[state.actor] != move - RIDE:
        return Refusal("other-ticket", "§2.2", {"value": move - RIDE})
    return None


def _refused_deal(state: State, value: int) -> Refusal | None:
    if state.actor != CHANCE:
        return Refusal("no-deal", "§1.2")
    return None if state.deck[value - 1] else Refusal("none-left", "§1.2", {"value": value})


def apply(state: State, move: int) -> None:
    """Play a legal move."""
    if move >= SEAT_MOVES:
        state.hands[state.seat] = move - DEAL
        state.deck[move - DEAL - 1] -= 1
        _next_seat(state)
        return
    steps = 1 if move == WALK else move - RIDE
    state.at += steps
    state.ridden[state.seat] += steps
    if move != WALK:
        state.hands[state.seat] = 0
    if state.at >= state.stops:
        state.actor = OVER
    elif move != WALK and any(state.deck):
        state.actor = CHANCE
    else:
        _next_seat(state)


def _next_seat(state: State) -> None:
    state.seat = (state.seat + 1) % state.seats
    state.actor = actor(state)


def actor(state: State) -> int:
    """Return who is to act: a seat without a ticket is dealt one first, while there are any (§1.2, §2.2)."""
    if state.at >= state.stops:
        return OVER
    return CHANCE if not state.hands[state.seat] and any(state.deck) else state.seat


def chances(state: State) -> list[tuple[int, int]]:
    """Return the possible deals with their weights."""
    return [(move, state.deck[move - DEAL - 1]) for move in legal(state)] if state.actor == CHANCE else []


def chance_total(state: State) -> int:
    """Return the sum of the weights."""
    return sum(state.deck) if state.actor == CHANCE else 0


def chance_at(state: State, number: int) -> int:
    """Return the deal that a roll selects."""
    for move, weight in chances(state):
        if number < weight:
            return move
        number -= weight
    raise ValueError("there is nothing to deal")
