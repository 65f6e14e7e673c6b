"""What holds at every ply of every game: nothing is made, nothing is lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from omnibus.kernel.game import CHANCE, OVER
from support.games_played import ALONG, GamePlayed, in_positions

pytestmark = pytest.mark.engine


def check(document: dict[str, Any], deck: Counter[str]) -> None:
    """The deck is complete, the trio in order, nobody off the board, hands no larger than eight."""
    figures = document["figures"]
    everywhere = [*document["hands"][0], *document["hands"][1], *document["supply"], *document["discards"]]
    assert Counter(everywhere) == deck
    assert figures["a"] < figures["sue"] < figures["b"]
    assert all(space is None or abs(space) <= 8 for space in figures.values())
    assert all(len(hand) <= 8 for hand in document["hands"])


@in_positions(60, of="times_square", ways=ALONG)
def test_conservation(played: GamePlayed) -> None:
    """§1.5, §2 Over whole games of all editions."""
    game = played.game
    start = game.position(game.setup(2, played.setup.options))
    deck: Counter[str] = Counter(start["supply"])
    exhausted = 0
    for state, _ in played.states():
        document = game.position(state)
        check(document, deck)
        assert document["exhausted"] >= exhausted
        exhausted = document["exhausted"]
        if state.actor not in (CHANCE, OVER):
            assert document["supply"], "nobody acts with the supply exhausted"
            assert abs(document["figures"]["sue"]) < 7
            assert abs(document["figures"]["charlie"]) < 7
    if outcome := game.outcome(played.state):
        assert sum(outcome.scores) == len(outcome.winners)
        assert all(outcome.scores[seat] == 1 for seat in outcome.winners)
