"""The rules, paragraph by paragraph: what may be done, and what may not; `*.cases` say most of it."""

from __future__ import annotations

from collections import Counter

import pytest

from omnibus import Match
from support.cases import Case, cases, check
from support.rules import play

from .positions import place

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("case", cases("times_square"), ids=str)
def test_case(case: Case) -> None:
    """What is played from a position leads where the case says (tests/games/README.md)."""
    check(case)


@pytest.mark.parametrize(("edition", "red"), [("times_square", 5), ("royal_visit", 4)])
def test_deck(edition: str, red: int) -> None:
    """§2, §11.1 There are 55 cards, in these numbers; in the other edition one `deb3` less."""
    supply: Counter[str] = Counter(
        Match.new("times_square", options={"edition": edition}, dice=False).position()["supply"]
    )
    numbers = {"sue": 12, "hal1": 2, "hal2": 8, "hal3": 2, "guard1": 4, "guard2": 10, "close": 2}
    assert supply == {**numbers, "deb0": 2, "deb1": 1, "deb2": 3, "deb3": red, "deb4": 3, "deb5": 1}
    assert supply.total() == 50 + red


@pytest.mark.parametrize("exhausted", range(7))
def test_royal_reshuffles_while_sue_is_on_the_manhole(exhausted: int) -> None:
    """§11.4 Sue on the manhole: reshuffle, go on drawing — up to the seventh exhaustion."""
    match = place(edition="royal_visit", hands=("hal1", ""), supply="deb1", exhausted=exhausted, discards="close")
    play(match, "hal1 left", "done", "draw deb1")
    assert (match.position()["exhausted"], match.position()["step"]) == (exhausted + 1, "refill")
