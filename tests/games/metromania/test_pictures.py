"""What the pictures of the rules show."""

from __future__ import annotations

from pathlib import Path

from omnibus import Match, games


def test_the_rides_of_the_picture() -> None:
    """§11 The game in the picture of the rules ended as its caption says."""
    record = Path(games.find("metromania").folder) / "pictures" / "rides.game"
    outcome = Match.read(record.read_text(encoding="utf-8")).outcome
    assert outcome is not None
    tests = {test["test"]: (test["minutes"], test["scores"]) for test in outcome.details["tests"]}
    assert tests["A"] == (1, [6, 0, 0])
    assert tests["B"] == (None, [-6, 0, -6])
    assert tests["sunday"] == (7, [5, 5, 0])
