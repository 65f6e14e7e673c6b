"""Names of kinds, lines, directions, points and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.metromania.board import CORNERS, HOME, LEISURE, PRINTED, VERTEX_AT
from omnibus.games.metromania.position.write import PIECE_NAMES
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import mark

View = Mapping[str, Any]

KIND_NAMES: Final = {"home": mark("home"), "work": mark("work"), "leisure": mark("leisure")}
LINE_NAMES: Final = {"solid": mark("solid line"), "striped": mark("striped line")}
WAYS: Final = {
    "E": mark("east"),
    "NE": mark("north-east"),
    "NW": mark("north-west"),
    "W": mark("west"),
    "SW": mark("south-west"),
    "SE": mark("south-east"),
}

SIDES: Final = {
    "E": mark("to the north"),
    "NE": mark("to the north-west"),
    "NW": mark("to the south-west"),
    "W": mark("to the south"),
    "SW": mark("to the south-east"),
    "SE": mark("to the north-east"),
}
"""Where the cell on the left of a track lies, by the direction of the track."""
BACK: Final = {"E": "W", "NE": "SW", "NW": "SE", "W": "E", "SW": "NE", "SE": "NW"}


def kind(name: str, words: Words) -> str:
    """Name a kind of spot and destination."""
    return words.gettext(KIND_NAMES[name])


def line_name(name: str, words: Words) -> str:
    """Name a line."""
    return words.gettext(LINE_NAMES[name])


def way(name: str, words: Words) -> str:
    """Name a direction."""
    return words.gettext(WAYS[name])


def side(heading: str, hand: str, words: Words) -> str:
    """Say where on the map the cell on the left or right of a track lies: “left” alone is taken for that of the map."""
    leftward = heading if hand == "l" else BACK[heading]
    return words.gettext(SIDES[leftward])


def destination(name: str, words: Words) -> str:
    """Name a destination: its kind and its letter."""
    token, letter = name.split(" ")
    return f"{kind(token, words)} {letter}"


def points(number: int, words: Words) -> str:
    """Say how many points."""
    return words.ngettext("{number} point", "{number} points", abs(number)).format(number=signed(number))


def minutes(number: int, words: Words) -> str:
    """Say how many minutes."""
    return words.ngettext("{number} minute", "{number} minutes", number).format(number=number)


def signed(number: int) -> str:
    """Write a number with a true minus sign."""
    return str(number).replace("-", "−")


def place_name(point: Sequence[int]) -> str:
    """Write a vertex."""
    return f"{point[0]},{point[1]}".replace("-", "−")


def line_of(token: str) -> tuple[int, str]:
    """Read `2 solid`: the seat and the line."""
    seat, name = token.split(" ")
    return int(seat), name


def worth(view: View, point: Sequence[int]) -> int:
    """Return how many spots have a corner on a vertex (§6.5)."""
    vertex = VERTEX_AT[(point[0], point[1])]
    return sum(
        HOME <= ground <= LEISURE and vertex in CORNERS[cell]
        for sector, name in enumerate(view["sectors"])
        for cell, ground in PRINTED[sector * 18 + PIECE_NAMES.index(name)]
    )
