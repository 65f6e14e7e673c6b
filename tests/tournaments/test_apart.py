"""Players who are to be kept apart in pairings, because one of them has blocked the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnibus.tournaments.arena import next_tables
from omnibus.tournaments.pods import pods
from omnibus.tournaments.results import Past, RoundResult, TableResult
from omnibus.tournaments.tournament import Tournament, TournamentFormat, next_round
from support.pairings import all_pairings, can_be_seated, names

Pair = tuple[str, str]
SEEDS = st.integers(0, 2**32)


def drawn_pairs(players: Sequence[str], count: int, random: Random) -> list[Pair]:
    every = list(combinations(players, 2))
    return random.sample(every, min(count, len(every)))


def met(tables: Iterable[Sequence[str]], apart: Iterable[Pair]) -> int:
    """Count the pairs at tables who should have been kept apart."""
    kept = {frozenset(pair) for pair in apart}
    return sum(frozenset(pair) in kept for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize("format_", ["swiss", "knock_out"])
@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(0, 28), SEEDS)
def test_as_few_as_possible_meet(format_: TournamentFormat, half: int, count: int, seed: int) -> None:
    """However many are to be kept apart: no complete round has fewer pairs of them."""
    players = names(2 * half)
    apart = drawn_pairs(players, count, Random(seed))
    if format_ == "knock_out":
        players = players[: 1 << (len(players).bit_length() - 1)]  # nobody has a bye
    each = next_round(Tournament(format_), players, players, [], apart)
    assert each is not None
    assert sorted(player for table in each.tables for player in table) == players
    assert met(each.tables, apart) == min(met(pairing, apart) for pairing in all_pairings(players))


@settings(max_examples=6)
@given(st.integers(12, 200), SEEDS)
def test_nobody_meets_somebody_blocked_in_a_swiss(count: int, seed: int) -> None:
    """Five rounds with late entries and drop-outs: all are paired, and those who are to be kept apart are."""
    random, tournament = Random(seed), Tournament("swiss", rounds=5)
    entrants, gone = names(count), set[str]()
    apart = [
        (player, random.choice(entrants[:at])) for at, player in enumerate(entrants) if at and random.random() < 0.3
    ]
    results: list[RoundResult] = []
    for _ in range(5):
        playing = [player for player in entrants if player not in gone]
        each = next_round(tournament, entrants, playing, results, apart)
        assert each is not None
        assert sorted([*each.byes, *(player for table in each.tables for player in table)]) == sorted(playing)
        assert met(each.tables, apart) == 0
        results.append(RoundResult(tuple(TableResult(table, (1, 2)) for table in each.tables), each.byes))
        entrants = [*entrants, *(f"late{len(entrants) + late}" for late in range(random.randrange(3)))]
        gone |= set(random.sample(entrants, random.randrange(2)))


@settings(max_examples=25)
@given(st.sampled_from([(6, 3), (9, 3), (8, 4), (12, 4)]), st.integers(0, 12), SEEDS)
def test_pods(what: tuple[int, int], count: int, seed: int) -> None:
    """Up to twelve entrants: if there are pods in which nobody sits with somebody blocked, such pods are found."""
    players, size = names(what[0]), what[1]
    apart = drawn_pairs(players, count, Random(seed))
    made, byes = pods(players, Past([], apart), size, size, size)
    assert not byes
    assert (met(made, apart) == 0) == can_be_seated(players, size, lambda *pair: met([pair], apart) > 0)


def test_who_is_blocked_matters_more_than_who_has_met() -> None:
    """The third round of four players has one pairing without repeats, unless one of two has blocked the other."""
    tables = [("p0", "p1"), ("p2", "p3")], [("p0", "p2"), ("p1", "p3")]
    results = [RoundResult(tuple(TableResult(table, (1, 2)) for table in each)) for each in tables]
    swiss = Tournament("swiss", rounds=9)
    for apart, expected in (((), True), ([("p3", "p0")], False)):
        each = next_round(swiss, names(4), names(4), results, apart)
        assert each is not None
        assert any({*table} == {"p0", "p3"} for table in each.tables) is expected


def test_knock_out_in_pods() -> None:
    """Somebody of another table takes the place."""
    tournament = Tournament("knock_out", 3, 3, 5)
    plain = next_round(tournament, names(9), names(9), [])
    assert plain is not None
    apart = [(table[0], table[1]) for table in plain.tables]
    each = next_round(tournament, names(9), names(9), [], apart)
    assert each is not None
    assert met(each.tables, apart) == 0
    assert sorted(player for table in each.tables for player in table) == names(9)


def test_in_an_arena_they_wait() -> None:
    """For somebody else, however long; others who have just met play again when nobody else is left."""
    pairs = Tournament("arena")
    assert next_tables(pairs, ["a", "b"], [], others_play=False, apart=[("b", "a")]) == []
    (table,) = next_tables(pairs, ["a", "b", "c"], [], others_play=False, apart=[("a", "b")])
    assert "c" in table
    just = [TableResult(("a", "b"), (1, 2)), TableResult(("c", "d"), (1, 2))]
    tables = next_tables(pairs, ["a", "b", "c", "d"], just, others_play=False, apart=[("a", "c"), ("b", "d")])
    assert sorted(sorted(table) for table in tables) == [["a", "d"], ["b", "c"]]
    apart = [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    again = next_tables(pairs, ["a", "b", "c", "d"], just, others_play=False, apart=apart)
    assert sorted(sorted(table) for table in again) == [["a", "b"], ["c", "d"]]
