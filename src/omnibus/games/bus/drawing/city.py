"""The map: the ground, streets, crossings, stations, plots; and the sticks and line ends that may lie on it."""

from __future__ import annotations

from typing import Final

from omnibus.games.bus.board.pieces import ZONES
from omnibus.games.bus.drawing.geometry import Point
from omnibus.games.bus.drawing.icons import KIND_DRAWN
from omnibus.games.bus.drawing.labels import street_label
from omnibus.games.bus.drawing.layout import LANE, NODE, PLOT, RING, ROAD, Layout
from omnibus.games.bus.drawing.scenery import Scenery
from omnibus.games.bus.moves import street_name
from omnibus.kernel.game import Words
from omnibus.kernel.svg import (
    Value,
    box,
    colour,
    curve,
    disc,
    element,
    fitting,
    group,
    lettering,
    number,
    path,
    seat_pattern,
    symbol,
    title,
)

ROUND: dict[str, Value] = {"fill": "none", "stroke_linecap": "round"}
REACH: Final = 44  # how wide a street is to click
KERB: Final = 40  # how wide a street is with its pavements
STATION: Final = (36.0, 42.0)  # half of a station, across and down
DIGITS: Final = 35
ROUND_TRIP: Final = 60  # what the length of a ring counts as: it can be divided by any number of seats
GAP: Final = 2


def city_map(layout: Layout, words: Words) -> str:
    """Draw the map without anything on it."""
    area = layout.area
    land = box(area.x, area.y, area.width, area.height, 26, fill=colour("land"))
    return group(land, _scenery(layout), _ties(layout), _streets(layout, words))


def _scenery(layout: Layout) -> str:
    """Draw what lies between the streets, cut off at the edge of the map."""
    scenery, area = Scenery(layout), layout.area
    edge = element("clipPath", box(area.x, area.y, area.width, area.height, 26), id="bus-edge")
    outline = curve(scenery.city, closed=True)
    blocks = path(outline, fill=colour("block")) + path(outline, fill="url(#bus-roofs)")
    old_town = path(curve(scenery.centre, closed=True), fill=colour("lamp"), opacity=colour("tint"))
    parks = "".join(path(curve(park, closed=True)) for park in scenery.parks)
    river = path(curve(scenery.river), stroke=colour("water"), stroke_width=34, **ROUND) if scenery.river else ""
    return (
        edge
        + _roofs()
        + group(
            blocks,
            old_town,
            group(parks, fill=colour("park")),
            _trees(scenery.parks),
            river,
            clip_path="url(#bus-edge)",
        )
    )


def _roofs() -> str:
    """Define a pattern of roofs, seen from far above."""
    roofs = "M6,8h20v14h-20zM34,6h12v24h-12zM8,32h14v18h-14zM30,40h22v12h-22z"
    tile: dict[str, Value] = {"width": 58, "height": 58, "patternUnits": "userSpaceOnUse"}
    return element("pattern", path(roofs, fill=colour("roof")), id="bus-roofs", **tile)


def _trees(parks: list[list[Point]]) -> str:
    """Plant a few trees in every park."""
    trees = []
    for park in parks:
        x, y = sum(x for x, _ in park) / len(park), sum(y for _, y in park) / len(park)
        for n in range(0, len(park), 4):
            share = 0.28 + 0.14 * (n // 4 % 3)
            trees.append(disc(x + (park[n][0] - x) * share, y + (park[n][1] - y) * share, 6 + n // 4 % 3))
    return group(*trees, fill=colour("tree"))


def _streets(layout: Layout, words: Words) -> str:
    """A street is one part to click, and easy to hit."""
    drawn, kerbs = [], []
    for street in range(layout.city.street_count):
        (x, y), (u, v) = layout.street(street)
        name = street_name(layout.city, street)
        d = f"M{number(x)},{number(y)}L{number(u)},{number(v)}"
        kerbs.append(d)
        drawn.append(element("path", title(street_label(name, words)), d=d, data_part=f"street-{name}"))
    kerb = path("".join(kerbs), stroke=colour("land"), stroke_width=KERB, **ROUND)
    roads = [(REACH, colour("land"), 0), (ROAD + 5, colour("soft"), 1), (ROAD, colour("paper"), 1)]
    return kerb + "".join(
        group(*drawn, stroke=paint, stroke_width=wide, stroke_opacity=seen, **ROUND) for wide, paint, seen in roads
    )


def _ties(layout: Layout) -> str:
    """A fine tie between a plot and its crossing."""
    city = layout.city
    ties = "".join(
        f"M{number(x)},{number(y)}L{number(layout.spots[city.plot_at[plot]][0])},{number(layout.spots[city.plot_at[plot]][1])}"
        for plot, (x, y) in enumerate(layout.plots)
    )
    return path(ties, stroke=colour("edge"), stroke_width=4, stroke_opacity=0.55)


def crossing_symbols(layout: Layout) -> str:
    """Define every crossing with its number: they are drawn above the lines, so that these meet under them."""
    city = layout.city
    drawn = []
    for crossing, name in enumerate(city.names):
        station = crossing in city.stations
        shape = _station() if station else _node(central=crossing in city.centre)
        size = fitting(str(name), DIGITS, 44)
        text = lettering(
            0, 33 if station else size * 0.36, str(name), size, fill=colour("light" if station else "dark"),
            fine=size < DIGITS,
        )  # fmt: skip
        drawn.append(symbol(f"bus-crossing-{name}", shape, text))
    return "".join(drawn)


def _node(*, central: bool) -> str:
    """Draw a crossing, highlighted in the centre."""
    return disc(0, 0, NODE, fill=colour("lamp" if central else "light"), stroke=colour("edge"), stroke_width=4.5)


def _station() -> str:
    """Draw a station."""
    x, y = STATION
    plate = box(-x, -y, 2 * x, 2 * y, 13, fill=colour("dusk"), stroke=colour("lamp"), stroke_width=4)
    hall = path("M-24,0V-15Q-24,-34 0,-34Q24,-34 24,-15V0Z", fill=colour("lamp"))
    return plate + hall + path("M-14,0V-14M0,0V-25M14,0V-14", stroke=colour("dusk"), stroke_width=4)


def ring_symbols(seats: int) -> str:
    """Define the ends of lines: a ring around the crossing, shared by all lines that end there.

    A line with both ends there (§6.5) has a second ring. Stations have a ring of their own shape. To click a ring one
    may click inside it, where the crossing is drawn above it.
    """
    drawn = [_ring("bus-ring", 0), _ring("bus-ring2", 9), _frame("bus-frame", 9), _frame("bus-frame2", 18)]
    for seat in range(seats):
        for number_ in range(1, seats + 1):
            for place in range(number_):
                for shape, kind in (("ring", ""), ("frame", "station-")):
                    name = f"{kind}{seat}-{place}-{number_}"
                    arc = _arc(f"bus-{shape}", seat, place, number_)
                    drawn.append(symbol(f"bus-head-{name}", arc))
                    outer = _arc(f"bus-{shape}2", seat, place, number_, wide=8)
                    drawn.append(symbol(f"bus-heads-{name}", outer, arc))
    return "".join(drawn)


def _ring(id_: str, more: float) -> str:
    r = RING + more
    return path(
        f"M0,{-r}A{r},{r} 0 1 1 0,{r}A{r},{r} 0 1 1 0,{-r}Z",
        id=id_,
        fill="none",
        pathLength=ROUND_TRIP,
        pointer_events="all",
    )


def _frame(id_: str, more: float) -> str:
    x, y = STATION[0] + more, STATION[1] + more
    r = 13 + more
    corner = f"a{r},{r} 0 0 1"
    d = f"M0,{-y}H{x - r}{corner} {r},{r}V{y - r}{corner} {-r},{r}H{r - x}{corner} {-r},{-r}V{r - y}{corner} {r},{-r}Z"
    return path(d, id=id_, fill="none", pathLength=ROUND_TRIP, pointer_events="all")


def _arc(ring: str, seat: int, place: int, number_: int, *, wide: float = 12) -> str:
    """Draw a seat's share of a ring."""
    share = ROUND_TRIP / number_
    dash: dict[str, Value] = {}
    if number_ > 1:
        dash = {
            "stroke_dasharray": f"{share - GAP:g} {ROUND_TRIP - share + GAP:g}",
            "stroke_dashoffset": -place * share,
        }
    lines = ((wide, colour("edge")), (wide - 4, seat_pattern(seat)))
    return "".join(element("use", href=f"#{ring}", stroke=paint, stroke_width=thick, **dash) for thick, paint in lines)


def plot_symbols() -> str:
    """Define an empty plot of each zone, a card in its ring with its letter, and one with each kind of building."""
    half = PLOT / 2
    empty = "".join(
        symbol(
            f"bus-plot-{zone}",
            box(-half, -half, PLOT, PLOT, 10, fill=colour("edge")),
            box(2 - half, 2 - half, PLOT - 4, PLOT - 4, 8, fill=colour(f"zone-{zone}")),
            box(9 - half, 9 - half, PLOT - 18, PLOT - 18, 4, fill=colour("card")),
            lettering(0, 13, zone, DIGITS, fill=colour("dark")),
        )
        for zone in ZONES
    )
    card = box(-half, -half, PLOT, PLOT, 10, fill=colour("card"), stroke=colour("edge"), stroke_width=3)
    return empty + "".join(symbol(f"bus-plot-{kind}", card, drawn()) for kind, drawn in KIND_DRAWN.items())


def stick_symbols(layout: Layout, seats: int) -> str:
    """Define every stick that can be laid: each street, each seat in its own lane, colour and pattern."""
    drawn = []
    for street in range(layout.city.street_count):
        for seat in range(seats):
            (x, y), (u, v) = layout.lane(street, seat, seats)
            d = f"M{number(x)},{number(y)}L{number(u)},{number(v)}"
            stick = path(d, stroke=colour("edge"), stroke_width=LANE + 2) + path(
                d, stroke=seat_pattern(seat), stroke_width=LANE - 1
            )
            drawn.append(symbol(f"bus-stick-{street}-{seat}", group(stick, **ROUND)))
    return "".join(drawn)
