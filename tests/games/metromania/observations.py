"""The observation of MetroMania, read from a view feature by feature (see tests/support/observations.py)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from omnibus.games.metromania import board as metro
from support.observations import Arrays, View, marked, one_of


def arrays(view: View) -> Arrays:
    """Return every feature by name."""
    seats = view["seats"]
    order = [(view["viewer"] + far) % seats for far in range(seats)]
    lines = [f"{seat} {line}" for seat in order for line in ("solid", "striped")]
    dug = [_dug(view["lines"][seat][line]) for seat in order for line in ("solid", "striped")]
    doubles = [view["doubles"][seat] if seat < len(view["doubles"]) else None for seat in order]
    left = 0 if view["ended"] is None else view["ended"] + seats - view["turn"]
    return {
        "step": one_of(["pieces", "doubles", "deal", "act", "place", "bonus", "over"], view["step"]),
        "turn": one_of(order, view["seat"]),
        "line": one_of(["solid", "striped"], view["line"]),
        "reason": one_of(["finished", "stock", "blocked"], view["reason"]),
        "town_hall": one_of(["hidden", "open", "strict"], view["options"]["town_hall"]),
        "dug": np.array([view["dug"]]),
        "placed_now": np.array([view["placed_now"]]),
        "stock": np.array([view["stock"]]),
        "last_turns": np.array([max(0, left)]),
        "points": np.array([view["points"][seat] for seat in order]),
        "finished": np.array([bool(bores) and metro.TO[bores[-1]] >= 91 for bores in dug]),
        "blocked": np.array([line in view["blocked"] for line in lines]),
        "doubles": np.array([one_of(["home", "work", "leisure"], kind) for kind in doubles]),
        "held": np.array([view["held"][seat] for seat in order]),
        "hands": np.array([[name in (view["hands"][seat] or []) for name in DESTINATIONS] for seat in order]),
        **_placed(view, order, dug),
        **_tunnels(dug),
        **_ground(view),
    }


DESTINATIONS = [
    f"{kind} {letter}"
    for kind, letters in (("home", "ACDF"), ("work", "ABEF"), ("leisure", "BCDE"))
    for letter in letters
]


def _dug(tunnels: Sequence[str]) -> list[int]:
    """Follow a line as it is written, bore by bore."""
    bores: list[int] = []
    for number, tunnel in enumerate(tunnels):
        first, second = tunnel.split(" ")
        if number == 0:
            apex = 91 + int(first)
            ways = [apex * 12 + metro.DIRECTIONS.index(second) * 2 + side for side in (0, 1)]
            bores.append(next(bore for bore in ways if metro.CELL[bore] == 150 + int(first)))
        else:
            at = metro.TO[bores[-1]]
            bores.append(at * 12 + metro.DIRECTIONS.index(first) * 2 + "lr".index(second))
    return bores


def _tunnels(dug: Sequence[Sequence[int]]) -> Arrays:
    lines = len(dug)
    arrays = {
        "tips": np.zeros((lines, 121), np.uint8),
        "headings": np.zeros((lines, 6), np.uint8),
        "lines": np.zeros((lines, 121), np.uint8),
        "tunnels": np.zeros((lines, 180), np.uint8),
        "tracks": np.zeros((3, 180), np.uint8),
    }
    for line, bores in enumerate(dug):
        for bore in bores:
            cell, ends = metro.CELL[bore], {bore // 12, metro.TO[bore]}
            arrays["lines"][line, list(ends)] = 1
            arrays["tunnels"][line, cell] = 1
            corners = sorted(metro.CORNERS[cell])
            edges = [{corners[0], corners[1]}, {corners[0], corners[2]}, {corners[1], corners[2]}]
            if cell >= 150:
                edges = edges[1:]  # lines never run along the base of a border cell
            edges.sort(key=lambda edge: metro.ENDS.index(sorted(edge)))
            arrays["tracks"][edges.index(ends), cell] = 1
        if bores:
            arrays["tips"][line, metro.TO[bores[-1]]] = 1
            arrays["headings"][line, bores[-1] % 12 // 2] = 1
    return arrays


def _ground(view: View) -> Arrays:
    ground = np.zeros((5, 150), np.uint8)
    worth = np.zeros(91, np.uint8)
    for sector, piece in enumerate(view["sectors"]):
        number, rotation = (int(part) for part in piece.split("."))
        for cell, printed in metro.PRINTED[(sector * 6 + number - 1) * 3 + rotation]:
            ground[printed - 1, cell] = 1
            if printed <= 3:
                worth[metro.CORNERS[cell]] += 1
    stations = [metro.VERTEX_AT[a, b] for a, b in view["stations"]]
    return {"ground": ground, "worth": worth, "stations": marked((91,), *stations)}


def _placed(view: View, order: Sequence[int], dug: Sequence[Sequence[int]]) -> Arrays:
    placed = np.zeros((6, 150), np.uint8)
    placer = np.zeros((len(order), 12), np.uint8)
    for name, where in view["placed"].items():
        cell = metro.CELL_NAMES.index(where)
        placed["ABCDEF".index(name[-1]), cell] = 1
        line = next(line for line, bores in enumerate(dug) if cell in [metro.CELL[bore] for bore in bores])
        placer[line // 2, DESTINATIONS.index(name)] = 1
    return {"placed": placed, "placer": placer}
