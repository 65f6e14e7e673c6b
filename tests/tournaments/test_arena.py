"""Arenas: whoever is free plays with others who are, and the standings are by points."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnibus.tournaments.arena import next_tables, standings
from omnibus.tournaments.results import TableResult
from omnibus.tournaments.tournament import Tournament, next_round, rounds_of
from support.pairings import Pair

pytestmark = pytest.mark.uncompiled

RANDOM = st.randoms(use_true_random=False)
PAIRS = Tournament("arena")
PODS = Tournament("arena", 4, 3, 5)


class Arena:
    """An arena in which tables end at random."""

    def __init__(self, tournament: Tournament, count: int, random: Random) -> None:
        self.tournament = tournament
        self.random = random
        self.players = [f"p{number}" for number in range(count)]
        self.free = list(self.players)
        self.live: list[tuple[str, ...]] = []
        self.results: list[TableResult] = []

    def pair(self) -> list[tuple[str, ...]]:
        """Open tables for those who are free."""
        tables = next_tables(self.tournament, self.free, self.results, others_play=bool(self.live))
        for player in (player for table in tables for player in table):
            self.free.remove(player)  # fails for somebody who is not free, or sits at two tables
        self.live += tables
        return tables

    def end_some(self) -> None:
        """Let some tables end, at least one."""
        for table in self.random.sample(self.live, self.random.randint(1, len(self.live))):
            self.live.remove(table)
            ranks = self.random.sample(range(1, len(table) + 1), len(table))
            self.results.append(TableResult(table, tuple(ranks)))
            self.free += table

    def last_company(self, player: str) -> set[str]:
        """Return with whom somebody sat at their last table."""
        return next((set(table.players) for table in reversed(self.results) if player in table.players), set())


@settings(max_examples=30)
@given(st.integers(2, 40), RANDOM)
def test_pairs_in_an_arena(count: int, random: Random) -> None:
    """While others play nobody gets the same opponent again; when nobody plays, all but one get a table."""
    arena = Arena(PAIRS, count, random)
    for _ in range(12):
        others_play, free = bool(arena.live), len(arena.free)
        tables = arena.pair()
        assert all(len(table) == 2 for table in tables)
        assert others_play or len(tables) == free // 2
        for one, two in tables:
            again = two in arena.last_company(one) and one in arena.last_company(two)
            assert not again or not others_play
        arena.end_some()
    assert sum(each.points for each in standings(arena.players, arena.results)) == len(arena.results)


@settings(max_examples=20)
@given(st.integers(3, 40), RANDOM)
def test_pods_in_an_arena(count: int, random: Random) -> None:
    """Tables have as many seats as the game allows; while others play, pods wait until they are full."""
    arena = Arena(PODS, count, random)
    for _ in range(8):
        others_play, free = bool(arena.live), len(arena.free)
        tables = arena.pair()
        assert all(PODS.fewest <= len(table) <= PODS.most for table in tables)
        assert bool(tables) == (free >= (PODS.size if others_play else PODS.fewest))
        if not arena.live:
            break
        arena.end_some()


def test_who_waits() -> None:
    """Of an odd number, who has waited least; two who have just met, while others may come."""
    assert next_tables(PAIRS, ["a", "b", "c"], [], others_play=True) == [("a", "b")]
    met = [TableResult(("a", "b"), (1, 2))]
    assert next_tables(PAIRS, ["a", "b"], met, others_play=True) == []
    assert next_tables(PAIRS, ["a", "b"], met, others_play=False) == [("b", "a")]  # with seats swapped
    (table,) = next_tables(PAIRS, ["a", "b", "c"], met, others_play=True)
    assert "c" in table


def test_standings_of_an_arena() -> None:
    """By points; of those with equal points, who needed fewer tables. It cannot be paired round by round."""
    results = [TableResult(("a", "b"), (1, 2)), TableResult(("a", "c"), (2, 1)), TableResult(("b", "d"), (1, 2))]
    found = [(each.place, each.player, each.points) for each in standings("abcd", results)]
    assert found == [(1, "c", 1.0), (2, "a", 1.0), (2, "b", 1.0), (4, "d", 0.0)]
    assert rounds_of(PAIRS, 10) == 0
    with pytest.raises(ValueError, match="no rounds"):
        next_round(PAIRS, ["a", "b"], ["a", "b"], [])


def test_who_is_blocked_waits() -> None:
    """Whoever has blocked the other waits; others who have just met play again when nobody else is left."""

    def tables(free: str, results: Sequence[TableResult], *apart: Pair) -> list[str]:
        found = next_tables(Tournament("arena"), list(free), results, others_play=False, apart=apart)
        return sorted("".join(sorted(table)) for table in found)

    assert tables("ab", [], ("b", "a")) == []
    (table,) = tables("abc", [], ("a", "b"))
    assert "c" in table
    just = [TableResult(("a", "b"), (1, 2)), TableResult(("c", "d"), (1, 2))]
    assert tables("abcd", just, ("a", "c"), ("b", "d")) == ["ad", "bc"]
    assert tables("abcd", just, ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")) == ["ab", "cd"]
