"""What holds at every ply of every game: nothing is made, nothing is lost."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from omnibus import games
from omnibus.kernel.game import CHANCE, OVER
from omnibus.kernel.perft import step
from support.walks import few

pytestmark = pytest.mark.engine

GAME = games.find("times_square")


def check(document: dict[str, Any], deck: Counter[str]) -> None:
    """The deck is complete, the trio in order, nobody off the board, hands no larger than eight."""
    figures = document["figures"]
    everywhere = [*document["hands"][0], *document["hands"][1], *document["supply"], *document["discards"]]
    assert Counter(everywhere) == deck
    assert figures["a"] < figures["sue"] < figures["b"]
    assert all(space is None or abs(space) <= 8 for space in figures.values())
    assert all(len(hand) <= 8 for hand in document["hands"])


@pytest.mark.parametrize("edition", ["times_square", "royal_visit"])
@pytest.mark.parametrize("seed", few(range(25), 2))
def test_conservation(edition: str, seed: int) -> None:
    """§1.5, §2 Over whole random games of both editions."""
    random = Random(seed)
    state = GAME.setup(2, {"edition": edition})
    deck: Counter[str] = Counter(GAME.position(state)["supply"])
    while (move := step(GAME, state, random.random)) != OVER:
        before = GAME.position(state)
        GAME.apply(state, move)
        after = GAME.position(state)
        check(after, deck)
        assert after["exhausted"] >= before["exhausted"]
        if state.actor not in (CHANCE, OVER):
            assert after["supply"], "nobody acts with the supply exhausted"
            assert abs(after["figures"]["sue"]) < 7
            assert abs(after["figures"]["charlie"]) < 7
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert sum(outcome.scores) == len(outcome.winners)
    assert all(outcome.scores[seat] == 1 for seat in outcome.winners)
