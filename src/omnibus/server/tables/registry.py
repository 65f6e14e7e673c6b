"""The tables of the server: sets them up, fills their seats, loads them, and keeps live ones in memory."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from msgspec.structs import replace

from omnibus import games
from omnibus.bots import check_level
from omnibus.kernel.choices import check_size
from omnibus.kernel.dice import SEED_BITS
from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.people.blocks import expect_welcome
from omnibus.server.people.online import OnlineUsers
from omnibus.server.people.ratings import RatingService
from omnibus.server.store.analyses import AnalysisStore
from omnibus.server.store.blocks import BlockStore
from omnibus.server.store.counters import CounterStore
from omnibus.server.store.database import REVOKED, SEATS, Database
from omnibus.server.store.deals import DealStore
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import PATIENCE, Listing, Sitter, TableSetup, TimeControl
from omnibus.server.store.moderation import BanStore
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore, new_id
from omnibus.server.store.vacations import VacationStore
from omnibus.server.tables import actions
from omnibus.server.tables.analyses import Analyses
from omnibus.server.tables.bot_driver import BotDriver
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.clock import check as check_clock
from omnibus.server.tables.clock_keeper import LATER_S, ClockKeeper
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.publisher import Notify, Publisher
from omnibus.server.tables.shared_presence import ANALYSES, USERS, SharedPresence
from omnibus.server.tables.table import Table
from omnibus.server.tables.table_clock import due_times

KEPT_READY: Final = 300  # tables at which nobody is; others are loaded from the database again
KEPT_PLIES: Final = 10_000  # of these tables together: a match holds a state for every ply, of up to 13 kB
SEATING_TRIES: Final = 5

TOO_LATE: Final = mark("This seat is taken, or the game has already started.")
ROUND_S: Final = 60.0
_SHUFFLE: Final = secrets.SystemRandom()  # who sits where

ONE_SEAT_EACH: Final = mark(
    "At a table that is listed in the lobby, one person can take only one seat, because the players of this game hide "
    "their cards from each other."
)

Permit = Callable[[TableSetup], None]
"""Checks a table at the moment somebody sits down or leaves; raises when it is not allowed."""


class TableRegistry:
    """All tables. Of each there is at most one live copy, so that there is one writer."""

    def __init__(
        self,
        database: Database,
        bot_pool: BotPool,
        *,
        online: OnlineUsers | None = None,
        notify: Notify | None = None,
    ) -> None:
        self.database = database
        self.table_store = TableStore(database)
        self.user_store = UserStore(database)
        self.deal_store = DealStore(database)
        self.vacation_store = VacationStore(database)
        self.counter_store = CounterStore(database)
        self.block_store = BlockStore(database)
        self.ban_store = BanStore(database)
        self.bot_pool = bot_pool
        self.rating_service = RatingService(database)
        self.analyses = Analyses(AnalysisStore(database), bot_pool)
        self.online = online or OnlineUsers(self.table_store)
        bot_driver = BotDriver(bot_pool, partial(actions.play, self, by_bot=True), self._is_watched)
        self.clock_keeper = ClockKeeper(self.table_store.runs, self._time_out)
        self.publisher = Publisher(
            self.presence_at,
            self.user_store,
            self.online,
            bot_driver,
            self.clock_keeper,
            self.rating_service,
            notify,
        )
        self.seating = asyncio.Lock()  # held while seats change, so that nobody overwrites another's change
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._presences: WeakValueDictionary[str, Presence] = WeakValueDictionary()
        self._at_tables: WeakKeyDictionary[Table, Presence] = WeakKeyDictionary()  # kept as long as the table
        self.shared_presence: SharedPresence | None = None
        """Who is at the tables in other processes; None where there are none."""
        self._ready: dict[str, tuple[Table, Presence]] = {}  # the longest unused first

    @property
    def bot_driver(self) -> BotDriver:
        """Asks the bots at these tables."""
        return self.publisher.bot_driver

    # tables

    async def open(
        self,
        owner: str,
        game: str,
        options: Mapping[str, Any],
        sitters: list[Sitter],
        *,
        listed: bool = False,
        patience: float = PATIENCE,
        after: str | None = None,
        seed: int | None = None,
        deal: str = "",
        clock: TimeControl | None = None,
        rated: bool = False,
        random_seats: bool = False,
        listing: Listing | None = None,
    ) -> TableSetup:
        """Set up a table; the game starts if no seat is free. ValueError says what is wrong with it.

        `seed` is that of the dice, a random one if None; `deal` is the deal whose dice they are.
        """
        await expect_not_banned(self.ban_store, owner)
        await spend(Quota.TABLE)
        sitters = await self.rating_service.rateable(sitters) if rated else sitters
        setup = TableSetup(
            id=new_id(),
            game=game,
            rules=games.find(game).version,
            seats=len(sitters),
            options=dict(options),
            seed=secrets.randbits(SEED_BITS) if seed is None else seed,
            sitters=sitters,
            owner=owner,
            created=time.time(),
            listed=listed,
            patience=patience,
            deal=deal,
            clock=clock,
            rated=rated,
            random_seats=random_seats,
            listing=listing,
        )
        return await self.set_up(_seated(setup), after=after)

    async def set_up(self, setup: TableSetup, *, after: str | None = None) -> TableSetup:
        """Set up a table as described. ValueError says what is wrong with it; Conflict: there is one with its id."""
        table, first = Table.started(self.table_store, setup, await self._on_vacation(setup))
        _check(table)  # started also to find out whether there is such a game
        full = not setup.free()
        await self.table_store.add_table(setup, first if full else None, after=after)
        if full:
            self.add(table, await self.presence(setup))
            await self.publisher.publish_start(table)
        return setup

    async def seat(
        self,
        table_id: str,
        seat: int,
        sitter: Sitter,
        *,
        instead_of: Sitter | None = None,
        permit: Permit | None = None,
        sent_away: str | None = None,
        apart: str | None = None,
        from_lobby: bool = False,
    ) -> None:
        """Let somebody take a free seat before the game, or leave one; the game starts when no seat is free.

        Rejected when the game has started or somebody else was quicker (`instead_of` is who is thought to sit there).
        Between the check of `permit` and the change nothing else can change. `sent_away` is the user who has to leave;
        whoever sits at the table `apart` cannot sit at this one, and whoever comes `from_lobby` must have a rating that
        this one asks for.
        """
        async with self.seating:
            for _ in range(SEATING_TRIES):
                setup = await self.waiting_setup(table_id)
                if permit:
                    permit(setup)
                if sitter.user is not None:
                    await self._expect_allowed(setup, sitter.user, from_lobby=from_lobby)
                with suppress(Conflict):  # another process has changed the seats meanwhile
                    await self._seat(setup, seat, sitter, instead_of, apart)
                    break
            else:
                raise Rejected(Code.STALE, why=TOO_LATE)
        self.publisher.publish_setup(await self.presence(setup), sent_away)
        self.database.hint(f"{SEATS}{table_id}" + (f":{sent_away}" if sent_away else ""))

    async def _seat(
        self, setup: TableSetup, seat: int, sitter: Sitter, instead_of: Sitter | None, apart: str | None
    ) -> None:
        """Change who sits in a seat, and start the game when none is free; Conflict when all is different by now."""
        if not 0 <= seat < setup.seats:
            raise Rejected(Code.NOT_YOUR_SEAT)
        before, presence = setup.sitters, await self.presence(setup)
        taken = not (sitter.free or before[seat].free)
        if taken or instead_of not in (None, before[seat]):
            raise Rejected(Code.STALE, why=TOO_LATE)
        sitter = await self.rating_service.seated(sitter) if setup.rated else sitter
        setup = replace(setup, sitters=[*before[:seat], sitter, *before[seat + 1 :]])
        if setup.listed and sitter.user is not None:
            expect_one_seat_each(setup.game, setup.sitters)
        if setup.free():
            await self.table_store.reseat(setup, before, apart=apart)
            presence.owners = [sitter.user for sitter in setup.sitters]
        else:
            setup = _seated(setup)
            table, first = Table.started(self.table_store, setup, await self._on_vacation(setup))
            await self.table_store.reseat(setup, before, first, apart=apart)
            self.add(table, presence)
            await self.publisher.publish_start(table)

    async def _on_vacation(self, setup: TableSetup) -> dict[str, float]:
        """Return who of those at a table is on vacation and until when, if that stops their clocks."""
        by_days = setup.clock is not None and setup.clock.by_days
        return await self.vacation_store.until(setup.people()) if by_days else {}

    async def _expect_allowed(self, setup: TableSetup, user: str, *, from_lobby: bool) -> None:
        """Reject somebody who may not sit down at a table: banned, blocked, or with a rating it does not ask for."""
        await expect_not_banned(self.ban_store, user)
        await expect_welcome(self.block_store, setup, user)
        if from_lobby and user != setup.owner:
            await self.rating_service.expect_in_range(setup, user)

    async def keeps_seed(self, table_id: str) -> bool:
        """Tell whether the dice of a table are still in use at others, because several people play the same deal."""
        deal = await self.deal_store.deal_of(table_id)
        return bool(deal) and await self.deal_store.keeps_seed(deal)

    async def waiting_setup(self, table_id: str) -> TableSetup:
        """Find a table with free seats; Rejected when its game has started."""
        entry = await self.table_store.entry(table_id)
        if entry is None:
            raise TableNotFound
        if entry.standing != "open":
            raise Rejected(Code.STALE, why=TOO_LATE)
        return entry.setup

    async def table(self, id_: str) -> Table:
        """Find a table, or load it; raises TableNotFound, NotStarted or NotReplayable."""
        if table := self._in_memory(id_):
            if not self.database.shared:
                return table
            try:
                await table.read_on()
            except TableNotFound:
                self.forget(id_)
                raise
            if not table.broken:
                return table
        entry = await self.table_store.entry(id_)
        if entry is None:
            raise TableNotFound
        if entry.standing == "open":
            raise NotStarted(entry.setup)
        loaded, presence = await Table.loaded(self.table_store, entry.setup), await self.presence(entry.setup)
        if table := self._in_memory(id_):  # somebody else has loaded it meanwhile
            return table
        self.add(loaded, presence)
        if self.database.shared:
            self.bot_driver.leave(loaded, time.time() - entry.updated)
            self.clock_keeper.watch(loaded, LATER_S)
        return loaded

    def _in_memory(self, id_: str) -> Table | None:
        """Return a table that is in memory and can be used, and keep it there for a while."""
        table = self._tables.get(id_)
        if table is None or table.broken:
            return None
        if id_ in self._ready:
            self._ready[id_] = self._ready.pop(id_)
        return table

    async def visit(self, id_: str) -> Table:
        """Find a table for somebody who opens it; its bots resume."""
        table = await self.table(id_)
        await table.look_for_rematch()
        self.bot_driver.visit(table)
        return table

    async def find(self, id_: str) -> Table | None:
        """Return a table that can be played; None when there is none."""
        try:
            return await self.table(id_)
        except (TableNotFound, NotStarted, NotReplayable):
            return None

    def loaded(self) -> list[Table]:
        """Return the tables in memory."""
        return [table for table in self._tables.values() if not table.broken]

    def _is_watched(self, table: Table) -> bool:
        return self.presence_at(table).is_watched

    def add(self, table: Table, presence: Presence) -> Table:
        """Keep a table that was started or loaded in memory, with who is there."""
        presence.owners = table.owners()
        table.show = self.publisher.follow
        self._tables[table.setup.id] = table
        self._at_tables[table] = presence
        self._ready.pop(table.setup.id, None)
        self._ready[table.setup.id] = (table, presence)
        self.clock_keeper.watch(table)
        self.trim()
        return table

    def trim(self) -> None:
        """Unload the least recently used tables, except those somebody is at."""
        plies = sum(table.match.length for table, _ in self._ready.values())
        while len(self._ready) > 1 and (plies > KEPT_PLIES or len(self._ready) > KEPT_READY):
            table, _ = self._ready.pop(next(iter(self._ready)))
            plies -= table.match.length

    def unload_all(self) -> None:
        """Forget the tables in memory; they are loaded again when somebody asks for them."""
        self._tables.clear()
        self._ready.clear()

    async def remove(self, setup: TableSetup) -> None:
        """Delete a table, even one that does not replay; Conflict when others sit there by now."""
        await self.table_store.remove_table(setup.id, setup.sitters)
        self.forget(setup.id)
        self.database.hint(f"{SEATS}{setup.id}")

    def forget(self, table_id: str) -> None:
        """Forget a table that has been deleted, and close the connections there."""
        self._tables.pop(table_id, None)
        self._ready.pop(table_id, None)
        self.clock_keeper.forget(table_id)
        presence = self._presences.get(table_id)
        for connection in list(presence.connections) if presence else ():
            connection.close()

    def at_hand(self, id_: str) -> Table | None:
        """Return a table if it is in memory, as it is there."""
        return self._tables.get(id_)

    # people

    def presence_of(self, id_: str) -> Presence | None:
        """Return who is at a table, if that is known in this process."""
        return self._presences.get(id_)

    def connections_at(self, place: str) -> Mapping[str, int]:
        """Return how many connections users have to this process: at a table, or in all; or whose analysis it makes."""
        if place.startswith(USERS):
            user = place.removeprefix(USERS)
            number = self.online.connections(user)
            return {user: number} if number else {}
        if place.startswith(ANALYSES):
            return self.analyses.users_at(place)
        presence = self._presences.get(place)
        return presence.counts() if presence else {}

    def watched(self) -> dict[str, Presence]:
        """Return who is at the tables at which somebody is in this process."""
        return {id_: presence for id_, presence in self._presences.items() if presence.connections}

    async def presence(self, setup: TableSetup) -> Presence:
        """Return who is at a table, which may be waiting for players."""
        if presence := self._presences.get(setup.id):
            return presence
        seen = await self.user_store.seen_at(setup.id)
        new = Presence(setup.id, setup.patience, [sitter.user for sitter in setup.sitters], seen)
        if self.shared_presence is not None:
            new.said = (await self.table_store.last_said([setup.id])).get(setup.id, 0)
            new.changed = self.shared_presence.mark
            new.see_elsewhere((await self.shared_presence.elsewhere([setup.id])).get(setup.id, {}))
        return self._presences.setdefault(setup.id, new)  # somebody else may have asked meanwhile

    def presence_at(self, table: Table) -> Presence:
        """Return who is at a table in memory."""
        return self._at_tables[table]

    def interrupt(self, user: str) -> None:
        """Close all connections of a user and of programs in their seats; those still signed in reconnect."""
        self.interrupt_here(user)
        self.database.hint(f"{REVOKED}{user}")

    def interrupt_seat(self, table_id: str, seat: int) -> None:
        """Close the connections that programs have opened to this process with the token of a seat."""
        presence = self._presences.get(table_id)
        for connection in list(presence.connections) if presence else ():
            if connection.only == seat:
                connection.close()

    def interrupt_here(self, user: str) -> None:
        """Close the connections of a user and of programs in their seats to this process."""
        self.online.interrupt(user)
        for presence in list(self._presences.values()):
            for connection in list(presence.connections):
                if connection.only is not None and connection.user and connection.user.id == user:
                    connection.close()

    async def rename_sitters(self, setup: TableSetup, before: list[Sitter]) -> None:
        """Store other names of the people at a table, and show them; Conflict unless all sit as `before`."""
        await self.table_store.reseat(setup, before)
        table = self._tables.get(setup.id)
        if table is None:
            self.publisher.publish_setup(await self.presence(setup))
        else:
            self.show_names(table, setup)
        self.database.hint(f"{SEATS}{setup.id}")

    def show_names(self, table: Table, setup: TableSetup) -> None:
        """Show other names of the people at a table."""
        table.rename(setup)
        self.publisher.publish_names(table)

    # in the background

    async def resume_clocks(self, since: float = 0.0) -> None:
        """Watch all clocks that run, or those of tables at which something has happened since a time.

        They have run on while another process was running, and stood still while none was.
        """
        if self.database.shared:
            await self.table_store.runs.note()
        watched = self.clock_keeper.watched
        new = [id_ for id_ in await self.table_store.clocked(since) if id_ not in watched]
        self.clock_keeper.resume(await due_times(self.table_store, new), LATER_S if self.database.shared else 0.0)

    async def rate_missing(self, since: float = 0.0, until: float = inf) -> None:
        """Rate the games that ended between two times, but were not rated because a server was stopped too soon."""
        for table_id in await self.rating_service.store.unrated(since, until):
            table = await self.find(table_id)
            if table is not None:
                await self.rating_service.finish(table)

    async def _time_out(self, table_id: str) -> None:
        if self.database.shared and self.at_hand(table_id) is None:
            due = await due_times(self.table_store, [table_id])
            if due.get(table_id, inf) > 0:  # somebody has moved in another process
                self.clock_keeper.resume(due, LATER_S)
                return
        table = await self.find(table_id)
        if table is not None:
            await actions.time_out(self, table)

    async def run_rounds(self) -> None:
        """Every minute: store who is here, read names again, save memory, and tell tables who is away too long."""
        while True:
            await asyncio.sleep(ROUND_S)
            await self.store_sightings()
            await self.reload_names()
            await self.counter_store.sweep()
            self.trim()
            for table in self.loaded():
                table.rest()
            for presence in list(self._presences.values()):
                presence.tell_people()

    async def store_sightings(self) -> None:
        """Store when users were last at their tables."""
        sightings = [sighting for presence in list(self._presences.values()) for sighting in presence.sightings()]
        if sightings:
            await self.user_store.saw(sightings)

    async def reload_names(self) -> None:
        """Read names from the database again: the command `omnibus admin` may have erased some."""
        for table_id, sitters in (await self.table_store.sitters(list(self._tables))).items():
            table = self._tables.get(table_id)
            if table is not None and table.setup.sitters != sitters:
                self.show_names(table, replace(table.setup, sitters=sitters))

    async def close(self) -> None:
        """Stop the analyses, the clocks and the bots, and store who was here."""
        if self.shared_presence is not None:
            await self.shared_presence.close()
        await self.analyses.close()
        await self.clock_keeper.close()
        await self.store_sightings()
        await self.bot_driver.close()


def _seated(setup: TableSetup) -> TableSetup:
    """Draw who sits where, if that is wanted and all are there."""
    if not setup.draws_seats or setup.free():
        return setup
    return replace(setup, sitters=_SHUFFLE.sample(setup.sitters, setup.seats))


def _check(table: Table) -> None:
    """Raise ValueError when a table has a board too large, bots that do not play here, or a clock for nobody."""
    game, state = table.match.game, table.match.states[0]
    check_size(game, state)
    if table.setup.listed:
        expect_one_seat_each(table.setup.game, table.setup.sitters)
    for sitter in table.setup.sitters:
        if sitter.bot is not None:
            check_level(sitter.bot, game, state)
    if table.setup.clock is not None:
        check_clock(table.setup.clock)


def expect_one_seat_each(game: str, sitters: list[Sitter]) -> None:
    """Reject two seats of one person where strangers join and hands are hidden: one would see two of them."""
    users = [sitter.user for sitter in sitters if sitter.user is not None]
    others = len(set(users)) > 1 or any(sitter.free for sitter in sitters)
    if others and not games.find(game).open and len(users) > len(set(users)):
        raise Rejected(Code.REFUSED, why=ONE_SEAT_EACH)
