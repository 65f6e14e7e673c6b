"""The test rides, one picture each: all fastest routes with their minutes, and who scores (§11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.metromania.board import (
    CELL,
    CELL_NAMED,
    LINES,
    NOWHERE,
    POINTS,
    PRINTED,
    SIDES,
    STEPS,
    TO,
    VERTEX_AT,
)
from omnibus.games.metromania.drawing.labels import seat_name
from omnibus.games.metromania.drawing.layout import (
    RIDE_HEIGHT,
    RIDE_MIDDLE,
    RIDE_UNIT,
    RIDE_WIDTH,
    RISE,
    corners_of,
    middle_of,
    point_place,
    ride_place,
)
from omnibus.games.metromania.drawing.shapes import BEND, LAKE_PAINT, PARK_PAINT, closed, lake, tile, tree
from omnibus.games.metromania.position.write import PIECE_NAMES
from omnibus.games.metromania.state import trace
from omnibus.games.metromania.telling.names import minutes, signed
from omnibus.kernel.game import Words
from omnibus.kernel.svg import (
    Value,
    box,
    bullet,
    colour,
    disc,
    fitting,
    group,
    lettering,
    moved,
    number,
    path,
    star,
    title,
)

View = Mapping[str, Any]
Track = tuple[int, str]
"""The vertex a tunnel comes to, and the path of its track."""
Tracks = dict[tuple[int, str], list[Track]]
"""By seat and line, tunnel by tunnel."""

INSET: Final = 7  # a track runs so far from its edge, towards its cell
TOTALS: Final = 7  # the place after the seven rides


def rides(view: View, words: Words) -> str:
    """Draw the seven rides and the totals, once the game is over."""
    if not view["outcome"]:
        return ""
    tracks = _tracks(view)
    tests = view["outcome"]["details"]["tests"]
    drawn = "".join(_ride(view, number, test, tracks, words) for number, test in enumerate(tests))
    return group(drawn, _totals(view, words), class_="rides")


def _tracks(view: View) -> Tracks:
    """Return the tracks of all lines."""
    found: Tracks = {}
    for seat, lines in enumerate(view["lines"]):
        for name in LINES:
            found[seat, name] = [_track(bore) for bore in trace(list(lines[name]))]
    return found


def _track(bore: int) -> Track:
    """A track bends into its cell, as the tunnels of the large picture do."""
    one, other = point_place(POINTS[bore // 12], RIDE_UNIT), point_place(POINTS[TO[bore]], RIDE_UNIT)
    cx, cy = middle_of(CELL[bore], RIDE_UNIT)
    ex, ey = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    far = INSET / (RIDE_UNIT * RISE / 3)
    dx, dy = (cx - ex) * far, (cy - ey) * far
    run = [one]
    for share in (BEND, 1 - BEND):
        run.append((one[0] + (other[0] - one[0]) * share + dx, one[1] + (other[1] - one[1]) * share + dy))
    return TO[bore], "M" + "L".join(f"{number(x)},{number(y)}" for x, y in [*run, other])


def _frame(name: str) -> str:
    frame = box(
        0,
        0,
        RIDE_WIDTH,
        RIDE_HEIGHT,
        18,
        fill=colour("shade"),
        fill_opacity=0.55,
        stroke=colour("line"),
        stroke_width=3,
    )
    return title(name) + frame


def _ride(view: View, at: int, test: Mapping[str, Any], tracks: Tracks, words: Words) -> str:
    sunday = test["test"] == "sunday"
    name = words.gettext("Sunday ride") if sunday else f"{test['test']}–{test['test']}"
    time = words.gettext("impossible") if test["minutes"] is None else minutes(test["minutes"], words)
    head = lettering(24, 50, name, fitting(name, 40, 236), anchor="start")
    head += lettering(RIDE_WIDTH - 24, 50, time, fitting(time, 36, 206), anchor="end")
    middle = moved(RIDE_WIDTH / 2, RIDE_MIDDLE, _map(view, test, tracks))
    told = f"{name}: {time}"
    return moved(*ride_place(at, view["seats"]), _frame(told), head, middle, _scores(test))


def _map(view: View, test: Mapping[str, Any], tracks: Tracks) -> str:
    """The city, small: all lines faint, the fastest routes strong, the two ends of the ride, all stations."""
    corners = [point_place((5 * a, 5 * b), RIDE_UNIT) for a, b in STEPS[:SIDES]]
    drawn = path(closed(corners), fill=colour("wall"), stroke=colour("soft"), stroke_width=3)
    drawn += _waters(view)
    ridden = _ridden(test, tracks)
    for (seat, _), line in tracks.items():
        drawn += "".join(_faint(seat, run) for _, run in line)
    for (seat, name), line in tracks.items():
        drawn += "".join(_strong(seat, name, run) for at, (_, run) in enumerate(line) if (seat, name, at) in ridden)
    for point in view["stations"]:
        x, y = point_place(point, RIDE_UNIT)
        drawn += disc(x, y, 7, fill=colour("light"), stroke=colour("dark"), stroke_width=3)
    return drawn + _ends(view, test)


def _ridden(test: Mapping[str, Any], tracks: Tracks) -> set[tuple[int, str, int]]:
    """Return which tunnels of which lines the fastest routes pass: those between the ends of a stretch."""
    found: set[tuple[int, str, int]] = set()
    for stretch in test["stretches"]:
        key = (stretch["seat"], stretch["line"])
        passed = [vertex for vertex, _ in tracks[key]]
        first = passed.index(VERTEX_AT.get((stretch["from"][0], stretch["from"][1]), NOWHERE))
        last = passed.index(VERTEX_AT.get((stretch["to"][0], stretch["to"][1]), NOWHERE))
        found |= {(*key, at) for at in range(first + 1, last + 1)}
    return found


def _faint(seat: int, run: str) -> str:
    return path(run, fill="none", stroke=colour(f"seat-{seat}"), stroke_width=4, opacity=0.4)


def _strong(seat: int, name: str, run: str) -> str:
    band: dict[str, Value] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    rail = path(run, stroke=colour("edge"), stroke_width=14, **band)
    rail += path(run, stroke=colour(f"seat-{seat}"), stroke_width=9, **band)
    if name == LINES[1]:
        rail += path(run, fill="none", stroke=colour("light"), stroke_width=9, stroke_dasharray="6 8")
    return rail


def _waters(view: View) -> str:
    drawn = ""
    for sector, name in enumerate(view["sectors"]):
        for cell, ground in PRINTED[sector * 18 + PIECE_NAMES.index(name)]:
            if ground > 3:
                drawn += path(closed(corners_of(cell, RIDE_UNIT)), fill=LAKE_PAINT if ground == 4 else PARK_PAINT)
    return drawn


def _ends(view: View, test: Mapping[str, Any]) -> str:
    if test["test"] == "sunday":
        return _sunday_ends(view)
    drawn = ""
    for name, cell in view["placed"].items():
        kind, letter = name.split(" ")
        if letter == test["test"]:
            drawn += moved(*middle_of(CELL_NAMED[cell], RIDE_UNIT), tile(kind, letter), scale=0.62)
    return drawn


def _sunday_ends(view: View) -> str:
    drawn = ""
    for sector, name in enumerate(view["sectors"]):
        for cell, ground in PRINTED[sector * 18 + PIECE_NAMES.index(name)]:
            if ground > 3:
                drawn += moved(*middle_of(cell, RIDE_UNIT), lake() if ground == 4 else tree(), scale=0.6)
    return drawn


def _scores(test: Mapping[str, Any]) -> str:
    """The seats that score or pay, by their letter."""
    scored = [(seat, score) for seat, score in enumerate(test["scores"]) if score]
    if not scored:
        return lettering(RIDE_WIDTH / 2, RIDE_HEIGHT - 36, "—", 36, fill=colour("soft"))
    x = RIDE_WIDTH / 2 - 60 * len(scored) + 30
    drawn = ""
    for seat, score in scored:
        drawn += moved(x, RIDE_HEIGHT - 48, bullet(seat, 22))
        drawn += lettering(x + 32, RIDE_HEIGHT - 35, signed(score) if score < 0 else f"+{score}", 36, anchor="start")
        x += 120
    return drawn


def _totals(view: View, words: Words) -> str:
    """The last picture: line points, tests and totals by seat; the winner has a star."""
    outcome = view["outcome"]
    details = outcome["details"]
    name = words.gettext("Result")
    drawn = lettering(24, 50, name, 40, anchor="start")
    heads = [words.gettext("Lines"), words.gettext("Tests"), words.gettext("Total")]
    for column, head in enumerate(heads):
        drawn += lettering(230 + 110 * column, 112, head, fitting(head, 28, 104), fill=colour("soft"))
    for seat in range(view["seats"]):
        y = 186 + 92 * seat
        drawn += moved(64, y - 10, bullet(seat, 28))
        ridden = sum(test["scores"][seat] for test in details["tests"])
        for column, score in enumerate((details["lines"][seat], ridden, outcome["scores"][seat])):
            drawn += lettering(230 + 110 * column, y + 4, signed(score), 40 if column == 2 else 34)
        if seat in outcome["winners"]:
            drawn += moved(128, y - 10, _star())
    told = ", ".join(f"{seat_name(seat, words)} {signed(score)}" for seat, score in enumerate(outcome["scores"]))
    return moved(*ride_place(TOTALS, view["seats"]), _frame(f"{name}: {told}"), drawn)


def _star() -> str:
    return star(0, 0, 24, fill=colour("lamp"), stroke=colour("edge"), stroke_width=4)
