"""Pairings of whole tournaments: nobody is forgotten, nobody meets again without need, seats are shared out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, pairwise, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnibus.tournaments.pods import pods, sizes
from omnibus.tournaments.results import Past, RoundResult, TableResult, points
from omnibus.tournaments.round_robin import rounds
from omnibus.tournaments.seating import seated
from omnibus.tournaments.standings import standings
from omnibus.tournaments.swiss import pairings
from omnibus.tournaments.tournament import (
    Round,
    Tournament,
    TournamentFormat,
    check,
    next_round,
    places,
    rounds_of,
    survivors,
)
from support.pairings import Pair, all_pairings, can_be_seated, drawn_pairs, met, names
from support.walks import few

pytestmark = pytest.mark.uncompiled

RANDOM = st.randoms(use_true_random=False)


def played(table: Sequence[str], random: Random, *, ties: float = 0.1) -> TableResult:
    """Play a table: players with a lower number are stronger, and some are tied."""
    strength = {player: int(player[1:]) + random.gauss(0, 20) for player in table}
    order = sorted(table, key=strength.__getitem__)
    ranks = {player: place for place, player in enumerate(order, 1)}
    for better, worse in pairwise(order):
        if random.random() < ties:
            ranks[worse] = ranks[better]
    return TableResult(tuple(table), tuple(ranks[player] for player in table))


def drawn_round(players: list[str], size: int, random: Random) -> RoundResult:
    """Play a round of tables that are drawn at random."""
    random.shuffle(players)
    tables = [players[start : start + size] for start in range(0, len(players), size)]
    return RoundResult(tuple(played(table, random) for table in tables))


def expect_complete(each: Round, playing: Sequence[str], fewest: int, most: int) -> None:
    """Everybody who plays is at one table or has a bye, and tables have the right sizes."""
    found = [player for table in each.tables for player in table] + list(each.byes)
    assert sorted(found) == sorted(playing)
    assert all(fewest <= len(table) <= most for table in each.tables)


def rounds_played(
    tournament: Tournament, count: int, random: Random, *, late: int = 0, leave: int = 0, apart: Sequence[Pair] = ()
) -> Iterator[tuple[Round, list[RoundResult]]]:
    """Play a tournament, from which some leave after each round, and others enter; yield rounds and those before."""
    entrants, gone = names(count), set[str]()
    results: list[RoundResult] = []
    while each := next_round(tournament, entrants, playing := [p for p in entrants if p not in gone], results, apart):
        if tournament.format == "knock_out":
            playing = [player for player in survivors(tournament, entrants, results) if player in playing]
        expect_complete(each, playing, tournament.fewest, tournament.most)
        yield each, results[:]
        results.append(RoundResult(tuple(played(table, random) for table in each.tables), each.byes))
        entrants += names(random.randint(0, late), len(entrants))
        gone |= set(random.sample(entrants, random.randint(0, leave)))


@pytest.mark.walk
@settings(max_examples=12)
@given(st.integers(2, 200), RANDOM)
def test_swiss_pairs_nobody_twice(count: int, random: Random) -> None:
    """With fewer rounds than half the entrants nobody meets again, everybody plays, and nobody has a second bye."""
    made = list(islice(rounds_played(Tournament("swiss"), count, random), (count + 1) // 2))
    assert len(made) == min(rounds_of(Tournament("swiss"), count), (count + 1) // 2)
    for each, results in made:
        past = Past(results)
        assert len(each.byes) == count % 2
        assert not any(past.met(*table) for table in each.tables)
        assert not any(past.byes[player] for player in each.byes)


@pytest.mark.parametrize("blocks", few([0, 60]))
@settings(max_examples=8)
@given(st.integers(24, 200), RANDOM)
def test_swiss_with_late_entries_and_drop_outs(blocks: int, count: int, random: Random) -> None:
    """People come and go; the others do not meet again, and nobody meets somebody they have blocked."""
    apart = drawn_pairs(names(count), random.randint(0, blocks), random)
    made = list(rounds_played(Tournament("swiss", rounds=5), count, random, late=2, leave=2, apart=apart))
    assert len(made) == 5
    for each, results in made:
        assert not any(Past(results).met(*table) for table in each.tables)
        assert met(each.tables, apart) == 0


@settings(max_examples=60)
@given(st.integers(1, 4), st.integers(0, 12), RANDOM)
def test_swiss_avoids_repeats_whenever_that_is_possible(half: int, rounds_before: int, random: Random) -> None:
    """However few are left who have not met: if some pairing has no repeats, the pairing made has none."""
    before = [drawn_round(names(2 * half), 2, random) for _ in range(rounds_before)]
    past, order = Past(before), [standing.player for standing in standings(names(2 * half), before)]
    pairs, byes = pairings(order, past)
    assert sorted(player for pair in pairs for player in pair) == sorted(order)
    assert not byes
    worst = min(max(past.met(*pair) for pair in each) for each in all_pairings(order))
    assert max(past.met(*pair) for pair in pairs) == worst


def test_swiss_pairs_the_upper_half_with_the_lower_half() -> None:
    """In the first round 1 meets 5, 2 meets 6 …; afterwards winners meet winners."""
    first = next_round(Tournament("swiss"), names(8), names(8), [])
    assert first
    assert first.tables == (("p0", "p4"), ("p1", "p5"), ("p2", "p6"), ("p3", "p7"))
    won = RoundResult(tuple(TableResult(table, (1, 2)) for table in first.tables))
    second = next_round(Tournament("swiss"), names(8), names(8), [won])
    assert second
    assert [set(table) for table in second.tables] == [{"p0", "p2"}, {"p1", "p3"}, {"p4", "p6"}, {"p5", "p7"}]
    assert {table[0] for table in second.tables} & {"p4", "p5", "p6", "p7"} == {"p4", "p5"}


def test_in_an_odd_group_the_last_one_goes_down() -> None:
    """Three winners: the third of them meets somebody of the next group."""
    before = RoundResult(tuple(TableResult((f"p{each}", f"p{each + 3}"), (1, 2)) for each in range(3)))
    pairs, _ = pairings(names(6), Past([before]))
    assert pairs[0] == ("p0", "p1")
    assert pairs[1][0] == "p2"


@settings(max_examples=30)
@given(st.integers(2, 60))
def test_round_robin(count: int) -> None:
    """Everybody meets everybody once, and is first as often as second, give or take one."""
    meetings: Counter[frozenset[str]] = Counter()
    lead: Counter[str] = Counter()
    for pairs, byes in rounds(names(count)):
        assert sorted([*byes, *(player for pair in pairs for player in pair)]) == sorted(names(count))
        meetings.update(map(frozenset, pairs))
        lead.update({player: 1 for player, _ in pairs})
        lead.subtract({player: 1 for _, player in pairs})
    assert meetings == Counter(map(frozenset, combinations(names(count), 2)))
    assert all(abs(difference) <= 1 for difference in lead.values())


@pytest.mark.parametrize(
    ("tournament", "late"),
    [
        (Tournament("round_robin"), 0),
        (Tournament("knock_out"), 0),
        (Tournament("knock_out", 4, 3, 5), 0),
        *((Tournament("swiss", size, 3, 5), 3) for size in (3, 4, 5)),
    ],
    ids=lambda each: f"{each.format}-{each.size}" if isinstance(each, Tournament) else "",
)
@settings(max_examples=4)
@given(st.integers(3, 200), RANDOM)
def test_drop_outs_in_every_format(tournament: Tournament, late: int, count: int, random: Random) -> None:
    """However many leave, and enter late where they may: whoever plays has one table or a bye, and nobody else has."""
    assert list(islice(rounds_played(tournament, count, random, late=late, leave=count // 4), 3))


@settings(max_examples=30)
@given(st.integers(1, 200), st.integers(3, 5))
def test_sizes_of_pods(count: int, size: int) -> None:
    """All pods have three to five seats and differ by one at most, and only one or two entrants are too few."""
    found = sizes(count, size, 3, 5)
    assert sum(found) == (count if count >= 3 else 0)
    assert all(3 <= each <= 5 for each in found)
    assert not found or max(found) - min(found) <= 1


@pytest.mark.walk
@pytest.mark.parametrize(("count", "size"), [(40, 3), (64, 4), (100, 5), (200, 4)])
def test_nobody_meets_again_in_large_tournaments_of_pods(count: int, size: int) -> None:
    """Three rounds, in which those who stand about equally sit together."""
    for each, results in rounds_played(Tournament("swiss", size, 3, 5, rounds=3), count, Random(count)):
        past = Past(results)
        assert not any(past.met(*pair) for table in each.tables for pair in combinations(table, 2))


@settings(max_examples=25)
@given(st.sampled_from([(6, 3), (9, 3), (12, 3), (8, 4), (12, 4)]), st.integers(1, 4), st.integers(0, 12), RANDOM)
def test_pods_repeat_no_company_where_that_can_be_avoided(
    what: tuple[int, int], before: int, blocks: int, random: Random
) -> None:
    """Up to twelve entrants: if there are pods in which nobody meets again, or somebody blocked, they are found."""
    players, size = names(what[0]), what[1]
    apart = drawn_pairs(players, blocks, random)
    past = Past([drawn_round(names(what[0]), size, random) for _ in range(before)])

    def again(one: str, other: str) -> bool:
        return past.met(one, other) > 0

    def blocked(one: str, other: str) -> bool:
        return met([(one, other)], apart) > 0

    for known, wrong in ((past, again), (Past([], apart), blocked)):
        made, byes = pods(players, known, size, size, size)
        assert not byes
        repeats = sum(wrong(*pair) for pod in made for pair in combinations(pod, 2))
        assert (repeats == 0) == can_be_seated(players, size, wrong)


@pytest.mark.parametrize(("count", "size"), [(2, 2), (7, 2), (64, 2), (3, 3), (9, 5), (17, 4), (50, 5)])
def test_knock_out(count: int, size: int) -> None:
    """It ends with one winner in as many rounds as it takes, and nobody who is out comes back."""
    tournament = Tournament("knock_out", 2, 2, 2) if size == 2 else Tournament("knock_out", size, 3, 5)
    alive, results = set(names(count)), list[RoundResult]()
    while each := next_round(tournament, names(count), names(count), results):
        here = [player for table in each.tables for player in table] + list(each.byes)
        assert set(here) <= alive
        assert len(here) == len(set(here))
        alive = set(here)
        results.append(RoundResult(tuple(played(table, Random(count)) for table in each.tables), each.byes))
        assert len(results) < 12
    assert len(results) == rounds_of(tournament, count) or size != 2
    final = places(tournament, names(count), results)
    assert [place for place, _ in final].count(1) == 1
    assert sorted(player for _, player in final) == sorted(names(count))


def test_in_a_knock_out_the_best_seeds_have_a_bye_and_meet_late() -> None:
    """Six entrants: two byes, 3 meets 6 and 4 meets 5; a tie is decided by the seed, and who leaves is replaced."""
    won = RoundResult((TableResult(("p2", "p5"), (2, 1)), TableResult(("p3", "p4"), (1, 1))), ("p0", "p1"))
    for playing, before, tables, byes in (
        (names(6), [], [{"p2", "p5"}, {"p3", "p4"}], ("p0", "p1")),
        (names(6), [won], [{"p0", "p5"}, {"p1", "p3"}], ()),
        (["p0", "p1", "p3"], [won], [{"p1", "p3"}], ("p0",)),
    ):
        each = next_round(Tournament("knock_out"), names(6), playing, before)
        assert each
        assert ([set(table) for table in each.tables], each.byes) == (tables, byes)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_points_of_a_table(ranks: list[int]) -> None:
    """Whoever leaves all behind has one point, whoever is left behind by all has none; a table is worth half a seat."""
    found = points(ranks)
    assert sum(found) == pytest.approx(len(ranks) / 2)
    assert all(0 <= each <= 1 for each in found)
    assert all((found[a] > found[b]) == (ranks[a] < ranks[b]) for a, b in permutations(range(len(ranks)), 2))


def test_standings_and_their_tie_breaks() -> None:
    """Points first, then who had the stronger opponents, then wins; who is equal in all of it shares a place."""
    first = RoundResult((TableResult(("a", "b"), (1, 2)), TableResult(("c", "d"), (1, 2))), ("e",))
    second = RoundResult((TableResult(("a", "c"), (1, 2)), TableResult(("e", "b"), (2, 1))), ("d",))
    found = [(each.place, each.player, each.points, each.buchholz) for each in standings("abcde", [first, second])]
    assert found == [(1, "a", 2.0, 2.0), (2, "b", 1.0, 3.0), (2, "c", 1.0, 3.0), (4, "d", 1.0, 2.0), (4, "e", 1.0, 2.0)]


@given(st.lists(st.permutations(["a", "b", "c", "d"]), max_size=8))
def test_no_other_order_of_a_table_repeats_fewer_seats(before: list[list[str]]) -> None:
    """The seats of a table are shared out as evenly as the past allows."""
    past = Past([RoundResult((TableResult(tuple(order), (1, 2, 3, 4)),)) for order in before])

    def repeats(order: Sequence[str]) -> int:
        least = {player: min(past.sat(player, seat) for seat in range(4)) for player in order}
        return sum(past.sat(player, seat) ** 2 - least[player] ** 2 for seat, player in enumerate(order))

    assert repeats(seated("abcd", past)) == min(map(repeats, permutations("abcd")))


@pytest.mark.parametrize(
    "tournament", [Tournament("swiss", 6, 2, 6), Tournament("swiss", 3, 4, 5), Tournament("round_robin", 3, 3, 3)]
)
def test_tournaments_that_cannot_be_played_are_refused(tournament: Tournament) -> None:
    """Too many seats, a size outside its bounds, a round robin of pods."""
    with pytest.raises(ValueError, match="tables"):
        check(tournament)
    check(Tournament("swiss", 4, 3, 5))


# Players who are to be kept apart, because one of them has blocked the other


@pytest.mark.parametrize("format_", ["swiss", "knock_out"])
@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(0, 28), RANDOM)
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


def test_who_is_blocked_in_a_knock_out_of_pods() -> None:
    """Somebody of another table takes the place."""
    tournament, players = Tournament("knock_out", 3, 3, 5), names(9)
    plain = next_round(tournament, players, players, [])
    assert plain
    apart = [(table[0], table[1]) for table in plain.tables]
    each = next_round(tournament, players, players, [], apart)
    assert each
    assert met(each.tables, apart) == 0
    assert sorted(player for table in each.tables for player in table) == players
