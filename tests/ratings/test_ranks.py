"""The ranks of the seats at the end of a game."""

from __future__ import annotations

from omnibus.kernel.game import Outcome
from omnibus.ratings.ranks import ranks


def test_ranks_of_an_outcome() -> None:
    """Winners first, then by score; who resigned or ran out of time is last; nobody wins: all are tied."""
    assert ranks(Outcome("end", (10, 12, 12, 7), (2,))) == [3, 2, 1, 4]
    assert ranks(Outcome("end", (12, 12, 3), (0, 1))) == [1, 1, 3]
    assert ranks(Outcome("end", (10, 12, 12, 7), (2,)), last=[1, 3]) == [2, 3, 1, 3]
    assert ranks(Outcome("draw", (0, 0), ())) == [1, 1]
