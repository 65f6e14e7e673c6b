"""Node counts: the number of sequences of plies from known positions. On a mismatch the split by move is shown.

The tables were counted twice: along `legal`, and along `refusal`, which shares no code with it.
"""

from __future__ import annotations

from typing import Any

import pytest

from omnibus import Match, games
from support.rules import check_counts, perft_by_refusal
from support.walks import counted

from .positions import place

pytestmark = pytest.mark.engine

GAME = games.find("bus")

TABLES: dict[str, tuple[dict[str, Any], list[int]]] = {
    "choosing": (
        {"fields": {"line": [0, 1], "vrroomm": [2]}, "cubes": 15},
        [7, 46, 286, 1982, 13341],
    ),
    "lines": (
        {
            "step": "line", "field": "b", "owed": 1, "seat": 1, "buses": 2, "fields": {"line": [0, 1], "clock": [2]},
            "lines": {0: "10-16-21-24", 1: "24-29-32", 2: "8-10-15"},
        },
        [6, 19, 106, 212, 1484, 9752],
    ),
    "loop": (
        {
            "step": "line", "field": "a", "owed": 3, "buses": 3, "fields": {"line": [0], "clock": [1]},
            "lines": {0: "8-10-15", 1: "7-8-14", 2: "6-10-16"},
        },
        [9, 55, 294, 588, 4116, 27048],
    ),
    "buildings": (
        {
            "step": "buildings", "field": "b", "owed": 1, "seat": 1, "buses": 2,
            "fields": {"buildings": [0, 1], "clock": [2]},
            "buildings": dict.fromkeys(
                ["10.1", "15.1", "16.1", "16.2", "20.1", "20.2", "21.1", "21.2", "24.1", "27.1", "27.2"], "pub"
            ),
        },
        [3, 99, 2970, 5940, 41580],
    ),
    "rides": (
        {
            "step": "clock", "seat": 2, "fields": {"clock": [2], "vrroomm": [0, 1, 0], "start": [1]},
            "players": {0: {"buses": 2}, 1: {"buses": 3}}, "lines": {0: "8-10-16-20", 1: "8-15-20-27"},
            "waiting": [8, 8, 8, 20, 16, 27, 10],
            "buildings": {
                "10.1": "house", "15.1": "office", "16.1": "office", "16.2": "house", "20.1": "office", "27.1": "house",
                "27.2": "office",
            },
        },
        [2, 8, 53, 332, 1982, 11360],
    ),
    "last cubes": (
        {
            "seats": 5, "cubes": 1, "round": 9, "players": {3: {"cubes": 0}, 4: {"cubes": 0}, 0: {"buses": 2}},
            "fields": {"passengers": [3], "bus": [4]},
        },
        [6, 34, 184, 594, 2681, 13858],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "depths"), counted({name: counts for name, (_, counts) in TABLES.items()}))
def test_table(name: str, depths: dict[int, int]) -> None:
    """§4 – §13 The counts of a position, depth by depth."""
    check_counts(GAME, place(**TABLES[name][0]).state, depths)


@pytest.mark.parametrize("depths", counted({(): [3, 3 * 36, 3 * 36 * 33, 3 * 36 * 33 * 30]}))
def test_start(depths: dict[int, int]) -> None:
    """§3.1, §3.2 From the start: three seats, then 36, 33, 30 … buildings on A plots."""
    check_counts(GAME, Match.new("bus", dice=False).state, depths)


@pytest.mark.parametrize("name", TABLES)
def test_table_by_refusal(name: str) -> None:
    """The explaining path counts the same (to a smaller depth: it is slow)."""
    facts, counts = TABLES[name]
    depth = max(depth for depth, nodes in enumerate(counts, 1) if nodes < 400)
    assert perft_by_refusal(GAME, place(**facts).state, depth) == counts[depth - 1]
