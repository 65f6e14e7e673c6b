"""The picture: what stays the same during a game, the pieces on it, and in the end the test rides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.metromania.drawing.city import city, legend, stock_box
from omnibus.games.metromania.drawing.layout import WIDTH, height
from omnibus.games.metromania.drawing.panels import panels
from omnibus.games.metromania.drawing.pieces import pieces
from omnibus.games.metromania.drawing.rides import rides
from omnibus.games.metromania.drawing.shapes import symbols
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, definitions, document, group, placed, seat_patterns


def svg(view: Mapping[str, Any], words: Words) -> str:
    """Return the complete picture of a view."""
    drawn = pieces(view, words)
    told = ". ".join(dict.fromkeys(piece.label for piece in drawn)) + "."
    shown = group(placed(drawn), class_="pieces")
    return document(WIDTH, height(view), "MetroMania", told, background(view, words), shown, rides(view, words))


def background(view: Mapping[str, Any], words: Words) -> str:
    """Return what does not change during a game, with the definitions of everything that may lie upon it."""
    seats: int = view["seats"]
    paper = box(0, 0, WIDTH, height(view), fill=colour("paper"))
    printed = city(view, words) + legend(words) + stock_box(words) + panels(view, words)
    return group(definitions(seat_patterns(seats), symbols(seats)), paper, printed, class_="background")
