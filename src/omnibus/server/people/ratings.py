"""The ratings of the people on this server: what counts, what a finished game changes, and who leads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from omnibus.kernel.game import Game
from omnibus.kernel.i18n import MessageError, mark
from omnibus.ratings.log import Pool, RatedGame, RatingChange, Ratings, pool_of
from omnibus.ratings.model import Rating
from omnibus.ratings.ranks import ranks
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.claims import ClaimStore
from omnibus.server.store.database import Database
from omnibus.server.store.models import Sitter, TableSetup
from omnibus.server.store.ratings import LogVersion, RatingStore
from omnibus.server.tables.table import Table

EARLY: Final = 4
"""A game that somebody leaves before everybody has decided so often on average does not count."""
LEAST_GAMES: Final = 5
"""Who has fewer rated games is not on the leaderboard."""
LEFT: Final = ("resigned", "left", "timed out")
"""What ranks a seat last, even if its owner comes back."""

NEEDS_CLAIM: Final = mark(
    "Rated games are for players who have claimed their name. You can do that on your account page."
)
NOT_RATED: Final = mark(
    "in a rated game every seat is for a different person, so one seat is yours and the others are free"
)
OUT_OF_RANGE: Final = mark("This table is for players with another rating.")


class LeaderboardRow(NamedTuple):
    """A player on a leaderboard."""

    name: str
    rating: Rating
    games: int


class KnownRatings:
    """The ratings in memory, and what they follow from."""

    def __init__(self) -> None:
        self.ratings = Ratings()
        self.ids: set[str] = set()
        """The games in the log so far, also those that do not count."""
        self.last = 0
        """The number of the last of them."""
        self.version = LogVersion()

    def note(self, game: str) -> None:
        """Note that a game was added to the log, after these."""
        self.ids.add(game)
        self.last += 1
        self.version = LogVersion(self.version.changes + 1, self.version.corrections)


class RatingService:
    """The ratings in memory, and the log they follow from."""

    def __init__(self, database: Database) -> None:
        self.store = RatingStore(database)
        self.claims = ClaimStore(database)
        self._known: KnownRatings | None = None
        """None: they are calculated when they are needed."""
        self._lock = asyncio.Lock()

    async def ratings(self) -> Ratings:
        """Return the ratings after all rated games."""
        async with self._lock:
            return (await self._latest()).ratings

    async def _latest(self) -> KnownRatings:
        """Return the ratings as the log is now: others may have added to it, and the host may have corrected it."""
        version, known = await self.store.version(), self._known
        if known is not None and known.version == version:
            return known
        if known is None or known.version.corrections != version.corrections:
            known = KnownRatings()
        for logged in await self.store.log(known.last):
            if logged.game is not None:
                known.ratings.add(logged.game)
            known.ids.add(logged.id)
            known.last = logged.number
        known.version = version
        self._known = known
        return known

    async def seated(self, sitter: Sitter) -> Sitter:
        """Return somebody at a rated table, under the name they have claimed; Rejected when they have none."""
        if sitter.user is None:
            return sitter
        claim = await self.claims.of(sitter.user)
        if claim is None:
            raise Rejected(Code.REFUSED, why=NEEDS_CLAIM)
        return Sitter(user=sitter.user, name=claim.name)

    async def expect_in_range(self, setup: TableSetup, user: str) -> None:
        """Reject somebody whose rating is not one that a listed table asks for; newcomers have that of newcomers."""
        if setup.listing is None:
            return
        rating = (await self.ratings()).rating(pool_of(setup.game, setup.seats), user)
        if not setup.listing.admits(rating.number):
            raise Rejected(Code.REFUSED, why=OUT_OF_RANGE)

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
            while game.id not in (known := await self._latest()).ids:
                self._known = None  # until it is stored
                changes = known.ratings.add(game)
                if await self.store.add(game, changes, known.version):
                    known.note(game.id)
                    self._known = known
                    return changes
            return []

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
