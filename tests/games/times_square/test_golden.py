"""Whole games that must replay for ever: every way to end, in both editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnibus import Match

pytestmark = pytest.mark.engine

RECORDS = sorted((Path(__file__).parent / "records").glob("*.game"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in RECORDS}
EDITIONS = ("times_square", "royal_visit")
REASONS = ("sue", "charlie", "supply-sue", "supply-charlie", "draw")


@pytest.mark.parametrize("name", TEXTS)
def test_record_replays(name: str) -> None:
    """§10.4 A record replays to its own result, and is written again to the letter."""
    assert Match.read(TEXTS[name]).record() == TEXTS[name]


@pytest.mark.walk
def test_every_end_is_there() -> None:
    """§10, §11 Every reason in both editions, from the normal start."""
    ends = set()
    for text in TEXTS.values():
        match = Match.read(text)
        assert match.outcome is not None
        assert "position:" not in match.record()
        ends.add((match.options["edition"], match.outcome.reason))
    assert ends == {(edition, reason) for edition in EDITIONS for reason in REASONS}
