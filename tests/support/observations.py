"""Observations read from view documents, slowly and feature by feature: what the compiled writers must agree with.

Nothing in here looks at a state, so an observation that equals this one tells nothing that the view does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omnibus import games
from omnibus.games.bus import cities
from omnibus.games.bus.board import City
from omnibus.games.metromania import board as metro
from omnibus.games.times_square import board as street

View = Mapping[str, Any]
Arrays = dict[str, NDArray[Any]]


def marked(shape: tuple[int, ...], *places: tuple[int, ...] | int) -> NDArray[Any]:
    """Return zeros with ones in some places."""
    array = np.zeros(shape, np.uint8)
    for place in places:
        array[place] = 1
    return array


def one_of(words: Sequence[Any], word: Any) -> NDArray[Any]:
    """Mark a word among others; None marks nothing."""
    return marked((len(words),), *([] if word is None else [list(words).index(word)]))


def read(view: View) -> NDArray[Any]:
    """Return the observation of the seat a view belongs to."""
    arrays = {"bus": bus, "metromania": metromania, "times_square": times_square}[view["game"]](view)
    game = games.find(view["game"])
    names = [feature.name for feature in game.features(game.redeal(view, lambda n: 0))]
    assert set(names) == set(arrays)
    return np.concatenate([np.asarray(arrays[name], np.uint8).ravel() for name in names])


def times_square(view: View) -> Arrays:
    def counted(cards: Sequence[str]) -> list[int]:
        return [cards.count(card) for card in street.CARDS]

    seat = view["viewer"]
    figures = [
        one_of(range(-8, 9), view["figures"][name]) for name in ("sue", "a", "b", "hal", "deb", "charlie")
    ]  # fmt: skip
    return {
        "viewer": one_of([0, 1], seat),
        "edition": one_of(["times_square", "royal_visit"], view["options"]["edition"]),
        "step": one_of(["side", "deal", "act", "playing", "dropping", "refill", "over"], view["step"]),
        "turn": one_of([seat, 1 - seat], view["seat"]),
        "colour": one_of(["green", "yellow", "grey", "red"], view["colour"]),
        "joker": one_of(["deb", "sue", "hal", "guards"], view["joker"]),
        "figures": np.array(figures),
        "hand": np.array(counted(view["hand"])),
        "unseen": np.array(counted(view["unseen"])),
        "discards": np.array(counted(view["discards"])),
        "held": np.array([view["held"][seat], view["held"][1 - seat]]),
        "supply": np.array([view["supply"]]),
        "exhausted": np.array([view["exhausted"]]),
    }


BUS_STEPS = [
    "first", "found", "open", "second", "choose", "line", "passengers", "buildings", "clock", "vrroomm", "over",
]  # fmt: skip


def bus(view: View) -> Arrays:
    city = cities.find(view["city"])
    seats = view["seats"]
    order = [(view["viewer"] + far) % seats for far in range(seats)]
    players = [view["players"][seat] for seat in order]
    numbers = {key: np.array([player[key] for player in players]) for key in ("cubes", "buses", "stones", "rides")}
    return {
        "step": one_of(BUS_STEPS, view["step"]),
        "turn": one_of(order, view["seat"]),
        "start": one_of(order, view["start"]),
        "field": one_of("abcdef", view["field"]),
        "clock": one_of(["house", "office", "pub"], view["clock"]),
        "zone": one_of("ABCD", view["zone"]),
        "reprint": np.array([view["edition"] == "reprint"]),
        "unlimited": np.array([view["sticks"] == "unlimited"]),
        "clock_back": np.array([view["clock_back"]]),
        "round": np.array([view["round"]]),
        "owed": np.array([view["owed"]]),
        "pile": np.array([view["stones"]]),
        "box": np.array([view["box"]]),
        "supply": np.array(view["supply"] or [30, 30, 30]),
        **numbers,
        "reached": np.array([player["reached"] for player in players]),
        "laid": np.array([len(player["streets"]) for player in players]),
        "sticks": np.array([28 if view["sticks_left"][seat] is None else view["sticks_left"][seat] for seat in order]),
        "passed": np.array([player["passed"] for player in players]),
        "fields": np.array([_fields(view, seat) for seat in order]),
        **_bus_map(view, city, players),
    }


def _fields(view: View, seat: int) -> NDArray[Any]:
    array = np.zeros((7, 6), np.uint8)
    for action, owners in enumerate(view["fields"].values()):
        for field, owner in enumerate(owners):
            array[action, field] = owner == seat
    return array


def _bus_map(view: View, city: City, players: Sequence[Mapping[str, Any]]) -> Arrays:
    streets = ["{}-{}".format(*sorted(street)) for street in city.document["streets"]]
    crossings = [crossing["id"] for crossing in city.document["crossings"]]
    on = [{int(end) for street in player["streets"] for end in street.split("-")} for player in players]
    kinds = ["house", "office", "pub"]
    return {
        "lines": np.array([[street in player["streets"] for street in streets] for player in players]),
        "stops": np.array([[name in stops for name in crossings] for stops in on]),
        "heads": np.array([[player["heads"].count(name) for name in crossings] for player in players]),
        "waiting": np.array([view["waiting"].count(name) for name in crossings]),
        "seated": np.array([view["seated"].count(name) for name in crossings]),
        "buildings": np.array([[view["buildings"].get(plot) == kind for plot in city.plot_names] for kind in kinds]),
    }


def metromania(view: View) -> Arrays:
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
