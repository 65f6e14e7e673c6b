"""The picture: what stays the same during a game, the pieces on it, and in the end the test rides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnibus.games.metromania.drawing.city import city, legend, stock_box
from omnibus.games.metromania.drawing.layout import layout_of
from omnibus.games.metromania.drawing.panels import panels
from omnibus.games.metromania.drawing.pieces import pieces
from omnibus.games.metromania.drawing.rides import rides
from omnibus.games.metromania.drawing.shapes import symbols
from omnibus.games.metromania.drawing.targets import targets
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, definitions, document, group, placed, seat_patterns, underlay


def svg(view: Mapping[str, Any], words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the complete picture of a view."""
    at = layout_of(wide)
    drawn = pieces(view, words, wide=wide)
    told = ". ".join(dict.fromkeys(piece.label for piece in drawn)) + "."
    shown = group(placed([*drawn, *targets(view, (), words, wide=wide)]), class_="pieces")
    below = background(view, words, names=names, wide=wide)
    return document(at.width, at.height(view), "MetroMania", told, below, shown, rides(view, at, words))


def bare(view: Mapping[str, Any], words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return the picture before its pieces are laid."""
    at = layout_of(wide)
    below = background(view, words, names=names, wide=wide)
    return underlay(at.width, at.height(view), "MetroMania", below, rides(view, at, words))


def ground(view: Mapping[str, Any], *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Say what the bare picture depends on: its shape, the city, the names, in the end what is ridden."""
    printed = f"{'wide ' * wide}{view['seats']} {view['viewer']} {view['sectors']}"
    if not view["outcome"]:
        return f"{printed} {list(names)}"
    return f"{printed} {view['lines']} {view['stations']} {view['placed']} {view['outcome']}"


def background(view: Mapping[str, Any], words: Words, *, names: Sequence[str] = (), wide: bool = False) -> str:
    """Return what does not change during a game, with the definitions of everything that may lie upon it."""
    seats: int = view["seats"]
    at = layout_of(wide)
    paper = box(0, 0, at.width, at.height(view), fill=colour("paper"))
    printed = city(view, at, words) + legend(at, words) + stock_box(at, words)
    if not view["outcome"]:
        printed += panels(view, at, names, words)
    return group(definitions(seat_patterns(seats), symbols(seats)), paper, printed, class_="background")
