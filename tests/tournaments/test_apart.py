"""Players who are to be kept apart in pairings, because one of them has blocked the other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnibus.tournaments.arena import next_tables
from omnibus.tournaments.results import RoundResult, TableResult
from omnibus.tournaments.tournament import Tournament, TournamentFormat, next_round
from support.pairings import Pair, all_pairings, drawn_pairs, met, names


@pytest.mark.parametrize("format_", ["swiss", "knock_out"])
@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(0, 28), st.randoms(use_true_random=False))
def test_as_few_as_possible_meet(format_: TournamentFormat, half: int, count: int, random: Random) -> None:
    """However many are to be kept apart: no complete round has fewer pairs of them."""
    players = names(2 * half)
    apart = drawn_pairs(players, count, random)
    if format_ == "knock_out":
        players = players[: 1 << (len(players).bit_length() - 1)]  # nobody has a bye
    each = next_round(Tournament(format_), players, players, [], apart)
    assert each
    assert sorted(player for table in each.tables for player in table) == players
    assert met(each.tables, apart) == min(met(pairing, apart) for pairing in all_pairings(players))


def test_who_is_blocked_matters_more_than_who_has_met() -> None:
    """The third round of four players has one pairing without repeats, unless one of two has blocked the other."""
    tables = [("p0", "p1"), ("p2", "p3")], [("p0", "p2"), ("p1", "p3")]
    results = [RoundResult(tuple(TableResult(table, (1, 2)) for table in each)) for each in tables]
    for apart, expected in (((), True), ([("p3", "p0")], False)):
        each = next_round(Tournament("swiss", rounds=9), names(4), names(4), results, apart)
        assert each
        assert any({*table} == {"p0", "p3"} for table in each.tables) is expected


def test_knock_out_in_pods() -> None:
    """Somebody of another table takes the place."""
    tournament, players = Tournament("knock_out", 3, 3, 5), names(9)
    plain = next_round(tournament, players, players, [])
    assert plain
    apart = [(table[0], table[1]) for table in plain.tables]
    each = next_round(tournament, players, players, [], apart)
    assert each
    assert met(each.tables, apart) == 0
    assert sorted(player for table in each.tables for player in table) == players


def test_in_an_arena_they_wait() -> None:
    """For somebody else, however long; others who have just met play again when nobody else is left."""

    def tables(free: str, results: Sequence[TableResult], *apart: Pair) -> list[str]:
        found = next_tables(Tournament("arena"), list(free), results, others_play=False, apart=apart)
        return sorted("".join(sorted(table)) for table in found)

    assert tables("ab", [], ("b", "a")) == []
    (table,) = tables("abc", [], ("a", "b"))
    assert "c" in table
    just = [TableResult(("a", "b"), (1, 2)), TableResult(("c", "d"), (1, 2))]
    assert tables("abcd", just, ("a", "c"), ("b", "d")) == ["ad", "bc"]
    assert tables("abcd", just, ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")) == ["ab", "cd"]
