"""Wins at hand, which bots that judge positions must find: `winning.json` of each game, found in games between bots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.bots import bot

pytestmark = [pytest.mark.engine, pytest.mark.walk]


def winning(name: str) -> dict[str, dict[str, Any]]:
    """Return the positions of a game in which the seat to act can win, by their names."""
    found = json.loads((Path(__file__).parent / name / "winning.json").read_text("utf-8"))
    return found if isinstance(found, dict) else {case["name"]: case["position"] for case in found}


CASES = [
    pytest.param(name, position, id=f"{name}: {case}")
    for name in games.names()
    for case, position in winning(name).items()
]


IN_ONE_TURN = ("metromania", "times_square")
"""Games whose positions are won before anybody else decides; in the others it does not matter what they decide."""


def wins(game: str, position: dict[str, Any], level: str, seed: int = 1) -> bool:
    """Let a bot play on, and the others at random, where the win takes longer than a turn."""
    match = Match.from_position(game, position, seed=1)
    winner = match.actor
    levels = [level if seat == winner else "random" for seat in range(match.seats)]
    bots = [bot(each, match.game, seed=seed, simulations=200 if each == "hard" else None) for each in levels]
    while isinstance(match.actor, int) and (match.actor == winner or game not in IN_ONE_TURN):
        match.play(bots[match.actor](match.view(match.actor)))
    return match.outcome is not None and match.outcome.winners == (winner,)


@pytest.mark.parametrize("level", ["medium", "hard"])
@pytest.mark.parametrize(("game", "position"), CASES)
def test_wins_at_hand_are_found(game: str, position: dict[str, Any], level: str) -> None:
    """A turn, or the last decisions of a game, are seen through to the end."""
    assert wins(game, position, level)


@pytest.mark.parametrize(("game", "position"), CASES)
def test_wins_need_the_right_moves(game: str, position: dict[str, Any]) -> None:
    """None of these wins comes by itself: any-move play misses each of them sometimes."""
    assert not all(wins(game, position, "random", seed) for seed in range(20))
