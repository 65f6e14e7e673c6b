"""The players' panels: who they are, their two lines and what they hold. What changes in them are pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.metromania.board import LINES
from omnibus.games.metromania.drawing.layout import Layout
from omnibus.games.metromania.drawing.shapes import seal, swatch
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, fitting, group, lettering, moved, seat_name, seat_pattern, star, title


def panels(view: Mapping[str, Any], at: Layout, words: Words) -> str:
    """Draw the frames of all panels."""
    return "".join(_panel(view, seat, at, words) for seat in range(view["seats"]))


def _panel(view: Mapping[str, Any], seat: int, at: Layout, words: Words) -> str:
    x, y = at.panel_place(seat)
    frame = box(x, y, at.panel_wide, at.panel_tall, 18, fill=colour("shade"), fill_opacity=0.55, stroke=colour("line"),
                stroke_width=3)  # fmt: skip
    edge = box(x, y, 14, at.panel_tall, 7, fill=seat_pattern(seat))
    points_x, points_y = at.points_place(seat)
    points = star(points_x - 20, points_y, 14, fill=colour("lamp"), stroke=colour("edge"), stroke_width=3)
    rows = "".join(_row(seat, which, at) for which in range(2))
    who = moved(*at.seal_place(seat), seal(seat, 30)) + _name(view, seat, at, words)
    return group(title(seat_name(seat, words)), frame, edge, who, points, rows)


def _name(view: Mapping[str, Any], seat: int, at: Layout, words: Words) -> str:
    """The name of the seat's colour, where there is room; the reader is "You"."""
    own = view["viewer"] == seat
    x, y = at.seal_place(seat)
    if at.wide:
        name = words.gettext("You") if own else seat_name(seat, words)
        return lettering(x + 48, y + 11, name, fitting(name, 32, 200), anchor="start")
    return lettering(x + 72, y + 46, words.gettext("You"), 24, fill=colour("soft"), fine=True) if own else ""


def _row(seat: int, which: int, at: Layout) -> str:
    x, y = at.line_row(seat, which)
    area = box(x - 24, y - 21, 236, 42, fill="transparent")
    return group(area, moved(x, y, swatch(seat, LINES[which])), data_part=f"line-{seat}-{LINES[which]}")
