"""The map: streets, crossings, stations, plots; and the sticks that may be laid on it."""

from __future__ import annotations

from omnibus.games.bus.board.pieces import ZONES
from omnibus.games.bus.drawing.icons import KIND_DRAWN
from omnibus.games.bus.drawing.labels import street_label
from omnibus.games.bus.drawing.layout import LANE, MAP_HIGH, MAP_TOP, NODE, PLOT, ROAD, WIDTH, Layout
from omnibus.games.bus.moves import street_name
from omnibus.kernel.game import Words
from omnibus.kernel.svg import (
    Value,
    box,
    colour,
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


def city_map(layout: Layout, words: Words) -> str:
    """Draw the map without anything on it."""
    ground = box(8, MAP_TOP, WIDTH - 16, MAP_HIGH, 26, fill=colour("ground"))
    return group(ground, _ties(layout), _streets(layout, words))


def _streets(layout: Layout, words: Words) -> str:
    """A street is one part to click, and easy to hit."""
    drawn = []
    for street in range(layout.city.street_count):
        (x, y), (u, v) = layout.street(street)
        name = street_name(layout.city, street)
        d = f"M{number(x)},{number(y)}L{number(u)},{number(v)}"
        drawn.append(element("path", title(street_label(name, words)), d=d, data_part=f"street-{name}"))
    roads = [(44, colour("ground"), 0), (ROAD + 5, colour("soft"), 1), (ROAD, colour("paper"), 1)]
    return "".join(
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
        shape = _station() if crossing in city.stations else _node(central=crossing in city.centre)
        fill = colour("light" if crossing in city.stations else "dark")
        low = 28 if crossing in city.stations else 10
        size = fitting(str(name), 27, 36)
        drawn.append(symbol(f"bus-crossing-{name}", shape, lettering(0, low, str(name), size, fill=fill)))
    return "".join(drawn)


def _node(*, central: bool) -> str:
    """Draw a crossing, highlighted in the centre."""
    return disc(0, 0, NODE, fill=colour("lamp" if central else "light"), stroke=colour("edge"), stroke_width=4.5)


def _station() -> str:
    """Draw a station."""
    plate = box(-34, -34, 68, 68, 13, fill=colour("dusk"), stroke=colour("lamp"), stroke_width=4)
    hall = path("M-22,6V-8Q-22,-26 0,-26Q22,-26 22,-8V6Z", fill=colour("lamp"))
    return plate + hall + path("M-13,6V-7M0,6V-18M13,6V-7", stroke=colour("dusk"), stroke_width=4)


def plot_symbols() -> str:
    """Define an empty plot of each zone, a card with its letter, and one with each kind of building."""
    card = box(-PLOT / 2, -PLOT / 2, PLOT, PLOT, 9, fill=colour("card"), stroke=colour("edge"), stroke_width=3)
    empty = "".join(symbol(f"bus-plot-{zone}", card, lettering(0, 12, zone, 34, fill=colour("grey"))) for zone in ZONES)
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
