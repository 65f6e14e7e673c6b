"""The rules, paragraph by paragraph: city, pieces and set-up (§1 – §3), options and notation (§14, §15)."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from omnibus import BadNotation, Match, games
from omnibus.games.bus import cities
from support.rules import play, refused

pytestmark = pytest.mark.engine

Place = Callable[..., Match]


def founded(seats: int = 3, first: int = 0, **options: Any) -> Match:
    """Play the set-up up to the first sticks: everybody builds houses on the first plots offered."""
    match = play(Match.new("bus", seats=seats, options=options, dice=False), f"first {first}")
    for _ in range(2 * seats):
        match.play(match.lines()[0])
    return match


def opened(seats: int = 3, first: int = 0, **options: Any) -> Match:
    """Play the whole set-up, always the first line offered."""
    match = founded(seats, first, **options)
    for _ in range(2 * seats):
        match.play(match.lines()[0])
    return match


def city() -> dict[str, Any]:
    return copy.deepcopy(cities.find("bus-city").document)


# §1 The city


def test_crossings_and_streets() -> None:
    """§1.1 36 crossings, 70 streets, each between two crossings."""
    map_ = city()
    assert len(map_["crossings"]) == 36
    assert len(map_["streets"]) == 70
    known = {crossing["id"] for crossing in map_["crossings"]}
    assert all(len(street) == 2 and set(street) <= known for street in map_["streets"])


def test_plots() -> None:
    """§1.2 47 plots in four zones; `16.2` is the second plot of crossing 16, a single plot is `.1`."""
    zones = Counter(zone for crossing in city()["crossings"] for zone in crossing["plots"])
    assert zones == {"A": 12, "B": 11, "C": 9, "D": 15}
    match = play(Match.new("bus", dice=False), "first 0")
    assert "build pub 16.2" in match.lines()
    assert "build pub 24.1" in match.lines()
    for line in ("build pub 16.3", "build pub 8.1", "build pub 24", "build pub 01.1"):
        with pytest.raises(BadNotation):
            match.play(line)


def test_stations_and_centre() -> None:
    """§1.3 Stations 8 and 30 have no plots; the central crossings have two A plots each."""
    map_ = city()
    plots = {crossing["id"]: crossing["plots"] for crossing in map_["crossings"]}
    assert map_["stations"] == [8, 30]
    assert map_["centre"] == [16, 20, 21, 27]
    assert [plots[name] for name in map_["stations"]] == [[], []]
    assert all(plots[name] == ["A", "A"] for name in map_["centre"])


def _drop(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda map_: map_.pop(key)


def _add(key: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda map_: map_[key].append(value)


def _put(key: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda map_: map_.update({key: value})


def _at(name: int, key: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda map_: map_["crossings"][name - 1].update({key: value})


def _lacking(name: int, key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda map_: map_["crossings"][name - 1].pop(key)


def _cut_off(map_: dict[str, Any]) -> None:
    map_["streets"] = [street for street in map_["streets"] if 28 not in street]


def _poor(map_: dict[str, Any]) -> None:
    for name in (10, 15, 24):
        map_["crossings"][name - 1]["plots"] = ["B"]


MALFORMED: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "dangling street": (_add("streets", [1, 99]), "street 1-99 leads nowhere: there is no crossing 99"),
    "duplicate street": (_add("streets", [8, 1]), "street 1-8 is listed twice"),
    "street to itself": (_add("streets", [5, 5]), "street 5-5 leads from a crossing to itself"),
    "duplicate crossing": (_at(9, "id", 10), "crossing 10 is listed twice"),
    "unknown zone": (_at(9, "plots", ["E"]), "crossing 9 has a plot in an unknown zone: 'E'"),
    "more than two plots": (_at(9, "plots", ["D", "D", "D"]), "crossing 9 has more than two plots"),
    "no such station": (_put("stations", [8, 99]), "stations: there is no crossing 99"),
    "no such centre": (_put("centre", [16, 20, 21, 99]), "centre: there is no crossing 99"),
    "one station": (_put("stations", [8]), "stations must be exactly 2 crossings, not 1"),
    "three stations": (_put("stations", [8, 30, 1]), "stations must be exactly 2 crossings, not 3"),
    "a station twice": (_put("stations", [8, 8]), "stations: crossing 8 is listed twice"),
    "three centres": (_put("centre", [16, 20, 21]), "centre must be exactly 4 crossings, not 3"),
    "station with plots": (_at(8, "plots", ["D"]), "station 8 must not have plots"),
    "station and centre": (_put("centre", [16, 20, 21, 8]), "station 8 is also a central crossing"),
    "disconnected": (_cut_off, "crossing 28 cannot be reached from crossing 1"),
    "nine A plots": (_poor, "the city has 9 A plots; at least 10 are needed"),
    "missing coordinate": (_at(7, "xy", [50]), "crossing 7 lacks a coordinate"),
    "no number": (_at(7, "xy", [50, "175"]), "crossing 7 lacks a coordinate"),
    "nan": (_at(7, "xy", [50, float("nan")]), "crossing 7 lacks a coordinate"),
    "no coordinates": (_lacking(7, "xy"), r"crossings\[6\] has no xy"),
    "no plots": (_lacking(7, "plots"), r"crossings\[6\] has no plots"),
    "no id": (_lacking(7, "id"), r"crossings\[6\] has no id"),
    "unknown key of a crossing": (_at(7, "colour", "red"), "unknown key 'colour'"),
    "unknown key": (_put("author", "me"), "the city has an unknown key 'author'"),
    "street of three": (_put("streets", [[1, 7, 8]]), r"streets\[0\] must be a list of two crossings"),
    "street of words": (_put("streets", [["1", "7"]]), r"streets\[0\] must be a whole number"),
    "crossings no list": (_put("crossings", {}), "crossings must be a list"),
    "streets no list": (_put("streets", None), "streets must be a list"),
    "stations no list": (_put("stations", 8), "stations must be a list"),
    "plots no list": (_at(7, "plots", "D"), "crossing 7: plots must be a list"),
    "true is no number": (_at(7, "id", True), r"crossings\[6\].id must be a whole number"),
    "crossing no object": (_add("crossings", 37), r"crossings\[36\] must be an object"),
    "too many": (_put("crossings", [{"id": n, "xy": [n, n], "plots": []} for n in range(101)]), "101 crossings"),
    "nothing": (_put("crossings", []), "there is no crossing"),
    "name": (_put("name", ""), "name must be a text"),
    "note": (_put("note", 3), "note must be a text"),
    **{
        f"no {key}": (_drop(key), f"the city has no {key}")
        for key in ("name", "stations", "centre", "crossings", "streets")
    },
}  # fmt: skip


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_city(case: str) -> None:
    """§1.4 A malformed map is refused with an error that names the culprit."""
    spoil, complaint = MALFORMED[case]
    map_ = city()
    spoil(map_)
    with pytest.raises(ValueError, match=complaint):
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


# §2 Pieces


def test_belongings() -> None:
    """§2.1 Twenty cubes and one bus each."""
    for player in opened().position()["players"]:
        assert (player["cubes"], player["buses"]) == (20, 1)


@pytest.mark.parametrize(("edition", "before", "after"), [("first", 5, 6), ("first", 10, 11), ("reprint", 5, 5)])
def test_largest_fleets(resolve: Place, edition: str, before: int, after: int) -> None:
    """§2.1, §7.1 The first edition names no limit of buses; in the reprint nothing happens with five."""
    match = resolve(fields={"bus": [0], "clock": [0]}, players={0: {"buses": before}}, edition=edition)
    assert match.position()["step"] == "clock"
    assert match.position()["players"][0]["buses"] == after


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
def test_sticks(resolve: Place, edition: str, seat: int, sticks: int) -> None:
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


def test_passengers_and_buildings() -> None:
    """§2.3, §5.4 Four passengers in the city, eleven in the box; in the reprint thirty buildings of each kind."""
    match = Match.new("bus", dice=False)
    assert len(match.position()["waiting"]) == 4
    assert match.position()["box"] == 11
    assert match.view(None)["supply"] is None
    assert Match.new("bus", options={"edition": "reprint"}, dice=False).view(None)["supply"] == [30, 30, 30]
    assert founded(edition="reprint").view(None)["supply"] == [24, 30, 30]  # those of the set-up included


def test_kind_runs_out(place: Place) -> None:
    """§2.3, §9.1 In the reprint a kind that is out of supply cannot be built; in the first edition any can."""
    thirty = [
        *["10.1", "15.1", "16.1", "16.2", "20.1", "20.2", "21.1", "21.2", "24.1", "27.1", "27.2", "29.1"],
        *["1.1", "6.1", "11.1", "12.1", "14.1", "18.1", "19.1", "22.1", "25.1", "26.1", "36.1"],
        *["10.2", "12.2", "14.2", "15.2", "19.2", "22.2", "24.2"],
    ]
    facts: dict[str, Any] = {"step": "buildings", "field": "a", "owed": 1, "fields": {"buildings": [0]}}
    match = place(buildings=dict.fromkeys(thirty, "pub"), edition="reprint", **facts)
    assert refused(match, "build pub 26.2") == ("none-left", "§2.3")
    assert match.lines() == ["build house 26.2", "build office 26.2", "build house 29.2", "build office 29.2"]
    assert "build pub 26.2" in place(buildings=dict.fromkeys(thirty, "pub"), **facts).lines()


def test_stones_and_clock() -> None:
    """§2.4 Four stones with three players, five with more; the clock starts on house."""
    for seats, stones in ((3, 4), (4, 5), (5, 5)):
        position = Match.new("bus", seats=seats, dice=False).position()
        assert position["stones"] == stones
        assert position["clock"] == "house"


def test_clock_goes_round(place: Place) -> None:
    """§2.4 House, office, pub, then house again."""
    shown = []
    for kind in ("house", "office", "pub"):
        match = place(step="clock", clock=kind, fields={"clock": [0]}, waiting=[8] * 4)
        shown.append(play(match, "tick").position()["clock"])
    assert shown == ["office", "pub", "house"]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_action_board(seats: int) -> None:
    """§2.5 Seven actions in this order; six fields at every player count, one for bus, clock and start."""
    view = opened(seats).view(None)
    assert list(view["fields"]) == ["line", "bus", "passengers", "buildings", "clock", "vrroomm", "start"]
    assert [len(view["yields"][action]) for action in view["fields"]] == [6, 1, 6, 6, 1, 6, 1]


# §3 Set-up


def test_chance_names_the_start_player() -> None:
    """§3.1 One passenger on each central crossing; chance names the start player."""
    match = Match.new("bus", seats=4, dice=False)
    assert match.actor == "chance"
    assert match.lines() == ["first 0", "first 1", "first 2", "first 3"]
    assert match.position()["waiting"] == [16, 20, 21, 27]
    assert refused(match, "take bus") == ("start-unknown", "§3.1")
    with pytest.raises(BadNotation):
        match.play("first 4")
    match.play("first 2")
    assert match.position()["seat"] == match.position()["start"] == 2
    assert refused(match, "first 1") == ("start-known", "§3.1")


def test_founding() -> None:
    """§3.2 From the start player clockwise, two buildings each, both at once, of any kind, on empty A plots."""
    match = play(Match.new("bus", dice=False), "first 1")
    order = []
    for line in ("house 10.1", "pub 15.1", "office 16.1", "pub 16.2", "pub 20.1", "house 29.1"):
        order.append(match.actor)
        match.play(f"build {line}")
    assert order == [1, 1, 2, 2, 0, 0]
    assert match.position()["step"] == "open"


def test_founding_on_a_plots_only() -> None:
    """§3.2 Not on other zones, not on a plot that is taken; nothing else is done first."""
    match = play(Match.new("bus", dice=False), "first 0", "build pub 10.1")
    assert refused(match, "build pub 1.1") == ("only-first-zone", "§3.2")
    assert refused(match, "build house 10.1") == ("plot-taken", "§3.2")
    assert refused(match, "lay 1-7") == ("buildings-first", "§3.3")
    assert refused(match, "take line") == ("not-choosing", "§4.1")
    assert refused(match, "pass") == ("not-passing", "§4.3")


def test_first_stick_anywhere() -> None:
    """§3.3 The first stick goes on any street, also one that is used; clockwise from the start player."""
    match = founded(first=2)
    assert match.actor == 2
    assert len(match.lines()) == 70
    play(match, "lay 8-15", "lay 8-15", "lay 8-15")
    assert [player["heads"] for player in match.position()["players"]] == [[8, 15]] * 3
    assert refused(founded(), "lay 15-8") == ("smaller-first", "§15")
    assert refused(founded(), "build pub 24.1") == ("sticks-now", "§3.2")


def test_second_stick_in_reverse() -> None:
    """§3.3 Then, in the reverse order, a second stick under the rules of §6."""
    match = play(founded(first=1), "lay 8-15", "lay 1-7", "lay 35-36")
    order = []
    for line in ("lay 36-31", "lay 7-14", "lay 15-19"):
        order.append(match.actor)
        assert refused(match, "lay 20-27") == ("not-a-head", "§6.1")
        assert refused(match, "build pub 24.1") == ("sticks-now", "§3.2")
        match.play(line)
    assert order == [0, 2, 1]
    assert match.position()["step"] == "choose"
    assert match.actor == 1


# §14, §15 Options and notation


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


@pytest.mark.parametrize(("kind", "back"), [("house", "pub"), ("office", "house"), ("pub", "office")])
def test_clock_back(place: Place, kind: str, back: str) -> None:
    """§14 With `clock_back` stopping moves the clock one kind back instead of holding it; it still takes a stone."""
    for option, shown in ((True, back), (False, kind)):
        match = place(step="clock", clock=kind, clock_back=option, fields={"clock": [0]}, waiting=[8] * 4)
        match.play("stop")
        assert match.position()["clock"] == shown
        assert match.position()["players"][0]["stones"] == 1


def test_small_town() -> None:
    """§14 `city` names a bundled map: the small town is played from its own streets and plots."""
    match = founded(city="small-town")
    assert len(match.lines()) == 38
    with pytest.raises(BadNotation):
        match.play("lay 29-30")


@pytest.mark.parametrize(
    "line",
    [
        "lay 8", "lay 8-9", "lay 08-15", "lay 8-15 ", "lay  8-15", "ride 10", "ride 10-99", "ride 10-21-22",
        "take", "take rest", "arrive 9",
        "stop now", "first x", "build 24.1", "build shop 24.1", "build pub", "pass pass",
        "", "PASS", "lay 8–15",
    ],
)  # fmt: skip
def test_notation(line: str) -> None:
    """§15 One decision, one line, to the letter."""
    with pytest.raises(BadNotation, match="§15"):
        Match.new("bus", dice=False).play(line)


def test_a_single_line_is_still_asked(place: Place) -> None:
    """§15 A decision with exactly one legal line is asked; one without any is carried out."""
    match = place(step="vrroomm", field="a", owed=1, fields={"vrroomm": [0]}, lines={0: "8-10-15"},
                  waiting=[8, 1, 1, 1], clock="house", buildings={"10.1": "house"})  # fmt: skip
    assert match.lines() == ["ride 8-10"]
    match.play("ride 8-10")
    assert match.position()["step"] == "choose"


def test_the_space_is_complete() -> None:
    """§15 Every kind of line is there, as often as the city has places for it."""
    game = games.find("bus")
    state = Match.new("bus", dice=False).state
    verbs = Counter(game.write(state, move).split()[0] for move in range(game.space(state)[1]))
    assert verbs == {
        "take": 7, "pass": 1, "stop": 1, "tick": 1, "arrive": 2, "build": 141, "lay": 140, "ride": 1296, "first": 3,
    }  # fmt: skip
