"""The log of rated games, and the ratings that follow from it: the same games in the same order, the same numbers.

Games of two and games of more players are rated apart, per game. A pairing that is repeated within a week weighs less,
so that two people cannot lift each other by playing the same game over and over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final

from msgspec import Struct

from omnibus.ratings.model import CHOSEN, Rating, RatingModel

WEEK_S: Final = 7 * 24 * 3600.0
FULL_WEIGHT: Final = 3
"""So many games of two players within a week count in full; the next one counts half, then a third, and so on."""

Pool = tuple[str, str]
"""What is rated apart: the game, and "2" or "3+" seats."""


def pool_of(game: str, seats: int) -> Pool:
    """Return the pool in which a game with so many seats is rated."""
    return game, "2" if seats == 2 else "3+"


def model_of(pool: Pool) -> RatingModel:
    """Return the model by which a pool is rated."""
    return CHOSEN[pool[1]]


class RatedGame(Struct, frozen=True):
    """A game that counts: everything its rating changes follow from."""

    id: str
    """The table it was played at."""
    at: float
    """When it ended."""
    game: str
    players: tuple[str, ...]
    """The users, each once."""
    ranks: tuple[int, ...]
    """The rank of each of them; equal ranks are a tie."""


class RatingChange(Struct, frozen=True):
    """What a game has changed for one of its players."""

    id: str
    """The table of the game."""
    at: float
    pool: Pool
    user: str
    rank: int
    before: Rating
    after: Rating
    weight: float
    """How much of the full change this is: less than 1 for a pairing that is repeated."""
    games: int
    """The user's rated games in this pool, with this one."""


class Ratings:
    """The ratings after all games added so far."""

    def __init__(self) -> None:
        self._ratings: dict[tuple[Pool, str], Rating] = {}
        self._games: defaultdict[tuple[Pool, str], int] = defaultdict(int)
        self._meetings: defaultdict[tuple[str, frozenset[str]], list[float]] = defaultdict(list)

    @classmethod
    def after(cls, games: Iterable[RatedGame]) -> Ratings:
        """Return the ratings after some games, in the order of the log."""
        ratings = cls()
        for game in games:
            ratings.add(game)
        return ratings

    def rating(self, pool: Pool, user: str) -> Rating:
        """Return the rating of a user; that of a newcomer before the first game."""
        return self._ratings.get((pool, user), model_of(pool).newcomer)

    def games(self, pool: Pool, user: str) -> int:
        """Return how many rated games a user has finished."""
        return self._games.get((pool, user), 0)

    def standings(self, pool: Pool, least: int = 1) -> list[tuple[str, Rating, int]]:
        """Return the users with at least so many rated games, the strongest first: user, rating, games."""
        found = [
            (user, rating, self._games[each, user]) for (each, user), rating in self._ratings.items() if each == pool
        ]
        listed = [row for row in found if row[2] >= least]
        return sorted(listed, key=lambda row: (row[1].provisional, -row[1].mean, row[0]))

    def add(self, game: RatedGame) -> list[RatingChange]:
        """Add a game, and return what it has changed, in the order of its players; ValueError for no such game."""
        _check(game)
        pool = pool_of(game.game, len(game.players))
        before = [self.rating(pool, user) for user in game.players]
        full = model_of(pool).rated(before, game.ranks)
        weights = self._weights(game)
        changes = []
        for index, user in enumerate(game.players):
            after = _weighted(before[index], full[index], weights[index])
            self._ratings[pool, user] = after
            self._games[pool, user] += 1
            games = self._games[pool, user]
            changes.append(
                RatingChange(
                    game.id, game.at, pool, user, game.ranks[index], before[index], after, weights[index], games
                )
            )
        return changes

    def _weights(self, game: RatedGame) -> list[float]:
        """Return how much a game counts for each player: the mean over the opponents, and note that they have met."""
        counts: dict[frozenset[str], float] = {}
        for pair in combinations(game.players, 2):
            met = self._meetings[game.game, frozenset(pair)]
            recent = [at for at in met if at > game.at - WEEK_S]
            counts[frozenset(pair)] = 1.0 if len(recent) < FULL_WEIGHT else 1 / (len(recent) - FULL_WEIGHT + 2)
            met[:] = [*recent, game.at]
        return [
            fmean(counts[frozenset((user, other))] for other in game.players if other != user) for user in game.players
        ]


def _weighted(before: Rating, after: Rating, weight: float) -> Rating:
    """Return a rating on the way from before to after."""
    mean, deviation = (old + weight * (new - old) for old, new in zip(before, after, strict=True))
    return Rating(mean, deviation)


def _check(game: RatedGame) -> None:
    players: Sequence[str] = game.players
    if len(players) < 2 or len(set(players)) < len(players):
        raise ValueError("a rated game has at least two players, each of them once")
    if len(game.ranks) != len(players) or min(game.ranks) < 1:
        raise ValueError("a rated game has a rank for each player, counted from 1")
