"""Text labels of what is drawn: for screen readers, keyboards and the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.metromania.board import is_white
from omnibus.games.metromania.telling.names import destination, kind, line_name, points
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.svg import seat_name

GROUND_NAMES = {"plain": mark("cell"), "lake": mark("lake"), "park": mark("park")}


def ground_label(ground: str, words: Words) -> str:
    """Name what is printed on a cell."""
    if ground in GROUND_NAMES:
        return words.gettext(GROUND_NAMES[ground])
    return words.gettext("spot: {kind}").format(kind=kind(ground, words))


def border_label(n: int, words: Words) -> str:
    """Name a border cell."""
    text = words.gettext("white border cell {number}") if is_white(n) else words.gettext("black border cell {number}")
    return text.format(number=n)


def tunnel_label(seat: int, line: str, number: int, words: Words) -> str:
    """Name a tunnel."""
    told = words.gettext("{player}, {line}: tunnel {number}")
    return told.format(player=seat_name(seat, words), line=line_name(line, words), number=number)


def line_label(view: Mapping[str, Any], seat: int, line: str, words: Words) -> str:
    """Say how a line stands: its tunnels left, or that it is finished or blocked."""
    left = 18 - len(view["lines"][seat][line])
    told = words.ngettext(
        "{player}, {line}: {number} tunnel left", "{player}, {line}: {number} tunnels left", left
    ).format(player=seat_name(seat, words), line=line_name(line, words), number=left)  # fmt: skip
    if f"{seat} {line}" in view["blocked"]:
        return told + ", " + words.gettext("blocked")
    return told


def station_label(where: str, words: Words) -> str:
    """Name a station."""
    return words.gettext("station on {place}").format(place=where)


def gain_label(worth: int, words: Words) -> str:
    """Say what a station that a dig would cause brings."""
    return words.gettext("a dig here brings a station: {points}").format(points=points(worth, words))


def tile_label(name: str, words: Words) -> str:
    """Name a destination lying in the city or in a hand."""
    return words.gettext("destination {name}").format(name=destination(name, words))


def hidden_label(seat: int, kind_: str, words: Words) -> str:
    """Name a destination whose letter is not seen."""
    return words.gettext("{player}: a hidden destination, {kind}").format(
        player=seat_name(seat, words), kind=kind(kind_, words)
    )


def points_label(seat: int, scored: int, words: Words) -> str:
    """Say what the stations of a seat have brought."""
    return f"{seat_name(seat, words)}: {points(scored, words)}"


def stock_label(left: int, words: Words) -> str:
    """Say how many stations are left."""
    return words.ngettext("{number} station left", "{number} stations left", left).format(number=left)
