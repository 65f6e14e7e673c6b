"""How good it is: more is better, and bots that judge find the wins at hand (`winning.json`, from games of bots)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from omnibus import Match, games
from omnibus.bots import bot
from support.winning import winning

pytestmark = pytest.mark.engine


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


@pytest.mark.walk
@pytest.mark.parametrize("level", ["medium", "hard"])
@pytest.mark.parametrize(("game", "position"), CASES)
def test_wins_at_hand_are_found(game: str, position: dict[str, Any], level: str) -> None:
    """A turn, or the last decisions of a game, are seen through to the end."""
    assert wins(game, position, level)


@pytest.mark.walk
@pytest.mark.parametrize(("game", "position"), CASES)
def test_wins_need_the_right_moves(game: str, position: dict[str, Any]) -> None:
    """None of these wins comes by itself: any-move play misses each of them sometimes."""
    assert not all(wins(game, position, "random", seed) for seed in range(20))


ALIKE = {0: "1-7-14", 1: "1-7-14", 2: "1-7-14"}
BUS: dict[str, Any] = {"lines": ALIKE, "waiting": [8, 8, 30, 30]}
RIDER: dict[str, Any] = {"lines": {0: "16-20-27"}, "waiting": [27, 20, 8, 8]}
RIDES = RIDER | {"waiting": [27, 27, 8, 8]}
CENTRAL = ("16.1", "16.2", "20.1", "20.2")
HOUSED = {"buildings": dict.fromkeys(CENTRAL, "house")}
OFFICES: dict[str, Any] = RIDER | {
    "lines": {0: "16-20-27", 1: "16-20-27"}, "cubes": 15,
    "buildings": {"16.1": "office", "16.2": "pub", "21.1": "house", "24.1": "pub"},
}  # fmt: skip
HOUSES = RIDER | {"buildings": {"16.1": "house", "16.2": "house", "10.1": "pub", "15.1": "pub"}, "buses": 2}
LONG = "14-7-1-8-2-5-6-3-4-13-22-31-36-35-30-34-32-33-28"  # 18 streets: a small colour is used up
SMALL: dict[str, Any] = {"seats": 4, "buses": 3, "lines": {3: LONG}, "seat": 3, "fields": {"line": [3]}}
STREET: dict[str, Any] = {"hal": -1, "deb": -1}
BETTER: list[tuple[str, int, str, dict[str, Any], dict[str, Any]]] = [
    ("bus", 0, "score", BUS, {"players": {0: {"rides": 2, "reached": 2}}}),
    ("bus", 0, "score", BUS | {"players": {0: {"stones": 1}}}, {"players": {}}),
    ("bus", 0, "fleet", BUS, {"players": {0: {"buses": 3}}}),
    ("bus", 0, "fleet", BUS | {"players": {0: {"buses": 5}}}, {"players": {0: {"buses": 6}}}),
    ("bus", 0, "cubes", BUS, {"players": {0: {"cubes": 20}}}),
    ("bus", 0, "reach", BUS, {"lines": ALIKE | {0: "1-7-14-17"}}),
    ("bus", 3, "reach", SMALL, {"sticks": "unlimited"}),
    ("bus", 0, "stations", BUS, {"lines": ALIKE | {0: "1-8-14"}}),
    ("bus", 0, "doors", BUS, {"lines": ALIKE | {0: "10-15-17"}}),
    ("bus", 0, "fares", BUS, {"lines": {0: "16-20-27"}, "waiting": [27, 27, 30, 30]}),
    ("bus", 0, "open", RIDES | HOUSED, {"buildings": dict.fromkeys(CENTRAL, "office")}),
    ("bus", 0, "next", RIDES | HOUSED, {"buildings": dict.fromkeys(CENTRAL, "pub")}),
    ("bus", 0, "later", RIDES, {"buildings": {"16.1": "house", "16.2": "house"}}),
    ("bus", 0, "first", BUS, {"fields": {"start": [0]}}),
    ("bus", 0, "ahead", RIDER | {"waiting": [35] * 4}, {"waiting": [29] * 4}),
    ("bus", 0, "due", OFFICES | {"fields": {}}, {"fields": {"vrroomm": [0]}}),
    ("bus", 0, "due", OFFICES | {"fields": {"vrroomm": [1, 0]}}, {"fields": {"vrroomm": [0, 1]}}),
    ("bus", 0, "due", HOUSES | {"fields": {"vrroomm": [0]}}, {"fields": {"vrroomm": [0], "clock": [0]}}),
    ("times_square", 1, "charlie", STREET, {"charlie": 2}),
    ("times_square", 1, "sue", STREET, {"sue": 1}),
    ("times_square", 1, "income", STREET, {"b": 7}),
    ("times_square", 1, "guards", STREET, {"b": 4}),
    ("times_square", 1, "hal", STREET, {"hal": 3}),
    ("times_square", 1, "deb", STREET, {"deb": 2}),
    ("times_square", 1, "supply", STREET, {"sue": 1, "exhausted": 1, "supply": "sue sue"}),
    ("times_square", 1, "hand", STREET, {"hands": ("hal2", "sue")}),
]


@pytest.mark.parametrize(("game", "seat", "term", "plain", "more"), BETTER)
def test_more_is_better(game: str, seat: int, term: str, plain: dict[str, Any], more: dict[str, Any]) -> None:
    """What one has more of than in a position like it is worth more, and so is the seat."""
    engine, place = games.find(game), import_module(f"games.{game}.positions").place
    worse, better = place(**plain).state, place(**plain | more).state
    assert engine.terms(better, seat)[term] > engine.terms(worse, seat)[term]
    assert engine.judge(better)[seat] > engine.judge(worse)[seat]
    if better.seats == 2:
        assert engine.terms(better, 1 - seat)[term] == -engine.terms(better, seat)[term]
