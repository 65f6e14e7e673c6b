"""The parts a person clicks to make a move; the drawing marks them with `data-part`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from omnibus.games.times_square.board import CARDS, COLOUR_OF, COLOURS, END, FIGURES, HAL, SUE, A, B
from omnibus.games.times_square.moves import (
    BESIDE,
    BOTH,
    CARD,
    DEB_HERSELF,
    DROP,
    EFFECT,
    FIGURE,
    FINISH,
    JOKER,
    LURE,
    LURE0,
    MANHOLE,
    NOTHING,
    PAIR,
    SEAT_MOVES,
    STEP,
    STEP_B,
)
from omnibus.games.times_square.rules import refusal as move_refusal
from omnibus.games.times_square.state import State
from omnibus.kernel.clicks import any_touches
from omnibus.kernel.game import Refusal

SHOWN: Final = {  # what only shows something: the code of the reason, and its §
    "turn": ("shows-turn", "§3.4"),
    "standing": ("shows-turn", "§3.4"),
    "remark": ("shows-turn", "§3.4"),
    "hand": ("others-hand", "§3.2"),
    "figure-charlie": ("charlie-walks", "§9.1"),
}
MOVED: Final = [name for name in FIGURES if f"figure-{name}" not in SHOWN]
SPACES: Final = frozenset(str(space) for space in range(-END, END + 1))
CARD_SECTIONS: Final = {"green": "§4.3", "yellow": "§4.4", "grey": "§4.5", "red": "§5.1"}
NO_JOKERS: Final = ("green", "yellow", "grey")  # colours whose cards always move the same figures


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


def part_refusal(state: State, part: str, picked: Sequence[str], refusal: Refusal | None) -> Refusal | None:
    """Return why a part cannot be clicked: also of what only shows something, or does not go with what was picked."""
    kind, _, name = part.partition("-")
    if kind == "figure" and name in MOVED and not picked:
        return _against_figure(state, name)
    if picked and (kind == "space" or name in MOVED):
        found = _against_choice(state, part, picked)
        if found is not None:
            return found
    if refusal is not None and (refusal.code != "not-in-hand" or kind == "card"):
        return refusal
    said = SHOWN.get(part) or SHOWN.get(kind)
    if said:
        return Refusal(*said)
    card = next((card for card in CARDS if f"card-{card}" in picked), None)
    if card is not None and kind != "figure":
        return Refusal("one-card", "§4.1") if kind == "card" else Refusal("card-elsewhere", "§4.2", {"card": card})
    if kind == "figure" and name in FIGURES:
        return Refusal("no-card-for", "§4.1", {"figure": name})
    if kind == "space" and name in SPACES:
        return Refusal("out-of-reach", "§4.2", {"space": int(name)})
    return refusal


def _against_figure(state: State, name: str) -> Refusal:
    """Return why nobody can move a figure: what is wrong with its own cards in this hand, rather than with a joker."""
    figure = FIGURES.index(name)
    for move in range(LURE0):
        if JOKER[move] <= DEB_HERSELF and any(who == figure for who, _ in _landings(state, move)):
            found = move_refusal(state, move)
            if found is not None and found.code != "not-in-hand":
                return found
    return Refusal("no-card-for", "§4.1", {"figure": name})


def _against_choice(state: State, part: str, picked: Sequence[str]) -> Refusal | None:
    """Return why a figure or a space does not go with what was picked, where no move, legal or not, has both."""
    kind, _, name = part.partition("-")
    card = next((card for card in CARDS if f"card-{card}" in picked), None)
    chosen = next((figure for figure in MOVED if f"figure-{figure}" in picked), None)
    if kind == "figure" and card is not None and not any_touches(parts, state, SEAT_MOVES, {part, f"card-{card}"}):
        colour = COLOURS[COLOUR_OF[CARDS.index(card)]]
        if colour in NO_JOKERS:
            return Refusal("colour-moves", CARD_SECTIONS[colour], {"colour": colour})
        return Refusal("card-moves-others", CARD_SECTIONS[colour], {"card": card, "figure": name})
    if kind == "space" and name in SPACES and not any_touches(parts, state, SEAT_MOVES, {part, *picked}):
        if card is not None:
            return Refusal("card-elsewhere", "§4.2", {"card": card})
        if chosen is not None:
            return Refusal("figure-elsewhere", "§4.2", {"figure": chosen, "space": int(name)})
    return None
