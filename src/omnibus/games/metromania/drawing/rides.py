"""The test rides, one picture each: all fastest routes with their minutes, and who scores (§11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.metromania.board import (
    CELL,
    CELL_NAMED,
    KINDS,
    LETTERS_OF,
    LINES,
    POINTS,
    PRINTED,
    SIDES,
    STEPS,
    TO,
)
from omnibus.games.metromania.drawing.layout import RISE, Layout, corners_of, middle_of, point_place
from omnibus.games.metromania.drawing.routes import stretches_of, vertices_of
from omnibus.games.metromania.drawing.shapes import (
    BEND,
    LAKE_PAINT,
    PARK_PAINT,
    closed,
    lake,
    no_entry,
    placed_tile,
    seal,
    spot,
    tree,
)
from omnibus.games.metromania.position.write import PIECE_NAMES
from omnibus.games.metromania.state import trace
from omnibus.games.metromania.telling.names import minutes, signed
from omnibus.kernel.game import Words
from omnibus.kernel.svg import (
    Value,
    box,
    colour,
    disc,
    fitting,
    group,
    lettering,
    moved,
    number,
    path,
    seat_name,
    star,
    title,
)

View = Mapping[str, Any]
Tracks = dict[tuple[int, str], list[str]]
"""The paths of tracks by seat and line, tunnel by tunnel."""

INSET: Final = 0.16  # a track runs so far from its edge, towards its cell; in edges
TOTALS: Final = 7  # the place after the seven rides
CLOCK: Final = "M0,-7V0L5,4"


def rides(view: View, at: Layout, words: Words) -> str:
    """Draw the seven rides and the totals, once the game is over."""
    if not view["outcome"]:
        return ""
    tracks = _tracks(view, at.ride_unit)
    tests = view["outcome"]["details"]["tests"]
    drawn = "".join(_ride(view, number, test, tracks, at, words) for number, test in enumerate(tests))
    return group(drawn, _totals(view, at, words), class_="rides")


def _tracks(view: View, unit: float) -> Tracks:
    """Return the tracks of all lines."""
    found: Tracks = {}
    for seat, lines in enumerate(view["lines"]):
        for name in LINES:
            found[seat, name] = [_track(bore, unit) for bore in trace(list(lines[name]))]
    return found


def _track(bore: int, unit: float) -> str:
    """A track bends into its cell, as the tunnels of the large picture do."""
    one, other = point_place(POINTS[bore // 12], unit), point_place(POINTS[TO[bore]], unit)
    cx, cy = middle_of(CELL[bore], unit)
    ex, ey = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    far = INSET / (RISE / 3)
    dx, dy = (cx - ex) * far, (cy - ey) * far
    run = [one]
    for share in (BEND, 1 - BEND):
        run.append((one[0] + (other[0] - one[0]) * share + dx, one[1] + (other[1] - one[1]) * share + dy))
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in [*run, other])


def _frame(name: str, at: Layout) -> str:
    look: dict[str, Value] = {"fill": colour("shade"), "stroke": colour("line"), "stroke_width": 3}
    return title(name) + box(0, 0, at.ride_wide, at.ride_tall, 14, fill_opacity=0.55, **look)


def _ride(view: View, number_: int, test: Mapping[str, Any], tracks: Tracks, at: Layout, words: Words) -> str:
    sunday = test["test"] == "sunday"
    name = words.gettext("Sunday ride") if sunday else f"{test['test']}–{test['test']}"
    time = words.gettext("impossible") if test["minutes"] is None else minutes(test["minutes"], words)
    half = 5 * RISE * at.ride_unit
    drawn = moved(at.ride_wide / 2, 58 + half, _map(view, test, tracks, at.ride_unit))
    known = group(_time(test, at), _scores(test, at), class_="result")
    told = words.gettext("{what}: {value}").format(what=name, value=time)
    inside = (_frame(told, at), _between(view, test), drawn, known)
    return moved(*at.ride_place(number_), *inside, data_part=f"ride-{test['test']}")


def _between(view: View, test: Mapping[str, Any]) -> str:
    """The two ends of the ride; a destination that was never placed is pale."""
    if test["test"] == "sunday":
        ends = [moved(34, 30, lake()), moved(96, 30, tree())]
    else:
        names = [f"{kind} {test['test']}" for kind in KINDS if test["test"] in LETTERS_OF[KINDS.index(kind)]]
        ends = [
            moved(34 + 62 * n, 32, placed_tile(*name.split(" ")), opacity=None if name in view["placed"] else 0.35)
            for n, name in enumerate(names)
        ]
    return path("M60,32H70", stroke=colour("ink"), stroke_width=4) + "".join(ends)


def _time(test: Mapping[str, Any], at: Layout) -> str:
    """The minutes, or that it is impossible."""
    if test["minutes"] is None:
        return moved(at.ride_wide - 34, 32, no_entry(16))
    clock = disc(0, 0, 13, fill="none", stroke=colour("ink"), stroke_width=4)
    hands = path(CLOCK, fill="none", stroke=colour("ink"), stroke_width=3.5, stroke_linecap="round")
    said = lettering(at.ride_wide - 16, 32 + at.small * 0.36, str(test["minutes"]), at.small, anchor="end")
    return moved(at.ride_wide - 34 - at.small * 1.24, 32, clock, hands) + said


def _map(view: View, test: Mapping[str, Any], tracks: Tracks, unit: float) -> str:
    """The city, small: all lines faint, the fastest routes strong, the two ends of the ride, all stations."""
    corners = [point_place((5 * a, 5 * b), unit) for a, b in STEPS[:SIDES]]
    drawn = path(closed(corners), fill=colour("wall"), stroke=colour("soft"), stroke_width=3)
    drawn += _waters(view, unit)
    ridden = _ridden(view, test)
    for (seat, _), line in tracks.items():
        drawn += "".join(_faint(seat, run) for run in line)
    for (seat, name), line in tracks.items():
        drawn += "".join(_strong(seat, name, run) for at, run in enumerate(line) if (seat, name, at) in ridden)
    for point in view["stations"]:
        x, y = point_place(point, unit)
        drawn += disc(x, y, 3.6, fill=colour("light"), stroke=colour("dark"), stroke_width=2)
    return drawn + _ends(view, test, unit)


def _ridden(view: View, test: Mapping[str, Any]) -> set[tuple[int, str, int]]:
    """Return which tunnels of which lines the fastest routes pass: those between the ends of a stretch."""
    stretches = stretches_of(test, vertices_of(view))
    return {(*line, at) for line, first, last in stretches for at in range(first + 1, last + 1)}


def _faint(seat: int, run: str) -> str:
    return path(run, fill="none", stroke=colour(f"seat-{seat}"), stroke_width=3, opacity=0.45)


def _strong(seat: int, name: str, run: str) -> str:
    band: dict[str, Value] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    rail = path(run, stroke=colour("edge"), stroke_width=9, **band)
    rail += path(run, stroke=colour(f"seat-{seat}"), stroke_width=6, **band)
    if name == LINES[1]:
        rail += path(run, fill="none", stroke=colour("light"), stroke_width=6, stroke_dasharray="4 5")
    return rail


def _waters(view: View, unit: float) -> str:
    drawn = ""
    for sector, name in enumerate(view["sectors"]):
        for cell, ground in PRINTED[sector * 18 + PIECE_NAMES.index(name)]:
            if ground > 3:
                drawn += path(closed(corners_of(cell, unit)), fill=LAKE_PAINT if ground == 4 else PARK_PAINT)
    return drawn


def _ends(view: View, test: Mapping[str, Any], unit: float) -> str:
    """The destinations of the ride, without their letter: it stands above."""
    return "".join(
        moved(*middle_of(CELL_NAMED[cell], unit), spot(name.split(" ")[0]), scale=0.4)
        for name, cell in view["placed"].items()
        if name.endswith(f" {test['test']}")
    )


def _scores(test: Mapping[str, Any], at: Layout) -> str:
    """The seats that score or pay, by their colour and pattern."""
    scored = [(seat, score) for seat, score in enumerate(test["scores"]) if score]
    first = 58 + 10 * RISE * at.ride_unit + 24
    if not scored:
        return lettering(at.ride_wide / 2, first + 8, "—", at.small, fill=colour("soft"))
    columns = 4 if at.wide else 2
    drawn = ""
    for n, (seat, score) in enumerate(scored):
        row, column = divmod(n, columns)
        in_row = min(columns, len(scored) - columns * row)
        step = min((at.ride_wide - 10) / in_row, 110)
        x = at.ride_wide / 2 + (column - in_row / 2) * step + 14
        y = first + 40 * row
        said = signed(score) if score < 0 else f"+{score}"
        drawn += moved(x, y, seal(seat, 12)) + lettering(x + 17, y + at.small * 0.36, said, at.small, anchor="start")
    return drawn


def _totals(view: View, at: Layout, words: Words) -> str:
    """The last picture: totals by seat; the winner has a star."""
    outcome = view["outcome"]
    name = words.gettext("Result")
    drawn = lettering(at.ride_wide / 2, 44, name, fitting(name, at.small + 2, at.ride_wide - 20))
    step = (at.ride_tall - 70) / 4
    for seat in range(view["seats"]):
        y = 62 + step * (seat + 0.5)
        drawn += moved(64, y, seal(seat, 17))
        drawn += lettering(150, y + 13, signed(outcome["scores"][seat]), 38)
        if seat in outcome["winners"]:
            drawn += star(212, y, 17, fill=colour("lamp"), stroke=colour("edge"), stroke_width=3)
    told = ", ".join(f"{seat_name(seat, words)} {signed(score)}" for seat, score in enumerate(outcome["scores"]))
    label = words.gettext("{what}: {value}").format(what=name, value=told)
    return moved(*at.ride_place(TOTALS), _frame(label, at), group(drawn, class_="result"))
