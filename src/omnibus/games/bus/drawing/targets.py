"""Which crossing a plot belongs to: its tie, drawn above the glow while one can build there, and a ring once chosen."""

from __future__ import annotations

from collections.abc import Collection
from math import hypot

from omnibus.games.bus.drawing.labels import plot_label
from omnibus.games.bus.drawing.layout import NODE, PLOT, RING, Layout, layout_of, plan
from omnibus.games.bus.telling.names import View
from omnibus.kernel.game import Piece, Words
from omnibus.kernel.svg import box, colour, disc, group, number, path, symbol, use


def targets(view: View, parts: Collection[str], words: Words, *, wide: bool = False) -> list[Piece]:
    """Return the ties of these plots."""
    layout = layout_of(view, plan(view["seats"], wide=wide).map)
    city = layout.city
    return [
        Piece(
            f"plot-{name}_tie",
            f"bus-tie-{name}",
            *layout.plots[plot],
            plot_label(city, plot, words),
        )
        for plot, name in enumerate(city.plot_names)
        if f"plot-{name}" in parts
    ]


def tie_symbols(layout: Layout) -> str:
    """Define the tie of every plot, and the ring around its crossing."""
    ring = disc(0, 0, RING + 4, fill="none", stroke=colour("edge"), stroke_width=14) + disc(
        0, 0, RING + 4, fill="none", stroke=colour("lamp"), stroke_width=9
    )
    shared = group(ring, id="bus-tie-ring") + box(-PLOT / 2, -PLOT / 2, PLOT, PLOT, id="bus-tie-plot", fill="none",
                                                  pointer_events="all")  # fmt: skip
    return shared + "".join(_tie(layout, plot, name) for plot, name in enumerate(layout.city.plot_names))


def _tie(layout: Layout, plot: int, name: str) -> str:
    """The page shows the ring (`--chosen`) while the pointer is on the plot, and once it was clicked."""
    city, (x, y) = layout.city, layout.plots[plot]
    to_x, to_y = (there - here for there, here in zip(layout.spots[city.plot_at[plot]], (x, y), strict=True))
    far = hypot(to_x, to_y)
    begin, end = PLOT / 2 / max(abs(to_x), abs(to_y)), 1 - NODE / far  # from the edge of the plot to that of the disc
    tie = f"M{number(to_x * begin)},{number(to_y * begin)}L{number(to_x * end)},{number(to_y * end)}"
    zone = colour(f"zone-{'A' if city.plot_zone[plot] == 0 else 'B'}")
    return symbol(
        f"bus-tie-{name}",
        use("bus-tie-plot"),
        path(tie, stroke=colour("edge"), stroke_width=13) + path(tie, stroke=zone, stroke_width=9),
        use("bus-tie-ring", to_x, to_y, opacity="var(--chosen,0)"),
    )
