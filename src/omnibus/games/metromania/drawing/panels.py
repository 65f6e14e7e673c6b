"""The players' panels: who they are, their two lines and what they hold. What changes in them are pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from omnibus.games.metromania.board import LINES
from omnibus.games.metromania.drawing.layout import Layout
from omnibus.games.metromania.drawing.shapes import seal, swatch
from omnibus.kernel.game import Words
from omnibus.kernel.svg import box, colour, fitting, group, lettering, moved, seat_name, seat_pattern, star, title

LONGEST_NAME: Final = 14  # longer ones are cut


def panels(view: Mapping[str, Any], at: Layout, names: Sequence[str], words: Words) -> str:
    """Draw the frames of all panels. Without names, the reader is "You", others go by their colours."""
    own = view["viewer"]
    called = [words.gettext("You") if seat == own else seat_name(seat, words) for seat in range(view["seats"])]
    return "".join(_panel(seat, at, name, words) for seat, name in enumerate(names or called))


def _panel(seat: int, at: Layout, name: str, words: Words) -> str:
    x, y = at.panel_place(seat)
    frame = box(x, y, at.panel_wide, at.panel_tall, 18, fill=colour("shade"), fill_opacity=0.55, stroke=colour("line"),
                stroke_width=3)  # fmt: skip
    edge = box(x, y, 14, at.panel_tall, 7, fill=seat_pattern(seat))
    points_x, points_y = at.points_place(seat)
    points = star(points_x - 20, points_y, 14, fill=colour("lamp"), stroke=colour("edge"), stroke_width=3)
    rows = "".join(_row(seat, which, at) for which in range(2))
    who = moved(*at.seal_place(seat), seal(seat, 30)) + _name(seat, at, name)
    return group(title(seat_name(seat, words)), frame, edge, who, points, rows)


def _name(seat: int, at: Layout, name: str) -> str:
    """The name of a player; a phone has no room for it."""
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    x, y = at.seal_place(seat)
    if at.wide:
        return lettering(x + 48, y + 11, short, fitting(short, 32, 210), anchor="start")
    return lettering(x - 40, y + 48, short, fitting(short, 24, 156), fill=colour("soft"), anchor="start", fine=True)


def _row(seat: int, which: int, at: Layout) -> str:
    x, y = at.line_row(seat, which)
    area = box(x - 24, y - 21, 236, 42, fill="transparent")
    return group(area, moved(x, y, swatch(seat, LINES[which])), data_part=f"line-{seat}-{LINES[which]}")
