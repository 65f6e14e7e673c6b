"""The pieces, which move or change: tunnels, stations, destinations, counts, and signs for blocked lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.metromania.board import (
    APEX0,
    BORDER0,
    CELL,
    CELL_NAMED,
    CITY,
    CITY_CELLS,
    CORNERS,
    KINDS,
    LINES,
    POINTS,
    TO,
    VERTEX_AT,
    VERTEX_NAMES,
)
from omnibus.games.metromania.drawing.labels import (
    hidden_label,
    line_label,
    points_label,
    station_label,
    stock_label,
    tile_label,
    tunnel_label,
)
from omnibus.games.metromania.drawing.layout import Layout, layout_of
from omnibus.games.metromania.state import trace
from omnibus.kernel.game import Piece, Words
from omnibus.kernel.svg import seat_name

View = Mapping[str, Any]


def pieces(view: View, words: Words, *, wide: bool = False) -> list[Piece]:
    """Return everything that moves or changes, the same thing always by the same id."""
    at = layout_of(wide)
    laid = _tunnels(view, at, words) + _destinations(view, at, words) + _stations(view, at, words)
    left, place = view["stock"], at.stock
    stock = Piece("stock_count", f"mm-count-{left}", place.x + 68, place.y + place.tall / 2, stock_label(left, words))
    if view["outcome"]:
        return [*laid, stock]
    for seat in range(view["seats"]):
        laid += _panel(view, seat, at, words) + _hand(view, seat, at, words)
    return [*laid, stock, *_turn(view, at, words)]


def cell_part(cell: int, name: str) -> str:
    """Return the part of a cell, by its number and its name."""
    return f"border-{cell - BORDER0}" if cell >= CITY_CELLS else f"cell-{name}"


def _tunnels(view: View, at: Layout, words: Words) -> list[Piece]:
    laid: list[Piece] = []
    for seat, lines in enumerate(view["lines"]):
        for name in LINES:
            bores = trace(list(lines[name]))
            for number, bore in enumerate(bores, 1):
                laid.append(_tunnel(seat, name, number, bore, at, words))
            if bores and TO[bores[-1]] < CITY:
                x, y = at.vertex_place(TO[bores[-1]])
                laid.append(
                    Piece(f"line-{seat}-{name}_tip", f"mm-tip-{seat}", x, y, line_label(view, seat, name, words))
                )
    return laid


def _tunnel(seat: int, name: str, number: int, bore: int, at: Layout, words: Words) -> Piece:
    """A tunnel is one of six shapes: its cell points up or down, its track lies opposite to one corner."""
    cell = CELL[bore]
    corners = [POINTS[vertex] for vertex in CORNERS[cell]]
    rows = [b for _, b in corners]
    turn = "U" if rows.count(min(rows)) == 2 else "D"
    third = next(point for point in corners if point not in (POINTS[bore // 12], POINTS[TO[bore]]))
    side = _order(corners, turn).index(third)
    x, y = at.cell_place(cell)
    symbol = f"mm-tunnel-{turn}{side}-{seat}-{name}"
    return Piece(f"tunnel-{seat}-{name}-{number}", symbol, x, y, tunnel_label(seat, name, number, words))


def _order(corners: list[tuple[int, int]], turn: str) -> list[tuple[int, int]]:
    """The corners as a cell of the city has them: (a,b), (a+1,b), (a,b+1), or (a+1,b), (a+1,b+1), (a,b+1)."""
    if turn == "U":
        return sorted(corners, key=lambda point: (point[1], point[0]))
    low, *high = sorted(corners, key=lambda point: (point[1], -point[0]))
    return [low, *high]


def _destinations(view: View, at: Layout, words: Words) -> list[Piece]:
    tracks = _tracks(view)
    laid: list[Piece] = []
    for name, where in view["placed"].items():
        kind, letter = name.split(" ")
        x, y = _beside_track(CELL_NAMED[where], tracks, at)
        laid.append(Piece(f"hand-{kind}-{letter}", f"mm-placed-{kind}-{letter}", x, y, tile_label(name, words)))
    return laid


def _tracks(view: View) -> dict[int, int]:
    """Return by cell the bore that was dug there."""
    lines = [list(lines[name]) for lines in view["lines"] for name in LINES]
    return {CELL[bore]: bore for tunnels in lines for bore in trace(tunnels)}


def _beside_track(cell: int, tracks: Mapping[int, int], at: Layout) -> tuple[float, float]:
    """Return where a destination lies in its cell: a little away from the track, so that both are seen."""
    x, y = at.cell_place(cell)
    (ax, ay), (bx, by) = at.vertex_place(tracks[cell] // 12), at.vertex_place(TO[tracks[cell]])
    return x - ((ax + bx) / 2 - x) * 0.26, y - ((ay + by) / 2 - y) * 0.26


def _stations(view: View, at: Layout, words: Words) -> list[Piece]:
    laid: list[Piece] = []
    for point in view["stations"]:
        name = VERTEX_NAMES[VERTEX_AT[(point[0], point[1])]]
        laid.append(Piece(f"vertex-{name}_station", "mm-station", *at.city_place(point), station_label(name, words)))
    return laid


def _panel(view: View, seat: int, at: Layout, words: Words) -> list[Piece]:
    """Points, and for each line the tunnels left, or that it is finished or blocked."""
    scored = view["points"][seat]
    label = points_label(seat, scored, words)
    laid = [Piece(f"points-{seat}", f"mm-count-{scored}", *at.points_place(seat), label)]
    for which, name in enumerate(LINES):
        row_x, row_y = at.line_row(seat, which)
        label = line_label(view, seat, name, words)
        tunnels = list(view["lines"][seat][name])
        part = f"line-{seat}-{name}"
        laid.append(Piece(f"{part}_left", f"mm-count-{18 - len(tunnels)}", row_x + 92, row_y, label))
        bores = trace(tunnels)
        if bores and TO[bores[-1]] >= APEX0:
            laid.append(Piece(f"{part}_finished", "mm-finished", row_x + 170, row_y, label))
        elif f"{seat} {name}" in view["blocked"]:
            laid.append(Piece(f"{part}_blocked", "mm-blocked", row_x + 170, row_y, label))
            if bores:
                laid.append(Piece(f"{part}_halt", "mm-blocked", *at.vertex_place(TO[bores[-1]]), label))
    return laid


def _hand(view: View, seat: int, at: Layout, words: Words) -> list[Piece]:
    """The destinations of a hand, or how many of each kind there are."""
    hand = view["hands"][seat]
    laid: list[Piece] = []
    if hand is not None:
        for number, name in enumerate(hand):
            kind, letter = name.split(" ")
            x, y = at.tile_place(seat, number)
            laid.append(Piece(f"hand-{kind}-{letter}", f"mm-tile-{kind}-{letter}", x, y, tile_label(name, words)))
        return laid
    kinds = [kind for kind, count in zip(KINDS, view["held"][seat], strict=True) for _ in range(count)]
    for number, kind in enumerate(kinds):
        x, y = at.tile_place(seat, number)
        laid.append(Piece(f"hidden-{seat}-{number}", f"mm-back-{kind}", x, y, hidden_label(seat, kind, words)))
    return laid


def _turn(view: View, at: Layout, words: Words) -> list[Piece]:
    """Whose turn it is."""
    seat = view["actor"]
    if seat == "chance":
        return []
    told = words.gettext("{player} to play").format(player=seat_name(seat, words))
    return [Piece("turn", "mm-turn", *at.sign_place(seat), told)]
