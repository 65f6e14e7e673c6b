"""Whether a document is the map of a city (§1.4). What is wrong with it is said by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from omnibus.games.bus.board.pieces import ZONES
from omnibus.kernel.game import Document

KEYS: Final = ["name", "note", "stations", "centre", "crossings", "streets"]
NEEDED: Final = ["name", "stations", "centre", "crossings", "streets"]
CROSSING_KEYS: Final = ["id", "xy", "plots"]
MOST_CROSSINGS: Final = 100
MOST_PLOTS: Final = 2
LEAST_A_PLOTS: Final = 10  # five players found two buildings each (§3.2)
LONGEST_NAME: Final = 60
LONGEST_NOTE: Final = 1000
LARGEST: Final = 1_000_000  # number or coordinate


class BadCity(ValueError):
    """A document that is no city; the message names the culprit."""


def surveyed(document: Any) -> Document:
    """Return a copy of a map document, every point of §1.4 checked; BadCity names the culprit."""
    _check_keys("the city", document, KEYS, NEEDED)
    name = _text("name", document["name"], LONGEST_NAME)
    crossings = _crossings(document["crossings"])
    plots = {crossing["id"]: crossing["plots"] for crossing in crossings}
    streets = _streets(document["streets"], plots)
    stations = _places("stations", document["stations"], 2, plots)
    centre = _places("centre", document["centre"], 4, plots)
    for station in stations:
        _expect(not plots[station], f"station {station} has plots")
        _expect(station not in centre, f"station {station} is also a central crossing")
    _check_connected(list(plots), streets)
    a_plots = sum(zones.count("A") for zones in plots.values())
    _expect(a_plots >= LEAST_A_PLOTS, f"the city has {a_plots} A plots; at least {LEAST_A_PLOTS} are needed")
    checked: Document = {"name": name}
    if "note" in document:
        checked["note"] = _text("note", document["note"], LONGEST_NOTE)
    return checked | {"stations": stations, "centre": centre, "crossings": crossings, "streets": streets}


def _crossings(listed: Any) -> list[Document]:
    _expect(isinstance(listed, list), "crossings must be a list")
    _expect(
        len(listed) <= MOST_CROSSINGS, f"the city has {len(listed)} crossings; at most {MOST_CROSSINGS} can be played"
    )
    found: list[Document] = []
    known: set[int] = set()
    for number, crossing in enumerate(listed):
        what = f"crossings[{number}]"
        _check_keys(what, crossing, CROSSING_KEYS, ["id"])
        name = _whole(f"{what}.id", crossing["id"])
        _check_keys(f"crossing {name}", crossing, CROSSING_KEYS, CROSSING_KEYS)
        _expect(name not in known, f"crossing {name} is there twice")
        known.add(name)
        found.append({"id": name, "xy": _point(name, crossing["xy"]), "plots": _plots(name, crossing["plots"])})
    return found


def _point(name: int, xy: Any) -> list[float]:
    good = isinstance(xy, list) and len(xy) == 2 and all(_is_number(value) for value in xy)
    _expect(good, f"crossing {name} lacks a coordinate: xy must be two numbers, not {xy!r}")
    return list(xy)


def _plots(name: int, plots: Any) -> list[str]:
    _expect(isinstance(plots, list), f"crossing {name}: plots must be a list of zones")
    _expect(len(plots) <= MOST_PLOTS, f"crossing {name} has more than two plots")
    for zone in plots:
        _expect(isinstance(zone, str) and zone in ZONES, f"crossing {name} has a plot of the unknown zone {zone!r}")
    return list(plots)


def _streets(listed: Any, crossings: Mapping[int, Any]) -> list[list[int]]:
    _expect(isinstance(listed, list), "streets must be a list")
    found: list[list[int]] = []
    known: set[tuple[int, int]] = set()
    for number, street in enumerate(listed):
        what = f"streets[{number}]"
        _expect(
            isinstance(street, list) and len(street) == 2, f"{what} must be a list of two crossings, not {street!r}"
        )
        one = _whole(what, street[0])
        other = _whole(what, street[1])
        for end in (one, other):
            _expect(end in crossings, f"street {one}-{other} dangles: there is no crossing {end}")
        _expect(one != other, f"street {one}-{other} leads from a crossing to itself")
        ends = (min(one, other), max(one, other))
        _expect(ends not in known, f"street {ends[0]}-{ends[1]} is there twice")
        known.add(ends)
        found.append([one, other])
    return found


def _places(key: str, listed: Any, number: int, crossings: Mapping[int, Any]) -> list[int]:
    """Stations or centre: so many different crossings that exist."""
    _expect(isinstance(listed, list), f"{key} must be a list of crossings")
    found = [_whole(f"{key}[{place}]", name) for place, name in enumerate(listed)]
    for name in found:
        _expect(name in crossings, f"{key}: there is no crossing {name}")
        _expect(found.count(name) == 1, f"{key}: crossing {name} is there twice")
    _expect(len(found) == number, f"{key} must be exactly {number} crossings, not {len(found)}")
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
        _expect(name in reached, f"crossing {name} cannot be reached from crossing {crossings[0]}")


def _check_keys(what: str, document: Any, keys: list[str], needed: list[str]) -> None:
    _expect(isinstance(document, Mapping), f"{what} must be an object, not {type(document).__name__}")
    for key in needed:
        _expect(key in document, f"{what} has no {key}")
    for key in document:
        _expect(key in keys, f"{what} has an unknown key {key!r}")


def _text(key: str, value: Any, longest: int) -> str:
    good = isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()
    _expect(good, f"{key} must be a text of 1 to {longest} characters")
    return str(value)


def _whole(what: str, value: Any) -> int:
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST
    _expect(good, f"{what} must be a whole number, not {value!r}")
    return int(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def _expect(good: bool, complaint: str) -> None:
    if not good:
        raise BadCity(complaint)
