"""The picture: what stays the same during a game, and the pieces on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.times_square.board import CARDS, EDITIONS, LAST_EXHAUSTION, SEATS
from omnibus.games.times_square.drawing.cards import card_symbols, lamp_symbols, supply_back
from omnibus.games.times_square.drawing.figures import figure_symbols
from omnibus.games.times_square.drawing.labels import remarks, standings
from omnibus.games.times_square.drawing.layout import (
    BACK_HEIGHT,
    BACK_STEP,
    BACK_WIDTH,
    BACKS,
    BACKS_TOP,
    BETWEEN_CLUBS,
    DISCARDS,
    HAND,
    HAND_HEIGHT,
    MARGIN,
    SUPPLY_WIDTH,
    TABLE,
    TABLE_HEIGHT,
    WIDTH,
    chip_place,
    height,
    lamp_place,
    mirrored,
)
from omnibus.games.times_square.drawing.pieces import pieces
from omnibus.games.times_square.drawing.street import street
from omnibus.games.times_square.drawing.targets import target_symbols
from omnibus.kernel.game import Words
from omnibus.kernel.svg import (
    box,
    colour,
    definitions,
    disc,
    document,
    fitting,
    group,
    lettering,
    moved,
    placed,
    seat_patterns,
    symbol,
    title,
    underlay,
    use,
)


def svg(view: Mapping[str, Any], words: Words, *, wide: bool = False) -> str:
    """Return the complete picture of a view, in both shapes the same."""
    drawn = pieces(view, words)
    told = ". ".join(dict.fromkeys(piece.label for piece in drawn)) + "."
    name = words.gettext("Times Square")
    return document(WIDTH, height(view), name, told, background(view, words), group(placed(drawn), class_="pieces"))


def bare(view: Mapping[str, Any], words: Words, *, wide: bool = False) -> str:
    """Return the picture before its pieces are laid."""
    return underlay(WIDTH, height(view), words.gettext("Times Square"), background(view, words))


def ground(view: Mapping[str, Any], *, wide: bool = False) -> str:
    """Say what the bare picture depends on: the edition, and whose hand is shown."""
    return f"{view['options']['edition']} {view['viewer']}"


def background(view: Mapping[str, Any], words: Words) -> str:
    """Return what does not change during a game, with the definitions of everything that may lie upon it."""
    edition = EDITIONS.index(view["options"]["edition"])
    defined = definitions(
        seat_patterns(SEATS), figure_symbols(), card_symbols(edition), lamp_symbols(), target_symbols(), _sayings(words)
    )  # fmt: skip
    paper = box(0, 0, WIDTH, height(view), fill=colour("paper"))
    table = _hidden_hands(view) + _supply(edition, words) + _discards(words) + _hand(view, words)
    return group(defined, paper, street(words), table, class_="background")


def _sayings(words: Words) -> str:
    """Define what the sign over the street can say, and what can stand below."""
    sizes = [(40, standings(words)), (30, remarks(words))]
    return "".join(
        symbol(f"ts-say-{key}", lettering(0, 12, said, fitting(said, size, BETWEEN_CLUBS), halo=True))
        for size, sayings in sizes
        for key, said in sayings.items()
    )


def _tray(x: float, y: float, wide: float, tall: float, name: str) -> str:
    """A place for cards, with its name on the rim."""
    rim = box(x, y, wide, tall, 16, fill=colour("shade"), fill_opacity=0.5, stroke=colour("line"), stroke_width=3)
    called = lettering(x + 20, y + 7, name, 25, halo=True, fine=True, anchor="start", fill=colour("soft"))
    return group(title(name), rim, called)


def _hidden_hands(view: Mapping[str, Any]) -> str:
    seats = [seat for seat in range(SEATS) if seat != view["viewer"]]
    wide = 7 * BACK_STEP + BACK_WIDTH
    return "".join(
        box(mirrored(seat, BACKS, wide), BACKS_TOP, wide, BACK_HEIGHT, 8, fill=colour("paper"), fill_opacity=0.8,
            stroke=colour("soft"), stroke_width=3, stroke_dasharray="8 7")
        for seat in seats
    )  # fmt: skip


def _supply(edition: int, words: Words) -> str:
    tray = _tray(MARGIN, TABLE, SUPPLY_WIDTH, TABLE_HEIGHT, words.gettext("Supply"))
    stack = "".join(moved(MARGIN + 16 + 5 * n, TABLE + 30 - 4 * n, supply_back()) for n in range(3))
    dark = [lamp_place(n, edition) for n in range(LAST_EXHAUSTION[edition])]
    lamps = "".join(disc(x, y, 10, fill=colour("paper"), stroke=colour("soft"), stroke_width=3) for x, y in dark)
    return group(tray, stack, lamps, data_part="supply")


def _discards(words: Words) -> str:
    wide = WIDTH - MARGIN - DISCARDS
    tray = _tray(DISCARDS, TABLE, wide, TABLE_HEIGHT, words.gettext("Discards"))
    chips = "".join(use(f"ts-chip-{card}", *chip_place(card), opacity=0.28) for card in CARDS)
    return group(tray, chips, data_part="discards")


def _hand(view: Mapping[str, Any], words: Words) -> str:
    if view["viewer"] is None:
        return ""
    return _tray(MARGIN, HAND, WIDTH - 2 * MARGIN, HAND_HEIGHT, words.gettext("Your hand"))
