"""The city as tables: crossings, streets and plots by index, and where their moves begin in the action space.

Crossings, plots and streets are numbered in the order of the map document. A street has two **ways**, 2 × street from
the crossing with the smaller name to the other and 2 × street + 1 back; laying a stick is choosing a way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from omnibus.games.bus.board.pieces import KIND_COUNT, ZONE_COUNT, ZONES
from omnibus.games.bus.board.survey import surveyed
from omnibus.kernel.game import Document

BUILD0: Final = 12  # moves.BUILD0; the moves before it are the same in every city


class City:
    """A map that can be played on. Made by `build`, never changed."""

    __slots__ = (
        "centre", "crossing_count", "crossing_named", "document", "first_lays", "given", "lay0", "names", "out",
        "plot_at", "plot_count", "plot_named", "plot_names", "plot_zone", "ride0", "seat_moves", "stations",
        "street_count", "tail", "tip", "way_named", "zone_builds",
    )  # fmt: skip

    given: str  # the name of a bundled city; empty for a document somebody brought
    document: Document
    crossing_count: int
    names: list[int]  # of the crossings
    crossing_named: dict[str, int]
    stations: list[int]
    centre: list[int]
    street_count: int
    tail: list[int]  # of each way: where it begins
    tip: list[int]  # of each way: where it ends
    out: list[list[int]]  # of each crossing: the ways that begin there
    way_named: dict[str, int]
    plot_count: int
    plot_at: list[int]
    plot_zone: list[int]
    plot_names: list[str]
    plot_named: dict[str, int]
    zone_builds: list[list[int]]  # of each zone: the moves that build on its plots
    first_lays: list[int]  # the moves that lay a first stick (§3.3)
    lay0: int
    ride0: int
    seat_moves: int

    def __reduce__(self) -> tuple[Callable[[Any, str], City], tuple[Document, str]]:
        """Pickle a city as its map."""
        return build, (self.document, self.given)


_built: dict[str, City] = {}
MOST_KEPT: Final = 64


def build(document: Any, given: str = "") -> City:
    """Return the city of a map document; BadPosition names what is wrong with it. The last few are kept."""
    checked = surveyed(document)
    key = f"{given} {checked!r}"
    if key not in _built:
        if len(_built) >= MOST_KEPT:
            del _built[next(iter(_built))]
        _built[key] = _tabulated(checked, given)
    return _built[key]


def _tabulated(document: Document, given: str) -> City:
    city = City()
    city.given = given
    city.document = document
    _number_crossings(city)
    _number_plots(city)
    _number_streets(city)
    _number_moves(city)
    return city


def _number_crossings(city: City) -> None:
    city.names = [crossing["id"] for crossing in city.document["crossings"]]
    city.crossing_count = len(city.names)
    city.crossing_named = {str(name): index for index, name in enumerate(city.names)}
    city.stations = [city.names.index(name) for name in city.document["stations"]]
    city.centre = [city.names.index(name) for name in city.document["centre"]]


def _number_plots(city: City) -> None:
    """§1.2: `16.1` and `16.2` are the first and the second plot of crossing 16."""
    city.plot_at = []
    city.plot_zone = []
    city.plot_names = []
    for index, crossing in enumerate(city.document["crossings"]):
        for number, zone in enumerate(crossing["plots"], 1):
            city.plot_at.append(index)
            city.plot_zone.append(ZONES.index(zone))
            city.plot_names.append(f"{crossing['id']}.{number}")
    city.plot_count = len(city.plot_at)
    city.plot_named = {name: plot for plot, name in enumerate(city.plot_names)}
    city.zone_builds = [
        [
            BUILD0 + plot * KIND_COUNT + kind
            for plot in range(city.plot_count)
            if city.plot_zone[plot] == zone
            for kind in range(KIND_COUNT)
        ]
        for zone in range(ZONE_COUNT)
    ]


def _number_streets(city: City) -> None:
    city.tail = []
    city.tip = []
    city.out = [[] for _ in range(city.crossing_count)]
    city.way_named = {}
    for one, other in city.document["streets"]:
        low, high = min(one, other), max(one, other)
        for begin, end in ((low, high), (high, low)):
            tail, tip = city.names.index(begin), city.names.index(end)
            city.out[tail].append(len(city.tail))
            city.way_named[f"{begin}-{end}"] = len(city.tail)
            city.tail.append(tail)
            city.tip.append(tip)
    city.street_count = len(city.tail) // 2


def _number_moves(city: City) -> None:
    city.lay0 = BUILD0 + city.plot_count * KIND_COUNT
    city.ride0 = city.lay0 + len(city.tail)
    city.seat_moves = city.ride0 + city.crossing_count * city.crossing_count
    city.first_lays = [city.lay0 + 2 * street for street in range(city.street_count)]
