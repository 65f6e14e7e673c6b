"""The city as it is printed: six pieces, spots, lake and park, and the border cells around."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.metromania.board import (
    APEX0,
    BORDER0,
    BORDERS,
    CELL_NAMES,
    CITY,
    CITY_CELLS,
    GROUNDS,
    KINDS,
    LAKE,
    POINTS,
    PRINTED,
    SIDES,
    STEPS,
    VERTEX_NAMES,
    is_white,
)
from omnibus.games.metromania.drawing.labels import border_label, ground_label
from omnibus.games.metromania.drawing.layout import (
    MARGIN,
    MIDDLE,
    UNIT,
    Box,
    Layout,
    Spot,
    corners_of,
    middle_of,
    point_place,
)
from omnibus.games.metromania.drawing.shapes import LAKE_PAINT, PARK_PAINT, closed, lake, spot, tree
from omnibus.games.metromania.position.write import PIECE_NAMES
from omnibus.games.metromania.telling.names import kind as kind_name
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, disc, fitting, group, lettering, moved, path, title

View = Mapping[str, Any]


def city(view: View, at: Layout, words: Words) -> str:
    """Draw the city with everything printed on it; cells and vertices can be clicked."""
    grounds = _grounds(view)
    inside = _sectors(view) + "".join(_cell(cell, grounds[cell], words) for cell in range(CITY_CELLS))
    inside += _seams() + "".join(_border(n, words) for n in range(BORDERS)) + "".join(map(_vertex, range(CITY)))
    return moved(MIDDLE, at.city_y, inside)


def _grounds(view: View) -> list[str]:
    grounds = [GROUNDS[0]] * CITY_CELLS
    for sector, name in enumerate(view["sectors"]):
        for cell, ground in PRINTED[sector * 18 + PIECE_NAMES.index(name)]:
            grounds[cell] = GROUNDS[ground]
    return grounds


def _corner(k: int) -> Spot:
    a, b = STEPS[k % SIDES]
    return point_place((5 * a, 5 * b))


def _sectors(view: View) -> str:
    """The six pieces, every other one a shade darker; an empty sector has a dashed outline."""
    drawn = ""
    for k in range(SIDES):
        triangle = closed([(0, 0), _corner(k), _corner(k + 1)])
        if k < len(view["sectors"]):
            drawn += path(triangle, fill=colour("ground" if k % 2 else "wall"))
        else:
            drawn += path(triangle, fill="none", stroke=colour("line"), stroke_width=3, stroke_dasharray="10 10")
    return drawn


def _seams() -> str:
    spokes = "".join("M0,0L{:.2f},{:.2f}".format(*_corner(k)) for k in range(SIDES))
    rim = closed([_corner(k) for k in range(SIDES)])
    return path(spokes, stroke=colour("soft"), stroke_width=2, opacity=0.6) + path(
        rim, fill="none", stroke=colour("soft"), stroke_width=5
    )


def _cell(cell: int, ground: str, words: Words) -> str:
    """One triangle: a thin outline, and what is printed on it."""
    paint = {"lake": LAKE_PAINT, "park": PARK_PAINT}.get(ground, "transparent")
    outline = path(closed(corners_of(cell)), fill=paint, stroke=colour("line"), stroke_width=2)
    x, y = middle_of(cell)
    if ground in KINDS:
        outline += moved(x, y, spot(ground), scale=0.84)
    elif ground == GROUNDS[LAKE]:
        outline += moved(x, y, lake())
    elif ground == "park":
        outline += moved(x, y, tree())
    return group(title(ground_label(ground, words)), outline, data_part=f"cell-{CELL_NAMES[cell]}")


def _border(n: int, words: Words) -> str:
    """A border cell: a white one with an arrow into the city, a black one with an arrow out of it (§1.4)."""
    white = is_white(n)
    paper, ink = ("light", "dark") if white else ("dark", "light")
    corners = corners_of(BORDER0 + n)
    mx, my = middle_of(BORDER0 + n)
    inner = [(mx + (x - mx) * 0.9, my + (y - my) * 0.9) for x, y in corners]
    drawn = path(closed(inner), fill=colour(paper), stroke=colour("soft"), stroke_width=3, stroke_linejoin="round")
    ax, ay = point_place(POINTS[APEX0 + n])
    far = 1 if white else -1
    dx, dy = (mx - ax) / UNIT * far, (my - ay) / UNIT * far
    drawn += path(_arrow(mx, my, dx * 1.73, dy * 1.73), fill=colour(ink))
    nx, ny = mx + (ax - mx) * 1.4, my + (ay - my) * 1.4
    nx = max(20 - MIDDLE, min(MIDDLE - 20, nx))
    drawn += lettering(nx, ny + 7, str(n), 22, fine=True, fill=colour("soft"))
    return group(title(border_label(n, words)), drawn, data_part=f"border-{n}", data_exact="")


def _arrow(x: float, y: float, dx: float, dy: float) -> str:
    """An arrow around a point, with a shaft: on a triangle a mere arrow head would point three ways."""
    outline = ((19, 0), (1, 14), (1, 5), (-17, 5), (-17, -5), (1, -5), (1, -14))  # along, across
    return closed([(x + dx * along - dy * across, y + dy * along + dx * across) for along, across in outline])


def _vertex(vertex: int) -> str:
    x, y = point_place(POINTS[vertex])
    return disc(x, y, 15, fill="transparent", data_part=f"vertex-{VERTEX_NAMES[vertex]}")


def legend(at: Layout, words: Words) -> str:
    """Say what the shapes mean: homes, work, leisure. While doubles are named one clicks here."""
    size = 26 if at.wide else 36
    drawn = "" if at.wide else _bar(Box(330, 18, at.width - MARGIN - 330, 68))
    for number, kind in enumerate(KINDS):
        x, y = at.legend_place(number)
        area = at.legend_area(number)
        name = kind_name(kind, words)
        told = lettering(x + 32, y + 11, name, fitting(name, size, area.wide - 60), anchor="start")
        frame = box(*area, 12, fill="transparent")
        drawn += group(frame, moved(x, y, spot(kind), scale=0.84), told, data_part=f"kind-{kind}", data_exact="")
    return drawn


def _bar(place: Box) -> str:
    return box(*place, 16, fill=colour("shade"), fill_opacity=0.55, stroke=colour("line"), stroke_width=3)


def stock_box(at: Layout, words: Words) -> str:
    """The box of stations left."""
    place = at.stock
    middle = place.y + place.tall / 2
    mark = disc(place.x + 40, middle, 17, fill=colour("paper"), stroke=colour("ink"), stroke_width=8)
    name = words.gettext("Stock")
    left = 134 if at.wide else 124
    told = lettering(place.x + left, middle + 11, name, fitting(name, at.small, place.wide - left - 8), anchor="start")
    return group(_bar(place), mark, told, data_part="stock", data_exact="")
