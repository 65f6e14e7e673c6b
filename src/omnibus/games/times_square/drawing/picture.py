"""The picture, upright or in landscape: what stays the same during a game, and the pieces on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnibus.games.times_square.board import CARDS, EDITIONS, LAST_EXHAUSTION, SEATS
from omnibus.games.times_square.drawing.cards import card_symbols, lamp_symbols, supply_back
from omnibus.games.times_square.drawing.figures import figure_symbols
from omnibus.games.times_square.drawing.labels import endings, remarks
from omnibus.games.times_square.drawing.layout import Box, Layout, Trays, layout_of
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

View = Mapping[str, Any]


def svg(view: View, words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the complete picture of a view."""
    drawn = pieces(view, words, wide=wide)
    told = ". ".join(dict.fromkeys(piece.label for piece in drawn)) + "."
    at = layout_of(wide)
    shown = group(placed(drawn), class_="pieces")
    below = background(view, words, wide=wide)
    return document(at.width, at.height(view), words.gettext("Times Square"), told, below, shown)


def bare(view: View, words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the picture before its pieces are laid."""
    at = layout_of(wide)
    return underlay(at.width, at.height(view), words.gettext("Times Square"), background(view, words, wide=wide))


def ground(view: View, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Say what the bare picture depends on: its shape, the edition, and whose hand is shown."""
    return f"{'wide ' * wide}{view['options']['edition']} {view['viewer']}"


def background(view: View, words: Words, *, wide: bool = False) -> str:
    """Return what does not change during a game, with the definitions of everything that may lie upon it."""
    edition = EDITIONS.index(view["options"]["edition"])
    at = layout_of(wide)
    trays = at.trays(view)
    cards = card_symbols(edition, at.card, trays.chip, at.tally)
    signs = lamp_symbols(at.sign_scale) + target_symbols(at) + _sayings(at, words)
    defined = definitions(seat_patterns(SEATS), figure_symbols(at.figure), cards, signs)
    paper = box(0, 0, at.width, at.height(view), fill=colour("paper"))
    table = _supply(trays, edition, words) + _discards(trays, words)
    return group(defined, paper, street(at, words), table, _hand(trays, words), class_="background")


def _sayings(at: Layout, words: Words) -> str:
    """Define what the sign over the street can say, and what can stand below."""
    sizes = [(44, endings(words)), (36, remarks(words))]
    return "".join(
        symbol(f"ts-say-{key}", lettering(0, 12, said, fitting(said, size, at.between_clubs), halo=True))
        for size, sayings in sizes
        for key, said in sayings.items()
    )


def _tray(place: Box, name: str) -> str:
    """A place for cards, with its name on the rim."""
    rim = box(*place, 16, fill=colour("shade"), fill_opacity=0.5, stroke=colour("line"), stroke_width=3)
    called = lettering(place.x + 20, place.y + 8, name, 25, halo=True, fine=True, anchor="start", fill=colour("soft"))
    return group(title(name), rim, called)


def _supply(trays: Trays, edition: int, words: Words) -> str:
    place = trays.supply
    tray = _tray(place, words.gettext("Supply"))
    scale = 1 if place.tall > 120 else 0.4
    top = place.y + place.tall / 2 - (52 if scale == 1 else 44) * scale
    stack = "".join(
        moved(place.x + 18 + 5 * scale * n, top - 4 * scale * n, supply_back(), scale=scale) for n in range(3)
    )
    dark = [trays.lamp_place(n, edition) for n in range(LAST_EXHAUSTION[edition])]
    lamps = "".join(disc(x, y, 10, fill=colour("paper"), stroke=colour("soft"), stroke_width=3) for x, y in dark)
    return group(tray, stack, lamps, data_part="supply", data_exact="")


def _discards(trays: Trays, words: Words) -> str:
    tray = _tray(trays.discards, words.gettext("Discards"))
    chips = "".join(use(f"ts-chip-{card}", *trays.chip_place(card), opacity=0.28) for card in CARDS)
    return group(tray, chips, data_part="discards", data_exact="")


def _hand(trays: Trays, words: Words) -> str:
    return _tray(trays.hand, words.gettext("Your hand")) if trays.hand else ""
