"""The action space: 110 moves and their notation (§12).

A move is an index into these parallel lists. Moves 0 … 94 are those of seats, 95 … 109 those of chance.
"""

from __future__ import annotations

from typing import Final

from omnibus.games.times_square.board import (
    CARDS,
    CLOSE,
    DEB,
    DEB0,
    FIGURES,
    GUARD1,
    GUARD2,
    HAL,
    HAL0,
    KINDS,
    SEATS,
    SUE,
    SUE_CARD,
    A,
    B,
)
from omnibus.kernel.game import BadNotation

# What a move does.
WALK: Final = 0  # one figure, STEP spaces
PAIR: Final = 1  # Sue and both guards, STEP spaces each (§4.3)
BOTH: Final = 2  # guard a STEP spaces, guard b STEP_B (§4.5)
BESIDE: Final = 3  # both guards beside Sue (§4.6)
MANHOLE: Final = 4  # one figure to 0 (§2, §5.1)
LURE: Final = 5  # one figure to Hal (§6)
DROP: Final = 6  # a card to the discards (§7)
FINISH: Final = 7  # the end of playing or dropping
SIDE: Final = 8  # chance: on whose side Hal begins (§3.1)
DRAW: Final = 9  # chance: the next card (§8.1)

# What the red cards of one turn move (§5.3). Zero stands for no red card.
NO_JOKER: Final = 0
DEB_HERSELF: Final = 1
SUE_JOKER: Final = 2
HAL_JOKER: Final = 3
GUARDS_JOKER: Final = 4
JOKERS: Final = ["", "deb", "sue", "hal", "guards"]
JOKER_FOR: Final = [SUE_JOKER, GUARDS_JOKER, GUARDS_JOKER, HAL_JOKER, DEB_HERSELF]  # by figure

NOTHING: Final = -1

LINES: Final[list[str]] = []
EFFECT: Final[list[int]] = []
CARD: Final[list[int]] = []  # the kind of card it takes, or NOTHING
USES: Final[list[int]] = []  # how many of them
FIGURE: Final[list[int]] = []  # the one figure that moves, or NOTHING
STEP: Final[list[int]] = []  # how far, negative to the left
STEP_B: Final[list[int]] = []  # for BOTH: how far guard b goes
JOKER: Final[list[int]] = []  # for red cards: what they move

WAYS: Final = [("left", -1), ("right", 1)]


def _say(
    line: str,
    effect: int,
    *,
    card: int = NOTHING,
    uses: int = 0,
    figure: int = NOTHING,
    step: int = 0,
    step_b: int = 0,
    joker: int = NO_JOKER,
) -> int:
    LINES.append(line)
    EFFECT.append(effect)
    CARD.append(card)
    USES.append(uses)
    FIGURE.append(figure)
    STEP.append(step)
    STEP_B.append(step_b)
    JOKER.append(joker)
    return len(LINES) - 1


def _say_green() -> None:
    for way, sign in WAYS:
        _say(f"sue {way}", WALK, card=SUE_CARD, uses=1, figure=SUE, step=sign)
    for way, sign in WAYS:
        _say(f"sue+sue {way}", PAIR, card=SUE_CARD, uses=2, step=sign)


def _say_yellow() -> None:
    for far in (1, 2, 3):
        for way, sign in WAYS:
            _say(f"hal{far} {way}", WALK, card=HAL0 + far, uses=1, figure=HAL, step=far * sign)


def _say_grey() -> None:
    for guard in (A, B):
        for way, sign in WAYS:
            _say(f"guard1 {FIGURES[guard]} {way}", WALK, card=GUARD1, uses=1, figure=guard, step=sign)
    for way, sign in WAYS:
        for way_b, sign_b in WAYS:
            _say(f"guard2 a {way} b {way_b}", BOTH, card=GUARD2, uses=1, step=sign, step_b=sign_b)
    for guard in (A, B):
        for way, sign in WAYS:
            _say(f"guard2 {FIGURES[guard]} {way} {way}", WALK, card=GUARD2, uses=1, figure=guard, step=2 * sign)
    _say("close", BESIDE, card=CLOSE, uses=1)


def _say_red(figure: int) -> None:
    name = "" if figure == DEB else f" {FIGURES[figure]}"
    joker = JOKER_FOR[figure]
    _say(f"deb0{name}", MANHOLE, card=DEB0, uses=1, figure=figure, joker=joker)
    for far in (1, 2, 3, 4, 5):
        for way, sign in WAYS:
            line = f"deb{far}{name} {way}"
            _say(line, WALK, card=DEB0 + far, uses=1, figure=figure, step=far * sign, joker=joker)


_say_green()
_say_yellow()
_say_grey()
for _figure in (DEB, SUE, HAL, A, B):
    _say_red(_figure)

LURE0: Final = len(LINES)  # `lure` of figure f is LURE0 + f: sue, a, b
for _figure in (SUE, A, B):
    _say(f"lure {FIGURES[_figure]}", LURE, figure=_figure)

DROP0: Final = len(LINES)  # `drop` of a kind is DROP0 + kind
for _kind in range(KINDS):
    _say(f"drop {CARDS[_kind]}", DROP, card=_kind, uses=1)

DONE: Final = _say("done", FINISH)

SEAT_MOVES: Final = len(LINES)

SIDE0: Final = len(LINES)  # `side` of a seat is SIDE0 + seat
for _seat in range(SEATS):
    _say(f"side {_seat}", SIDE)

DRAW0: Final = len(LINES)  # `draw` of a kind is DRAW0 + kind
for _kind in range(KINDS):
    _say(f"draw {CARDS[_kind]}", DRAW, card=_kind, uses=1)

MOVES: Final = len(LINES)

HIDDEN_DRAW: Final = "draw ?"  # how others see a draw (§12)

_MOVE_OF: Final = {line: move for move, line in enumerate(LINES)}


def parse(line: str) -> int:
    """Return the move of a line; BadNotation for what is none."""
    move = _MOVE_OF.get(line)
    if move is None:
        raise BadNotation(f"{line!r} is no line of Times Square (§12)")
    return move
