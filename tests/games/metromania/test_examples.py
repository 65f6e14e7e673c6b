"""The worked examples of the rules, one by one."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from omnibus import games
from omnibus.games.metromania import board, moves
from omnibus.games.metromania.scoring import Ride, network, ride_letter
from omnibus.games.metromania.state import STRIDE, State

pytestmark = pytest.mark.engine

GAME = games.find("metromania")
NAMES = [board.destination_name(one) for one in range(12)]


def test_counts() -> None:
    """§14.1 91 vertices, 240 edges, 150 + 30 cells, 15 white and 15 black."""
    assert (board.CITY, len(board.POINTS)) == (91, 121)
    assert sum(max(ends) < board.CITY for ends in board.ENDS) == 240
    assert len(board.CORNERS) == 150 + 30
    assert (len(board.WHITE), len(board.BLACK)) == (15, 15)


def test_lake_and_park_are_apart_in_every_city() -> None:
    """§14.1 In every one of the 6!·3^6 cities lake and park share no vertex: all places of the two are tried."""
    tried = 0
    for one, other in permutations(range(6), 2):
        for turn, other_turn in product(range(3), repeat=2):
            lake = _corners(board.PRINTED[(one * 6 + 4) * 3 + turn], board.LAKE)
            park = _corners(board.PRINTED[(other * 6 + 5) * 3 + other_turn], board.PARK)
            assert len(lake) == len(park) == 4
            assert not lake & park
            tried += 1
    assert tried == 30 * 9  # every city is one of these, with the other four pieces anyhow


def _corners(printed: list[tuple[int, int]], ground: int) -> set[int]:
    return {vertex for cell, what in printed if what == ground for vertex in board.CORNERS[cell]}


def test_deals() -> None:
    """§14.1 With fixed homes 116 of 576 four-player deals are valid, so 2,784; 208 for each choice of doubles."""
    valid = 0
    for works, leisures in product(permutations("ABEF"), permutations("BCDE")):
        valid += all(len(set(hand)) == 3 for hand in zip("ACDF", works, leisures, strict=True))
    assert valid == 116
    assert len(moves.DEALS_OF_FOUR) == len(set(moves.DEALS_OF_FOUR)) == 116 * 24 == 2784
    for doubles in permutations(range(3)):
        deals = moves.all_deals(list(doubles))
        assert len(deals) == 208
        for hands in deals:
            assert all(_letters(hand) == 4 for hand in hands)
            assert sum(hands) == board.ALL_DESTINATIONS


def _letters(hand: int) -> int:
    return len({board.LETTER_OF[one] for one in range(12) if hand >> one & 1})


def test_shortest_lines() -> None:
    """§14.2 The shortest line has 8 tunnels to side k+2 or k+4 and 12 to side k+3, beginning and end included."""
    for side in range(6):
        shortest = _shortest([n for n in board.WHITE if n // 5 == side])
        assert [shortest[(side + far) % 6] for far in (2, 3, 4)] == [8, 12, 8]


def _shortest(borders: list[int]) -> dict[int, int]:
    """The least tunnels from these beginnings to each side, through an empty city without stations."""
    reached: dict[int, int] = {}
    heads = {(board.TO[bore], bore % 12 // 2) for n in borders for bore in board.STARTS[2 * n : 2 * n + 2]}
    seen = set(heads)
    tunnels = 1
    while heads:
        tunnels += 1
        onward: set[tuple[int, int]] = set()
        for v, way in heads:
            for d in (way, (way + 1) % 6, (way + 5) % 6):
                for bore in (v * 12 + d * 2, v * 12 + d * 2 + 1):
                    to = board.TO[bore]
                    if board.CELL[bore] == board.NO_CELL:
                        continue
                    if to < board.CITY:
                        onward.add((to, d))
                    elif not board.is_white(to - board.APEX0):
                        reached.setdefault((to - board.APEX0) // 5, tunnels)
        heads = onward - seen
        seen |= heads
    return reached


RED, GREEN, ORANGE, BLUE = 0, 1, 2, 3


def drawn(lines: dict[int, list[str]], placed: dict[str, tuple[str, int]]) -> State:
    """A network for four, drawn by hand: solid lines by the stations they call at."""
    state: State = GAME.setup(4, {"town_hall": "open"})
    for seat, calls in lines.items():
        path = [board.APEX0 + seat] + [board.VERTEX_AT[_point(call)] for call in calls]
        state.path[2 * seat * STRIDE : 2 * seat * STRIDE + len(path)] = path
        state.length[2 * seat] = len(path) - 1
        for vertex in path[1:]:
            state.station[vertex] = 1
    for name, (cell, seat) in placed.items():
        state.placed[NAMES.index(name)] = board.CELL_NAMED[cell]
        state.placer[NAMES.index(name)] = seat
    return state


def _point(text: str) -> tuple[int, int]:
    a, b = text.split(",")
    return int(a), int(b)


def ridden(state: State, letter: str) -> Ride:
    return ride_letter(state, network(state), "ABCDEF".index(letter))


def test_test_e() -> None:
    """§14.3 Test E: red alone 1 minute, green 2, red and orange with a change 6: red, who placed one end, scores 6."""
    lines = {
        RED: ["0,1", "-4,0", "-5,0", "-5,1"],
        GREEN: ["1,0", "2,2", "-3,-1"],
        ORANGE: ["-5,1", "2,-3"],
    }
    test = ridden(drawn(lines, {"work E": ("U0,0", RED), "leisure E": ("U-4,-1", BLUE)}), "E")
    assert test.minutes == 1
    assert test.scores == [6, 0, 0, 0]


def test_test_d() -> None:
    """§14.4 Test D: two routes of 6 minutes: blue in both scores once, 6; green, who placed the other, 6; orange 3."""
    lines = {BLUE: ["0,0", "2,0", "3,0"], GREEN: ["3,0", "-4,0"], ORANGE: ["3,0", "-3,-1"]}
    test = ridden(drawn(lines, {"home D": ("U0,0", BLUE), "leisure D": ("U-4,-1", GREEN)}), "D")
    assert test.minutes == 6
    assert test.scores == [0, 6, 3, 6]
    assert len(test.stretches) == 4


def test_test_c() -> None:
    """§14.5 Test C: a placed destination without a station: its placer pays 6, nobody else."""
    lines = {RED: ["0,0", "2,0"]}
    test = ridden(drawn(lines, {"home C": ("U0,0", RED), "leisure C": ("U-4,-1", GREEN)}), "C")
    assert test.minutes == -1
    assert test.scores == [0, -6, 0, 0]


AT_THE_RIM: dict[str, Any] = {
    "sectors": ["6.0", "2.0", "5.0", "1.1", "3.2", "4.1"],
    "lines": {
        "0 solid": "0 W, W l, NW r, NE r, NW l, W r, W l, W r, NW l, W l, SW r, W r, W l",
        "0 striped": "24 NW, NE l, NE r, E l, NE l, NE l, NE l, NW l",
    },
    "stations": "4,1",
    "placed": {"home A": "U1,3", "home D": "U4,-3", "work F": "D-1,3"},
}
