"""The hall: where tables stand. It sets them up, finds them again, tells those who watch, and asks the bots."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final
from weakref import WeakValueDictionary

from msgspec.structs import replace

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.dice import SEED_BITS
from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.http.connection import Connection
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.database import Database
from omnibus.server.store.models import PATIENCE, Sitter, TableSetup, User
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore, new_id
from omnibus.server.tables.bot_driver import BotDriver
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.messages import Awaited, Changed
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.table import Table

KEPT_READY: Final = 300  # tables; others are read from the store again

TOO_LATE: Final = mark("This seat is taken, or the game has already started.")
ROUND_S: Final = 60.0


Permit = Callable[[TableSetup], None]
"""Looks at a table at the moment something is done to it; raises when it may not be."""


def everything_goes(_setting: TableSetup) -> None:
    """Permit everything."""


Summon = Callable[[str, Table], None]
"""Called when a table begins to wait for a user of whom no page is open."""


def nobody_summons(_user: str, _table: Table) -> None:
    """Summon nobody."""


class TableRegistry:
    """All tables of a house. Of each there is one live copy at most, so that there is one writer."""

    def __init__(self, store: Database, bot_pool: BotPool) -> None:
        self.table_store = TableStore(store)
        self.user_store = UserStore(store)
        self.bot_pool = bot_pool
        self.summon: Summon = nobody_summons
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._ready: deque[Table] = deque(maxlen=KEPT_READY)
        self._presences: WeakValueDictionary[str, Presence] = WeakValueDictionary()
        self._pages: dict[str, set[Connection]] = {}
        self.seating = asyncio.Lock()  # held by whoever changes who sits where, so that nobody overwrites another
        self.bot_driver = BotDriver(bot_pool, self._play_for_bot)

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
    ) -> TableSetup:
        """Set up a table; the game begins if no seat is free. ValueError says what of it cannot be."""
        await spend(Quota.TABLE)
        for sitter in sitters:
            if sitter.bot is not None and sitter.bot not in bot_names():
                raise ValueError(f"there is no bot {sitter.bot!r}")
        setting = TableSetup(
            id=new_id(),
            game=game,
            rules=games.find(game).version,
            seats=len(sitters),
            options=dict(options),
            seed=secrets.randbits(SEED_BITS),
            sitters=sitters,
            owner=owner,
            created=time.time(),
            listed=listed,
            patience=patience,
        )
        table, first = Table.begun(self.table_store, setting)  # also to find out whether such a game can be
        full = not setting.free()
        await self.table_store.add_table(setting, first if full else None, after=after)
        if full:
            self._tell_awaited(self._welcome(table))
            self.bot_driver.visit(table)
        return setting

    async def seat(
        self,
        table_id: str,
        seat: int,
        sitter: Sitter,
        *,
        instead_of: Sitter | None = None,
        permit: Permit = everything_goes,
    ) -> None:
        """Let somebody sit down in a free seat of an open table, or stand up; the game begins when no seat is free.

        Rejected when somebody else was quicker (`instead_of` says who is thought to sit there now), or the game has
        begun. What `permit` sees nobody can change before it is done.
        """
        async with self.seating:
            setting = self.gathering(table_id)
            permit(setting)
            if not 0 <= seat < setting.seats:
                raise Rejected(Code.NOT_YOUR_SEAT)
            taken = not (sitter.free or setting.sitters[seat].free)
            if taken or instead_of not in (None, setting.sitters[seat]):
                raise Rejected(Code.STALE, why=TOO_LATE)
            setting = replace(setting, sitters=[*setting.sitters[:seat], sitter, *setting.sitters[seat + 1 :]])
            if setting.free():
                await self.table_store.reseat(setting)
            else:
                table, first = Table.begun(self.table_store, setting)
                await self.table_store.reseat(setting, first)
                self._tell_awaited(self._welcome(table))
                self.bot_driver.visit(table)
        self._tell_changed(setting)

    def gathering(self, table_id: str) -> TableSetup:
        """Find a table at which seats are free; Gone when there is none, Rejected when the game has begun."""
        entry = self.table_store.entry(table_id)
        if entry is None:
            raise TableNotFound
        if entry.standing != "open":
            raise Rejected(Code.STALE, why=TOO_LATE)
        return entry.setting

    def table(self, id_: str) -> Table:
        """Find a table for somebody who looks at it; TableNotFound, NotStarted or NotReplayable say what is amiss."""
        table = self._find(id_)
        self.bot_driver.visit(table)
        return table

    def find(self, id_: str) -> Table | None:
        """Return a table at which can be played, for the bots; None when there is none."""
        try:
            return self._find(id_)
        except (TableNotFound, NotStarted, NotReplayable):
            return None

    def loaded(self) -> list[Table]:
        """Return the tables in memory."""
        return [table for table in self._tables.values() if not table.spoilt]

    def _find(self, id_: str) -> Table:
        table = self._tables.get(id_)
        if table is not None and not table.spoilt:
            return table
        entry = self.table_store.entry(id_)
        if entry is None:
            raise TableNotFound
        if entry.standing == "open":
            raise NotStarted(entry.setting)
        table = self._welcome(Table.loaded(self.table_store, entry.setting))
        table.awaited = table.owner(table.awaits) if table.awaits is not None else None
        return table

    def presence(self, setting: TableSetup) -> Presence:
        """Return the people around a table."""
        presence = self._presences.get(setting.id)
        if presence is None:
            presence = Presence(self.user_store, self.table_store, setting.id, setting.patience)
            self._presences[setting.id] = presence
        table = self._tables.get(setting.id)
        presence.owners = table.owners() if table else [sitter.user for sitter in setting.sitters]
        return presence

    # people

    def arrive(self, page: Connection) -> None:
        """Let a page of a user know, from now on, which tables wait for the user."""
        if page.user:
            self._pages.setdefault(page.user.id, set()).add(page)
            page.send(Awaited(self.table_store.awaited(page.user.id)))

    def depart(self, page: Connection) -> None:
        """Let a page go."""
        if page.user and page.user.id in self._pages:
            self._pages[page.user.id].discard(page)
            if not self._pages[page.user.id]:
                del self._pages[page.user.id]

    def is_here(self, user: str) -> bool:
        """Tell whether a page of a user is open."""
        return user in self._pages

    def interrupt(self, user: str) -> None:
        """Close the connections of all pages of a user: who may still come back by themselves, others may not."""
        for page in list(self._pages.get(user, ())):
            page.close()

    def _tell_changed(self, setting: TableSetup) -> None:
        """Tell those at an open table that something about it has changed."""
        presence = self.presence(setting)
        for page in presence.pages:
            page.send(Changed())
        presence.tell_people()

    def _tell_awaited(self, table: Table) -> None:
        """Tell who is awaited now, and who was until now; who is not here may be summoned."""
        user = table.owner(table.awaits) if table.awaits is not None else None
        before, table.awaited = table.awaited, user
        if user == before:
            return
        for someone in (before, user):
            if someone in self._pages:
                waiting = Awaited(self.table_store.awaited(someone))
                for page in self._pages[someone]:
                    page.send(waiting)
        if user is not None and user not in self._pages and user not in self.presence(table.setting).here():
            self.summon(user, table)

    async def look_around(self) -> None:
        """Every now and then: remember who is here, and tell tables whose people have been away for too long."""
        while True:
            await asyncio.sleep(ROUND_S)
            await self.remember()
            self.recall()
            for presence in list(self._presences.values()):
                presence.tell_people()

    async def remember(self) -> None:
        """Write down when people were last at their tables."""
        sightings = [sighting for presence in list(self._presences.values()) for sighting in presence.sightings()]
        if sightings:
            await self.user_store.saw(sightings)

    def recall(self) -> None:
        """Call people as the ledger does: somebody who looks after the house may have removed their names from it."""
        for table_id, sitters in self.table_store.sitters(list(self._tables)).items():
            table = self._tables.get(table_id)
            if table is not None and table.setting.sitters != sitters:
                self._rename_at(table, replace(table.setting, sitters=sitters))

    async def rename(self, user: User, name: str) -> None:
        """Give a user another name, also where they sit under the old one in games that go on."""
        await self.user_store.rename(user.id, name)
        for entry in self.table_store.entries(user.id):
            async with self.seating:
                await self._rename_in(entry.setting.id, user, name)

    async def _rename_in(self, table_id: str, user: User, name: str) -> None:
        entry = self.table_store.entry(table_id)
        if entry is None or entry.standing not in ("open", "live"):
            return
        old = entry.setting.sitters
        new = [replace(at, name=name) if (at.user, at.name) == (user.id, user.name) else at for at in old]
        if new != old:
            await self._call(replace(entry.setting, sitters=new))

    async def _call(self, setting: TableSetup) -> None:
        """Let the people at a table be known by other names."""
        await self.table_store.reseat(setting)
        table = self._tables.get(setting.id)
        if table is None:
            self._tell_changed(setting)
            return
        self._rename_at(table, setting)

    def _rename_at(self, table: Table, setting: TableSetup) -> None:
        table.call(setting)
        for session in table.sessions:
            session.tell(0)

    # tables

    async def remove(self, table_id: str) -> None:
        """Remove a table, whether it can be read or not; `seating` is held meanwhile."""
        table = self._tables.pop(table_id, None)
        await self.table_store.remove_table(table_id)
        presence = self._presences.get(table_id)
        for page in [*(presence.pages if presence else ()), *(table.sessions if table else ())]:
            page.close()

    async def close(self) -> None:
        """Let no bot think any longer, and remember who was here."""
        await self.remember()
        await self.bot_driver.close()

    def _welcome(self, table: Table) -> Table:
        self._tables[table.setting.id] = table
        self._ready.append(table)
        table.changed = self._changed
        table.advise = self.bot_driver.hint
        table.presence = self.presence(table.setting)
        return table

    def _changed(self, table: Table, since: int) -> None:
        for session in table.sessions:
            session.tell(since)
        self.presence(table.setting).tell_people()
        self._tell_awaited(table)
        self.bot_driver.drive(table)

    async def _play_for_bot(self, table: Table, seat: int, line: str, event: int) -> None:
        await table.play(seat, line, event, by_bot=True)
