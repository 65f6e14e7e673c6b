"""How good it is: named terms that say what one would say at the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from omnibus import Match
from omnibus.bots import bot
from omnibus.games.bus import judging

Place = Callable[..., Match]


def test_terms_are_named(place: Place) -> None:
    """Every term has a weight, and at a table of equals all are level."""
    match = place(lines={0: "1-7-14", 1: "1-7-14", 2: "1-7-14"})
    terms = judging.terms(match.state, 0)
    assert set(terms) == set(judging.WEIGHTS)
    assert set(terms.values()) == {0.0}
    assert judging.judge(match.state, 0) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("better", "term"),
    [
        ({"rides": 2, "reached": 2}, "score"),
        ({"buses": 3}, "fleet"),
        ({"cubes": 20}, "cubes"),
    ],
)
def test_more_is_better(place: Place, better: dict[str, int], term: str) -> None:
    """§13.2 More points, buses or cubes than the best rival: worth more than half; a time stone: less."""
    match = place(players={0: better})
    assert judging.terms(match.state, 0)[term] > 0
    assert judging.judge(match.state, 0) > judging.judge(place().state, 0)
    assert judging.judge(place(players={0: {"stones": 1}}).state, 0) < judging.judge(place().state, 0)


def test_a_useful_line_is_better(place: Place) -> None:
    """§11.1 A line with passengers on it and doors to take them to."""
    useful = place(lines={0: "16-20-27"}, buildings={"16.1": "office", "20.1": "office"}, waiting=[27, 27, 8, 8])
    terms = judging.terms(useful.state, 0)
    assert terms["doors"] > 0
    assert terms["fares"] == 2
    assert terms["next"] == 1


def test_greedy_beats_random() -> None:
    """The judgement is good enough to beat chance: one greedy seat among three wins most games."""
    won = 0
    for seed in range(8):
        match = Match.new("bus", seats=3, seed=seed)
        bots = [bot("greedy" if seat == seed % 3 else "random", match.game, seed=seed) for seat in range(3)]
        while isinstance(match.actor, int):
            match.play(bots[match.actor](match.view(match.actor)))
        assert match.outcome is not None
        won += match.outcome.winners == (seed % 3,)
    assert won >= 6
