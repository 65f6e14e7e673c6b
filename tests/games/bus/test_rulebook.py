"""The rules, paragraph by paragraph: what may be done, and what may not; `*.cases` say most of it."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.games.bus import cities
from support.cases import Case, cases, changed, check
from support.rules import play

from .positions import place, resolve

pytestmark = pytest.mark.engine

CITY = cities.find("bus-city").document


@pytest.mark.parametrize("case", cases("bus"), ids=str)
def test_case(case: Case) -> None:
    """What is played from a position leads where the case says (tests/games/README.md)."""
    check(case)


def founded(seats: int = 3, **options: Any) -> Match:
    """Play the set-up up to the first sticks: everybody builds houses on the first plots offered."""
    match = play(Match.new("bus", seats=seats, options=options, dice=False), "first 0")
    while match.position()["step"] == "found":
        match.play(match.lines()[0])
    return match


def city() -> dict[str, Any]:
    return copy.deepcopy(CITY)


def test_the_city() -> None:
    """§1.1, §1.2, §1.3 36 crossings, 70 streets, 47 plots in four zones, two stations without, a centre of A plots."""
    map_ = city()
    plots = {crossing["id"]: crossing["plots"] for crossing in map_["crossings"]}
    assert (len(plots), len(map_["streets"])) == (36, 70)
    assert all(len(street) == 2 and set(street) <= set(plots) for street in map_["streets"])
    assert Counter(zone for zones in plots.values() for zone in zones) == {"A": 12, "B": 11, "C": 9, "D": 15}
    assert (map_["stations"], map_["centre"]) == ([8, 30], [16, 20, 21, 27])
    assert [plots[name] for name in map_["stations"]] == [[], []]
    assert all(plots[name] == ["A", "A"] for name in map_["centre"])


MANY = [{"id": n, "xy": [n, n], "plots": []} for n in range(101)]
MALFORMED: list[tuple[Any, str]] = [
    ({"streets": {0: [1, 99]}}, "street 1-99 leads nowhere: there is no crossing 99"),
    ({"streets": {0: [15, 8]}}, "street 8-15 is listed twice"),
    ({"streets": {0: [5, 5]}}, "street 5-5 leads from a crossing to itself"),
    ({"streets": {0: [1, 7, 8]}}, r"streets\[0\] must be a list of two crossings"),
    ({"streets": {0: ["1", "7"]}}, r"streets\[0\] must be a whole number"),
    ({"streets": None}, "streets must be a list"),
    ({"crossings": {8: {"id": 10}}}, "crossing 10 is listed twice"),
    ({"crossings": {8: {"plots": ["E"]}}}, "crossing 9 has a plot in an unknown zone: 'E'"),
    ({"crossings": {8: {"plots": ["D", "D", "D"]}}}, "crossing 9 has more than two plots"),
    ({"crossings": {6: {"plots": "D"}}}, "crossing 7: plots must be a list"),
    ({"crossings": {6: {"id": True}}}, r"crossings\[6\].id must be a whole number"),
    ({"crossings": {6: {"xy": [50]}}}, "crossing 7 lacks a coordinate"),
    ({"crossings": {6: {"xy": [50, "175"]}}}, "crossing 7 lacks a coordinate"),
    ({"crossings": {6: {"xy": [50, float("nan")]}}}, "crossing 7 lacks a coordinate"),
    ({"crossings": {6: {"colour": "red"}}}, "unknown key 'colour'"),
    ({"crossings": {6: 37}}, r"crossings\[6\] must be an object"),
    ({"crossings": "many"}, "crossings must be a list"),
    ({"crossings": MANY}, "101 crossings"),
    ({"crossings": []}, "there is no crossing"),
    ({"stations": [8, 99]}, "stations: there is no crossing 99"),
    ({"stations": [8]}, "stations must be exactly 2 crossings, not 1"),
    ({"stations": [8, 30, 1]}, "stations must be exactly 2 crossings, not 3"),
    ({"stations": [8, 8]}, "stations: crossing 8 is listed twice"),
    ({"stations": 8}, "stations must be a list"),
    ({"centre": [16, 20, 21, 99]}, "centre: there is no crossing 99"),
    ({"centre": [16, 20, 21]}, "centre must be exactly 4 crossings, not 3"),
    ({"centre": [16, 20, 21, 8]}, "station 8 is also a central crossing"),
    ({"crossings": {7: {"plots": ["D"]}}}, "station 8 must not have plots"),
    ({"streets": [end for end in CITY["streets"] if 28 not in end]}, "crossing 28 cannot be reached from crossing 1"),
    ({"crossings": {n - 1: {"plots": ["B"]} for n in (10, 15, 24)}}, "the city has 9 A plots; at least 10 are needed"),
    ({"author": "me"}, "the city has an unknown key 'author'"),
    ({"name": ""}, "name must be a text"),
    ({"note": 3}, "note must be a text"),
]


@pytest.mark.parametrize(("changes", "complaint"), MALFORMED)
def test_malformed_city(changes: Any, complaint: str) -> None:
    """§1.4 A malformed map is refused with an error that names the culprit."""
    with pytest.raises(ValueError, match=complaint):
        Match.new("bus", options={"city": changed(CITY, changes)})


@pytest.mark.parametrize("key", ["name", "stations", "centre", "crossings", "streets"])
def test_what_a_city_needs(key: str) -> None:
    """§1.4 A map that lacks something is refused, too."""
    with pytest.raises(ValueError, match=f"the city has no {key}"):
        Match.new("bus", options={"city": {name: value for name, value in CITY.items() if name != key}})


@pytest.mark.parametrize("key", ["id", "xy", "plots"])
def test_what_a_crossing_needs(key: str) -> None:
    """§1.4 And so is one with a crossing that lacks something."""
    map_ = city()
    del map_["crossings"][6][key]
    with pytest.raises(ValueError, match=rf"crossings\[6\] has no {key}"):
        Match.new("bus", options={"city": map_})


@pytest.mark.parametrize("value", [None, 3, True, [], "../secret.json", "Bus-City", "/etc/hostname"])
def test_no_city_at_all(value: Any) -> None:
    """§1.4 Neither a bundled name nor a map: refused. No path is ever opened."""
    with pytest.raises(ValueError, match="city"):
        Match.new("bus", options={"city": value})


def test_own_city() -> None:
    """§1.4, §14 Another map in the same format can be played, and the record contains it."""
    map_ = city()
    map_["name"] = "somewhere else"
    del map_["note"]
    map_["crossings"][0]["id"] = 700
    map_["streets"] = [[700 if end == 1 else end for end in street] for street in map_["streets"]]
    match = Match.new("bus", options={"city": map_}, seed=1)
    map_["streets"].clear()  # what was handed over is ours no longer
    while match.actor is not None:
        match.play(match.lines()[0])
    assert "lay 7-700" in match.game.write(match.state, match.game.parse(match.state, "lay 7-700"))
    match.options["city"]["streets"].clear()  # nor is what is told anybody else's
    read = Match.read(match.record())
    assert read.options["city"]["name"] == "somewhere else"
    assert read.position() == match.position()


def test_bundled_cities() -> None:
    """§1.4 Both bundled cities are maps, and a document equal to one of them is still a document."""
    assert cities.names() == ("bus-city", "small-town")
    for name in cities.names():
        map_ = copy.deepcopy(cities.find(name).document)
        assert map_["name"] == name
        assert map_["note"]
        assert Match.new("bus", options={"city": map_}, dice=False).options["city"] == map_
        assert Match.new("bus", options={"city": name}, dice=False).options["city"] == name


def test_no_fleet_exceeds_eleven() -> None:
    """§2.1 Every bus costs a cube, one a round, ten rounds: who takes them all ends with eleven."""
    match = Match.new("bus", seats=3, seed=1)
    while match.actor is not None:
        wanted = "take bus" if match.actor == 0 else "take clock"
        lines = match.lines()
        cheap = [line for line in lines if line in (wanted, "take start", "take vrroomm", "pass", "tick")]
        match.play(wanted if wanted in lines else "pass" if "pass" in lines else [*cheap, lines[0]][0])
    assert match.position()["round"] == 10
    assert match.position()["players"][0]["buses"] == 11


LONG = "14-7-1-8-2-5-6-3-4-13-22-31-36-35-30-34-32-33-28-23-17-19-20-27-29-32-26-20-16"  # 28 streets


@pytest.mark.parametrize(
    ("edition", "seat", "sticks"), [("first", 0, 28), ("first", 2, 28), ("first", 3, 18), ("first", 4, 18),
                                    ("reprint", 0, 25), ("reprint", 4, 25)],
)  # fmt: skip
def test_sticks(edition: str, seat: int, sticks: int) -> None:
    """§2.2 28 sticks for seats 0 to 2 and 18 for 3 and 4, in the reprint 25; those of the set-up count."""
    almost = "-".join(LONG.split("-")[:sticks])  # one stick is left
    facts: dict[str, Any] = {
        "seats": 5, "edition": edition, "lines": {seat: almost}, "buses": 2, "last": seat,
        "fields": {"line": [seat, seat], "vrroomm": [(seat + 1) % 5, (seat + 1) % 5]},
    }  # fmt: skip
    match = resolve(**facts)
    assert match.view(None)["sticks_left"][seat] == 1
    assert match.position()["owed"] == 2
    match.play(match.lines()[0])
    assert len(match.position()["players"][seat]["streets"]) == sticks
    assert match.position()["step"] == "choose"  # what is owed beyond them lapses
    free = resolve(sticks="unlimited", **facts)
    assert free.view(None)["sticks_left"] == [None] * 5
    play(free, free.lines()[0])
    play(free, free.lines()[0])
    assert len(free.position()["players"][seat]["streets"]) == sticks + 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_action_board(seats: int) -> None:
    """§2.1, §2.5 Twenty cubes and a bus each; seven actions of six fields, but one for bus, clock and start."""
    match = founded(seats)
    for _ in range(2 * seats):
        match.play(match.lines()[0])
    assert [(player["cubes"], player["buses"]) for player in match.position()["players"]] == [(20, 1)] * seats
    view = match.view(None)
    assert list(view["fields"]) == ["line", "bus", "passengers", "buildings", "clock", "vrroomm", "start"]
    assert [len(view["yields"][action]) for action in view["fields"]] == [6, 1, 6, 6, 1, 6, 1]


def test_no_plot_left() -> None:
    """§9.2 With the last plot built up the rest lapses; the round is played to its end, then the game is over."""
    plots = [*cities.find("bus-city").plot_names]
    plots.remove("35.1")
    match = place(
        step="buildings", field="b", owed=1, fields={"buildings": [1, 0], "clock": [0], "vrroomm": [1]}, buses=2,
        buildings={plot: ("house", "office", "pub")[number % 3] for number, plot in enumerate(plots)},
    )  # fmt: skip
    play(match, "build office 35.1")
    assert match.position()["step"] == "clock"
    play(match, "tick")
    assert match.outcome is not None
    assert match.outcome.reason == "plots"


def test_options() -> None:
    """§14 `edition`, `sticks`, `clock_back` and `city`, with their defaults; nothing else."""
    assert Match.new("bus", dice=False).options == {
        "edition": "first", "sticks": "edition", "clock_back": False, "city": "bus-city",
    }  # fmt: skip
    for wrong in (
        {"sticks": 24}, {"sticks": "25"}, {"sticks": True}, {"sticks": 25.0}, {"sticks": 25, "edition": "first"},
        {"edition": "second"}, {"edition": 1}, {"clock_back": 1}, {"colour": "red"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match="option"):
            Match.new("bus", options=wrong)
    for seats in (2, 6, True):
        with pytest.raises(ValueError, match="seats"):
            Match.new("bus", seats=seats)


def test_small_town() -> None:
    """§14 `city` names a bundled map: the small town has 38 streets."""
    assert len(founded(city="small-town").lines()) == 38


def test_the_space_is_complete() -> None:
    """§15 Every kind of line is there, as often as the city has places for it."""
    game = games.find("bus")
    state = Match.new("bus", dice=False).state
    verbs = Counter(game.write(state, move).split()[0] for move in range(game.space(state)[1]))
    assert verbs == {
        "take": 7, "pass": 1, "stop": 1, "tick": 1, "arrive": 2, "build": 141, "lay": 140, "ride": 1296, "first": 3,
    }  # fmt: skip
