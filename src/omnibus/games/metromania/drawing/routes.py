"""The fastest routes of the test rides, vertex by vertex (§11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Any

from omnibus.games.metromania.board import (
    CELL_NAMED,
    CORNERS,
    LAKE,
    LINES,
    PARK,
    PRINTED,
    TO,
    VERTEX_AT,
)
from omnibus.games.metromania.position.write import PIECE_NAMES
from omnibus.games.metromania.scoring import CHANGE
from omnibus.games.metromania.state import trace

View = Mapping[str, Any]
Test = Mapping[str, Any]
Line = tuple[int, str]
"""A seat and the name of a line."""
Stop = tuple[int, Line]
"""A station and a line that calls there."""


def vertices_of(view: View) -> dict[Line, list[int]]:
    """Return for each line the vertices its tunnels come to, in order."""
    return {
        (seat, name): [TO[bore] for bore in trace(list(lines[name]))]
        for seat, lines in enumerate(view["lines"])
        for name in LINES
    }


def stretches_of(test: Test, passed: Mapping[Line, list[int]]) -> list[tuple[Line, int, int]]:
    """Return the stretches of all fastest routes: a line, and where on it the stretch begins and ends."""
    found = []
    for stretch in test["stretches"]:
        line = (stretch["seat"], stretch["line"])
        first, last = (passed[line].index(VERTEX_AT[tuple(stretch[end])]) for end in ("from", "to"))
        found.append((line, first, last))
    return found


def ends_of(view: View, test: Test) -> list[list[int]]:
    """Return the cells of the two ends of a ride; none for a destination that was not placed."""
    if test["test"] == "sunday":
        return [[cell for cell, ground in _printed(view) if ground == end] for end in (LAKE, PARK)]
    placed = [[CELL_NAMED[cell]] for name, cell in view["placed"].items() if name.endswith(f" {test['test']}")]
    return placed + [[]] * (2 - len(placed))


def _printed(view: View) -> Iterator[tuple[int, int]]:
    for sector, name in enumerate(view["sectors"]):
        yield from PRINTED[sector * len(PIECE_NAMES) + PIECE_NAMES.index(name)]


def route(view: View, test: Test) -> list[tuple[int, int]]:
    """Return one fastest route of a possible ride: the vertices it passes, with the minutes until there."""
    passed = vertices_of(view)
    stations = {VERTEX_AT[tuple(point)] for point in view["stations"]}
    sources, targets = (
        {vertex for cell in cells for vertex in CORNERS[cell] if vertex in stations} for cells in ends_of(view, test)
    )
    if both := sorted(sources & targets):
        return [(both[0], 0)]
    steps = _steps(test, passed)
    waiting: list[tuple[int, list[tuple[int, int]], Stop]] = []
    for stop in sorted(steps):
        if stop[0] in sources:
            heappush(waiting, (0, [(stop[0], 0)], stop))
    known: set[Stop] = set()
    while waiting:
        now, way, stop = heappop(waiting)
        if stop[0] in targets:
            return way
        if stop in known:
            continue
        known.add(stop)
        for other, between in steps[stop]:
            heappush(waiting, (now + 1, [*way, *((vertex, now + 1) for vertex in between)], other))
        for other in sorted(steps):
            if other[0] == stop[0] and other[1] != stop[1]:
                heappush(waiting, (now + CHANGE, [*way, (stop[0], now + CHANGE)], other))
    return []


def _steps(test: Test, passed: Mapping[Line, list[int]]) -> dict[Stop, list[tuple[Stop, list[int]]]]:
    """Return where the stretches of the fastest routes lead, and the vertices on the way."""
    steps: dict[Stop, list[tuple[Stop, list[int]]]] = {}
    for line, first, last in stretches_of(test, passed):
        there = passed[line][first : last + 1]
        one, other = (there[0], line), (there[-1], line)
        steps.setdefault(one, []).append((other, there[1:]))
        steps.setdefault(other, []).append((one, there[-2::-1]))
    return steps
