"""The parts a person clicks to make a move; the drawing marks them with `data-part`."""

from __future__ import annotations

from omnibus.games.times_square.board import CARDS, FIGURES, HAL, SUE, A, B
from omnibus.games.times_square.moves import (
    BESIDE,
    BOTH,
    CARD,
    DROP,
    EFFECT,
    FIGURE,
    FINISH,
    LURE,
    MANHOLE,
    NOTHING,
    PAIR,
    SEAT_MOVES,
    STEP,
)
from omnibus.games.times_square.state import State


def parts(state: State, move: int) -> tuple[str, ...]:
    """Return the parts a move touches: the card, who moves, and where a figure that moves alone will land."""
    if move >= SEAT_MOVES:
        return ()
    if EFFECT[move] == FINISH:
        return ("supply",)
    card = () if CARD[move] == NOTHING else (f"card-{CARDS[CARD[move]]}",)
    if EFFECT[move] == DROP:
        return (*card, "discards")
    return card + tuple(f"figure-{FIGURES[figure]}" for figure in _movers(state, move)) + _landing(state, move)


def _movers(state: State, move: int) -> list[int]:
    effect = EFFECT[move]
    if effect == PAIR:
        return [SUE, A, B]
    if effect == BOTH:
        return [A, B]
    if effect == BESIDE:
        beside = [(A, state.at[SUE] - 1), (B, state.at[SUE] + 1)]
        return [guard for guard, space in beside if state.at[guard] != space]
    if effect == LURE:
        return [FIGURE[move], HAL]
    return [FIGURE[move]]


def _landing(state: State, move: int) -> tuple[str, ...]:
    """Return the space a single figure lands on."""
    figure = FIGURE[move]
    if figure == NOTHING:
        return ()
    effect = EFFECT[move]
    if effect == MANHOLE:
        return ("space-0",)
    return (f"space-{state.at[HAL] if effect == LURE else state.at[figure] + STEP[move]}",)
