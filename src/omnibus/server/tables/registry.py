"""The tables of the server: sets them up, finds or loads them, and deletes them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any
from weakref import WeakValueDictionary

from omnibus import games
from omnibus.bots import check_level
from omnibus.kernel.choices import check_rules, check_size
from omnibus.kernel.dice import SEED_BITS
from omnibus.kernel.i18n import MessageError
from omnibus.server.background import in_background
from omnibus.server.errors import Code, NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, RateLimited, spend
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.people.online import OnlineUsers
from omnibus.server.people.ratings import RatingService
from omnibus.server.store.analyses import AnalysisStore
from omnibus.server.store.blocks import BlockStore
from omnibus.server.store.counters import CounterStore
from omnibus.server.store.database import REVOKED, SEATS, Database
from omnibus.server.store.deals import DealStore
from omnibus.server.store.models import PATIENCE, Listing, Sitter, TableSetup, TimeControl
from omnibus.server.store.moderation import BanStore
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore, new_id
from omnibus.server.store.vacations import VacationStore
from omnibus.server.tables import actions
from omnibus.server.tables.analyses import Analyses
from omnibus.server.tables.board_view import draw_ahead
from omnibus.server.tables.bot_driver import BotDriver
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.clock import check as check_clock
from omnibus.server.tables.clock_keeper import LATER_S, ClockKeeper
from omnibus.server.tables.events import History
from omnibus.server.tables.live_tables import LiveTables
from omnibus.server.tables.names import all_told_apart
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.publisher import Notify, Publisher
from omnibus.server.tables.seating import TOO_LATE, draw_seats, expect_one_seat_each, on_vacation
from omnibus.server.tables.shared_presence import SharedPresence
from omnibus.server.tables.table import Table
from omnibus.server.tables.table_clock import due_times


class TableRegistry:
    """All tables, with the services they need; those in use are in memory."""

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
        self.clock_keeper = ClockKeeper(self.table_store, self.time_out, self._show_clocks)
        self.live = LiveTables()
        self.publisher = Publisher(
            self.live.presence_at,
            self.user_store,
            self.online,
            bot_driver,
            self.clock_keeper,
            self.rating_service,
            notify,
        )
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.seats_lock = asyncio.Lock()  # held while seats change, so that nobody overwrites another's change
        self.shared_presence: SharedPresence | None = None
        """Who is at the tables in other processes; None where there are none."""

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
            sitters=all_told_apart(sitters),
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
        return await self.set_up(draw_seats(setup), after=after)

    async def set_up(self, setup: TableSetup, *, after: str | None = None) -> TableSetup:
        """Set up a table as described. ValueError says what is wrong with it; Conflict: there is one with its id."""
        table, first = await Table.started(self.table_store, setup, await on_vacation(self, setup))
        _check(table)  # started also to find out whether there is such a game
        await _expect_visitors(table)
        full = not setup.free()
        await self.table_store.add_table(setup, first if full else None, after=after)
        if full:
            self.add(table, await self.presence(setup))
            await self.publisher.publish_start(table)
        return setup

    async def keeps_seed(self, table_id: str) -> bool:
        """Tell whether the dice of a table are still in use at others, because several people play the same deal."""
        deal = await self.deal_store.deal_of(table_id)
        return bool(deal) and await self.deal_store.keeps_seed(deal)

    async def waiting_setup(self, table_id: str) -> TableSetup:
        """Find a table with free seats; Rejected when its game has started, NotReplayable when it needs other rules."""
        entry = await self.table_store.entry(table_id)
        if entry is None:
            raise TableNotFound
        if entry.standing != "open":
            raise Rejected(Code.STALE, why=TOO_LATE)
        _expect_rules(entry.setup)
        return entry.setup

    async def table(self, id_: str) -> Table:
        """Find a table, or load it; raises TableNotFound, NotStarted or NotReplayable."""
        if table := await self._up_to_date(id_):
            return table
        async with self._loading.setdefault(id_, asyncio.Lock()):  # of several who come at once, one loads it
            return await self._up_to_date(id_) or await self._load(id_)

    async def _up_to_date(self, id_: str) -> Table | None:
        """Return a table that is in memory, with all that other processes have stored; None when it must be loaded."""
        table = await self.live.usable(id_)
        if table is None or not self.database.shared:
            return table
        try:
            await self.read_on(table)
        except TableNotFound:
            self.forget(id_)
            raise
        return None if table.broken else table

    async def _load(self, id_: str) -> Table:
        entry = await self.table_store.entry(id_)
        if entry is None:
            raise TableNotFound
        if entry.standing == "open":
            _expect_rules(entry.setup)
            raise NotStarted(entry.setup)
        loaded, presence = await Table.loaded(self.table_store, entry.setup), await self.presence(entry.setup)
        await _expect_visitors(loaded)
        if table := await self.live.usable(id_):  # its game was started here meanwhile
            return table
        self.add(loaded, presence)
        if self.database.shared:
            self.bot_driver.leave(loaded, time.time() - entry.updated)
            self.clock_keeper.watch(loaded, LATER_S)
        return loaded

    async def read_on(self, table: Table) -> None:
        """Take in and show what other processes have changed at a table; TableNotFound when it has been deleted."""
        since = await table.read_on()
        if since is not None:
            self.publisher.follow(table, since)

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

    async def idle_for(self, id_: str) -> float:
        """Return how many seconds ago the last event of a table was stored."""
        return time.time() - await self.table_store.last_event_at(id_)

    def loaded(self) -> list[Table]:
        """Return the tables in memory."""
        return self.live.loaded()

    def _is_watched(self, table: Table) -> bool:
        return self.live.presence_at(table).is_watched

    def add(self, table: Table, presence: Presence) -> None:
        """Keep a table that was started or loaded in memory, with who is there, and watch its clock."""
        self.live.add(table, presence)
        self.clock_keeper.watch(table)

    async def remove(self, setup: TableSetup) -> None:
        """Delete a table, even one that does not replay; Conflict when others sit there by now."""
        await self.table_store.remove_table(setup.id, setup.sitters)
        self.forget(setup.id)
        self.database.hint(f"{SEATS}{setup.id}")

    def forget(self, table_id: str) -> None:
        """Forget a table that has been deleted, and close the connections there."""
        self.clock_keeper.forget(table_id)
        self.live.remove(table_id)
        self.online.forget_known()

    # people

    async def presence(self, setup: TableSetup) -> Presence:
        """Return who is at a table, which may be waiting for players."""
        if presence := self.live.presence_of(setup.id):
            return presence
        seen, shared = await self.user_store.seen_at(setup.id), self.shared_presence
        new = Presence(setup.id, setup.patience, [sitter.user for sitter in setup.sitters], seen, shared)
        if shared is not None:
            new.said = (await self.table_store.last_said([setup.id])).get(setup.id, 0)
            new.see_elsewhere((await shared.elsewhere([setup.id])).get(setup.id, {}))
        return self.live.add_presence(new)  # somebody else may have asked meanwhile

    def interrupt(self, user: str) -> None:
        """Close all connections of a user and of programs in their seats; those still signed in reconnect."""
        self.interrupt_here(user)
        self.database.hint(f"{REVOKED}{user}")

    def interrupt_here(self, user: str) -> None:
        """Close the connections of a user and of programs in their seats to this process."""
        self.online.interrupt(user)
        self.live.interrupt_programs(user)

    async def rename_sitters(self, setup: TableSetup, before: list[Sitter]) -> None:
        """Store other names of the people at a table, and show them; Conflict unless all sit as `before`."""
        await self.table_store.reseat(setup, before)
        table = self.live.at_hand(setup.id)
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

    async def time_out(self, table_id: str) -> None:
        """Let a bot play for whoever has run out of time at a table, unless they have moved in another process."""
        if self.database.shared and self.live.at_hand(table_id) is None:
            due = await due_times(self.table_store, [table_id])
            if due.get(table_id, inf) > 0:  # somebody has moved in another process
                self.clock_keeper.resume(due, LATER_S)
                return
        table = await self.find(table_id)
        if table is not None:
            await actions.time_out(self, table)

    def _show_clocks(self) -> None:
        """Show the clocks of the tables in memory again, and set their timers: they have stood still."""
        for table in self.loaded():
            if table.clock is not None and table.clock.clocks.running is not None:
                self.publisher.publish_names(table)
                self.clock_keeper.watch(table)

    async def store_sightings(self) -> None:
        """Store when users were last at their tables."""
        if sightings := self.live.sightings():
            await self.user_store.saw(sightings)

    async def close(self) -> None:
        """Stop the analyses, the clocks and the bots, and store who was here."""
        if self.shared_presence is not None:
            await self.shared_presence.close()
        await self.analyses.close()
        await self.clock_keeper.close()
        await self.store_sightings()
        await self.bot_driver.close()


def _expect_rules(setup: TableSetup) -> None:
    """Refuse a table with free seats that was opened for other rules; what has begun is refused by its record."""
    try:
        check_rules(games.find(setup.game), setup.rules)
    except MessageError as error:
        raise NotReplayable(setup, History(), error.message) from None


async def _expect_visitors(table: Table) -> None:
    """Draw a map of somebody's own in the background, where its layout takes long, before anybody looks at it."""
    if any(isinstance(value, dict) for value in table.setup.options.values()):
        with suppress(RateLimited):  # then it is drawn for whoever looks
            await in_background(draw_ahead, table.match)


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
