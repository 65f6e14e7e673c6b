"""How good it is in the middle of a turn."""

from __future__ import annotations

import pytest

from omnibus.games.times_square import GAME

from .positions import place

pytestmark = pytest.mark.engine


def test_a_turn_is_judged_by_what_it_leads_to() -> None:
    """§3.4 In mid-turn the position counts as if the turn ended now: the turn is the other seat's next."""
    match = place(hands=("hal2 hal2", "sue"), step="act")
    assert GAME.terms(match.state, 0)["turn"] > 0
    match.play("hal2 left")
    assert GAME.terms(match.state, 0)["turn"] < 0
