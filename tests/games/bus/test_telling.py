"""How it is told: sentences people read, labels they press, reasons they get."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from omnibus import IllegalMove, Match, games
from omnibus.kernel.i18n import ENGLISH

Place = Callable[..., Match]
GAME = games.find("bus")
NAMES = ["Ann", "Ben", "Cem", "Dot", "Eve"]


def told(match: Match, line: str) -> list[str]:
    before = match.view(None)
    match.play(line)
    return GAME.tell(before, line, match.view(None), NAMES, ENGLISH)


def reason(match: Match, line: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        match.play(line)
    return caught.value.refusal.reason


def test_setup() -> None:
    """§3 The start player, the first buildings, the first sticks."""
    match = Match.new("bus", dice=False)
    assert told(match, "first 1") == ["Ben is the start player."]
    assert told(match, "build house 16.1") == ["Ben builds a house on 16.1."]
    assert told(match, "build office 16.2") == ["Ben builds an office on 16.2."]
    for line in ("build pub 20.1", "build pub 20.2", "build pub 21.1", "build pub 21.2"):
        assert told(match, line)[0].endswith(f"builds a pub on {line.split()[2]}.")
    assert told(match, "lay 8-15") == ["Ben opens a line between 8 and 15."]
    match.play("lay 1-7")
    match.play("lay 35-36")
    assert told(match, "lay 36-31") == ["Ann lengthens the line from 36 to 31."]


def ends_turn(match: Match, line: str) -> bool:
    before = match.state.clone()
    match.play(line)
    assert match.state.actor == before.actor
    return GAME.ends_turn(before, match.state)


def test_turns_end_even_if_the_same_player_goes_on(place: Place) -> None:
    """§4.1, §3.3 The page asks before an action is taken, and before the last of several buildings or sticks."""
    passed = {"passed": True}
    match = place(fields={"line": [1, 2], "buildings": [1, 2]}, players={1: passed, 2: passed})
    assert ends_turn(match, "take passengers")
    first = Match.new("bus", dice=False)
    for line in ("first 0", *(f"build pub {plot}" for plot in ("10.1", "15.1", "16.1", "16.2"))):
        first.play(line)
    assert not ends_turn(first, "build pub 20.1")
    for line in ("build pub 20.2", "lay 8-15", "lay 1-7"):
        first.play(line)
    assert ends_turn(first, "lay 35-36")  # the last to open a line is the first to lengthen it


def test_choosing(place: Place) -> None:
    """§4 Fields by their place in the row, single fields without; passing."""
    match = place(fields={"line": [1, 2]})
    assert told(match, "take line") == ["Ann takes Line, third field."]
    assert told(match, "take bus") == ["Ben takes Bus.", "With this bus, Passengers and Buildings yield one more."]
    match = place(fields={"line": [0, 0]})
    assert told(match, "pass") == ["Ann passes."]


def test_no_more_is_asked_for_than_there_is(place: Place) -> None:
    """§8.1 With two passengers owed and one in the box, the status asks for one."""
    match = place(step="passengers", field="a", owed=2, buses=2, waiting=[1] * 14, fields={"passengers": [0]})
    assert GAME.status(match.view(0), NAMES, ENGLISH) == "Ann: bring 1 passenger to a station."


def test_what_follows_by_itself(resolve: Place, place: Place) -> None:
    """§15 Steps without a choice are carried out by the rules and told, in their order."""
    fields: dict[str, list[int]] = {
        "line": [1, 0], "bus": [0], "passengers": [1, 0, 1], "buildings": [0, 1, 1], "vrroomm": [0, 1],
    }  # fmt: skip
    seats = {0: {"cubes": 15}, 1: {"cubes": 14, "passed": True}, 2: {"cubes": 0}}
    match = place(fields=fields, players=seats, waiting=[1] * 15)
    assert told(match, "pass") == ["Ann passes.", "Line, second field: yields nothing for Ann."]
    assert told(match, "lay 3-6") == [
        "Ben lengthens the line from 3 to 6.",
        "Ann gains a bus and now has 2.",
        "The box is empty: Ben brings no more passengers.",
        "The box is empty: Ann brings no more passengers.",
        "Passengers, third field: yields nothing for Ben.",
        "Buildings, third field: yields nothing for Ben.",
    ]
    match.play("build pub 29.1")
    match.play("build pub 27.2")
    assert told(match, "build pub 27.1") == [
        "Ann builds a pub on 27.1.",
        "Nobody took the clock, so it ticks: office.",
        "Ann has no ride to make: no free office along the line.",
        "Ben has no ride to make: nobody waits along the line.",
        "Nobody took Start: Ben is the next start player.",
        "Round 2 begins.",
    ]


@pytest.mark.parametrize(
    ("waiting", "why"),
    [
        ([], "nobody waits along the line"),
        ([16, 20], "those along the line have taken seats (2)"),
        ([8, 16, 20], "no free office along the line"),
    ],
)
def test_why_there_is_no_ride(place: Place, waiting: list[int], why: str) -> None:
    """§11.2 Whoever has no ride to make is told why: nobody waits, they sit, or there is no free building."""
    match = place(
        step="clock", fields={"clock": [1], "vrroomm": [0]}, lines={0: "8-10-16-20"}, seat=1,
        buildings={"16.1": "office", "20.1": "office", "24.1": "office"},
        waiting=waiting + [33] * (15 - len(waiting)),
    )  # fmt: skip
    assert f"Ann has no ride to make: {why}." in told(match, "tick")


def test_what_the_clock_brings(place: Place) -> None:
    """§10.1 Who decides on the clock reads how many rides either choice would leave, for themselves and for others."""
    facts: dict[str, Any] = {
        "step": "clock", "fields": {"clock": [0], "vrroomm": [0, 1]}, "lines": {0: "8-10-16-20", 1: "14-15-20"},
        "waiting": [8, 8, 15] + [33] * 12, "buildings": {"10.1": "house", "16.1": "house", "20.1": "office"},
        "players": {0: {"buses": 2}},
    }  # fmt: skip
    match = place(**facts)
    assert GAME.label(match.view(0), "stop", ENGLISH) == (
        "Stop the clock and take a time stone (rides as it stands: 2 own, 0 of others)"
    )
    assert GAME.label(match.view(0), "tick", ENGLISH) == (
        "Let the clock tick: office (rides as it stands: 1 own, 1 of others)"
    )
    back = place(**facts, clock_back=True)
    assert GAME.label(back.view(0), "stop", ENGLISH) == (
        "Turn the clock back and take a time stone (rides as it stands: 2 own, 0 of others)"
    )


def test_lapses(place: Place, resolve: Place) -> None:
    """§5.3 What cannot be carried out lapses, and that is told."""
    after: dict[str, Any] = {"fields": {"line": [0], "clock": [1]}, "step": "line", "field": "a", "buses": 3}
    dead = place(lines={0: "36-35-30-36-31-30-22"}, owed=3, **after)
    assert told(dead, "lay 22-31")[1] == "Ann finds no street to lengthen the line; the rest lapses."
    long = "14-7-1-8-2-5-6-3-4-13-22-31-36-35-30-34-32-33-28-23-17-19-20-27-29"
    out = place(lines={0: long}, owed=3, edition="reprint", **after)
    assert GAME.status(out.view(0), NAMES, ENGLISH) == "Ann: extend your line; 1 stick left to lay."
    assert told(out, out.lines()[0])[1] == "Ann has no sticks left; the rest lapses."
    rich: dict[str, Any] = {
        "fields": {"bus": [0], "clock": [0]}, "players": {0: {"buses": 5}, 1: {"cubes": 0}, 2: {"cubes": 0}},
    }  # fmt: skip
    assert told(place(**rich, edition="reprint"), "pass")[1] == "Ann has 5 buses already and gains none."
    assert told(place(**rich), "pass")[1] == "Ann gains a bus and now has 6."
    full = [0, 1, 2, 0, 1, 2]
    fields = {"line": full, "bus": [0], "passengers": full, "buildings": full, "clock": [1], "vrroomm": full}
    assert told(place(fields=fields, cubes=8), "take start")[1] == "Every field is taken; all others pass."
    building: dict[str, Any] = {
        "step": "buildings",
        "field": "a",
        "owed": 2,
        "buses": 2,
        "fields": {"buildings": [0], "clock": [1]},
    }
    kinds = {plot: ("house", "office", "pub")[n % 3] for n, plot in enumerate(match_plots())}
    last = place(buildings=kinds, **building)
    assert told(last, "build pub 35.1")[1] == "No plot is empty: Ann builds no more."


def match_plots() -> list[str]:
    """All plots but 35.1."""
    return [plot for plot in Match.new("bus", dice=False).state.city.plot_names if plot != "35.1"]


def test_clock_and_rides(place: Place) -> None:
    """§10, §11 Stopping, ticking, turning back; who takes a seat; rides, and when there are no more."""
    facts: dict[str, Any] = {
        "step": "clock", "fields": {"clock": [0], "vrroomm": [0], "start": [1]}, "lines": {0: "8-10-16-20"},
        "waiting": [8, 16, 20, 1], "buildings": {"16.1": "office", "20.1": "office", "10.1": "office", "16.2": "house"},
        "players": {0: {"buses": 3}},
    }  # fmt: skip
    match = place(**facts)
    assert told(match, "tick") == ["Ann lets the clock tick: office.", "2 passengers take seats (at 16, 20)."]
    assert told(match, "ride 8-10") == [
        "Ann takes a passenger from 8 to 10.",
        "Ann has no further ride to make.",
        "Ben is the next start player.",
        "Round 2 begins.",
    ]
    assert told(place(**facts), "stop")[:2] == [
        "Ann stops the clock and takes a time stone.",
        "1 passenger takes a seat (at 16).",
    ]
    back = place(**facts | {"clock_back": True})
    assert told(back, "stop")[0] == "Ann takes a time stone and turns the clock back: pub."
    last = place(**facts | {"players": {1: {"stones": 3}}})
    assert told(last, "stop") == [
        "Ann stops the clock and takes a time stone.",
        "The last time stone is taken: the game is over.",
        "Cem wins with a score of 0.",
    ]


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        ({0: (5, 0, 5)}, "Ann wins with a score of 5."),
        ({0: (5, 1, 5), 1: (4, 0, 9)}, "Ann wins with a score of 4: tied, but with more time stones."),
        ({0: (5, 1, 10), 1: (5, 1, 9)}, "Ben wins with a score of 4: tied, but reached it earlier."),
        ({}, "Ann, Ben and Cem share the win with a score of 0."),
    ],
)
def test_endings(resolve: Place, players: dict[int, tuple[int, int, int]], sentence: str) -> None:
    """§13.2 Who won, and what broke the tie."""
    have = {seat: {"rides": rides, "stones": stones, "reached": at} for seat, (rides, stones, at) in players.items()}
    match = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4, players=have)
    assert (
        GAME.status(match.view(0), NAMES, ENGLISH) == f"At most one player has cubes left: the game is over. {sentence}"
    )


def test_no_start_player_follows_the_end(resolve: Place) -> None:
    """§13.1 When the game ends with the round, the log names nobody who would begin the next one."""
    match = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4)
    assert match.actor is None
    assert not [sentence for _, sentence in match.log(None, NAMES, ENGLISH) if "start player" in sentence]


def test_who_reached_it_earlier_is_told(resolve: Place) -> None:
    """§13.2 Where that broke the tie, the scores say which ride of the game was everybody's last."""
    tied = {0: {"rides": 5, "reached": 10}, 1: {"rides": 5, "reached": 9}}
    match = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4, players=tied)
    rows = GAME.breakdown(match.view(None), ENGLISH)
    assert rows[1] == ("The last one with ride number", ["10", "9", "–"])
    assert rows[-1] == ("Score", ["5", "5", "0"])
    plain = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4, players={0: {"rides": 5, "reached": 5}})
    assert len(GAME.breakdown(plain.view(None), ENGLISH)) == 3


def test_reasons(place: Place) -> None:
    """§6.2, §4.3, §9.1 A refusal says what is in the way."""
    laying: dict[str, Any] = {"step": "line", "field": "a", "owed": 1, "fields": {"line": [0]}}
    match = place(lines={0: "16-21-24", 1: "6-10-16-11"}, **laying)
    assert reason(match, "lay 16-10") == (
        "An empty street is open at 16 (16-20), and the line of Pink, which uses 10-16, does not end there"
    )
    both = place(lines={0: "16-21-24", 1: "6-10-16-11", 2: "15-10-16-11"}, **laying)
    assert "lines of Pink and Orange, which use 10-16, do not end there" in reason(both, "lay 16-10")
    assert reason(match, "lay 20-15") == "The line does not end at 20; its heads are at 16, 24"
    assert (
        reason(match, "take bus")
        == "You can take an action only while actions are being chosen; right now lines are being extended"
    )
    choosing = place(fields={"bus": [1]})
    assert (
        reason(choosing, "pass")
        == "You may pass once you have placed two cubes in this round; so far you have placed 0"
    )
    assert reason(choosing, "take bus") == "The action Bus has a single field, and it is taken"
    full = place(fields={"line": [0, 1, 2, 0, 1, 2]})
    assert reason(full, "take line") == "The action Line has six fields, and all are taken"
    building = place(step="buildings", field="a", owed=1, fields={"buildings": [0]})
    assert reason(building, "pass") == (
        "Nothing that has been chosen may be skipped; right now buildings are being placed"
    )
    assert reason(building, "build pub 1.1") == "Zone B is closed while zone A has an empty plot"
    assert reason(building, "build pub 10.1") == "Plot 10.1 already has a building (pub)"


def test_labels(place: Place) -> None:
    """§5.4 A button says what the next field will yield, and for vrroomm what could be carried as things stand."""
    match = place(fields={"line": [1], "vrroomm": [1]}, players={0: {"buses": 3}}, cubes=15)
    labels = {line: GAME.label(match.view(0), line, ENGLISH) for line in match.lines()}
    assert labels["take line"] == "Line: 2 sticks (largest fleet: 3 − 1, §5.2)"
    assert labels["take passengers"] == "Passengers: 3 arrive (largest fleet: 3, §5.2)"
    assert labels["take vrroomm"] == "Vrroomm: up to 3 rides (as it stands: 0, the clock would tick to office)"
    assert labels["take bus"] == "Bus: one more bus"
    bought = place(fields={"bus": [1], "buildings": [1]}, cubes=15)
    assert GAME.label(bought.view(0), "take buildings", ENGLISH) == (
        "Buildings: 1 building (largest fleet with the new bus: 2 − 1, §5.2)"
    )
    late = place(fields={"buildings": [1, 1]}, cubes=15)
    assert GAME.label(late.view(0), "take buildings", ENGLISH) == (
        "Buildings: 0 buildings (largest fleet: 1 − 2 < 0, §5.2)"
    )
    five = place(seats=5, fields={"bus": [1]}, cubes=15)
    assert GAME.label(five.view(0), "take line", ENGLISH) == (
        "Line: 2 sticks (largest fleet, five players: 1 + 1, §5.2)"
    )
    for edition, bus in (("reprint", "Bus: none, the fleet is full"), ("first", "Bus: one more bus")):
        full = place(players={0: {"buses": 5}}, edition=edition)
        assert GAME.label(full.view(0), "take bus", ENGLISH) == bus
    match = place(step="clock", fields={"clock": [0]}, clock="pub")
    assert GAME.label(match.view(0), "tick", ENGLISH).startswith("Let the clock tick: house")


@pytest.mark.parametrize(
    ("edition", "fleets", "more"), [("first", (5, 5), True), ("first", (1, 2), False), ("reprint", (5, 5), False)]
)
def test_a_bus_that_changes_the_numbers(place: Place, edition: str, fleets: tuple[int, int], *, more: bool) -> None:
    """§5.4 The log says so when a bus raises what fields yield: not with a smaller fleet, nor with a full one."""
    match = place(edition=edition, players={seat: {"buses": buses} for seat, buses in enumerate(fleets)})
    before = match.view(0)["yields"]["passengers"]
    assert (len(told(match, "take bus")) == 2) == more
    assert (match.view(0)["yields"]["passengers"] != before) == more
