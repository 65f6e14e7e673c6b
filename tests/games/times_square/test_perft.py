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

GAME = games.find("times_square")

TABLES: dict[str, tuple[dict[str, Any], list[int]]] = {
    "middle": (
        {
            "hands": ("sue sue hal1 hal2 guard1 guard2 deb3 deb0", "sue hal2 guard2 close deb1 deb2 deb4 deb5"),
            "a": -6, "sue": -2, "b": 0, "hal": 3, "deb": -4, "charlie": -1,
        },
        [35, 176, 884, 14074, 115046],
    ),
    "deb first": (
        {
            "hands": ("deb0 deb1 deb2 deb3 deb4", "sue"), "step": "playing", "colour": "red", "joker": "deb",
            "a": -3, "sue": 1, "b": 5, "deb": 2, "hal": 0,
        },
        [10, 169, 1694, 12602, 81374],
    ),
    "deb only, in royal visit": (
        {
            "hands": ("deb0 deb1 deb2 deb3 deb4", "sue"), "step": "playing", "colour": "red", "joker": "deb",
            "a": -3, "sue": 1, "b": 5, "deb": 2, "hal": 0, "edition": "royal_visit",
        },
        [10, 82, 613, 4959, 36351],
    ),
    "jokers": (
        {
            "hands": ("sue", "deb0 deb2 deb3 deb4"), "step": "playing", "colour": "red", "joker": "guards", "seat": 1,
            "a": -3, "sue": 1, "b": 5, "deb": 4, "hal": 0,
        },
        [11, 82, 563, 5049, 59236],
    ),
    "last cards": (
        {
            "hands": ("sue sue guard2 hal2", "close deb3 hal1"), "supply": "sue deb1", "exhausted": 1,
            "a": -8, "sue": -5, "b": 6, "hal": -6, "deb": -7, "charlie": -4,
        },
        [15, 38, 74, 122, 120, 96, 48, 0],
    ),
    "royal visit": (
        {
            "edition": "royal_visit", "hands": ("sue hal2 close deb4 guard1", "deb0 guard2 sue"), "exhausted": 1,
            "supply": "sue hal1 deb3", "discards": "deb2 guard1", "a": -3, "sue": 0, "b": 4, "hal": -4, "deb": -2,
        },
        [16, 32, 62, 141, 192, 312, 2604, 7842],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "depths"), counted({name: counts for name, (_, counts) in TABLES.items()}))
def test_table(name: str, depths: dict[int, int]) -> None:
    """§4 – §11 The counts of a position, depth by depth."""
    check_counts(GAME, place(**TABLES[name][0]).state, depths)


@pytest.mark.parametrize("depths", counted({(): [2, 26, 334, 4238, 53086]}))
def test_start(depths: dict[int, int]) -> None:
    """§3.1, §3.2 From the start: two sides, then cards of 13 kinds, as long as there are some left."""
    check_counts(GAME, Match.new("times_square", dice=False).state, depths)


@pytest.mark.parametrize("name", TABLES)
def test_table_by_refusal(name: str) -> None:
    """The explaining path counts the same (to a smaller depth: it is slow)."""
    facts, counts = TABLES[name]
    depth = max(depth for depth, nodes in enumerate(counts, 1) if nodes < 2000)
    assert perft_by_refusal(GAME, place(**facts).state, depth) == counts[depth - 1]
