"""The rules, paragraph by paragraph: line expansion (§6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from omnibus import IllegalMove, Match

pytestmark = pytest.mark.engine

Place = Callable[..., Match]


def laying(place: Place, lines: dict[int, str], *, seat: int = 0, owed: int = 1, **more: Any) -> Match:
    """A seat has so many sticks to lay, and the clock is taken, so that something comes after them."""
    facts: dict[str, Any] = {"fields": {"line": [seat, seat], "clock": [1]}, "buses": 5, "field": "a"}
    return place(step="line", seat=seat, owed=owed, lines=lines, **{**facts, **more})


def refusal(match: Match, line: str) -> tuple[str, str, dict[str, Any]]:
    before = match.position()
    with pytest.raises(IllegalMove) as caught:
        match.play(line)
    assert match.position() == before
    found = caught.value.refusal
    return found.code, found.section, dict(found.args)


def heads(match: Match, seat: int = 0) -> list[int]:
    return list(match.position()["players"][seat]["heads"])


def test_at_either_head(place: Place) -> None:
    """§6.1 Sticks are laid one at a time, each at either head, and nowhere else."""
    match = laying(place, {0: "16-21-24"}, owed=2)
    assert {line.split()[1].split("-")[0] for line in match.lines()} == {"16", "24"}
    assert refusal(match, "lay 21-27")[:2] == ("not-a-head", "§6.1")
    assert refusal(match, "lay 20-16") == ("not-a-head", "§6.1", {"crossing": 20, "heads": [16, 24]})
    match.play("lay 24-30")
    assert heads(match) == [16, 30]
    match.play("lay 16-10")
    assert heads(match) == [10, 30]


def test_empty_street(place: Place) -> None:
    """§6.2 (a) A street that no line uses may be taken; one that another line passes on may not."""
    match = laying(place, {0: "16-21-24", 1: "6-10-16-11"})
    assert "lay 16-20" in match.lines()
    code, section, about = refusal(match, "lay 16-10")
    assert (code, section) == ("street-used", "§6.2")
    assert about == {"street": "10-16", "crossing": 16, "empty": ["16-20"], "lines": [1]}


def test_shared_ends(place: Place) -> None:
    """§6.2 (b) A street may be shared if every line on it has a head here, be it its last street or not."""
    ending = laying(place, {0: "16-21-24", 1: "6-10-16"})
    assert "lay 16-10" in ending.lines()
    assert "lay 16-20" in ending.lines()  # also while there are empty streets
    looped = laying(
        place, {0: "16-21-24", 1: "16-10-6-11-16"}
    )  # both of line 1's heads are here: either street is shared
    assert {"lay 16-10", "lay 16-11"} <= set(looped.lines())
    passing = laying(
        place, {0: "16-21-24", 1: "20-16-10-6-11-16"}
    )  # 20-16 is not its last street here, but it ends here
    assert {"lay 16-10", "lay 16-11", "lay 16-20"} <= set(passing.lines())
    one_of_two = laying(place, {0: "16-21-24", 1: "6-10-16", 2: "10-16-11"})
    assert refusal(one_of_two, "lay 16-10")[2]["lines"] == [2]


def test_no_way_out(place: Place) -> None:
    """§6.2 (c) With no empty street at a head, any street there without an own stick may be taken."""
    match = laying(place, {0: "16-21-24", 1: "6-10-16-11", 2: "15-20-16-10"})
    assert {"lay 16-10", "lay 16-11", "lay 16-20"} <= set(match.lines())
    assert refusal(match, "lay 16-21")[:2] == ("own-street", "§6.4")


def test_each_head_and_stick_anew(place: Place) -> None:
    """§6.3 The test is made for each head and each stick anew; (c) looks at that one head only."""
    match = laying(place, {0: "25-23-17", 1: "26-25-33", 2: "14-17-15"}, owed=2)
    assert set(match.lines()) == {"lay 25-26", "lay 25-33", "lay 17-19"}
    match.play("lay 17-19")
    assert "lay 25-26" in match.lines()
    assert not any(line.startswith("lay 17") for line in match.lines())
    assert refusal(match, "lay 17-14")[0] == "not-a-head"


def test_one_trail(place: Place) -> None:
    """§6.4 Every street at most once; crossings may be visited again."""
    match = laying(place, {0: "8-10-15-8-1"}, owed=1)
    assert refusal(match, "lay 8-10") == ("own-street", "§6.4", {"street": "8-10"})
    again = laying(place, {0: "1-8-10-15"})
    again.play("lay 15-8")  # crossing 8 is on the line already
    assert heads(again) == [1, 8]


def test_loop_from_either_head(place: Place) -> None:
    """§6.5 A street joining the two heads can be laid from either; both heads then stand where the first one went."""
    for line, end in (("lay 8-15", 15), ("lay 15-8", 8)):
        match = laying(place, {0: "8-10-15"}, owed=2)
        match.play(line)
        assert heads(match) == [end, end]
        assert {line.split()[1].split("-")[0] for line in match.lines()} == {str(end)}
        assert len(match.lines()) == len(set(match.lines()))
        match.play(match.lines()[0])
        assert end in heads(match)
        assert heads(match)[0] != heads(match)[1]


def test_must_lay(place: Place) -> None:
    """§6.6 While a legal street exists and sticks are owed, one is laid; a dead end lets the rest lapse."""
    match = laying(place, {0: "9-4-3-9"}, owed=3)
    assert refusal(match, "pass")[:2] == ("owed", "§5.3")
    assert match.lines() == ["lay 9-12"]
    dead = laying(place, {0: "36-35-30-36-31-30-22"}, owed=3)
    assert heads(dead) == [22, 36]
    assert not any(line.startswith("lay 36") for line in dead.lines())
    dead.play("lay 22-31")  # nobody has to look ahead: at 31, as at 36, all streets are the line's own
    assert dead.position()["step"] == "clock"
    assert len(dead.position()["players"][0]["streets"]) == 7
