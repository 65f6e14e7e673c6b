"""The observation of Bus, read from a view feature by feature (see tests/support/observations.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omnibus.games.bus import cities
from omnibus.games.bus.board import City
from support.observations import Arrays, View, one_of

STEPS = [
    "first", "found", "open", "second", "choose", "line", "passengers", "buildings", "clock", "vrroomm", "over",
]  # fmt: skip


def arrays(view: View) -> Arrays:
    """Return every feature by name."""
    city = cities.find(view["city"])
    seats = view["seats"]
    order = [(view["viewer"] + far) % seats for far in range(seats)]
    players = [view["players"][seat] for seat in order]
    numbers = {key: np.array([player[key] for player in players]) for key in ("cubes", "buses", "stones", "rides")}
    return {
        "step": one_of(STEPS, view["step"]),
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
        **_map(view, city, players),
    }


def _fields(view: View, seat: int) -> NDArray[Any]:
    array = np.zeros((7, 6), np.uint8)
    for action, owners in enumerate(view["fields"].values()):
        for field, owner in enumerate(owners):
            array[action, field] = owner == seat
    return array


def _map(view: View, city: City, players: Sequence[Mapping[str, Any]]) -> Arrays:
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
