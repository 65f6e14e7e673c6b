"""Whether a document is the map of a city (§1.4). What is wrong with it is said by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.bus.board.pieces import ZONES
from omnibus.kernel.checks import check_keys, expect, whole
from omnibus.kernel.game import Document
from omnibus.kernel.i18n import mark

CITY: Final = mark("the city")
NEEDED: Final = ["name", "stations", "centre", "crossings", "streets"]
MOST_CROSSINGS: Final = 100
MOST_PLOTS: Final = 2
LEAST_A_PLOTS: Final = 10  # five players found two buildings each (§3.2)
LONGEST_NAME: Final = 60
LONGEST_NOTE: Final = 1000
LARGEST: Final = 1_000_000  # number or coordinate


def surveyed(document: Any) -> Document:
    """Return a copy of a map document, every point of §1.4 checked; BadPosition names the culprit."""
    check_keys(CITY, document, NEEDED, optional=["note"])
    name = _text("name", document["name"], LONGEST_NAME)
    crossings = _crossings(document["crossings"])
    plots = {crossing["id"]: crossing["plots"] for crossing in crossings}
    streets = _streets(document["streets"], plots)
    stations = _places("stations", document["stations"], 2, plots)
    centre = _places("centre", document["centre"], 4, plots)
    for station in stations:
        expect(not plots[station], "station {crossing} must not have plots", crossing=station)
        expect(station not in centre, "station {crossing} is also a central crossing", crossing=station)
    _check_connected(list(plots), streets)
    a_plots = sum(zones.count("A") for zones in plots.values())
    enough = a_plots >= LEAST_A_PLOTS
    expect(enough, "the city has {number} A plots; at least {least} are needed", number=a_plots, least=LEAST_A_PLOTS)
    checked: Document = {"name": name}
    if "note" in document:
        checked["note"] = _text("note", document["note"], LONGEST_NOTE)
    return checked | {"stations": stations, "centre": centre, "crossings": crossings, "streets": streets}


def _crossings(listed: Any) -> list[Document]:
    expect(isinstance(listed, list), "crossings must be a list")
    number = len(listed)
    small = number <= MOST_CROSSINGS
    expect(small, "the city has {number} crossings; at most {most} can be played", number=number, most=MOST_CROSSINGS)
    found: list[Document] = []
    known: set[int] = set()
    for number, crossing in enumerate(listed):
        what = f"crossings[{number}]"
        check_keys(what, crossing, ["id", "xy", "plots"])
        name = whole(f"{what}.id", crossing["id"], 0, LARGEST)
        expect(name not in known, "crossing {crossing} is listed twice", crossing=name)
        known.add(name)
        found.append({"id": name, "xy": _point(name, crossing["xy"]), "plots": _plots(name, crossing["plots"])})
    return found


def _point(name: int, xy: Any) -> list[float]:
    good = isinstance(xy, list) and len(xy) == 2 and all(_is_number(value) for value in xy)
    expect(good, "crossing {crossing} lacks a coordinate: xy must be two numbers, not {xy!r}", crossing=name, xy=xy)
    return list(xy)


def _plots(name: int, plots: Any) -> list[str]:
    expect(isinstance(plots, list), "crossing {crossing}: plots must be a list of zones", crossing=name)
    expect(len(plots) <= MOST_PLOTS, "crossing {crossing} has more than two plots", crossing=name)
    for zone in plots:
        known = isinstance(zone, str) and zone in ZONES
        expect(known, "crossing {crossing} has a plot in an unknown zone: {zone!r}", crossing=name, zone=zone)
    return list(plots)


def _streets(listed: Any, crossings: Mapping[int, Any]) -> list[list[int]]:
    expect(isinstance(listed, list), "streets must be a list")
    found: list[list[int]] = []
    known: set[tuple[int, int]] = set()
    for number, street in enumerate(listed):
        what = f"streets[{number}]"
        pair = isinstance(street, list) and len(street) == 2
        expect(pair, "{what} must be a list of two crossings, not {value!r}", what=what, value=street)
        one = whole(what, street[0], 0, LARGEST)
        other = whole(what, street[1], 0, LARGEST)
        ends = (min(one, other), max(one, other))
        written = f"{ends[0]}-{ends[1]}"
        for end in ends:
            found_end = end in crossings
            expect(
                found_end,
                "street {street} leads nowhere: there is no crossing {crossing}",
                street=written,
                crossing=end,
            )
        expect(one != other, "street {street} leads from a crossing to itself", street=written)
        expect(ends not in known, "street {street} is listed twice", street=written)
        known.add(ends)
        found.append([one, other])
    return found


def _places(key: str, listed: Any, number: int, crossings: Mapping[int, Any]) -> list[int]:
    """Stations or centre: so many different crossings that exist."""
    expect(isinstance(listed, list), "{key} must be a list of crossings", key=key)
    found = [whole(f"{key}[{place}]", name, 0, LARGEST) for place, name in enumerate(listed)]
    for name in found:
        expect(name in crossings, "{key}: there is no crossing {crossing!r} in this city", key=key, crossing=name)
        expect(found.count(name) == 1, "{key}: crossing {crossing} is listed twice", key=key, crossing=name)
    there = len(found)
    expect(
        there == number, "{key} must be exactly {number} crossings, not {there}", key=key, number=number, there=there
    )
    return found


def _check_connected(crossings: list[int], streets: list[list[int]]) -> None:
    neighbours: dict[int, list[int]] = {name: [] for name in crossings}
    for one, other in streets:
        neighbours[one].append(other)
        neighbours[other].append(one)
    reached = {crossings[0]} if crossings else set()
    border = list(reached)
    while border:
        for near in neighbours[border.pop()]:
            if near not in reached:
                reached.add(near)
                border.append(near)
    for name in crossings:
        met = name in reached
        expect(met, "crossing {crossing} cannot be reached from crossing {first}", crossing=name, first=crossings[0])


def _text(key: str, value: Any, longest: int) -> str:
    good = isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()
    expect(good, "{key} must be a text of 1 to {longest} characters", key=key, longest=longest)
    return str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST
