"""Node counts: whatever is changed in the engine, these stay."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from omnibus import Match, games
from support.rules import check_counts, perft_by_refusal
from support.walks import counted, few

pytestmark = pytest.mark.engine

GAME = games.find("metromania")
RECORDS = Path(__file__).parent / "records"

# After laying out the pieces 1 to 6 unturned: nodes by depth. From records: the ply, then nodes by depth.
BEGINNINGS: dict[tuple[int, str], list[int]] = {
    (2, "hidden"): [60, 276, 1240],
    (3, "hidden"): [3, 6, 6, 1248],
    (4, "strict"): [60, 276, 1200],
    (4, "hidden"): [2784],
}
MIDDLES: dict[tuple[str, int], list[int]] = {
    ("2-hidden-blocked", 20): [8, 74, 669, 7130],
    ("2-hidden-blocked", 40): [5, 21, 169, 1339, 10667],
    ("2-hidden-blocked", 55): [9, 82, 732, 5562],
    ("3-hidden-stock", 40): [8, 62, 475, 4794],
    ("3-hidden-stock", 70): [7, 122, 1394, 11616],
    ("3-hidden-stock", 100): [12, 108, 1106, 12242],
    ("4-hidden-finished", 50): [13, 129, 1476, 11253],
    ("4-hidden-finished", 80): [3, 15, 216, 1431, 10138],
    ("4-hidden-finished", 105): [1, 5, 14, 126, 604, 4906],
    ("4-strict-blocked", 60): [1, 7, 57, 285, 1740, 7485],
    ("4-strict-blocked", 90): [3, 13, 208, 2506, 11036],
    ("2-open-finished", 50): [25, 204, 2859, 21492],
    ("2-hidden-finished-2", 68): [2, 4, 28, 70],
    ("3-open-finished-2", 65): [2, 14, 76, 406],
    ("4-hidden-finished-2", 106): [10, 104, 890, 5650],
    ("4-open-stock-2", 94): [10, 61, 768, 5813],
    ("4-strict-finished-2", 103): [6, 65, 552, 3068],
}


def beginning(seats: int, town_hall: str) -> Any:
    match = Match.new("metromania", seats=seats, options={"town_hall": town_hall}, dice=False)
    for piece in range(1, 7):
        match.play(f"piece {piece}.0")
    return match.state


@cache
def record(name: str) -> Match:
    return Match.read((RECORDS / f"{name}.game").read_text(encoding="utf-8"))


def position(name: str, ply: int) -> Any:
    return record(name).at(ply).state


@pytest.mark.parametrize(("seats", "town_hall"), BEGINNINGS)
def test_from_the_beginning(seats: int, town_hall: str) -> None:
    """§4.1 §5.2 §3.2 From the first decision on."""
    check_counts(GAME, beginning(seats, town_hall), dict(enumerate(BEGINNINGS[seats, town_hall], 1)))


@pytest.mark.parametrize(("name", "ply", "depths"), counted(MIDDLES, 4))
def test_from_the_middle(name: str, ply: int, depths: dict[int, int]) -> None:
    """§4.2 §6.1 §7.2 §8.1 From positions of the golden records."""
    check_counts(GAME, position(name, ply), depths)


@pytest.mark.parametrize(("name", "ply"), few([*list(MIDDLES)[:4], *list(MIDDLES)[-5:]], 2))
def test_explaining_path_counts_the_same(name: str, ply: int) -> None:
    """§4.2 The explaining path counts the same nodes as the fast one."""
    assert perft_by_refusal(GAME, position(name, ply), 2) == MIDDLES[name, ply][1]
