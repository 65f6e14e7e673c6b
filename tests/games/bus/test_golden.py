"""Whole games that must replay for ever: every way to end at every number of seats, every tie-break, every option."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from omnibus import Match
from support.walks import few

pytestmark = pytest.mark.engine

RECORDS = sorted((Path(__file__).parent / "records").glob("*.game"))


@cache
def read() -> list[Match]:
    return [Match.read(path.read_text(encoding="utf-8")) for path in RECORDS]


@pytest.mark.parametrize("path", few(RECORDS, 8), ids=lambda path: path.stem)
def test_record_replays(path: Path) -> None:
    """§13.2 A record replays to its own result, and is written again to the letter."""
    text = path.read_text(encoding="utf-8")
    match = Match.read(text)
    assert match.outcome is not None
    assert "position:" not in text  # from the normal start
    assert match.record() == text


@pytest.mark.walk
def test_every_end_is_there() -> None:
    """§13.1 Every reason at every number of seats."""
    ends = {
        (match.seats, match.outcome.reason) for match in read() if match.outcome and match.options["city"] == "bus-city"
    }
    assert ends == {(seats, reason) for seats in (3, 4, 5) for reason in ("stones", "cubes", "plots")}


@pytest.mark.walk
def test_both_editions_are_there() -> None:
    """§2.1, §2.2, §13.1 Every reason in both; eleven buses and a small colour used up; no sixth bus in the reprint."""
    ends = {(match.options["edition"], match.outcome.reason) for match in read() if match.outcome}
    assert ends == {(edition, reason) for edition in ("first", "reprint") for reason in ("stones", "cubes", "plots")}
    players = {
        edition: [player for match in read() if match.options["edition"] == edition for player in _seated(match)]
        for edition in ("first", "reprint")
    }
    assert max(player["buses"] for player in players["first"]) == 11
    assert any(player["seat"] > 2 and len(player["streets"]) == 18 for player in players["first"])
    assert max(player["buses"] for player in players["reprint"]) == 5


def _seated(match: Match) -> list[dict[str, Any]]:
    return [{"seat": seat, **player} for seat, player in enumerate(match.position()["players"])]


@pytest.mark.walk
def test_every_tie_break_is_there() -> None:
    """§13.2 Nothing to break, stones, earlier, shared."""
    assert {match.outcome.tie_break for match in read() if match.outcome} == {None, "stones", "earlier", "shared"}


@pytest.mark.walk
def test_every_option_is_there() -> None:
    """§14 Unlimited sticks (with more than 25 laid), the clock turned back, another city, a city of one's own."""
    unlimited = [match.position()["players"] for match in read() if match.options["sticks"] == "unlimited"]
    assert max(len(player["streets"]) for players in unlimited for player in players) > 25
    assert any(match.options["clock_back"] and ("stop" in [line for _, line in match.plies]) for match in read())
    cities = [match.options["city"] for match in read()]
    assert {"bus-city", "small-town"} <= {city for city in cities if isinstance(city, str)}
    assert [city["name"] for city in cities if isinstance(city, dict)] == ["harbour"]
