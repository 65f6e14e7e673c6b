"""The figures of the arena, against values known from elsewhere and against chance itself."""

from __future__ import annotations

from math import inf, log
from random import Random
from statistics import fmean

import pytest

from omnibus.lab.arena.statistics import (
    ERROR,
    Lineup,
    SequentialTest,
    bradley_terry,
    effective_games,
    elo,
    ratings,
    sequential_test,
    share_interval,
    share_of,
    wilson,
)


def test_wilson() -> None:
    """The values of the textbook: 8 of 10, none of 10, half of 100."""
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0.5, 0) == (0.0, 1.0)


def test_effective_games() -> None:
    """Rounds that vary like independent games count in full, those whose games agree count as one game each."""
    assert effective_games([0.0, 1.0] * 50, 200) == pytest.approx(100)  # both games of a round always alike
    assert effective_games([0.5] * 100, 200) == 200  # never more than were played
    assert effective_games([1.0] * 30, 60) == 30  # nothing is known of the spread
    assert effective_games([0.5], 2) == 1
    alone = [0.0, 0.5, 0.5, 1.0] * 25  # as two independent even games would
    assert effective_games(alone, 200) == pytest.approx(200, rel=0.02)


@pytest.mark.parametrize("strength", [0.35, 0.5, 0.75, 0.9])
def test_intervals_hold_what_they_promise(strength: float) -> None:
    """Of contests between bots of known strength over dice that favour one of them, 95 % of the intervals are right."""
    random, right, contests = Random(7), 0, 600
    for _ in range(contests):
        lucky = [strength + random.choice((-0.1, 0.1)) for _ in range(60)]  # what the dice do, in both games of a round
        low, high = share_interval([fmean(float(random.random() < each) for _ in range(2)) for each in lucky], 120)
        right += low <= strength <= high
    assert right / contests >= 0.93


def test_elo() -> None:
    """Odds of 10 : 1 are 400 Elo, a fair share is 0 in any lineup, and `share_of` is the inverse."""
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(1 / 3, 1, 2) == pytest.approx(0)
    assert elo(0.5, 1, 2) == pytest.approx(120.41, abs=0.01)
    assert (elo(0), elo(1)) == (-inf, inf)
    for lead in (-200, 0, 33):
        assert elo(share_of(lead, 1, 3), 1, 3) == pytest.approx(lead)


def test_bradley_terry() -> None:
    """The fit recovers strengths of 4 : 2 : 1 from the shares they produce, in pairs and in lineups of three."""
    pairs = [Lineup((1, 1, 0), 3000), Lineup((1, 0, 1), 3000), Lineup((0, 1, 1), 3000)]
    wins = [3000 * 4 / 6 + 3000 * 4 / 5, 3000 * 2 / 6 + 3000 * 2 / 3, 3000 / 5 + 3000 / 3]
    step, half = 400 * log(2) / log(10), elo(2 / 3, 1, 2) / 2
    assert bradley_terry(wins, pairs) == pytest.approx([step, 0, -step], abs=0.5)
    assert bradley_terry([4000, 2000, 1000], [Lineup((1, 1, 1), 7000)]) == pytest.approx([step, 0, -step], abs=0.5)
    assert bradley_terry([2000, 1000], [Lineup((1, 2), 3000)]) == pytest.approx([half, -half], abs=0.5)


def test_ratings_have_intervals() -> None:
    """A contestant that wins everything has a finite rating within its interval; one round gives no interval."""
    random = Random(3)
    rounds = [[2.0, won, 2 - won] for won in (float(random.randrange(3)) for _ in range(50))]
    lineups = [Lineup((1, 1, 0), 50), Lineup((1, 0, 1), 50), Lineup((0, 1, 1), 100)]
    best, second, third = ratings(rounds, lineups)
    assert 300 < best[0] < 2000
    for rating, (low, high) in (best, second, third):
        assert low <= rating <= high
    assert ratings(rounds[:1], lineups)[0][1] == (-inf, inf)


def test_ratings_hold_what_they_promise() -> None:
    """Of contests between four of known strength, in rounds whose games are alike, 95 % of intervals are right."""
    random = Random(9)
    true = [150.0, 50.0, -50.0, -150.0]
    pairs = [(i, j) for i in range(4) for j in range(i)]
    lineups = [Lineup(tuple(int(k in pair) for k in range(4)), 80) for pair in pairs]
    right = 0
    for _ in range(150):
        rounds = []
        for _ in range(40):
            wins = [0.0] * 4
            for i, j in pairs:
                first = random.random() < share_of(true[i] - true[j])
                again = first if random.random() < 0.3 else random.random() < share_of(true[i] - true[j])
                for won in (first, again):
                    wins[i if won else j] += 1
            rounds.append(wins)
        right += sum(low <= lead <= high for lead, (_, (low, high)) in zip(true, ratings(rounds, lineups), strict=True))
    assert right / 600 >= 0.92


def test_sequential_ratio() -> None:
    """The log likelihood ratio by hand; nothing is decided on a few rounds, and the bounds are those of Wald."""
    test = SequentialTest(0, 100)
    shares = [1.0, 0.5, 0.5, 1.0]
    spread = (4 * 0.25**2 + 4 * 0.25) / 4
    high = 1 / (1 + 10 ** (-100 / 400))
    assert test.ratio(shares) == pytest.approx(4 * (high - 0.5) * (1.5 - 0.5 - high) / (2 * spread))
    assert test.ratio([]) == 0
    assert test.bound == pytest.approx(2.944, abs=1e-3)
    assert SequentialTest(0, 800).verdict([1.0] * 7) is None
    assert SequentialTest(0, 800).verdict([1.0] * 12) == "H1"
    assert SequentialTest(0, 50).verdict([0.0] * 100) == "H0"


@pytest.mark.parametrize(("lead", "wrong"), [(0, "H1"), (80, "H0")])
def test_sequential_errors(lead: float, wrong: str) -> None:
    """The wrong hypothesis is accepted no more often than promised, and all tests end."""
    random = Random(11)
    test = SequentialTest(0, 80)
    verdicts = []
    for _ in range(200):
        shares: list[float] = []
        while (verdict := test.verdict(shares)) is None:
            shares.append(fmean(float(random.random() < share_of(lead)) for _ in range(2)))
        verdicts.append(verdict)
    assert verdicts.count(wrong) / 200 <= ERROR + 0.03


@pytest.mark.parametrize("text", ["", "0", "50,0", "0,0", "a,b", "0,inf", "0,nan", "1,2,3"])
def test_bad_hypotheses(text: str) -> None:
    """What is not two leads in order is refused."""
    with pytest.raises(ValueError, match="hypothes"):
        sequential_test(text)
