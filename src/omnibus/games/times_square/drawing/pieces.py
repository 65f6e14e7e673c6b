"""What moves or changes: figures, cards, counts, and the signs that say how things stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.times_square.board import CARDS, EDITIONS, FIGURES, SEATS
from omnibus.games.times_square.drawing.labels import (
    card_label,
    discards_label,
    endings,
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
    BACKS_WIDTH,
    CARD_GAP,
    CARD_HEIGHT,
    CARD_WIDTH,
    CHIP_HEIGHT,
    CHIP_WIDTH,
    FAN,
    Box,
    Layout,
    Trays,
    layout_of,
)
from omnibus.kernel.game import Piece, Words

View = Mapping[str, Any]
Kind = tuple[str, int]
"""A card, and how many of them."""


def pieces(view: View, words: Words, *, wide: bool = False) -> list[Piece]:
    """Return everything that moves or changes, the same thing always by the same id."""
    at = layout_of(wide)
    trays = at.trays(view)
    laid = _signs(view, at, words) + _figures(view, at, words)
    for seat in range(SEATS):
        if seat == view["viewer"]:
            laid += _hand(view["hand"], trays.hand, trays.rows, at.card, words) if trays.hand else []
        elif view["hands"][seat] is None:
            laid += _hidden_hand(seat, view["held"][seat], at, words)
        else:
            laid += _revealed_hand(view, seat, at, words)
    return laid + _supply(view, trays, words) + _discards(view["discards"], trays, words)


def _signs(view: View, at: Layout, words: Words) -> list[Piece]:
    """Whose turn it is and what binds it; at the end, who has won and why."""
    now = standing(view)
    said = standings(words)[now]
    signs: list[Piece] = []
    if now in endings(words):
        signs.append(Piece("standing", f"ts-say-{now}", at.middle, 34, said))
    below = remark(view)
    if below:
        signs.append(Piece("remark", f"ts-say-{below}", at.middle, 80 if signs else 58, remarks(words)[below]))
    if now.startswith("won"):
        winner = view["outcome"]["winners"][0]
        signs.append(Piece("winner", "ts-winner", at.sign_x(winner), at.club_sign, said))
    elif now.startswith("turn"):
        signs.append(Piece("turn", "ts-turn", at.sign_x(view["seat"]), at.club_sign, said))
    return signs


def _figures(view: View, at: Layout, words: Words) -> list[Piece]:
    """Before `side`, Hal and Deb stand nowhere (§13)."""
    return [
        Piece(
            f"figure-{name}",
            f"ts-figure-{name}",
            at.space_x(space),
            at.figure_y(figure),
            figure_label(name, space, words),
        )
        for figure, name in enumerate(FIGURES)
        if (space := view["figures"][name]) is not None
    ]


def _hand(hand: list[str], tray: Box, rows: int, scale: float, words: Words) -> list[Piece]:
    """Eight cards fit into the tray; equal ones are fanned and counted, so fewer places are needed."""
    kinds = [(card, hand.count(card)) for card in CARDS if card in hand]
    lines = _split(kinds) if rows == 2 and len(kinds) > 1 else [kinds]
    tall = CARD_HEIGHT * scale
    laid: list[Piece] = []
    for number, line in enumerate(lines):
        x = tray.x + (tray.wide - _width(line) * scale) / 2
        y = tray.y + (tray.tall - len(lines) * tall - (len(lines) - 1) * 20) / 2 + number * (tall + 20)
        for card, copies in line:
            laid += _fan(card, copies, (x, y), scale, words)
            x += (CARD_WIDTH + FAN * (copies - 1) + CARD_GAP) * scale
    return laid


def _width(kinds: list[Kind]) -> float:
    return sum(CARD_WIDTH + FAN * (copies - 1) for _, copies in kinds) + CARD_GAP * (len(kinds) - 1)


def _split(kinds: list[Kind]) -> list[list[Kind]]:
    """Divide a hand into two rows that are about equally long."""
    cut = min(range(1, len(kinds)), key=lambda n: max(_width(kinds[:n]), _width(kinds[n:])))
    return [kinds[:cut], kinds[cut:]]


def _fan(card: str, copies: int, corner: tuple[float, float], scale: float, words: Words) -> list[Piece]:
    x, y = corner
    label = card_label(card, words)
    fan = [Piece(f"card-{card}_{n + 1}", f"ts-card-{card}", x + FAN * scale * n, y, label) for n in range(copies)]
    if copies > 1:
        end = x + (FAN * (copies - 1) + CARD_WIDTH - 26) * scale
        fan.append(Piece(f"card-{card}_times", f"ts-times-{copies}", end, y + (CARD_HEIGHT - 6) * scale, label))
    return fan


def _hidden_hand(seat: int, held: int, at: Layout, words: Words) -> list[Piece]:
    left, top = at.backs(seat)
    label = hand_label(seat, held, words)
    backs = [Piece(f"hand-{seat}_{n + 1}", f"ts-back-{seat}", left + BACK_STEP * n, top, label) for n in range(held)]
    count_x = left - 30 if seat else left + BACKS_WIDTH + 30
    return [*backs, Piece(f"hand-{seat}_held", f"ts-held-{held}", count_x, top + BACK_HEIGHT / 2, label)]


def _revealed_hand(view: View, seat: int, at: Layout, words: Words) -> list[Piece]:
    """A hand that was hidden, at the end of the game: as chips, of which at least the numbers show."""
    cards = sorted(view["hands"][seat], key=CARDS.index)
    chip = CHIP_WIDTH * at.trays(view).chip
    left, top = at.backs(0)
    room = at.middle - left if view["viewer"] is None else at.width - 2 * left
    step = min(chip + 4, (room - chip) / max(1, len(cards) - 1))
    x = at.mirrored(seat, left, chip + step * (len(cards) - 1))
    laid = [
        Piece(f"hand-{seat}_{n + 1}", f"ts-chip-{card}", x + step * n, top, card_label(card, words))
        for n, card in enumerate(cards)
    ]
    return laid[::-1]


def _supply(view: View, trays: Trays, words: Words) -> list[Piece]:
    left, times = view["supply"], view["exhausted"]
    edition = EDITIONS.index(view["options"]["edition"])
    count = Piece("supply_count", f"ts-supply-{left}", *trays.count_place, supply_label(left, words))
    label = exhausted_label(times, words)
    lamps = [Piece(f"supply_lamp{n + 1}", "ts-lamp", *trays.lamp_place(n, edition), label) for n in range(times)]
    return [count, *lamps]


def _discards(discards: list[str], trays: Trays, words: Words) -> list[Piece]:
    laid: list[Piece] = []
    for card in CARDS:
        there = discards.count(card)
        if there:
            x, y = trays.chip_place(card)
            label = discards_label(card, there, words)
            beside = (x + CHIP_WIDTH * trays.chip + 2, y + CHIP_HEIGHT * trays.chip / 2)
            laid.append(Piece(f"discards_{card}", f"ts-chip-{card}", x, y, label))
            laid.append(Piece(f"discards_{card}-tally", f"ts-tally-{there}", *beside, label))
    return laid
