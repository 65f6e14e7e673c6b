"""What a legal line does, worded for a button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.times_square.board import CARDS, FIGURES, A, B
from omnibus.games.times_square.moves import (
    BESIDE,
    BOTH,
    CARD,
    DEB_HERSELF,
    DRAW,
    DROP,
    EFFECT,
    FIGURE,
    FINISH,
    JOKER,
    LURE,
    MANHOLE,
    PAIR,
    SIDE,
    SIDE0,
    STEP,
    STEP_B,
    parse,
)
from omnibus.games.times_square.telling.names import card, figure, signed
from omnibus.kernel.game import Words
from omnibus.kernel.svg import seat_name

View = Mapping[str, Any]


def label(view: View, line: str, words: Words) -> str:
    """Say what a legal line does, for a button."""
    move = parse(line)
    effect = EFFECT[move]
    if effect == LURE:
        text = words.gettext("Lure {figure} to Hal on {space}")
        return text.format(figure=figure(FIGURES[FIGURE[move]], words), space=signed(view["figures"]["hal"]))
    if effect == DROP:
        return words.gettext("Drop {card}").format(card=card(CARDS[CARD[move]], words))
    if effect == FINISH:
        return words.gettext("Done")
    if effect == SIDE:
        return words.gettext("Hal begins on the side of {seat}").format(seat=seat_name(move - SIDE0, words))
    if effect == DRAW:
        return words.gettext("Draw {card}").format(card=card(CARDS[CARD[move]], words))
    return words.gettext("{cards}: {what}").format(cards=played(move, words), what=effect_of(view, move, words))


def played(move: int, words: Words) -> str:
    """Name the card or the pair of cards a move plays, and say if it is played as a joker (§5.2)."""
    name = card(CARDS[CARD[move]], words)
    if JOKER[move] > DEB_HERSELF:
        return words.gettext("{card} (joker)").format(card=name)
    return f"{name} + {name}" if EFFECT[move] == PAIR else name


def effect_of(view: View, move: int, words: Words) -> str:
    """Say what the cards of a move do."""
    effect = EFFECT[move]
    if effect == PAIR:
        if STEP[move] < 0:
            return words.gettext("Sue and both guards one space left")
        return words.gettext("Sue and both guards one space right")
    if effect == BOTH:
        return f"{_walk(view, A, STEP[move], words)}, {_walk(view, B, STEP_B[move], words)}"
    if effect == BESIDE:
        return words.gettext("both guards beside Sue")
    if effect == MANHOLE:
        return words.gettext("{figure} to the manhole").format(figure=figure(FIGURES[FIGURE[move]], words))
    return _walk(view, FIGURE[move], STEP[move], words)


def _walk(view: View, who: int, step: int, words: Words) -> str:
    text = words.gettext("{figure} left to {space}") if step < 0 else words.gettext("{figure} right to {space}")
    name = FIGURES[who]
    return text.format(figure=figure(name, words), space=signed(view["figures"][name] + step))
