"""Evaluation: named terms, and wins in one turn that must not be missed."""

from __future__ import annotations

from typing import Any

import pytest

from omnibus.games.times_square import GAME

from .positions import place

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(
    ("term", "better"),
    [
        ("charlie", {"charlie": 2}),
        ("sue", {"sue": 1}),
        ("income", {"b": 7}),
        ("guards", {"b": 4}),
        ("hal", {"hal": 3}),
        ("deb", {"deb": 2}),
        ("supply", {"sue": 1, "exhausted": 1, "supply": "sue sue"}),
        ("hand", {"hands": ("hal2", "sue")}),
    ],
)
def test_what_raises_a_term(term: str, better: dict[str, Any]) -> None:
    """Each term is worth more to seat 1 the more there is of it, and as much less to seat 0."""
    plain = place(hal=-1, deb=-1).state
    raised = place(**{"hal": -1, "deb": -1, **better}).state
    assert GAME.terms(raised, 1)[term] > GAME.terms(plain, 1)[term]
    assert GAME.terms(raised, 0)[term] == -GAME.terms(raised, 1)[term]
    assert GAME.judge(raised)[1] > GAME.judge(plain)[1]


def test_a_turn_is_judged_by_what_it_leads_to() -> None:
    """§3.4 In mid-turn the position counts as if the turn ended now: the turn is the other seat's next."""
    match = place(hands=("hal2 hal2", "sue"), step="act")
    assert GAME.terms(match.state, 0)["turn"] > 0
    match.play("hal2 left")
    assert GAME.terms(match.state, 0)["turn"] < 0
