"""The position document: what it tells survives, and what cannot be is refused by name."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from omnibus import Match
from omnibus.kernel.game import BadPosition

from .positions import describe

pytestmark = pytest.mark.engine

Spoil = Callable[[dict[str, Any]], Any]


def put(*path: str | int, to: Any) -> Spoil:
    def spoil(document: dict[str, Any]) -> None:
        inner: Any = document
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = to

    return spoil


RIDING: dict[str, Any] = {
    "step": "vrroomm", "field": "a", "owed": 1, "clock": "office", "fields": {"vrroomm": [0]},
    "lines": {0: "8-10-16-20"}, "waiting": [8, 24, 24], "seated": [16],
    "buildings": {"16.1": "office", "20.1": "office"},
}  # fmt: skip
LONG = "1-8-10-16-11-21-24-30-29-34-30-35-36-30-22-13-12-18-13-4-3-11-6-5-8-7"  # 25 streets
LAYING: dict[str, Any] = {"step": "line", "field": "a", "owed": 1, "fields": {"line": [0, 1]}}
BUILT_UP = {"filled": "ABCD", "buildings": {f"{name}.1": "house" for name in (10, 15, 16, 20, 21, 24, 27, 29)}
            | {f"{name}.1": "office" for name in (1, 6, 11, 12, 14, 18, 19, 22, 25, 26, 36)}}  # fmt: skip

WRONG: dict[str, tuple[dict[str, Any], Spoil, str]] = {
    "missing key": ({}, lambda d: d.pop("clock"), "the position has no clock"),
    "unknown key": ({}, put("x", to=1), "unknown key 'x'"),
    "seats": ({}, put("seats", to=2), "seats must be a whole number from 3 to 5"),
    "seats is no bool": ({}, put("seats", to=True), "seats must be"),
    "edition": ({}, put("edition", to="second"), "edition must be one of first, reprint"),
    "edition is no number": ({}, put("edition", to=1), "edition must be one of"),
    "no edition": ({}, lambda d: d.pop("edition"), "the position has no edition"),
    "sticks": ({}, put("sticks", to=24), "sticks must be one of edition, unlimited"),
    "old sticks": ({}, put("sticks", to=25), "sticks must be one of"),
    "old sticks as float": ({}, lambda d: d.pop("edition") and d.update(sticks=25.0), "the position has no edition"),
    "clock_back": ({}, put("clock_back", to=1), "clock_back must be"),
    "city": ({}, put("city", to="nowhere"), "city: there is no bundled city 'nowhere'"),
    "bad city": ({}, put("city", to={"name": "x"}), "city: the city has no stations"),
    "step": ({}, put("step", to="bus"), "step must be one of"),
    "round 0": ({}, put("round", to=0), "round must be at least 1"),
    "round 11": ({}, put("round", to=11), "round must be a whole number"),
    "clock": ({}, put("clock", to="shop"), "clock must be one of"),
    "seat": ({}, put("seat", to=3), "seat must be"),
    "seat null": ({}, put("seat", to=None), "seat must be"),
    "start null": ({}, put("start", to=None), "start must be"),
    "field set": ({}, put("field", to="a"), "field must be null"),
    "owed set": ({}, put("owed", to=1), "owed must be"),
    "players": ({}, lambda d: d["players"].pop(), "players must be a list of 3"),
    "player key": ({}, lambda d: d["players"][1].pop("heads"), r"players\[1\] has no heads"),
    "cubes": ({}, put("players", 0, "cubes", to=21), r"players\[0\].cubes"),
    "cubes and round": ({}, put("round", to=3), r"players\[0\] has 18 cubes including those on the board"),
    "buses": ({}, put("players", 0, "buses", to=12), r"players\[0\].buses must be a whole number from 1 to 11"),
    "buses of the reprint": ({"edition": "reprint"}, put("players", 0, "buses", to=6), r"players\[0\].buses"),
    "passed": ({}, put("players", 0, "passed", to=1), r"players\[0\].passed must be"),
    "passed too early": ({}, put("players", 1, "passed", to=True), "passed is true, but they have not placed two"),
    "passed while laying": (LAYING, put("players", 1, "passed", to=True), "passed can be true only while choosing"),
    "reached without rides": ({}, put("players", 0, "reached", to=1), r"players\[0\].reached"),
    "reached too early": ({"players": {0: {"rides": 2, "reached": 2}}}, put("players", 0, "reached", to=1), "reached"),
    "reached together": (
        {"players": {0: {"rides": 2, "reached": 4}, 1: {"rides": 2, "reached": 3}}},
        put("players", 1, "reached", to=4), "another player's last",
    ),
    "too many rides": (
        {}, lambda d: d["players"][0].update(rides=999, reached=999),
        r"players\[0\].rides must be a whole number from 0 to 150, not 999",
    ),
    "no such street": ({}, put("players", 0, "streets", 0, to="1-9"), "there is no street '1-9'"),
    "street turned": ({}, put("players", 0, "streets", 0, to="7-1"), "smaller number first"),
    "street twice": ({}, lambda d: d["players"][0]["streets"].append("1-7"), "a street twice"),
    "streets no list": ({}, put("players", 0, "streets", to="1-7"), "must be a list of streets"),
    "no such head": ({}, put("players", 0, "heads", to=[1, 99]), "there is no crossing 99"),
    "one head": ({}, put("players", 0, "heads", to=[1]), "heads must be a list of two"),
    "wrong head": ({}, put("players", 0, "heads", to=[1, 7]), "not one trail"),
    "head off the line": ({}, put("players", 0, "heads", to=[1, 30]), "does not reach crossing 30"),
    "two pieces": ({}, lambda d: d["players"][0]["streets"].append("35-36"), "not one line"),
    "a fork": ({}, lambda d: d["players"][0]["streets"].append("7-8"), "not one trail"),
    "too few sticks": (
        {}, lambda d: d["players"][0].update(streets=["1-7"], heads=[1, 7]), r"players\[0\].streets has 1",
    ),
    "no line": ({}, lambda d: d["players"][0].update(streets=[], heads=[]), r"players\[0\].streets has 0"),
    "heads without a line": ({}, lambda d: d["players"][0].update(streets=[], heads=[1, 7]), "no line yet"),
    "stones": ({}, put("stones", to=3), "there are 4 time stones"),
    "no stones": ({"players": {0: {"stones": 4}}}, lambda d: None, "stones is 0, so the game must be `over`"),
    "passengers": ({}, put("box", to=10), "there are 15 passengers"),
    "no such crossing": ({}, put("waiting", 0, to=99), "waiting: there is no crossing 99"),
    "waiting no list": ({}, put("waiting", to=16), "waiting must be a list"),
    "seated while choosing": ({}, lambda d: d.update(seated=[16], waiting=[20, 21, 27], clock="pub"), "nobody sits"),
    "seated on nothing": (RIDING, put("seated", 0, to=24), "crossing 24 has only 0"),
    "would sit": (RIDING, put("waiting", 0, to=20), "would have taken a seat"),
    "no such plot": ({}, put("buildings", "8.1", to="pub"), "there is no plot '8.1'"),
    "no such kind": ({}, put("buildings", "10.1", to="shop"), r"buildings.10.1 must be one of"),
    "buildings no object": ({}, put("buildings", to=[]), "buildings must be an object"),
    "zone too early": ({}, put("buildings", "1.1", to="pub"), "1.1 is in zone B, which is not open yet"),
    "too many pubs": ({"filled": "ABC", "edition": "reprint"}, lambda d: None, "there are only 30 of the kind pub"),
    "set-up missing": ({}, lambda d: d["buildings"].popitem(), "those of the set-up are missing"),
    "no plot empty": (BUILT_UP, lambda d: None, "no plot is empty, so the game must be `over`"),
    "fields": ({}, lambda d: d["fields"].pop("bus"), "fields has no bus"),
    "fields no list": ({}, put("fields", "bus", to=0), "fields.bus must be a list"),
    "too many in a field": ({}, put("fields", "bus", to=[0, 1]), "fields.bus has more than 1"),
    "nobody's field": ({}, put("fields", "bus", to=[3]), r"fields.bus\[0\] must be"),
    "without cubes": ({}, put("players", 0, "cubes", to=0), "seat 0 has no cubes left"),
    "alone": ({"players": {1: {"cubes": 0}, 2: {"cubes": 0}}}, lambda d: None, "only one has cubes left"),
    "has passed": ({"fields": {"line": [0, 0]}, "players": {0: {"passed": True}}}, lambda d: None, "seat 0 has passed"),
    "not over": ({}, lambda d: d.update(step="over", seat=None), "nothing has ended the game"),
    "over with cubes on the board": (
        {"fields": {"line": [0]}, "players": {0: {"cubes": 0}, 1: {"cubes": 0}}},
        lambda d: d.update(step="over", seat=None), "fields must be empty after a round",
    ),
    "not the owner": (LAYING, put("seat", to=1), "does not belong to seat 1"),
    "no such field": (LAYING, put("field", to="g"), "field must be one of"),
    "worth nothing": (LAYING, lambda d: d.update(field="b", seat=1), "worth nothing"),
    "too much owed": (LAYING, put("owed", to=2), "owed must be"),
    "not the clock's": ({"step": "clock", "fields": {"clock": [1]}}, lambda d: None, "has not taken the clock"),
    "no street": (LAYING | {"lines": {0: "36-35-30-36-31-30-22-31"}}, lambda d: None, "nothing seat 0 can do"),
    "no ride": (RIDING | {"seated": [16, 20], "waiting": [8, 24, 24]}, lambda d: None, "nothing seat 0 can do"),
    "no stick left": (
        LAYING | {"lines": {0: LONG}, "edition": "reprint"}, lambda d: None, r"players\[0\] has no stick left",
    ),
    "small colour": (
        {"seats": 4, "lines": {3: "-".join(LONG.split("-")[:20])}}, lambda d: None,
        r"players\[3\].streets has more than 18 sticks",
    ),
    "cubes not spent": (LAYING | {"players": {2: {"cubes": 20}}}, lambda d: None, "cubes must be at most 18 once"),
    "no fields to spend cubes on": (
        {"fields": {action: [0, 1] * 3 for action in ("line", "passengers", "buildings", "vrroomm")}, "cubes": 5,
         "seat": 2, "players": {2: {"cubes": 20}}}, lambda d: None, "too few are free",
    ),
    "empty box": (
        {"step": "passengers", "field": "a", "owed": 1, "fields": {"passengers": [0]}, "waiting": [8] * 15},
        lambda d: None, "box is empty",
    ),
    "all taken": (
        {"fields": {a: [0, 1, 2] * 2 for a in ("line", "passengers", "buildings", "vrroomm")}
         | {"bus": [0], "clock": [1], "start": [2]}, "cubes": 5},
        lambda d: None, "fields are all taken",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_refused_by_name(case: str) -> None:
    """§15 What cannot stand on a table is refused with an error that names the culprit."""
    facts, spoil, complaint = WRONG[case]
    document = copy.deepcopy(describe(**facts))
    spoil(document)
    with pytest.raises(BadPosition, match=complaint):
        Match.from_position("bus", document)


def setup_documents() -> list[dict[str, Any]]:
    match = Match.new("bus", dice=False)
    documents = [match.position()]
    match.play("first 1")
    while match.position()["round"] == 0:
        documents.append(match.position())
        match.play(match.lines()[0])
    return documents


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (put("round", to=1), "round must be 0"),
        (put("clock", to="pub"), "clock must be `house`"),
        (put("players", 0, "cubes", to=19), "cubes must be 20"),
        (put("players", 0, "buses", to=2), "one bus in the set-up"),
        (lambda d: d.update(stones=3) or d["players"][0].update(stones=1), "nobody has any in the set-up"),
        (lambda d: d["players"][0].update(rides=1, reached=1), "nobody has made a ride"),
        (put("waiting", to=[16, 20, 21, 24]), "waiting: "),
        (put("buildings", "29.1", to="pub"), "buildings: there are"),
    ],
)
def test_setup_is_as_laid_out(spoil: Spoil, complaint: str) -> None:
    """§3 Before the first round everything but buildings and sticks is as it was laid out."""
    for document in setup_documents():
        assert Match.from_position("bus", document, dice=False).position() == document
        spoil(document)
        with pytest.raises(BadPosition, match=complaint):
            Match.from_position("bus", document)


def test_order_means_nothing() -> None:
    """§15 Lists of streets, heads and passengers are sets: in whatever order, the position is the same."""
    document = describe(waiting=[27, 21, 20, 16])
    document["players"][0]["streets"].reverse()
    document["players"][0]["heads"].reverse()
    told = Match.from_position("bus", document).position()
    assert told["waiting"] == [16, 20, 21, 27]
    assert told["players"][0]["streets"] == ["1-7", "7-14"]
    assert told["players"][0]["heads"] == [1, 14]
