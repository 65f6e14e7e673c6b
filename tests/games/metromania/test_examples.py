"""The worked examples of the rules, one by one."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from omnibus.games.metromania import board, moves

from .networks import drawn, ridden

pytestmark = pytest.mark.engine


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


RED, GREEN, ORANGE, BLUE = range(4)
NEAR, FAR = "U0,0", "U-4,-1"


@pytest.mark.parametrize(
    ("lines", "letter", "ends", "minutes", "scores"),
    [
        pytest.param(
            {RED: "0,1 -4,0 -5,0 -5,1", GREEN: "1,0 2,2 -3,-1", ORANGE: "-5,1 2,-3"},
            "E", {"work E": (NEAR, RED), "leisure E": (FAR, BLUE)}, 1, [6, 0, 0, 0],
            id="§14.3 red alone 1 minute, green 2, red and orange with a change 6: red, who placed one end, scores 6",
        ),
        pytest.param(
            {BLUE: "0,0 2,0 3,0", GREEN: "3,0 -4,0", ORANGE: "3,0 -3,-1"},
            "D", {"home D": (NEAR, BLUE), "leisure D": (FAR, GREEN)}, 6, [0, 6, 3, 6],
            id="§14.4 two routes of 6 minutes: blue in both scores once, 6; green, who placed the other, 6; orange 3",
        ),
        pytest.param(
            {RED: "0,0 2,0"}, "C", {"home C": (NEAR, RED), "leisure C": (FAR, GREEN)}, -1, [0, -6, 0, 0],
            id="§14.5 a placed destination without a station: its placer pays 6, nobody else",
        ),
    ],
)  # fmt: skip
def test_rides(
    lines: dict[int, str], letter: str, ends: dict[str, tuple[str, int]], minutes: int, scores: list[int]
) -> None:
    """§14.3 §14.4 §14.5 The test rides E, D and C of the examples."""
    ride = ridden(drawn(4, {2 * seat: calls for seat, calls in lines.items()}, ends), letter)
    assert (ride.minutes, ride.scores) == (minutes, scores)
    assert len(ride.stretches) == {1: 1, 6: 4, -1: 0}[minutes]
