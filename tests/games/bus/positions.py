"""Positions of Bus, made from the few facts a test is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from omnibus import Match

# Lines that are in nobody's way, as trails from head to head.
ASIDE = ["1-7-14", "3-4-13", "28-33-32", "31-36-35", "2-5-6"]
CENTRE = [16, 20, 21, 27]
PLOTS = {
    "A": "10.1 15.1 16.1 16.2 20.1 20.2 21.1 21.2 24.1 27.1 27.2 29.1",
    "B": "1.1 6.1 11.1 12.1 14.1 18.1 19.1 22.1 25.1 26.1 36.1",
    "C": "10.2 12.2 14.2 15.2 19.2 22.2 24.2 26.2 29.2",
    "D": "2.1 3.1 4.1 5.1 7.1 9.1 13.1 17.1 23.1 28.1 31.1 32.1 33.1 34.1 35.1",
}
ACTIONS = ["line", "bus", "passengers", "buildings", "clock", "vrroomm", "start"]
BEGUN = {
    "edition": "first",
    "sticks": "edition",
    "clock_back": False,
    "city": "bus-city",
    "round": 1,
    "start": 0,
    "field": None,
    "owed": 0,
    "clock": "house",
}


def plots(zones: str) -> list[str]:
    """Name the plots of some zones, in the order of the map."""
    return [plot for zone in zones for plot in PLOTS[zone].split()]


def streets(trail: str) -> list[str]:
    """Name the streets of a trail such as 8-15-20."""
    stops = [int(stop) for stop in trail.split("-")]
    ends = [(min(pair), max(pair)) for pair in pairwise(stops)]
    return [f"{one}-{other}" for one, other in sorted(ends)]


def heads(trail: str) -> list[int]:
    """Name the heads of a trail."""
    stops = [int(stop) for stop in trail.split("-")]
    return sorted([stops[0], stops[-1]])


def describe(
    *,
    seats: int = 3,
    lines: Mapping[int, str] | None = None,
    buildings: Mapping[str, str] | None = None,
    filled: str = "",
    waiting: Sequence[int] = CENTRE,
    seated: Sequence[int] = (),
    fields: Mapping[str, Sequence[int]] | None = None,
    players: Mapping[int, Mapping[str, Any]] | None = None,
    cubes: int = 18,
    buses: int = 1,
    step: str = "choose",
    seat: int | None = 0,
    **more: Any,
) -> dict[str, Any]:
    """Return a position document: lines lie aside and pubs stand on the first A plots, unless named otherwise.

    `filled` names zones all of whose plots have a pub; `players` gives single seats what they have.
    """
    trails = {**dict(enumerate(ASIDE[:seats])), **(lines or {})}
    standing = dict.fromkeys(plots(filled) or plots("A")[: 2 * seats], "pub") | dict(buildings or {})
    base = {"cubes": cubes, "buses": buses, "stones": 0, "rides": 0, "reached": 0, "passed": False}
    have = [
        {**base, "streets": streets(trails[each]), "heads": heads(trails[each]), **(players or {}).get(each, {})}
        for each in range(seats)
    ]
    stones = (4 if seats == 3 else 5) - sum(player["stones"] for player in have)
    return {
        **BEGUN,
        "seats": seats,
        "step": step,
        "seat": seat,
        "stones": stones,
        "box": 15 - len(waiting) - len(seated),
        "waiting": list(waiting),
        "seated": list(seated),
        "buildings": standing,
        "fields": {action: list((fields or {}).get(action, [])) for action in ACTIONS},
        "players": have,
        **more,
    }


def place(**facts: Any) -> Match:
    """Begin a match from such a position."""
    return Match.from_position("bus", describe(**facts), dice=False)


def resolve(*, fields: Mapping[str, Sequence[int]], seats: int = 3, last: int = 0, **facts: Any) -> Match:
    """Begin where the last seat is about to pass, play that, and stand where the fields named are resolved.

    Everybody needs two cubes on the board to have passed; who has fewer has no cubes left.
    """
    had = facts.pop("players", {})
    players: dict[int, dict[str, Any]] = {}
    for each in range(seats):
        placed = sum(list(owners).count(each) for owners in fields.values())
        done = placed >= 2
        players[each] = {"cubes": 20 - placed if done else 0, "passed": done and each != last, **had.get(each, {})}
    match = place(seats=seats, fields=fields, players=players, seat=last, **facts)
    match.play("pass")
    return match
