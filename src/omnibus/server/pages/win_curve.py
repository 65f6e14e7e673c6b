"""The pictures of an analysis: the curve of everybody's chances to win, and luck and skill as bars and over time."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from markupsafe import Markup

from omnibus.kernel.svg import Value, box, colour, definitions, disc, element, group, lettering, path, seat_patterns
from omnibus.lab.analysis.accounts import signed
from omnibus.lab.analysis.document import Account, Analysis, Grade
from omnibus.lab.analysis.grades import grade

SIGNS: Final[dict[Grade, str]] = {"only": "!", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
SIDE: Final = 0.03
"""The part of the width that stays free on either side; the page's script knows it too."""
TOP, BOTTOM = 16, 14
DASHES: Final = (None, "14 7", "3 7", "18 6 3 6", "8 4")
"""The lines of the seats differ in more than colour."""
LARGEST: Final = 100.0  # points at either end of a bar
STEP: Final = 25
"""The scale of luck and skill over time ends at a multiple of so many points."""
LUCK_DASHES: Final = "5 5"
BAR: Final = 240
"""The width of a bar; its height is a tenth."""
LUCK_SIZE: Final = (400.0, 160.0)
"""Of the picture of a player's luck and skill over time."""


class PlotArea:
    """The size of a curve, and where plies and shares lie in it."""

    def __init__(self, width: float, height: float, plies: int) -> None:
        self.width = width
        self.height = height
        self._plies = max(plies, 1)

    def x(self, ply: int) -> float:
        """Return where a ply lies."""
        return self.width * (SIDE + (1 - 2 * SIDE) * ply / self._plies)

    def y(self, share: float) -> float:
        """Return where a share lies."""
        return TOP + (1 - share) * (self.height - TOP - BOTTOM)


def patterns(seats: int) -> Markup:
    """Return the definitions of the seats' patterns, for all pictures of a page."""
    hidden: dict[str, Value] = {"class_": "visually-hidden", "width": 0, "height": 0, "aria_hidden": "true"}
    return Markup(element("svg", definitions(seat_patterns(seats)), **hidden))


def curve(analysis: Analysis, plies: int, width: float, height: float, class_: str, percent: str) -> Markup:
    """Draw each seat's chance to win over the plies, with the marks of errors and praise, and a cursor.

    `percent` is how a language writes percentages.
    """
    frame = PlotArea(width, height, plies)
    lines = [_line(frame, _points(analysis, plies, seat), seat) for seat in range(analysis.seats)]
    ends = [_end(frame, plies, share, seat) for seat, share in enumerate(analysis.result)]
    content = (_grid(frame, percent), *lines, _cursor(frame), *ends, group(*_marks(frame, analysis)))
    size: dict[str, Value] = {
        "viewBox": f"0 0 {width:g} {height:g}",
        "class_": f"curve omnibus {class_}",
        "aria_hidden": "true",
    }
    return Markup(element("svg", *content, **size))


def _points(analysis: Analysis, plies: int, seat: int) -> list[tuple[int, float]]:
    """Return a seat's shares: at the start, after each decision, and in the end."""
    after = [(decision.ply + 1, decision.after[seat]) for decision in analysis.decisions if decision.ply + 1 < plies]
    return [(0, analysis.start[seat]), *after, (plies, analysis.result[seat])]


def _line(frame: PlotArea, points: list[tuple[int, float]], seat: int) -> str:
    d = "M" + "L".join(f"{frame.x(ply):.1f},{frame.y(share):.1f}" for ply, share in points)
    look: dict[str, Value] = {"fill": "none", "stroke_linejoin": "round", "stroke_dasharray": DASHES[seat]}
    outline = path(d, **look, stroke=colour("ink"), stroke_width=5.5, class_="outline")
    return outline + path(d, **look, stroke=colour(f"seat-{seat}"), stroke_width=3.5)


def _end(frame: PlotArea, plies: int, share: float, seat: int) -> str:
    place = (frame.x(plies), frame.y(share))
    return disc(*place, 7, fill=f"url(#pattern-seat-{seat})", stroke=colour("edge"), stroke_width=2)


def _grid(frame: PlotArea, percent: str) -> str:
    """Draw lines at none, half and all of the win."""
    drawn = ""
    for share in (0.0, 0.5, 1.0):
        y = frame.y(share)
        drawn += path(f"M0,{y:g}H{frame.width:g}", stroke=colour("line"), stroke_width=1.5)
        told = percent.format(percent=round(100 * share))
        drawn += lettering(4, y - 3, told, 14, anchor="start", fill=colour("soft"))
    return drawn


def _marks(frame: PlotArea, analysis: Analysis) -> list[str]:
    """Draw the sign of each graded decision on the line of the seat that made it."""
    found = []
    for decision in analysis.decisions:
        name = grade(decision)
        if name:
            x, y = frame.x(decision.ply + 1), frame.y(decision.after[decision.seat])
            look: dict[str, Value] = {
                "fill": colour("card"),
                "stroke": colour(f"seat-{decision.seat}"),
                "stroke_width": 2.5,
            }
            found.append(disc(x, y, 11, **look) + lettering(x, y + 5, SIGNS[name], 14, fill=colour("dark")))
    return found


def _cursor(frame: PlotArea) -> str:
    return path(f"M0,0V{frame.height:g}", class_="cursor", stroke=colour("ink"), stroke_width=2.5)


def luck_bar(account: Account) -> Markup:
    """Draw two bars from the middle: luck, which is hatched, and skill, which is solid; to the right is a gain."""
    middle, height = BAR / 2, BAR / 10
    rows = ((account.luck, "url(#hatched)"), (account.skill, colour("ink")))
    bars = "".join(_bar(middle, number * height, height, 100 * part, fill) for number, (part, fill) in enumerate(rows))
    axis = path(f"M{middle:g},0V{2 * height:g}", stroke=colour("soft"), stroke_width=2)
    size: dict[str, Value] = {"viewBox": f"0 0 {BAR} {2 * height:g}", "class_": "luck-bar", "aria_hidden": "true"}
    return Markup(element("svg", bars, axis, **size))


def bar_key(*, hatched: bool) -> Markup:
    """Draw a piece of the bar of luck, or of skill, for the legend."""
    piece = box(2, 2, 28, 12, fill="url(#hatched)" if hatched else colour("ink"), stroke=colour("ink"), stroke_width=2)
    size: dict[str, Value] = {"viewBox": "0 0 32 16", "class_": "bar-key", "aria_hidden": "true"}
    return Markup(element("svg", piece, **size))


def luck_scale(courses: Sequence[Sequence[tuple[int, float, float]]]) -> int:
    """Return how many points a picture of luck and skill over time must reach, for all players alike."""
    most = max(abs(part) for points in courses for _, *parts in points for part in parts)
    return max(1, ceil(round(100 * most, 6) / STEP)) * STEP


def luck_curve(points: Sequence[tuple[int, float, float]], plies: int, scale: int, seat: int) -> Markup:
    """Draw a player's luck, which is dashed, and skill, which is solid, as they added up over the plies."""
    frame = PlotArea(*LUCK_SIZE, plies)
    drawn = ""
    for level in (scale, 0, -scale):
        y = frame.y(0.5 + level / (2 * scale))
        drawn += path(f"M0,{y:g}H{frame.width:g}", stroke=colour("line"), stroke_width=1.5)
        drawn += lettering(4, y - 3, signed(level / 100), 14, anchor="start", fill=colour("soft"))
    for part, dashes in ((1, LUCK_DASHES), (2, None)):
        d = "M" + "L".join(f"{frame.x(each[0]):.1f},{frame.y(0.5 + 50 * each[part] / scale):.1f}" for each in points)
        look: dict[str, Value] = {"fill": "none", "stroke_linejoin": "round", "stroke_dasharray": dashes}
        drawn += path(d, **look, stroke=colour("ink"), stroke_width=5, class_="outline")
        drawn += path(d, **look, stroke=colour(f"seat-{seat}"), stroke_width=3)
    size: dict[str, Value] = {"viewBox": "0 0 {:g} {:g}".format(*LUCK_SIZE), "class_": "curve omnibus"}
    return Markup(element("svg", drawn, **size, aria_hidden="true"))


def luck_key(*, dashed: bool) -> Markup:
    """Draw a piece of the line of luck, or of skill, for the legend."""
    line = path("M2,8H46", stroke=colour("ink"), stroke_width=3, stroke_dasharray=LUCK_DASHES if dashed else None)
    size: dict[str, Value] = {"viewBox": "0 0 48 16", "class_": "luck-key", "aria_hidden": "true"}
    return Markup(element("svg", line, **size))


def _bar(middle: float, top: float, height: float, points: float, fill: str) -> str:
    length = min(abs(points), LARGEST) / LARGEST * middle
    left = middle if points >= 0 else middle - length
    return box(left, top + 3, max(length, 1), height - 6, fill=fill, stroke=colour("ink"), stroke_width=2)


def hatching() -> Markup:
    """Return the definition of the pattern of luck."""
    marks = path("M-2,2 2,-2M0,8 8,0M6,10 10,6", stroke=colour("ink"), stroke_width=1.5)
    tile: dict[str, Value] = {"id": "hatched", "width": 8, "height": 8, "patternUnits": "userSpaceOnUse"}
    hidden: dict[str, Value] = {"class_": "visually-hidden", "width": 0, "height": 0, "aria_hidden": "true"}
    return Markup(element("svg", definitions(element("pattern", marks, **tile)), **hidden))
