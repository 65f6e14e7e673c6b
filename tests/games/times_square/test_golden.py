"""Whole games that must replay for ever: every way to end, in both editions and by every version of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnibus import Match

pytestmark = pytest.mark.engine

RECORDS = sorted((Path(__file__).parent / "records").glob("*.game"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in RECORDS}
FIRST = [name for name, text in TEXTS.items() if "\nrules: 1\n" in text]
EDITIONS = ("times_square", "royal_visit")
REASONS = ("sue", "charlie", "supply-sue", "supply-charlie", "draw")


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in FIRST])
def test_record_replays(name: str) -> None:
    """§10.4 A record replays to its own result, and is written again to the letter."""
    assert Match.read(TEXTS[name]).record() == TEXTS[name]


@pytest.mark.parametrize("name", FIRST)
def test_first_rules_replay(name: str) -> None:
    """A record of the first rules replays to its own result; written again, it still says which rules it needs."""
    match = Match.read(TEXTS[name])
    royal = match.options["edition"] == "royal_visit"  # has not changed
    options = '{"edition": "royal_visit"}' if royal else '{"edition": "times_square", "rules": 1}'
    assert match.record().splitlines()[1:4] == ["rules: 2", "seats: 2", f"options: {options}"]
    assert match.record().splitlines()[4:] == TEXTS[name].splitlines()[4:]
    assert Match.read(match.record()).record() == match.record()


@pytest.mark.walk
def test_every_end_is_there() -> None:
    """§10, §11 Every reason in both editions, and by both rules in the one that changed, from the normal start."""
    ends = set()
    for text in TEXTS.values():
        match = Match.read(text)
        assert match.outcome is not None
        assert "position:" not in match.record()
        ends.add((match.options["edition"], match.options.get("rules", 2), match.outcome.reason))
    assert ends == {(edition, 2, reason) for edition in EDITIONS for reason in REASONS} | {
        ("times_square", 1, reason) for reason in REASONS
    }
