"""The position document: what it tells, and what it does not take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnibus import BadPosition, Match

pytestmark = pytest.mark.engine


def refused(document: dict[str, Any]) -> str:
    with pytest.raises(BadPosition) as caught:
        Match.from_position("metromania", document)
    return str(caught.value)


def test_the_construction_must_have_ended() -> None:
    """§9.1 Three lines of two players may be finished or blocked; a fourth is the end."""
    record = Path(__file__).parent / "records" / "2-hidden-blocked.game"
    match = Match.read(record.read_text(encoding="utf-8"))
    state = next(
        state
        for state in match.states
        if state.step == 3 and state.dug == 0 and bin(state.finished | state.blocked).count("1") == 3
    )
    document = match.game.position(state)
    assert Match.from_position("metromania", document).position() == document
    over = next(state for state in match.states if state.ended >= 0 and state.step == 3 and state.dug == 0)
    ended = match.game.position(over)
    assert "has ended the construction" in refused(ended | {"ended": None, "reason": None})


def test_positions_before_the_game() -> None:
    """§3 Before the first turn nothing is built, held or blocked."""
    empty = Match.new("metromania", seats=3, dice=False)
    for piece in range(1, 7):
        empty.play(f"piece {piece}.0")
    document = empty.position()
    assert Match.from_position("metromania", document, dice=False).lines() == empty.lines()
    assert "blocked" in refused(document | {"blocked": ["0 solid"]})
    assert "nothing is built" in refused(document | {"turn": 1})
    assert "before the deal" in refused(document | {"hands": [["home A"], [], []]})


def test_set_up_belongs_to_seat_0() -> None:
    """§3.1 Before the first turn nobody else is to act, and nothing of a turn is going on."""
    document = Match.new("metromania", seats=2, dice=False).position()
    assert "seat must be 0" in refused(document | {"seat": 1})
    assert "only during a turn" in refused(document | {"line": "solid"})
    assert "only during a turn" in refused(document | {"placed_now": True})
