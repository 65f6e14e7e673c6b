"""Ratings: they follow from the log and from nothing else, ranks move them the right way, repetition counts less."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnibus import games
from omnibus.bots import names
from omnibus.bots.weights import cards
from omnibus.kernel.game import Outcome
from omnibus.ratings.bots import bot_ratings
from omnibus.ratings.log import WEEK_S, RatedGame, RatingChange, Ratings, model_of, pool_of
from omnibus.ratings.model import CHOSEN, MIDDLE, MODELS, Rating, RatingModel
from omnibus.ratings.ranks import ranks

pytestmark = pytest.mark.uncompiled

PEOPLE = "abcdefg"


@st.composite
def rated_games(draw: st.DrawFn) -> RatedGame:
    players = draw(st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=5, unique=True))
    places = draw(st.lists(st.integers(1, 5), min_size=len(players), max_size=len(players)))
    name = draw(st.sampled_from(["one", "another"]))
    return RatedGame("t", float(draw(st.integers(0, 30))) * WEEK_S / 10, name, tuple(players), tuple(places))


LOGS = st.lists(rated_games(), max_size=30)


@settings(max_examples=50)
@given(LOGS)
def test_recomputing_from_the_log_gives_the_same_numbers(log: list[RatedGame]) -> None:
    """Exactly the same, for everybody: what was stored with each game and what a new calculation says.

    The changes of a user are a curve without gaps, from the rating of a newcomer.
    """
    ratings, again = Ratings(), Ratings()
    stored = [change for game in log for change in ratings.add(game)]
    assert [change for game in log for change in again.add(game)] == stored
    latest: dict[tuple[tuple[str, str], str], RatingChange] = {}
    for change in stored:
        before = latest.get((change.pool, change.user))
        assert change.before == (before.after if before else model_of(change.pool).newcomer)
        assert 0 < change.weight <= 1
        assert change.after.deviation > 0
        latest[change.pool, change.user] = change
    for (pool, user), change in latest.items():
        assert Ratings.after(log).rating(pool, user) == ratings.rating(pool, user) == change.after
        assert ratings.games(pool, user) == change.games


@settings(max_examples=50)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_better_ranks_gain_more(places: list[int]) -> None:
    """Newcomers end up in the order of their ranks, those tied together, and everybody is better known than before."""
    model = CHOSEN["2" if len(places) == 2 else "3+"]
    after = model.rated([model.newcomer] * len(places), places)
    for place, rating in zip(places, after, strict=True):
        assert rating.deviation < model.deviation
        assert rating.mean == pytest.approx(after[places.index(place)].mean)
    means = {place: rating.mean for place, rating in zip(places, after, strict=True)}
    assert [means[place] for place in sorted(means)] == sorted(means.values(), reverse=True)


@given(st.permutations(range(4)))
def test_the_order_of_the_players_does_not_matter(order: list[int]) -> None:
    """Ratings follow from ranks, not from who is named first."""
    before, places = [Rating(1400, 90), Rating(1500, 350), Rating(1650, 60), Rating(1500, 120)], [2, 1, 2, 4]
    expected = CHOSEN["3+"].rated(before, places)
    found = CHOSEN["3+"].rated([before[index] for index in order], [places[index] for index in order])
    assert found == [pytest.approx(expected[index]) for index in order]


def test_a_surprise_moves_more_than_what_was_expected() -> None:
    """Beating somebody stronger is worth more, and a draw with them is worth something."""
    weak, strong = Rating(1400, 80), Rating(1700, 80)
    surprise, tie = (CHOSEN["2"].rated([weak, strong], places)[0].mean - weak.mean for places in ([1, 2], [1, 1]))
    expected = CHOSEN["2"].rated([weak, strong], [2, 1])[1].mean - strong.mean
    assert surprise > max(tie, expected) > min(tie, expected) > 0


def test_the_scale() -> None:
    """400 points between two players of known strength are odds of ten to one."""
    for name in MODELS:
        chance = RatingModel(name).chance(Rating(1900, 0), Rating(1500, 0))
        assert chance / (1 - chance) == pytest.approx(10)
        assert RatingModel(name).chance(Rating(1500, 50), Rating(1500, 90)) == 0.5


def test_what_people_are_shown() -> None:
    """A number with a margin; newcomers are provisional, and after many games nobody is.

    The strongest come first, those whose rating is provisional last; who has played too little is not listed.
    """
    newcomer = CHOSEN["2"].newcomer
    assert (newcomer.number, newcomer.provisional) == (MIDDLE, True)
    assert Rating(1623.4, 41.2).margin == 82
    ratings, pool = Ratings(), pool_of("one", 2)
    for number in range(60):
        ratings.add(RatedGame("t", number * WEEK_S, "one", ("a", "b"), (1 + number % 2, 2 - number % 2)))
    assert not ratings.rating(pool, "a").provisional
    ratings.add(RatedGame("t", 99 * WEEK_S, "one", ("c", "d"), (1, 2)))
    assert [user for user, _, _ in ratings.standings(pool)][2:] == ["c", "d"]
    assert sorted((user, games) for user, _, games in ratings.standings(pool, least=10)) == [("a", 60), ("b", 60)]


def test_repeated_pairings_weigh_less() -> None:
    """Three games of the same two in a week count in full, the next one half, then a third; a week later all is new."""
    ratings = Ratings()

    def weights(when: float, players: str = "ab", name: str = "one") -> list[float]:
        game = RatedGame("t", when, name, tuple(players), tuple(range(1, 1 + len(players))))
        return [change.weight for change in ratings.add(game)]

    assert [weights(number)[0] for number in range(5)] == [1, 1, 1, 1 / 2, 1 / 3]
    assert weights(5, "abc") == [(1 / 4 + 1) / 2, (1 / 4 + 1) / 2, 1]
    assert weights(5, name="another")[0] == 1
    assert weights(6 + WEEK_S)[0] == 1


def test_games_of_two_and_of_more_are_rated_apart() -> None:
    """A pool is a game and a class of seat counts."""
    ratings = Ratings()
    ratings.add(RatedGame("t", 0, "one", ("a", "b"), (1, 2)))
    assert ratings.rating(pool_of("one", 2), "a").mean > MIDDLE
    assert ratings.rating(pool_of("another", 2), "a") == CHOSEN["2"].newcomer
    assert ratings.rating(pool_of("one", 3), "a") == CHOSEN["3+"].newcomer
    assert pool_of("one", 3) == pool_of("one", 5)


@pytest.mark.parametrize(
    ("players", "places"), [(("a",), (1,)), (("a", "a"), (1, 2)), (("a", "b"), (1,)), (("a", "b"), (0, 1))]
)
def test_what_is_no_rated_game(players: tuple[str, ...], places: tuple[int, ...]) -> None:
    """Nobody plays alone or against themselves, and everybody has a rank."""
    with pytest.raises(ValueError, match="a rated game"):
        Ratings().add(RatedGame("t", 0, "one", players, places))


@pytest.mark.parametrize("name", games.names())
def test_bots_have_ratings(name: str) -> None:
    """Each level is rated above the one below, in every pool of every game, and `medium` is where newcomers start."""
    trained = {card.seats for card in cards(games.find(name).folder)}
    for seats in games.find(name).seats:
        found = bot_ratings(pool_of(name, seats))
        levels = [level for level in names() if level in found]
        assert levels[:4] == ["random", "easy", "medium", "hard"]
        assert "master" in found or seats not in trained
        assert [found[level].mean for level in levels] == sorted(found[level].mean for level in levels)
        assert found["medium"].mean == MIDDLE
    assert bot_ratings(("no such game", "2")) == {}


def test_ranks_of_an_outcome() -> None:
    """Winners first, then by score; who resigned or ran out of time is last; nobody wins: all are tied."""
    assert ranks(Outcome("end", (10, 12, 12, 7), (2,))) == [3, 2, 1, 4]
    assert ranks(Outcome("end", (12, 12, 3), (0, 1))) == [1, 1, 3]
    assert ranks(Outcome("end", (10, 12, 12, 7), (2,)), last=[1, 3]) == [2, 3, 1, 3]
    assert ranks(Outcome("draw", (0, 0), ())) == [1, 1]
