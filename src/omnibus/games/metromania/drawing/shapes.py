"""The SVG symbols: kinds by shape and colour, tunnels with their track, stations, signs."""

from __future__ import annotations

from typing import Final

from omnibus.games.metromania.board import KINDS, LETTERS_OF, LINES
from omnibus.games.metromania.drawing.layout import RISE, UNIT, Spot
from omnibus.kernel.svg import (
    Value,
    box,
    colour,
    disc,
    group,
    lettering,
    moved,
    number,
    numerals,
    path,
    seat_pattern,
    symbol,
)

KIND_PAINT: Final = {"home": "red", "work": "grey", "leisure": "yellow"}
LAKE_PAINT: Final = "#6fb4de"
PARK_PAINT: Final = "#82bd74"
HOUSE: Final = "M0,-24 25,-4 25,22 -25,22 -25,-4Z"
OFFICE: Final = "M-22,-22H22V22H-22Z"
TRACK: Final = 12  # how far from the edge a track runs
MOST: Final = 120  # no count in the picture is larger
BEND: Final = 0.17  # after which share of the edge it does
ALL_TILES: Final = [(KINDS[kind], letter) for kind in range(3) for letter in LETTERS_OF[kind]]
EDGE_LINE: Final[dict[str, Value]] = {"stroke": colour("edge"), "stroke_width": 4, "stroke_linejoin": "round"}


def closed(points: list[Spot]) -> str:
    """Write the path around some points."""
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in points) + "Z"


def shape_of(kind: str, **look: Value) -> str:
    """Draw the shape of a kind, centred: a house, a square office, a round place of leisure."""
    if kind == "home":
        return path(HOUSE, **look)
    if kind == "work":
        return path(OFFICE, **look)
    return disc(0, 0, 25, **look)


def spot(kind: str) -> str:
    """Draw an uncovered spot."""
    return shape_of(kind, fill=colour(KIND_PAINT[kind]), stroke=colour("card"), stroke_width=3, opacity=0.92)


def tile(kind: str, letter: str) -> str:
    """Draw a destination: the shape of its kind, with its letter."""
    paint = KIND_PAINT[kind]
    drop = 16 if kind == "home" else 13
    return shape_of(kind, fill=colour(paint), **EDGE_LINE) + lettering(0, drop, letter, 36, fill=colour(f"on-{paint}"))


def placed_tile(kind: str, letter: str) -> str:
    """Draw a destination as it lies in the city: its shape a little smaller, its letter not."""
    paint = KIND_PAINT[kind]
    shape = moved(0, 0, shape_of(kind, fill=colour(paint), **EDGE_LINE), scale=0.8)
    return shape + lettering(0, 14 if kind == "home" else 12, letter, 36, fill=colour(f"on-{paint}"))


def seal(seat: int, r: float) -> str:
    """Draw the mark of a seat: its colour and pattern. Letters are for destinations."""
    return disc(0, 0, r, fill=seat_pattern(seat), stroke=colour("edge"), stroke_width=4)


def lake() -> str:
    """Draw waves."""
    wave = "q5,-7 10,0t10,0t10,0"
    waves: dict[str, Value] = {"fill": "none", "stroke": "#1f6796", "stroke_width": 4, "stroke_linecap": "round"}
    return path(f"M-15,-6{wave}M-15,7{wave}", **waves)


def tree() -> str:
    """Draw a tree."""
    return path("M0,20V2", stroke="#5b4630", stroke_width=6) + path("M0,-22 15,6 -15,6Z", fill="#2f6b35")


def station() -> str:
    """Draw a station."""
    return disc(0, 0, 15, fill=colour("light"), stroke=colour("dark"), stroke_width=7)


def _turned(turn: str) -> list[Spot]:
    """The corners of a cell pointing up or down, seen from its middle, in the order of its vertices."""
    half, third = UNIT / 2, UNIT * RISE / 3
    if turn == "U":
        return [(-half, third), (half, third), (0, -2 * third)]
    return [(0, 2 * third), (half, -third), (-half, -third)]


def track_of(one: Spot, other: Spot) -> str:
    """Return how a track runs along one side of a cell, seen from the middle of the cell.

    It leaves the vertex, runs inside the cell near the side, and comes to the next vertex, so that a line holds
    together wherever it changes sides, and two lines on one edge lie back to back.
    """
    middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
    inward = TRACK / (UNIT * RISE / 3)
    points = [one]
    for share in (BEND, 1 - BEND):
        x = one[0] + (other[0] - one[0]) * share - middle[0] * inward
        y = one[1] + (other[1] - one[1]) * share - middle[1] * inward
        points.append((x, y))
    points.append(other)
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in points)


def tunnel(turn: str, side: int, seat: int, line: str) -> str:
    """Draw a tunnel: its cell in the seat's colour, its track along one side, solid or striped."""
    corners = _turned(turn)
    ends = [corners[at] for at in range(3) if at != side]
    run = track_of(ends[0], ends[1])
    inner = closed([(x * 0.9, y * 0.9) for x, y in corners])
    ground = path(inner, fill=colour(f"seat-{seat}"), fill_opacity=0.32)
    return ground + _rails(run, seat, line, 15)


def _rails(run: str, seat: int, line: str, width: float) -> str:
    """Draw a track with an outline; a striped one has white stripes across."""
    band: dict[str, Value] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    rails = path(run, stroke=colour("edge"), stroke_width=width + 6, **band)
    rails += path(run, stroke=colour(f"seat-{seat}"), stroke_width=width, **band)
    if line == "striped":
        stripes: dict[str, Value] = {"stroke_dasharray": "9 12", "stroke_dashoffset": -8}
        rails += path(run, fill="none", stroke=colour("light"), stroke_width=width, **stripes)
    return rails


def passenger() -> str:
    """Draw a passenger of the test rides, on a round sign."""
    sign = disc(0, 0, 27, fill=colour("lamp"), **EDGE_LINE)
    body = path("M-13,17V8Q-13,-2 0,-2Q13,-2 13,8V17Z", fill=colour("dark"))
    return sign + body + disc(0, -11, 7.5, fill=colour("dark"))


def swatch(seat: int, line: str) -> str:
    """Draw a short piece of a line, for its row in the panel."""
    return _rails("M0,0H64", seat, line, 19)


def no_entry(r: float) -> str:
    """Draw the sign for a blocked line."""
    ring = disc(0, 0, r, fill=colour("red"), stroke=colour("light"), stroke_width=4)
    return ring + box(-r * 0.6, -r * 0.18, r * 1.2, r * 0.36, fill=colour("light"))


def symbols(seats: int) -> str:
    """Define everything that may be drawn as a piece."""
    kinds = "".join(symbol(f"mm-spot-{kind}", spot(kind)) for kind in KINDS)
    tiles = "".join(symbol(f"mm-tile-{kind}-{letter}", tile(kind, letter)) for kind, letter in ALL_TILES)
    laid = "".join(symbol(f"mm-placed-{kind}-{letter}", placed_tile(kind, letter)) for kind, letter in ALL_TILES)
    backs = "".join(symbol(f"mm-back-{kind}", tile(kind, "?")) for kind in KINDS)
    tunnels = "".join(
        symbol(f"mm-tunnel-{turn}{side}-{seat}-{line}", tunnel(turn, side, seat, line))
        for turn in "UD"
        for side in range(3)
        for seat in range(seats)
        for line in LINES
    )
    tips = "".join(
        symbol(f"mm-tip-{seat}", disc(0, 0, 20, fill=colour(f"seat-{seat}"), stroke=colour("edge"), stroke_width=4))
        for seat in range(seats)
    )
    return kinds + tiles + laid + backs + tunnels + tips + _signs()


def _signs() -> str:
    gains = "".join(symbol(f"mm-gain-{n}", _gain(n)) for n in range(7))
    counts = numerals("mm-count", range(MOST + 1), 36, anchor="start")
    ended = symbol(
        "mm-finished",
        path("M-14,0 -4,11 15,-12", fill="none", stroke=colour("ink"), stroke_width=8, stroke_linecap="round"),
    )
    turn = symbol("mm-turn", path("M-16,-18 16,0 -16,18Z", fill=colour("lamp"), **EDGE_LINE))
    signs = symbol("mm-station", station()) + symbol("mm-blocked", no_entry(17)) + ended + turn
    offer = symbol("mm-offer", disc(0, 0, 9, fill=colour("lamp"), stroke=colour("edge"), stroke_width=4))
    offer += symbol("mm-offer-blocks", no_entry(13))
    return gains + counts + signs + offer + symbol("mm-passenger", passenger())


def _gain(points: int) -> str:
    """Draw a station that would arise, with its points."""
    look: dict[str, Value] = {"fill": colour("paper"), "stroke": colour("ink"), "stroke_width": 4}
    ring = disc(0, 0, 31, stroke_dasharray="6 5", **look)
    return group(ring, lettering(0, 13, f"+{points}", 36), pointer_events="none")
