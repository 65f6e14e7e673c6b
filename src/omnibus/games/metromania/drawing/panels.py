"""The players' panels: who they are, their two lines and what they hold. What changes in them are pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.metromania.board import LINES
from omnibus.games.metromania.drawing.labels import seat_name
from omnibus.games.metromania.drawing.layout import PANEL_HEIGHT, PANEL_WIDTH, line_row, panel_place
from omnibus.games.metromania.drawing.shapes import swatch
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, bullet, colour, group, lettering, moved, seat_pattern, title


def panels(view: Mapping[str, Any], words: Words) -> str:
    """Draw the frames of all panels."""
    return "".join(_panel(view, seat, words) for seat in range(view["seats"]))


def _panel(view: Mapping[str, Any], seat: int, words: Words) -> str:
    x, y = panel_place(seat)
    frame = box(x, y, PANEL_WIDTH, PANEL_HEIGHT, 18, fill=colour("shade"), fill_opacity=0.55, stroke=colour("line"),
                stroke_width=3)  # fmt: skip
    edge = box(x, y, 14, PANEL_HEIGHT, 7, fill=seat_pattern(seat))
    rows = "".join(_row(seat, which) for which in range(2))
    you = ""
    if view["viewer"] == seat:
        you = lettering(x + 116, y + 98, words.gettext("You"), 24, fill=colour("soft"))
    return group(title(seat_name(seat, words)), frame, edge, moved(x + 58, y + 48, bullet(seat, 30)), you, rows)


def _row(seat: int, which: int) -> str:
    x, y = line_row(seat, which)
    area = box(x - 24, y - 21, 240, 42, fill="transparent")
    return group(area, moved(x, y, swatch(seat, LINES[which])), data_part=f"line-{seat}-{LINES[which]}")
