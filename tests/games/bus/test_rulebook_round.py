"""The rules, paragraph by paragraph: choosing, resolving, the actions but `line`, the end (§4, §5, §7 – §13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from omnibus import Match
from omnibus.games.bus import cities
from support.rules import play, refused

pytestmark = pytest.mark.engine

Place = Callable[..., Match]


def player(match: Match, seat: int) -> dict[str, Any]:
    return dict(match.position()["players"][seat])


# §4 Choosing


def test_one_cube_at_a_time(place: Place) -> None:
    """§4.1 From the start player clockwise, one cube at a time: a field, or pass."""
    match = place(start=2, seat=2)
    order = []
    for line in ("take bus", "take line", "take line", "take clock", "take start", "take line"):
        order.append(match.actor)
        match.play(line)
    assert order == [2, 0, 1, 2, 0, 1]
    assert match.position()["fields"]["line"] == [0, 1, 1]
    for line, code in {
        "lay 1-8": "not-laying",
        "arrive 8": "not-arriving",
        "build pub 24.1": "not-building",
        "stop": "not-at-the-clock",
        "tick": "not-at-the-clock",
        "ride 8-10": "not-riding",
    }.items():
        assert refused(match, line)[0] == code


def test_fields_in_order(place: Place) -> None:
    """§4.2 Fields are taken a, b, c …; a full action cannot be taken; one may take several fields of one action."""
    match = place(fields={"line": [0, 0, 1, 0, 1, 0], "bus": [1], "passengers": [2]}, cubes=10)
    assert refused(match, "take line") == ("full", "§4.2")
    assert refused(match, "take bus") == ("taken", "§4.2")
    play(match, "take passengers", "take passengers")
    assert match.position()["fields"]["passengers"] == [2, 0, 1]
    assert match.actor == 2
    assert match.lines() == [f"take {action}" for action in ("passengers", "buildings", "clock", "vrroomm", "start")]


def test_passing(place: Place) -> None:
    """§4.3 Passing only after two own cubes in this round; and it is final for the round."""
    match = place(fields={"line": [0]}, players={0: {"cubes": 19}})
    assert refused(match, "pass") == ("pass-too-early", "§4.3")
    play(match, "take bus", "take line", "take line")
    assert "pass" in match.lines()
    play(match, "pass", "take line", "take line")
    assert match.actor == 1
    assert player(match, 0)["passed"]


def test_without_cubes(place: Place) -> None:
    """§4.4 Who has no cubes is skipped; the line stays. A single cube must be placed."""
    match = place(players={0: {"cubes": 1}, 1: {"cubes": 0}}, cubes=5)
    assert refused(match, "pass") == ("last-cube", "§4.4")
    play(match, "take bus")
    assert match.actor == 2
    assert player(match, 1)["heads"] == [3, 13]
    assert player(match, 1)["streets"] == ["3-4", "4-13"]
    play(match, "take start")
    assert refused(match, "pass") == ("pass-too-early", "§4.3")
    play(match, "take vrroomm")
    assert "pass" in match.lines()  # after two own cubes, even with some left
    last = place(fields={"line": [0, 0]}, players={0: {"cubes": 1}}, cubes=5)
    assert "pass" in last.lines()


def test_worthless_fields(place: Place) -> None:
    """§4.5 Fields that yield nothing may be taken; the cube is lost."""
    match = place(fields={"buildings": [1], "vrroomm": [1]})
    assert match.view(0)["yields"]["buildings"] == [1, 0, 0, 0, 0, 0]
    play(match, "take buildings")
    assert match.position()["fields"]["buildings"] == [1, 0]
    assert player(match, 0)["cubes"] == 17


def test_every_field_taken(place: Place) -> None:
    """§4.6 When the last field is taken, all others pass by themselves."""
    full = [0, 1, 2, 0, 1, 2]
    fields = {"line": full, "bus": [0], "passengers": full, "buildings": full, "clock": [1], "vrroomm": full}
    match = place(fields=fields, cubes=8)
    play(match, "take start")
    assert match.position()["step"] == "line"
    assert not any(each["passed"] for each in match.position()["players"])


def test_choosing_ends(place: Place) -> None:
    """§4.7 Choosing ends when everybody has passed or has no cubes."""
    match = place(fields={"clock": [0], "vrroomm": [0, 2, 2]}, players={1: {"cubes": 0}, 0: {"passed": True}}, seat=2)
    play(match, "pass")
    assert match.position()["step"] == "clock"
    match = place(
        fields={"clock": [0], "vrroomm": [0, 2]},
        players={1: {"cubes": 0}, 2: {"cubes": 1}, 0: {"passed": True}},
        seat=2,
    )
    play(match, "take start")
    assert match.position()["step"] == "clock"


# §5 Resolving


def test_order_of_resolution(resolve: Place) -> None:
    """§5.1 Actions from left to right; line and buildings from the last chooser to the first, the others from a on."""
    match = resolve(
        fields={"line": [0, 1], "passengers": [1, 0], "buildings": [1, 0], "clock": [1], "vrroomm": [0, 1]},
        buses=2, lines={0: "8-10-15", 1: "8-14-15"}, waiting=[8, 8, 1, 1],
        buildings={"10.1": "office", "15.1": "office"},
    )  # fmt: skip
    order = []
    while match.position()["step"] != "choose" and match.actor is not None:
        order.append((match.position()["step"], match.actor, match.position()["field"]))
        match.play("tick" if "tick" in match.lines() else match.lines()[0])
    assert order == [
        ("line", 1, "b"), ("line", 0, "a"), ("line", 0, "a"),
        ("passengers", 1, "a"), ("passengers", 1, "a"), ("passengers", 0, "b"),
        ("buildings", 0, "b"), ("buildings", 1, "a"), ("buildings", 1, "a"),
        ("clock", 1, None), ("vrroomm", 0, "a"), ("vrroomm", 0, "a"),
    ]  # fmt: skip


@pytest.mark.parametrize(("seats", "line"), [(3, [3, 2, 1, 0, 0, 0]), (4, [3, 2, 1, 0, 0, 0]), (5, [4, 3, 2, 1, 0, 0])])
def test_worth_of_fields(place: Place, seats: int, line: list[int]) -> None:
    """§5.2 Field k is worth M − k, never less than 0; with five seats `line`, and only it, one more."""
    match = place(seats=seats, players={1: {"buses": 3, "cubes": 0}})
    yields = match.view(None)["yields"]
    assert yields["line"] == line
    assert yields["passengers"] == yields["buildings"] == [3, 2, 1, 0, 0, 0]


@pytest.mark.parametrize(("buses", "worth"), [(7, [8, 7, 6, 5, 4, 3]), (11, [12, 11, 10, 9, 8, 7])])
def test_worth_beyond_five(place: Place, buses: int, worth: list[int]) -> None:
    """§5.2, §2.1 In the first edition fleets and fields go on beyond five; with five seats line begins one higher."""
    yields = place(seats=5, players={1: {"buses": buses}}).view(None)["yields"]
    assert yields["line"] == worth
    assert yields["passengers"] == yields["buildings"] == [number - 1 for number in worth]


def test_yields_count_the_bus_to_come(place: Place, resolve: Place) -> None:
    """§5.4 A bus taken and not yet delivered counts for passengers, buildings and its buyer's rides; not for line."""
    match = place(fields={"bus": [1], "vrroomm": [1, 0]}, cubes=15)
    yields = match.view(0)["yields"]
    assert yields["line"] == [1, 0, 0, 0, 0, 0]
    assert yields["passengers"] == yields["buildings"] == [2, 1, 0, 0, 0, 0]
    assert yields["vrroomm"] == [2, 1, 1, 1, 1, 1]  # seat 1, who bought it, and seat 0, who decides
    assert match.view(0)["largest_fleet"] == 1
    played = resolve(fields={"bus": [1], "buildings": [1, 0], "clock": [0]})
    assert (played.position()["field"], played.position()["owed"]) == ("b", 1)  # as it was shown
    assert played.view(0)["yields"]["buildings"] == [2, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(("edition", "worth"), [("first", 6), ("reprint", 5)])
def test_yields_of_a_sixth_bus(place: Place, edition: str, worth: int) -> None:
    """§5.4 In the reprint the bus to come counts up to five."""
    match = place(fields={"bus": [1]}, players={1: {"buses": 5}}, edition=edition)
    assert match.view(0)["yields"]["buildings"][0] == worth
    assert match.view(0)["yields"]["line"][0] == 5


def test_rides_as_it_stands(place: Place) -> None:
    """§5.4 What vrroomm could carry after a tick and the seating it brings, with the buses as they will be."""
    facts: dict[str, Any] = {
        "lines": {0: "8-10-16-20", 1: "8-15-20"}, "waiting": [8, 8, 8, 16, 24], "cubes": 15,
        "buildings": {"10.1": "office", "16.1": "office", "20.1": "office", "15.1": "house", "16.2": "house",
                      "20.2": "house"},
    }  # fmt: skip
    match = place(**facts, fields={"bus": [0], "vrroomm": [0]})
    # 16 sits in its own office; of those at 8 two can go, to 10 and 20: with the new bus in one go
    assert match.view(0)["rides_as_it_stands"] == {"clock": "office", "fields": [2, 0, 0, 0, 0, 0]}
    assert place(**facts, fields={"vrroomm": [0]}).view(0)["rides_as_it_stands"]["fields"] == [1, 1, 1, 1, 1, 1]
    assert place(**facts, fields={"vrroomm": [0, 0]}).view(0)["rides_as_it_stands"]["fields"] == [1, 1, 0, 0, 0, 0]
    assert place(**facts, seat=1, fields={"vrroomm": [0]}).view(0)["rides_as_it_stands"]["fields"] == [1] * 6
    pubs = place(**facts, clock="office", fields={"vrroomm": [0]}).view(0)["rides_as_it_stands"]
    assert pubs == {"clock": "pub", "fields": [0] * 6}


def test_rides_as_it_stands_while_riding(place: Place) -> None:
    """§5.4, §11.2 Once the buses ride, the clock has been decided on and only what is still to be carried counts."""
    match = riding(place, fields={"vrroomm": [1, 0, 0], "clock": [1]}, field="b", players={0: {"buses": 2}})
    assert match.view(0)["rides_as_it_stands"] == {"clock": "office", "fields": [0, 1, 1, 0, 0, 0]}


def test_nothing_is_skipped(resolve: Place) -> None:
    """§5.3 What is chosen must be carried out as far as possible; what cannot be lapses."""
    match = resolve(fields={"line": [0], "passengers": [0]}, buses=2, waiting=[8] * 14)
    assert match.position()["owed"] == 2
    assert refused(match, "pass") == ("owed", "§5.3")
    play(match, match.lines()[0])
    play(match, match.lines()[0])
    assert (match.position()["step"], match.position()["box"]) == ("passengers", 1)
    assert refused(match, "pass") == ("owed", "§5.3")
    play(match, "arrive 30")  # the second one lapses, and so does the round: nobody else has cubes
    assert match.position()["step"] == "over"


@pytest.mark.parametrize(("step", "facts"), [("buildings", {"field": "a", "owed": 1}), ("clock", {})])
def test_buildings_and_clock_are_not_skipped(place: Place, step: str, facts: dict[str, Any]) -> None:
    """§5.3 Nobody passes while a building, or a decision about the clock, is owed."""
    assert refused(place(step=step, fields={step: [0]}, **facts), "pass") == ("owed", "§5.3")


# §7 bus, §8 passengers


def test_bus_at_once(resolve: Place) -> None:
    """§7.1 The bus is there at once: M rises for passengers and buildings, and it rides this round; not for line."""
    match = resolve(fields={"line": [0], "bus": [1], "passengers": [0], "vrroomm": [1]})
    assert (match.position()["step"], match.position()["owed"]) == ("line", 1)
    play(match, match.lines()[0])
    assert player(match, 1)["buses"] == 2
    assert (match.position()["step"], match.position()["owed"]) == ("passengers", 2)


def test_arrivals(resolve: Place) -> None:
    """§8.1 One at a time, each to either station, from the box; with the box empty the rest lapses."""
    match = resolve(fields={"passengers": [0, 0], "vrroomm": [1, 1]}, buses=2, waiting=[1] * 13)
    assert match.lines() == ["arrive 8", "arrive 30"]
    play(match, "arrive 30", "arrive 8")
    assert match.position()["box"] == 0
    assert match.position()["waiting"] == [1] * 13 + [8, 30]
    assert match.position()["step"] == "choose"


# §9 buildings


def test_earliest_zone(place: Place) -> None:
    """§9.1 Any kind, on any empty plot of the earliest zone that has one, checked building by building."""
    facts: dict[str, Any] = {
        "step": "buildings",
        "field": "a",
        "owed": 2,
        "fields": {"buildings": [0], "clock": [1]},
        "buses": 2,
    }
    nearly = dict.fromkeys(
        ["10.1", "15.1", "16.1", "16.2", "20.1", "20.2", "21.1", "21.2", "24.1", "27.1", "27.2"], "pub"
    )
    match = place(buildings=nearly, **facts)
    assert match.lines() == ["build house 29.1", "build office 29.1", "build pub 29.1"]
    assert refused(match, "build pub 1.1") == ("zone-closed", "§9.1")
    assert refused(match, "build pub 10.2") == ("zone-closed", "§9.1")
    assert refused(match, "build house 10.1") == ("plot-taken", "§9.1")
    play(match, "build office 29.1")
    assert len(match.lines()) == 33
    assert refused(match, "build pub 10.2") == ("zone-closed", "§9.1")
    play(match, "build house 36.1")
    assert match.position()["buildings"]["36.1"] == "house"


def test_no_plot_left(place: Place) -> None:
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


# §10 clock


def test_stop_or_tick(place: Place, resolve: Place) -> None:
    """§10.1 Who took the clock stops it for a stone or lets it tick; if nobody did, it ticks."""
    facts: dict[str, Any] = {"step": "clock", "seat": 1, "fields": {"clock": [1]}, "waiting": [1] * 4}
    stop = play(place(**facts), "stop")
    assert (stop.position()["clock"], stop.position()["stones"], player(stop, 1)["stones"]) == ("house", 3, 1)
    tick = play(place(**facts), "tick")
    assert (tick.position()["clock"], tick.position()["stones"]) == ("office", 4)
    nobody = resolve(fields={"vrroomm": [0, 0, 1, 1]}, waiting=[1] * 4)
    assert nobody.position()["clock"] == "office"
    assert refused(nobody, "stop") == ("not-at-the-clock", "§10.1")


def test_last_stone(place: Place) -> None:
    """§10.2 The last stone ends the game at once: no seating, no vrroomm, no start; it counts against its owner."""
    match = place(
        step="clock", seat=1, fields={"clock": [1], "vrroomm": [0], "start": [2]}, lines={0: "8-10-15"},
        waiting=[8, 10, 1, 1], buildings={"10.1": "house", "15.1": "house"},
        players={0: {"stones": 2}, 2: {"stones": 1}, 1: {"rides": 3, "reached": 3}},
    )  # fmt: skip
    play(match, "stop")
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.scores, match.outcome.winners) == ("stones", (-2, 2, -1), (1,))
    assert match.position()["waiting"] == [1, 1, 8, 10]
    assert match.position()["start"] == 0
    assert refused(match, "tick") == ("over", "§13.1")


def test_seating(place: Place) -> None:
    """§10.3 At each crossing as many passengers sit as there are buildings of the kind shown; they hold them."""
    match = place(
        step="clock", fields={"clock": [0], "vrroomm": [0]}, lines={0: "8-10-16-20"}, waiting=[10, 16, 16, 16, 20],
        buildings={"10.1": "pub", "16.1": "office", "16.2": "office", "20.1": "office", "20.2": "office"},
    )  # fmt: skip
    play(match, "tick")
    position = match.position()
    assert position["seated"] == [16, 16, 20]
    assert position["waiting"] == [10, 16]
    assert match.lines() == ["ride 10-20", "ride 16-20"]
    assert refused(match, "ride 10-16") == ("no-free-building", "§11.1")


# §11 vrroomm


def riding(place: Place, **more: Any) -> Match:
    facts: dict[str, Any] = {
        "step": "vrroomm", "field": "a", "owed": 1, "clock": "office", "fields": {"vrroomm": [0], "clock": [1]},
        "lines": {0: "8-10-16-20"}, "waiting": [8, 8, 24, 24],
        "buildings": {"16.1": "office", "20.1": "office", "10.1": "pub", "29.1": "office"},
    }  # fmt: skip
    return place(**{**facts, **more})


def test_ride(place: Place) -> None:
    """§11.1 A waiting passenger from a crossing on the line to another one with a free building of the kind shown."""
    match = riding(place, players={1: {"rides": 4, "reached": 4}})
    assert match.lines() == ["ride 8-16", "ride 8-20"]
    assert refused(match, "ride 24-16") == ("not-on-line", "§11.1")
    assert refused(match, "ride 8-29") == ("not-on-line", "§11.1")
    assert refused(match, "ride 8-8") == ("rides-nowhere", "§11.1")
    assert refused(match, "ride 10-16") == ("nobody-waits", "§11.1")
    assert refused(match, "ride 8-10") == ("no-free-building", "§11.1")
    play(match, "ride 8-20")
    assert (player(match, 0)["rides"], player(match, 0)["reached"]) == (1, 5)
    assert match.view(None)["scores"] == [1, 4, 0]


def test_rides_are_compulsory(place: Place) -> None:
    """§11.2 One ride per bus, and as many as possible: while a ride is possible and a bus free, one is made."""
    match = riding(place, players={0: {"buses": 4}}, owed=4)
    assert refused(match, "pass") == ("ride-owed", "§11.2")
    play(match, "ride 8-16", "ride 8-20")
    assert match.position()["step"] == "choose"
    single = riding(place)
    play(single, "ride 8-16")
    assert single.position()["step"] == "choose"
    assert player(single, 0)["rides"] == 1


def test_buses_ride_again(place: Place) -> None:
    """§11.3 A player with several fields uses all buses again for each."""
    match = riding(place, fields={"vrroomm": [0, 1, 0], "clock": [1]})
    play(match, "ride 8-16")
    assert (match.actor, match.position()["field"]) == (0, "c")
    play(match, "ride 8-20")
    assert player(match, 0)["rides"] == 2


# §12 The end of the round


def test_next_start_player(resolve: Place) -> None:
    """§12.1 Who took `start`, otherwise the player to the left; without cubes the title stays, the next one chooses."""
    both: dict[str, Any] = {"waiting": [1] * 4}
    taken = resolve(fields={"start": [1], "vrroomm": [0, 0, 1]}, start=1, **both)
    assert (taken.position()["start"], taken.actor) == (1, 1)
    left = resolve(fields={"vrroomm": [0, 0, 1, 1]}, **both)
    assert (left.position()["start"], left.actor) == (1, 1)
    round_again = resolve(fields={"vrroomm": [0, 0, 1, 1]}, start=2, **both)
    assert (round_again.position()["start"], round_again.actor) == (0, 0)
    without = resolve(fields={"vrroomm": [0, 0, 1, 1]}, start=1, **both)
    assert (without.position()["start"], without.actor) == (2, 0)
    last_cube = resolve(fields={"start": [2], "vrroomm": [0, 0, 1, 1]}, **both)
    assert (last_cube.position()["start"], last_cube.actor) == (2, 0)


def test_clearing(place: Place) -> None:
    """§12.2 Seated passengers stand up where they are; all cubes on the action board leave the game."""
    match = riding(place, waiting=[8, 24, 24], seated=[16], buildings={"16.1": "office", "20.1": "office"})
    play(match, "ride 8-20")
    position = match.position()
    assert position["seated"] == []
    assert position["waiting"] == [16, 20, 24, 24]
    assert not any(position["fields"].values())
    assert position["round"] == 2
    assert [each["cubes"] for each in position["players"]] == [18, 18, 18]


# §13 End and score


def test_ends(resolve: Place, place: Place) -> None:
    """§13.1 At the end of a round if at most one player has cubes, or no plot is empty; if both, it is `cubes`."""
    cubes = resolve(fields={"vrroomm": [0, 0, 1, 1]}, players={1: {"cubes": 0, "passed": False}})
    assert cubes.outcome is not None
    assert cubes.outcome.reason == "cubes"
    kinds = dict(
        zip(
            ["10.1", "15.1", "16.1", "16.2", "20.1", "20.2", "21.1", "21.2", "24.1", "27.1", "27.2", "29.1"],
            ["house"] * 12,
            strict=True,
        )
    )
    nearly: dict[str, Any] = {
        "filled": "ABCD", "step": "vrroomm", "field": "a", "owed": 1, "fields": {"vrroomm": [0]},
        "lines": {0: "8-10-16"}, "clock": "house", "waiting": [8, 1, 1, 1],
        "buildings": kinds | dict.fromkeys(["1.1", "6.1", "11.1", "12.1", "14.1", "18.1"], "office"),
    }  # fmt: skip
    plots = play(place(**nearly), "ride 8-10")
    assert plots.outcome is not None
    assert plots.outcome.reason == "plots"
    both = play(place(**nearly, players={0: {"cubes": 0}, 1: {"cubes": 0}}), "ride 8-10")
    assert both.outcome is not None
    assert both.outcome.reason == "cubes"


@pytest.mark.parametrize(
    ("players", "winners", "tie_break"),
    [
        ({0: (5, 0, 5), 1: (4, 0, 9)}, (0,), None),
        ({0: (5, 1, 5), 1: (4, 0, 9)}, (0,), "stones"),
        ({0: (5, 1, 9), 1: (5, 1, 10)}, (0,), "earlier"),
        ({0: (5, 1, 10), 1: (5, 1, 9)}, (1,), "earlier"),
        ({}, (0, 1, 2), "shared"),
        ({0: (0, 1, 0), 1: (0, 1, 0)}, (2,), None),
        ({0: (5, 1, 7), 1: (4, 0, 13), 2: (5, 1, 12)}, (0,), "earlier"),
        ({0: (2, 2, 9), 1: (0, 0, 0), 2: (7, 0, 8)}, (2,), None),
    ],
)
def test_score_and_ties(
    resolve: Place, players: dict[int, tuple[int, int, int]], winners: tuple[int, ...], tie_break: str | None
) -> None:
    """§13.2 Rides less stones; tied first: more stones, then who reached the rides earlier, else the win is shared."""
    have = {
        seat: {"rides": rides, "stones": stones, "reached": reached}
        for seat, (rides, stones, reached) in players.items()
    }
    match = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4, players=have, buildings={"16.1": "pub"})
    outcome = match.outcome
    assert outcome is not None
    assert outcome.reason == "cubes"
    assert (outcome.winners, outcome.tie_break) == (winners, tie_break)
    for seat in range(3):
        rides, stones, _ = players.get(seat, (0, 0, 0))
        assert outcome.scores[seat] == rides - stones
        assert outcome.details["rides"][seat] == rides
