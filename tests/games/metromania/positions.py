"""Positions of MetroMania, made from the few facts a test is about."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from omnibus import Match, games
from omnibus.games.metromania.board import CITY, DESTINATIONS, LINES, POINTS, destination_name
from omnibus.games.metromania.moves import hands_dealt
from omnibus.games.metromania.position.read import place_pieces
from omnibus.games.metromania.rules.apply import find_blocked
from omnibus.games.metromania.state import State, fixed_hands
from omnibus.kernel.perft import step

KINDS = ["home", "work", "leisure"]
CITY_OF_TESTS = ["1.0", "2.0", "3.0", "4.0", "5.0", "6.0"]
DEALS = {3: "ACBE/DABC/FFED", 4: "ABC/DAE/FEB/CFD"}


def describe(
    *,
    seats: int = 2,
    town_hall: str = "hidden",
    lines: dict[str, str] | None = None,
    stations: str = "",
    placed: dict[str, str] | None = None,
    deal: str | None = None,
    doubles: str = "",
    round_: int = 3,
    seat: int = 0,
    **facts: Any,
) -> dict[str, Any]:
    """Return a position document: nothing built unless named, seat 0 has all the points, nobody's first turn."""
    placed = placed or {}
    hall = ["hidden", "open", "strict"].index(town_hall)
    dealt = fixed_hands(seats, hall) or hands_dealt(
        deal or DEALS[seats], [KINDS.index(kind) for kind in doubles.split()]
    )
    names = [destination_name(one) for one in range(DESTINATIONS)]
    made: dict[str, Any] = {
        "seats": seats,
        "town_hall": town_hall,
        "sectors": CITY_OF_TESTS,
        "doubles": doubles.split(),
        "hands": [[name for one, name in enumerate(names) if hand >> one & 1 and name not in placed] for hand in dealt],
        "placed": placed,
        "lines": [{name: _tunnels(lines or {}, f"{own} {name}") for name in LINES} for own in range(seats)],
        "stations": [[int(part) for part in point.split(",")] for point in stations.split()],
        "points": [0] * seats,
        "turn": round_ * seats + seat,
        "seat": seat,
        "step": "act",
        "dug": 0,
        "placed_now": False,
        "line": None,
        "blocked": [],
        "ended": None,
        "reason": None,
        "ruled_out": [[] for _ in range(seats)],
    } | facts
    return _completed(made, set(facts))


def _tunnels(lines: dict[str, str], name: str) -> list[str]:
    return lines[name].split(", ") if name in lines else []


def _completed(made: dict[str, Any], given: set[str]) -> dict[str, Any]:
    """Fill in what follows from the rest: the worth of the stations, and which lines are blocked."""
    if len(made["sectors"]) < 6:
        return made
    if "points" not in given:
        worth = _worth()
        made["points"] = [sum(worth[point[0], point[1]] for point in made["stations"])] + [0] * (made["seats"] - 1)
    if "blocked" not in given:
        state = place_pieces(made)
        find_blocked(state)
        made["blocked"] = [
            f"{line // 2} {LINES[line % 2]}" for line in range(2 * made["seats"]) if state.blocked >> line & 1
        ]
    return made


@cache
def _worth() -> dict[tuple[int, int], int]:
    match = Match.new("metromania", dice=False)
    for piece in CITY_OF_TESTS:
        match.play(f"piece {piece}")
    return {POINTS[vertex]: match.state.worth[vertex] for vertex in range(CITY)}


def place(**facts: Any) -> Match:
    """Begin a match from such a position, with chance by hand."""
    return Match.from_position("metromania", describe(**facts), dice=False)


def find(fits: Callable[[State], bool], *, seats: int = 2, town_hall: str = "hidden", tries: int = 3000) -> State:
    """Walk through random games until a state fits."""
    game = games.find("metromania")
    for seed in range(tries):
        random = Random(seed)
        state: State = game.setup(seats, {"town_hall": town_hall})
        while state.actor != -2:
            game.apply(state, step(game, state, random.random))
            if fits(state):
                return state
    raise AssertionError("no such state was found")
