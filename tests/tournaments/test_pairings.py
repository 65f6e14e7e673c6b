"""Pairings of whole tournaments: nobody is forgotten, nobody meets again without need, seats are shared out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
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
from omnibus.tournaments.tournament import Round, Tournament, check, next_round, places, rounds_of, survivors
from support.pairings import all_pairings, can_be_seated, names

pytestmark = pytest.mark.uncompiled

SEEDS = st.integers(0, 2**32)


def played(table: Sequence[str], random: Random, *, ties: float = 0.1) -> TableResult:
    """Play a table: players with a lower number are stronger, and some are tied."""
    strength = {player: int(player[1:]) + random.gauss(0, 20) for player in table}
    order = sorted(table, key=strength.__getitem__)
    ranks = {player: place for place, player in enumerate(order, 1)}
    for better, worse in pairwise(order):
        if random.random() < ties:
            ranks[worse] = ranks[better]
    return TableResult(tuple(table), tuple(ranks[player] for player in table))


def result(each: Round, random: Random) -> RoundResult:
    return RoundResult(tuple(played(table, random) for table in each.tables), each.byes)


def expect_complete(each: Round, playing: Sequence[str], fewest: int, most: int) -> None:
    """Everybody who plays is at one table or has a bye, and tables have the right sizes."""
    found = [player for table in each.tables for player in table] + list(each.byes)
    assert sorted(found) == sorted(playing)
    assert all(fewest <= len(table) <= most for table in each.tables)


@pytest.mark.walk
@settings(max_examples=12)
@given(st.integers(2, 200), SEEDS)
def test_swiss_pairs_nobody_twice(count: int, seed: int) -> None:
    """With fewer rounds than half the entrants nobody meets again, everybody plays, and nobody has a second bye."""
    random, tournament = Random(seed), Tournament("swiss")
    results: list[RoundResult] = []
    for _ in range(min(rounds_of(tournament, count), (count + 1) // 2)):
        each = next_round(tournament, names(count), names(count), results)
        assert each is not None
        expect_complete(each, names(count), 2, 2)
        assert len(each.byes) == count % 2
        past = Past(results)
        assert not any(past.met(*table) for table in each.tables)
        assert not any(past.byes[player] for player in each.byes)
        results.append(result(each, random))


@pytest.mark.walk
@settings(max_examples=8)
@given(st.integers(4, 200), SEEDS)
def test_swiss_with_late_entries_and_drop_outs(count: int, seed: int) -> None:
    """People come and go between rounds; the others are paired all the same, without meeting again."""
    random, tournament = Random(seed), Tournament("swiss", rounds=5)
    entrants, gone = names(count), set[str]()
    results: list[RoundResult] = []
    for number in range(5):
        playing = [player for player in entrants if player not in gone]
        if len(playing) < 12:
            entrants += names(12, len(entrants))
            playing = [player for player in entrants if player not in gone]
        each = next_round(tournament, entrants, playing, results)
        assert each is not None
        expect_complete(each, playing, 2, 2)
        assert not any(Past(results).met(*table) for table in each.tables)
        results.append(result(each, random))
        entrants += names(random.randrange(3), len(entrants))
        gone |= set(random.sample(entrants, random.randrange(number + 2)))
    assert next_round(tournament, entrants, entrants, results) is None


@settings(max_examples=60)
@given(st.integers(1, 4), st.integers(0, 12), SEEDS)
def test_swiss_avoids_repeats_whenever_that_is_possible(half: int, rounds_before: int, seed: int) -> None:
    """However few are left who have not met: if some pairing has no repeats, the pairing made has none."""
    random = Random(seed)
    players = names(2 * half)
    before = []
    for _ in range(rounds_before):
        random.shuffle(players)
        tables = zip(players[::2], players[1::2], strict=True)
        before.append(RoundResult(tuple(played(table, random) for table in tables)))
    past = Past(before)
    order = [standing.player for standing in standings(names(2 * half), before)]
    pairs, byes = pairings(order, past)
    assert sorted(player for pair in pairs for player in pair) == sorted(order)
    assert not byes
    worst = min(max(past.met(*pair) for pair in each) for each in all_pairings(order))
    assert max(past.met(*pair) for pair in pairs) == worst


def test_swiss_pairs_the_upper_half_with_the_lower_half() -> None:
    """In the first round 1 meets 5, 2 meets 6 …; afterwards winners meet winners."""
    first = next_round(Tournament("swiss"), names(8), names(8), [])
    assert first is not None
    assert first.tables == (("p0", "p4"), ("p1", "p5"), ("p2", "p6"), ("p3", "p7"))
    won = RoundResult(tuple(TableResult(table, (1, 2)) for table in first.tables))
    second = next_round(Tournament("swiss"), names(8), names(8), [won])
    assert second is not None
    assert [set(table) for table in second.tables] == [{"p0", "p2"}, {"p1", "p3"}, {"p4", "p6"}, {"p5", "p7"}]
    assert {table[0] for table in second.tables} & {"p4", "p5", "p6", "p7"} == {"p4", "p5"}


def test_in_an_odd_group_the_last_one_goes_down() -> None:
    """Three winners: the third of them meets somebody of the next group."""
    before = RoundResult(
        (TableResult(("p0", "p3"), (1, 2)), TableResult(("p1", "p4"), (1, 2)), TableResult(("p2", "p5"), (1, 2)))
    )
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


def test_in_a_round_robin_the_opponents_of_somebody_who_left_have_a_bye() -> None:
    """The others go on as planned."""
    tournament, entrants = Tournament("round_robin"), names(4)
    results: list[RoundResult] = []
    for _ in range(3):
        each = next_round(tournament, entrants, entrants[1:], results)
        assert each is not None
        expect_complete(each, entrants[1:], 2, 2)
        assert len(each.tables) == len(each.byes) == 1
        results.append(result(each, Random(0)))
    assert next_round(tournament, entrants, entrants, results) is None


@pytest.mark.parametrize(
    "tournament",
    [
        Tournament("round_robin"),
        Tournament("knock_out"),
        Tournament("knock_out", 4, 3, 5),
        Tournament("swiss", 4, 3, 5),
    ],
    ids=lambda each: f"{each.format}-{each.size}",
)
@settings(max_examples=4)
@given(st.integers(6, 200), SEEDS)
def test_drop_outs_in_every_format(tournament: Tournament, count: int, seed: int) -> None:
    """However many leave, and enter late where they may: whoever plays has one table or a bye, and nobody else has."""
    random, entrants, gone = Random(seed), names(count), set[str]()
    results: list[RoundResult] = []
    for _ in range(3):
        playing = [player for player in entrants if player not in gone]
        each = next_round(tournament, entrants, playing, results)
        if each is None:
            break
        expected = playing
        if tournament.format == "knock_out":
            expected = [player for player in survivors(tournament, entrants, results) if player in playing]
        expect_complete(each, expected, tournament.fewest, tournament.most)
        results.append(result(each, random))
        gone |= set(random.sample(entrants, random.randrange(1 + len(entrants) // 4)))
        if tournament.format == "swiss":
            entrants = [*entrants, *names(random.randrange(4), len(entrants))]


@settings(max_examples=30)
@given(st.integers(1, 200), st.integers(3, 5))
def test_sizes_of_pods(count: int, size: int) -> None:
    """All pods have three to five seats and differ by one at most, and only one or two entrants are too few."""
    found = sizes(count, size, 3, 5)
    assert sum(found) == (count if count >= 3 else 0)
    assert all(3 <= each <= 5 for each in found)
    assert not found or max(found) - min(found) <= 1


@settings(max_examples=8)
@given(st.integers(3, 50), st.integers(3, 5), SEEDS)
def test_everybody_sits_in_a_pod(count: int, size: int, seed: int) -> None:
    """In every round of a tournament of pods, and each pod has three to five seats."""
    random, tournament = Random(seed), Tournament("swiss", size, 3, 5, rounds=3)
    results: list[RoundResult] = []
    while each := next_round(tournament, names(count), names(count), results):
        expect_complete(each, names(count), 3, 5)
        results.append(result(each, random))
    assert len(results) == 3


@pytest.mark.walk
@pytest.mark.parametrize(("count", "size"), [(40, 3), (64, 4), (100, 5), (200, 4)])
def test_nobody_meets_again_in_large_tournaments_of_pods(count: int, size: int) -> None:
    """Three rounds, in which those who stand about equally sit together."""
    random, tournament = Random(count), Tournament("swiss", size, 3, 5, rounds=3)
    results: list[RoundResult] = []
    while each := next_round(tournament, names(count), names(count), results):
        past = Past(results)
        assert not any(past.met(*pair) for table in each.tables for pair in combinations(table, 2))
        results.append(result(each, random))


@settings(max_examples=25)
@given(st.sampled_from([(6, 3), (9, 3), (12, 3), (8, 4), (12, 4)]), st.integers(1, 4), SEEDS)
def test_pods_repeat_no_company_where_that_can_be_avoided(what: tuple[int, int], before: int, seed: int) -> None:
    """Up to twelve entrants: if there are pods in which nobody meets again, such pods are found."""
    count, size = what
    random, players = Random(seed), names(count)
    results = []
    for _ in range(before):
        random.shuffle(players)
        tables = (players[start : start + size] for start in range(0, count, size))
        results.append(RoundResult(tuple(played(table, random) for table in tables)))
    past = Past(results)
    made, byes = pods(names(count), past, size, size, size)
    assert not byes
    repeats = sum(past.met(*pair) > 0 for pod in made for pair in combinations(pod, 2))
    assert (repeats == 0) == can_be_seated(names(count), size, lambda *pair: past.met(*pair) > 0)


@pytest.mark.parametrize(("count", "size"), [(2, 2), (7, 2), (64, 2), (3, 3), (9, 5), (17, 4), (50, 5)])
def test_knock_out(count: int, size: int) -> None:
    """It ends with one winner in as many rounds as it takes, and nobody who is out comes back."""
    fewest = 2 if size == 2 else 3
    tournament = Tournament("knock_out", size, fewest, 2 if size == 2 else 5)
    results: list[RoundResult] = []
    alive = names(count)
    while each := next_round(tournament, names(count), names(count), results):
        here = [player for table in each.tables for player in table] + list(each.byes)
        assert set(here) <= set(alive)
        assert len(here) == len(set(here))
        alive = here
        results.append(result(each, Random(count)))
        assert len(results) < 12
    if size == 2:
        assert len(results) == rounds_of(tournament, count)
    final = places(tournament, names(count), results)
    assert [place for place, _ in final].count(1) == 1
    assert sorted(player for _, player in final) == sorted(names(count))


def test_in_a_knock_out_the_best_seeds_have_a_bye_and_meet_late() -> None:
    """Six entrants: two byes, 3 meets 6 and 4 meets 5; a tie is decided by the seed, and who leaves is replaced."""
    tournament = Tournament("knock_out")
    first = next_round(tournament, names(6), names(6), [])
    assert first is not None
    assert (first.tables, first.byes) == ((("p2", "p5"), ("p3", "p4")), ("p0", "p1"))
    won = RoundResult((TableResult(("p2", "p5"), (2, 1)), TableResult(("p3", "p4"), (1, 1))), first.byes)
    second = next_round(tournament, names(6), names(6), [won])
    assert second is not None
    assert [set(table) for table in second.tables] == [{"p0", "p5"}, {"p1", "p3"}]
    without = next_round(tournament, names(6), ["p0", "p1", "p3"], [won])
    assert without is not None
    assert (without.byes, [set(table) for table in without.tables]) == (("p0",), [{"p1", "p3"}])


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
    found = standings(["a", "b", "c", "d", "e"], [first, second])
    assert [(each.place, each.player, each.points) for each in found] == [
        (1, "a", 2.0),
        (2, "b", 1.0),
        (2, "c", 1.0),
        (4, "d", 1.0),
        (4, "e", 1.0),
    ]
    assert [each.buchholz for each in found] == [2.0, 3.0, 3.0, 2.0, 2.0]


@given(st.lists(st.permutations(["a", "b", "c", "d"]), max_size=8))
def test_no_other_order_of_a_table_repeats_fewer_seats(before: list[list[str]]) -> None:
    """The seats of a table are shared out as evenly as the past allows."""
    past = Past([RoundResult((TableResult(tuple(order), (1, 2, 3, 4)),)) for order in before])

    def repeats(order: Sequence[str]) -> int:
        least = {player: min(past.sat(player, seat) for seat in range(4)) for player in order}
        return sum(past.sat(player, seat) ** 2 - least[player] ** 2 for seat, player in enumerate(order))

    assert repeats(seated("abcd", past)) == min(map(repeats, permutations("abcd")))


def test_four_rounds_give_everybody_every_seat() -> None:
    """Four players who meet four times have had all four seats each."""
    results: list[RoundResult] = []
    for _ in range(4):
        results.append(RoundResult((TableResult(seated("abcd", Past(results)), (1, 2, 3, 4)),)))
    past = Past(results)
    assert all(past.sat(player, seat) == 1 for player in "abcd" for seat in range(4))


@pytest.mark.parametrize(
    "tournament", [Tournament("swiss", 6, 2, 6), Tournament("swiss", 3, 4, 5), Tournament("round_robin", 3, 3, 3)]
)
def test_tournaments_that_cannot_be_played_are_refused(tournament: Tournament) -> None:
    """Too many seats, a size outside its bounds, a round robin of pods."""
    with pytest.raises(ValueError, match="tables"):
        check(tournament)
    check(Tournament("swiss", 4, 3, 5))
