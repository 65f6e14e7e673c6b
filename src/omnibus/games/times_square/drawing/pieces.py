"""What moves or changes: figures, cards, counts, and the signs that say how things stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.times_square.board import CARDS, EDITIONS, FIGURES, SEATS
from omnibus.games.times_square.drawing.labels import (
    card_label,
    discards_label,
    exhausted_label,
    figure_label,
    hand_label,
    remark,
    remarks,
    standing,
    standings,
    supply_label,
)
from omnibus.games.times_square.drawing.layout import (
    BACK_HEIGHT,
    BACK_STEP,
    BACK_WIDTH,
    BACKS,
    BACKS_TOP,
    CARD_GAP,
    CARD_HEIGHT,
    CARD_WIDTH,
    CHIP_HEIGHT,
    CHIP_WIDTH,
    CLUB_SIGN,
    FAN,
    HAND,
    HAND_HEIGHT,
    MARGIN,
    MIDDLE,
    TABLE,
    WIDTH,
    chip_place,
    figure_y,
    lamp_place,
    mirrored,
    sign_x,
    space_x,
)
from omnibus.kernel.game import Piece, Words


def pieces(view: Mapping[str, Any], words: Words, *, wide: bool = False) -> list[Piece]:
    """Return everything that moves or changes, the same thing always by the same id, in both shapes the same."""
    laid = _signs(view, words) + _figures(view, words)
    for seat in range(SEATS):
        laid += _hand(view["hand"], words) if seat == view["viewer"] else _hidden_hand(seat, view["held"][seat], words)
    return laid + _supply(view, words) + _discards(view["discards"], words)


def _signs(view: Mapping[str, Any], words: Words) -> list[Piece]:
    """Whose turn it is and what binds it; at the end, who has won and why."""
    now = standing(view)
    said = standings(words)[now]
    signs = [Piece("standing", f"ts-say-{now}", MIDDLE, 42, said)]
    below = remark(view)
    if below:
        signs.append(Piece("remark", f"ts-say-{below}", MIDDLE, 92, remarks(words)[below]))
    if now.startswith("won"):
        winner = view["outcome"]["winners"][0]
        signs.append(Piece("winner", "ts-winner", sign_x(winner), CLUB_SIGN, said))
    elif now.startswith("turn"):
        signs.append(Piece("turn", "ts-turn", sign_x(view["seat"]), CLUB_SIGN, said))
    return signs


def _figures(view: Mapping[str, Any], words: Words) -> list[Piece]:
    """Before `side`, Hal and Deb stand nowhere (§13)."""
    return [
        Piece(f"figure-{name}", f"ts-figure-{name}", space_x(space), figure_y(figure), figure_label(name, space, words))
        for figure, name in enumerate(FIGURES)
        if (space := view["figures"][name]) is not None
    ]


def _hand(hand: list[str], words: Words) -> list[Piece]:
    """Eight cards fit side by side; equal ones are fanned and counted, so fewer places are needed."""
    kinds = [(card, hand.count(card)) for card in CARDS if card in hand]
    wide = sum(CARD_WIDTH + FAN * (copies - 1) for _, copies in kinds) + CARD_GAP * (len(kinds) - 1)
    x = (WIDTH - wide) / 2
    laid: list[Piece] = []
    for card, copies in kinds:
        laid += _fan(card, copies, x, words)
        x += CARD_WIDTH + FAN * (copies - 1) + CARD_GAP
    return laid


def _fan(card: str, copies: int, x: float, words: Words) -> list[Piece]:
    y = HAND + (HAND_HEIGHT - CARD_HEIGHT) / 2
    label = card_label(card, words)
    fan = [Piece(f"card-{card}_{n + 1}", f"ts-card-{card}", x + FAN * n, y, label) for n in range(copies)]
    if copies > 1:
        end = x + FAN * (copies - 1) + CARD_WIDTH - 26
        fan.append(Piece(f"card-{card}_times", f"ts-times-{copies}", end, y + CARD_HEIGHT, label))
    return fan


def _hidden_hand(seat: int, held: int, words: Words) -> list[Piece]:
    wide = 7 * BACK_STEP + BACK_WIDTH
    left = mirrored(seat, BACKS, wide)
    label = hand_label(seat, held, words)
    backs = [
        Piece(f"hand-{seat}_{n + 1}", f"ts-back-{seat}", left + BACK_STEP * n, BACKS_TOP, label) for n in range(held)
    ]
    count_x = mirrored(seat, BACKS + wide + 30)
    return [*backs, Piece(f"hand-{seat}_held", f"ts-held-{held}", count_x, BACKS_TOP + BACK_HEIGHT / 2, label)]


def _supply(view: Mapping[str, Any], words: Words) -> list[Piece]:
    left, times = view["supply"], view["exhausted"]
    edition = EDITIONS.index(view["options"]["edition"])
    count = Piece("supply_count", f"ts-supply-{left}", MARGIN + 158, TABLE + 62, supply_label(left, words))
    label = exhausted_label(times, words)
    return [count] + [Piece(f"supply_lamp{n + 1}", "ts-lamp", *lamp_place(n, edition), label) for n in range(times)]


def _discards(discards: list[str], words: Words) -> list[Piece]:
    laid: list[Piece] = []
    for card in CARDS:
        there = discards.count(card)
        if there:
            x, y = chip_place(card)
            label = discards_label(card, there, words)
            laid.append(Piece(f"discards_{card}", f"ts-chip-{card}", x, y, label))
            laid.append(
                Piece(f"discards_{card}-tally", f"ts-tally-{there}", x + CHIP_WIDTH + 2, y + CHIP_HEIGHT / 2, label)
            )
    return laid
