"""Whole games that must replay for ever: every way to end, in both editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnibus import Match

pytestmark = pytest.mark.engine

RECORDS = sorted((Path(__file__).parent / "records").glob("*.game"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_replays(path: Path) -> None:
    """§10.4 A record replays to its own result, and is written again to the letter."""
    text = path.read_text(encoding="utf-8")
    assert Match.read(text).record() == text


def test_every_end_is_there() -> None:
    """§10, §11 Every reason in both editions, from the normal start."""
    ends = set()
    for path in RECORDS:
        match = Match.read(path.read_text(encoding="utf-8"))
        assert match.outcome is not None
        assert "position:" not in match.record()
        ends.add((match.options["edition"], match.outcome.reason))
    reasons = ("sue", "charlie", "supply-sue", "supply-charlie", "draw")
    assert ends == {(edition, reason) for edition in ("times_square", "royal_visit") for reason in reasons}
