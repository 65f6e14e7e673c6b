"""The ratings of the people on this server: what counts, what a finished game changes, and who leads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from omnibus.kernel.game import Game
from omnibus.kernel.i18n import MessageError, mark
from omnibus.ratings.log import Pool, RatedGame, RatingChange, Ratings, pool_of
from omnibus.ratings.model import Rating
from omnibus.ratings.ranks import ranks
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.claims import ClaimStore
from omnibus.server.store.database import Database
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import Sitter
from omnibus.server.store.ratings import RatingStore
from omnibus.server.tables.table import Table

EARLY: Final = 4
"""A game that somebody leaves before everybody has decided so often on average does not count."""
LEAST_GAMES: Final = 5
"""Who has fewer rated games is not on the leaderboard."""
TRIES: Final = 10  # to add a game to the log, while other processes add theirs
LEFT: Final = ("resigned", "left", "timed out")
"""What ranks a seat last, even if its owner comes back."""

NEEDS_CLAIM: Final = mark(
    "Rated games are for players who have claimed their name. You can do that on your account page."
)
NOT_RATED: Final = mark(
    "in a rated game every seat is for a different person, so one seat is yours and the others are free"
)


class LeaderboardRow(NamedTuple):
    """A player on a leaderboard."""

    name: str
    rating: Rating
    games: int


@dataclass
class _Known:
    """What follows from the games of the log up to one of them."""

    ratings: Ratings = field(default_factory=Ratings)
    ids: set[str] = field(default_factory=set)
    last: int = 0

    def note(self, number: int, game: RatedGame) -> None:
        self.ids.add(game.id)
        self.last = number


class RatingService:
    """The ratings in memory, and the log they follow from."""

    def __init__(self, database: Database) -> None:
        self.store = RatingStore(database)
        self.claims = ClaimStore(database)
        self._known: _Known | None = None
        """What follows from the log so far; None: it is calculated when it is needed."""
        self._lock = asyncio.Lock()

    async def ratings(self) -> Ratings:
        """Return the ratings after all rated games."""
        async with self._lock:
            return (await self._read_on()).ratings

    async def _read_on(self, *, again: bool = False) -> _Known:
        """Return what follows from all games of the log, also those that other processes have added; only locked."""
        if again or self._known is None or self.store.database.shared:
            known = self._known or _Known()
            for number, game in await self.store.games(known.last):
                known.ratings.add(game)
                known.note(number, game)
            self._known = known
        return self._known

    async def seated(self, sitter: Sitter) -> Sitter:
        """Return somebody at a rated table, under the name they have claimed; Rejected when they have none."""
        if sitter.user is None:
            return sitter
        claim = await self.claims.of(sitter.user)
        if claim is None:
            raise Rejected(Code.REFUSED, why=NEEDS_CLAIM)
        return Sitter(user=sitter.user, name=claim.name)

    async def rateable(self, sitters: Sequence[Sitter]) -> list[Sitter]:
        """Return who sits at a new rated table, under claimed names; ValueError where it cannot be rated.

        There must be nobody but its owner yet: no bots, and nobody in two seats.
        """
        users = [sitter.user for sitter in sitters if sitter.user is not None]
        if len(users) != 1 or any(sitter.bot for sitter in sitters) or len(sitters) < 2:
            raise MessageError(NOT_RATED)
        return [await self.seated(sitter) for sitter in sitters]

    async def finish(self, table: Table) -> list[RatingChange]:
        """Rate a game that has ended, if it counts and was not rated before; return what has changed."""
        game = rated_game(table)
        if game is None:
            return []
        async with self._lock:
            for attempt in range(TRIES):
                known = await self._read_on(again=attempt > 0)
                if game.id in known.ids:
                    break
                with suppress(Conflict):  # another process has rated a game meanwhile
                    return await self._add(known, game)
        return []

    async def _add(self, known: _Known, game: RatedGame) -> list[RatingChange]:
        """Add a game to the log, and return what it changes; Conflict when another process was quicker."""
        changes: list[RatingChange] = []

        def rate() -> list[RatingChange]:
            self._known = None  # until it is stored
            if not changes:  # the transaction may be tried twice
                changes.extend(known.ratings.add(game))
            return changes

        await self.store.add(known.last + 1, game, rate)
        known.note(known.last + 1, game)
        self._known = known
        return changes

    async def leaderboard(self, pool: Pool) -> list[LeaderboardRow]:
        """Return the players with enough rated games in a pool, the strongest first."""
        standings = (await self.ratings()).standings(pool, LEAST_GAMES)
        names = await self.claims.names([user for user, _, _ in standings])
        return [LeaderboardRow(names[user], rating, games) for user, rating, games in standings if user in names]


def pools_of(game: Game[Any]) -> list[Pool]:
    """Return the pools in which a game can be rated."""
    return list(dict.fromkeys(pool_of(game.name, seats) for seats in sorted(game.seats)))


def rated_game(table: Table) -> RatedGame | None:
    """Return what is rated of a table; None if its game does not count.

    Whoever resigned or ran out of time is ranked last. A game that somebody left early does not count.
    """
    outcome = table.match.outcome
    users = [sitter.user for sitter in table.setup.sitters]
    people = tuple(user for user in users if user is not None)
    if not table.setup.rated or outcome is None or len(people) < 2 or len(set(people)) < len(users):
        return None
    left = {change.seat for change in table.match.changes if change.what in LEFT}
    decisions = sum(isinstance(actor, int) for actor, _ in table.match.plies)
    if left and decisions < EARLY * len(people):
        return None
    return RatedGame(table.setup.id, time.time(), table.setup.game, people, tuple(ranks(outcome, left)))
