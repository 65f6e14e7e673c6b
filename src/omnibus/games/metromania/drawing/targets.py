"""Where the digs lead: dots on the cells, and what stations they would bring; drawn only while they can be clicked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import itemgetter
from typing import Any

from omnibus.games.metromania.board import CELL_NAMED, VERTEX_AT, VERTEX_NAMES
from omnibus.games.metromania.drawing.labels import gain_label
from omnibus.games.metromania.drawing.layout import Layout, layout_of
from omnibus.games.metromania.drawing.pieces import cell_part
from omnibus.games.metromania.telling.names import worth
from omnibus.kernel.game import Piece, Words

View = Mapping[str, Any]


def targets(view: View, _parts: Collection[str], words: Words, *, wide: bool = False) -> list[Piece]:
    """Return the marks of all cells that may be dug now, and of the stations that would arise."""
    at = layout_of(wide)
    return _offers(view, at, words) + _gains(view, at, words)


def _offers(view: View, at: Layout, words: Words) -> list[Piece]:
    """Mark the cells that may be dug now, with another sign where the line would be blocked (§9.2)."""
    laid: dict[str, Piece] = {}
    for offer in sorted(view["offers"], key=itemgetter("blocks"), reverse=True):  # a dig that goes on counts more
        cell = CELL_NAMED[offer["cell"]]
        part = cell_part(cell, offer["cell"])
        symbol, label = "mm-offer", words.gettext("a tunnel may be dug here")
        if offer["blocks"]:
            symbol, label = "mm-offer-blocks", words.gettext("a tunnel here would block the line")
        laid[part] = Piece(f"{part}_offer", symbol, *at.cell_place(cell), label)
    return list(laid.values())


def _gains(view: View, at: Layout, words: Words) -> list[Piece]:
    """Mark where stations would arise from these digs, with their points (§6.5).

    A mark comes and goes with the cell to dig. It cannot be clicked itself: several digs may bring the same station.
    """
    laid: dict[str, Piece] = {}
    for offer in view["offers"]:
        part = cell_part(CELL_NAMED[offer["cell"]], offer["cell"])
        for point in offer["stations"]:
            mark = f"{part}_gain-{VERTEX_NAMES[VERTEX_AT[(point[0], point[1])]]}"
            gain = worth(view, point)
            laid[mark] = Piece(mark, f"mm-gain-{gain}", *at.city_place(point), gain_label(gain, words))
    return list(laid.values())
