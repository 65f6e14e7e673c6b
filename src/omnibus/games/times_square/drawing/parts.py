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
    STEP_B,
)
from omnibus.games.times_square.state import State


def parts(state: State, move: int) -> tuple[str, ...]:
    """Return the parts a move touches: the card, who moves, and where to: a space, and ghosts of those who move."""
    if move >= SEAT_MOVES:
        return ()
    if EFFECT[move] == FINISH:
        return ("supply",)
    card = () if CARD[move] == NOTHING else (f"card-{CARDS[CARD[move]]}",)
    if EFFECT[move] == DROP:
        return (*card, "discards")
    lands = _landings(state, move)
    movers = tuple(f"figure-{FIGURES[figure]}" for figure, _ in lands)
    if EFFECT[move] == LURE:
        movers += (f"figure-{FIGURES[HAL]}",)
    if EFFECT[move] == PAIR:
        return (*card, *movers, trio_ghost(STEP[move]))
    ghosts = tuple(ghost(FIGURES[figure], space) for figure, space in lands)
    alone = (f"space-{lands[0][1]}",) if FIGURE[move] != NOTHING else ()
    return card + movers + alone + ghosts


def ghost(figure: str, space: int) -> str:
    """Name the part that is a figure where it would stand."""
    return f"ghost-{figure}-{space}"


def trio_ghost(step: int) -> str:
    """Name the part that is Sue with both guards, one space further."""
    return f"ghost-trio-{'left' if step < 0 else 'right'}"


def _landings(state: State, move: int) -> list[tuple[int, int]]:
    """Return who moves, each with the space it comes to."""
    at, effect, step = state.at, EFFECT[move], STEP[move]
    if effect == PAIR:
        return [(figure, at[figure] + step) for figure in (SUE, A, B)]
    if effect == BOTH:
        return [(A, at[A] + step), (B, at[B] + STEP_B[move])]
    if effect == BESIDE:
        return [(guard, space) for guard, space in ((A, at[SUE] - 1), (B, at[SUE] + 1)) if at[guard] != space]
    figure = FIGURE[move]
    if effect == MANHOLE:
        return [(figure, 0)]
    return [(figure, at[HAL] if effect == LURE else at[figure] + step)]
