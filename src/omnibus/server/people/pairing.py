"""Quick pairing: somebody who wants to play joins a table that suits them, or opens one for the next who comes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from omnibus import games
from omnibus.ratings.log import pool_of
from omnibus.server.errors import Rejected, TableNotFound
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.store.models import (
    LIVE_PATIENCE,
    PATIENCE,
    Listing,
    Sitter,
    TableRow,
    TableSetup,
    TimeControl,
    User,
)
from omnibus.server.store.pairing import PairingStore
from omnibus.server.tables import actions
from omnibus.server.tables.clock import Pace, time_control

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

FRESH_S: Final = 60.0  # so long after they came, people count as present even before their page is connected


class Wish(Struct, frozen=True):
    """What somebody would like to play."""

    game: str
    pace: Pace | None = None
    """None: without a clock."""
    seats: int | None = None
    """None: any number; a new table has as few as the game allows."""
    rated: bool = False
    opponents: Listing = Listing()
    """With which ratings, and in which language a new table is listed."""

    @property
    def key(self) -> str:
        """What all wishes have in common that might be met by the same table."""
        return f"{self.game} {self.pace or ''}"

    @property
    def clock(self) -> TimeControl | None:
        """How much time there is."""
        return None if self.pace is None else time_control(games.find(self.game), self.pace)

    @property
    def live(self) -> bool:
        """Whether everybody is expected to be there from the beginning."""
        return self.pace not in (None, "days")

    def fits(self, setup: TableSetup) -> bool:
        """Tell whether this is what is played at a table."""
        if setup.game != self.game or self.seats not in (None, setup.seats):
            return False
        game = games.find(setup.game)
        if setup.rules != game.version:
            return False
        usual = all(value == game.options[name].default for name, value in setup.options.items())
        return usual and not setup.deal and setup.clock == self.clock and setup.rated == self.rated


class QuickPairing:
    """Brings people together who want to play the same."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self.store = PairingStore(registry.user_store.database)

    async def find(self, user: User, wish: Wish) -> str:
        """Seat a user at a table for a wish and return its id; the game starts if no seat is free then.

        ValueError or Rejected when there can be no such table. Whoever waits at one already stays there.
        """
        await expect_not_banned(self._registry.ban_store, user.id)
        own: TableSetup | None = None
        while True:
            seen = await self.store.last(wish.key)
            joined = await self._join(user, wish)
            if joined:
                if own is not None:
                    await actions.delete(self._registry, user, own.id)
                return joined
            own = own or await self._open(user, wish)
            if await self.store.enter(wish.key, seen, own.id):
                return own.id

    async def _join(self, user: User, wish: Wish) -> str:
        """Take a seat at a listed table that suits the user, the longest waiting first; empty if there is none."""
        entries = (await self._registry.table_store.open_entries())[::-1]
        fitting = [entry for entry in entries if wish.fits(entry.setup)]
        for entry in fitting:
            if user.id in entry.setup.people():
                return entry.setup.id
        for entry in fitting:
            if await self._suits(wish, entry):
                try:
                    await actions.sit(self._registry, user, entry.setup.id, entry.setup.free()[0])
                except (Rejected, TableNotFound):  # somebody was quicker, or the two do not go together
                    continue
                return entry.setup.id
        return ""

    async def _suits(self, wish: Wish, entry: TableRow) -> bool:
        """Tell whether the people at a table are there, and have the ratings that are wished for."""
        people = entry.setup.people()
        fresh = not wish.live or time.time() - entry.updated < FRESH_S
        if not fresh and not any([await self._registry.online.is_online(user) for user in people]):
            return False
        ratings = await self._registry.rating_service.ratings()
        pool = pool_of(entry.setup.game, entry.setup.seats)
        return all(wish.opponents.admits(ratings.rating(pool, user).number) for user in people)

    async def _open(self, user: User, wish: Wish) -> TableSetup:
        """Set up a table for a wish, which is not listed yet."""
        seats = wish.seats or min(games.find(wish.game).seats)
        sitters = [Sitter(user=user.id, name=user.name), *[Sitter()] * (seats - 1)]
        return await self._registry.open(
            user.id,
            wish.game,
            {},
            sitters,
            patience=LIVE_PATIENCE if wish.live else PATIENCE,
            clock=wish.clock,
            rated=wish.rated,
            listing=wish.opponents,
        )
