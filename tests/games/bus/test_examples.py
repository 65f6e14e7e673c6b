"""§16 The nine worked examples, played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from omnibus import Match
from support.rules import play

pytestmark = pytest.mark.engine

Place = Callable[..., Match]


def founded(seats: int, **options: str) -> Match:
    match = play(Match.new("bus", seats=seats, options=options, dice=False), "first 0")
    while match.position()["step"] == "found":
        match.play(match.lines()[0])
    return match


@pytest.mark.parametrize(("seats", "stones", "filled"), [(3, 4, 6), (5, 5, 10)])
def test_example_1(seats: int, stones: int, filled: int) -> None:
    """§16.1 Three players: 4 stones, 28 sticks each, 6 of 12 A plots filled; reprint: 25 sticks. Five: 5 and 10."""
    match = founded(seats)
    assert match.position()["stones"] == stones
    assert len(match.position()["buildings"]) == filled
    assert match.view(None)["sticks_left"][:3] == [28, 28, 28]
    assert founded(seats, edition="reprint").view(None)["sticks_left"] == [25] * seats


def test_example_2(place: Place, resolve: Place) -> None:
    """§16.2 One bus each: the first buildings cube builds one, the second none. M = 5: five, four, three and so on."""
    match = resolve(fields={"buildings": [0, 1], "clock": [0]})
    assert (match.actor, match.position()["owed"]) == (0, 1)
    play(match, match.lines()[0])
    assert match.position()["step"] == "clock"
    assert place(players={0: {"buses": 5}}).view(0)["yields"]["buildings"] == [5, 4, 3, 2, 1, 0]
    five = place(seats=5, players={0: {"buses": 5}})
    assert five.view(0)["yields"]["line"] == [6, 5, 4, 3, 2, 1]


def test_example_3(place: Place) -> None:
    """§16.3 An empty street must be taken where one is; where yellow's line ends too, yellow's street may be."""
    blue, yellow, red = "10-16-21-24", "24-29-32", "8-10-15"
    facts: dict[str, Any] = {"step": "line", "field": "a", "owed": 2, "buses": 2, "fields": {"line": [0]}}
    match = place(lines={0: blue, 1: yellow, 2: red}, **facts)
    assert set(match.lines()) == {"lay 10-6", "lay 24-22", "lay 24-29", "lay 24-30"}
    after = place(lines={0: blue, 1: "30-24-29-32", 2: red}, **facts)
    assert set(after.lines()) == {"lay 10-6", "lay 24-22"}


def test_example_4(place: Place) -> None:
    """§16.4 No way out at C: any street there. At D, where an empty street is and no line ends: the empty one."""
    match = place(
        lines={2: "25-23-17", 0: "26-25-33", 1: "14-17-15"},
        step="line",
        seat=2,
        field="a",
        owed=1,
        fields={"line": [2]},
    )
    assert set(match.lines()) == {"lay 25-26", "lay 25-33", "lay 17-19"}


def test_example_5(place: Place) -> None:
    """§16.5 Black joins its two heads: `lay A-B` continues from B, `lay B-A` from A."""
    facts: dict[str, Any] = {
        "step": "line",
        "field": "a",
        "owed": 2,
        "buses": 2,
        "fields": {"line": [0]},
        "lines": {0: "8-10-15"},
    }
    to_b = play(place(**facts), "lay 8-15")
    assert {line.split()[1].split("-")[0] for line in to_b.lines()} == {"15"}
    to_a = play(place(**facts), "lay 15-8")
    assert {line.split()[1].split("-")[0] for line in to_a.lines()} == {"8"}


def test_example_6(resolve: Place) -> None:
    """§16.6 The clock ticks to office; yellow, green and blue score one each, for want of riders, offices and buses."""
    offices = dict.fromkeys(["10.1", "15.1", "16.1", "24.1", "29.1"], "office")
    match = resolve(
        fields={"vrroomm": [1, 2, 0, 0]}, lines={0: "8-10-15", 1: "21-24-29", 2: "29-30-24"},
        waiting=[8, 8, 8, 16, 21, 30],
        buildings={**offices, "20.1": "pub"}, players={1: {"buses": 3}, 2: {"buses": 2}},
    )  # fmt: skip
    position = match.position()
    assert (position["clock"], position["seated"]) == ("office", [16])
    play(match, "ride 21-29")
    assert match.actor == 2
    play(match, "ride 30-24")
    assert (match.actor, match.position()["field"]) == (0, "c")
    play(match, "ride 8-10")
    assert match.position()["field"] == "d"  # blue's second field, for the second of three passengers
    assert match.view(None)["scores"] == [1, 1, 1]


def test_example_7(resolve: Place) -> None:
    """§16.7 A bus bought this round raises M for passengers and buildings of this round, not for line."""
    match = resolve(fields={"line": [0], "bus": [0], "passengers": [0], "buildings": [0]})
    owed = []
    while match.position()["step"] in ("line", "passengers", "buildings"):
        owed.append(match.position()["step"])
        match.play(match.lines()[0])
    assert owed == ["line", "passengers", "passengers", "buildings", "buildings"]


@pytest.mark.parametrize(("edition", "after"), [("first", 6), ("reprint", 5)])
def test_example_7_sixth_bus(resolve: Place, edition: str, after: int) -> None:
    """§16.7 And be it the sixth of a fleet, in the first edition."""
    match = resolve(fields={"line": [0], "bus": [0], "buildings": [0]}, players={0: {"buses": 5}}, edition=edition)
    assert (match.position()["step"], match.position()["owed"]) == ("line", 5)
    while match.position()["step"] == "line":
        match.play(match.lines()[0])
    assert (match.position()["step"], match.position()["owed"]) == ("buildings", after)


def test_example_8(place: Place) -> None:
    """§16.8 The last stone: over before vrroomm; the holder's score already counts that stone."""
    match = place(
        step="clock", fields={"clock": [0], "vrroomm": [0]}, lines={0: "8-10-15"}, waiting=[8] * 4,
        buildings={"10.1": "house"}, players={1: {"stones": 3}, 0: {"rides": 2, "reached": 2}},
    )  # fmt: skip
    play(match, "stop")
    assert match.outcome is not None
    assert match.outcome.reason == "stones"
    assert match.outcome.scores == (1, -3, 0)


@pytest.mark.parametrize(
    ("first", "second", "tie_break"),
    [((3, 1, 3), (2, 0, 5), "stones"), ((3, 1, 4), (3, 1, 6), "earlier")],
)
def test_example_9(resolve: Place, first: tuple[int, ...], second: tuple[int, ...], tie_break: str) -> None:
    """§16.9 Equal scores: more stones wins; equal stones: the earlier one."""
    keys = ("rides", "stones", "reached")
    players = {0: dict(zip(keys, first, strict=True)), 1: dict(zip(keys, second, strict=True))}
    match = resolve(fields={"vrroomm": [0, 0]}, waiting=[1] * 4, players=players)
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.tie_break) == ((0,), tie_break)
