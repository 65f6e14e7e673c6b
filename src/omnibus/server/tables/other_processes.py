"""Follows what other server processes on the same database do at the tables of this one.

Hints say where to look; whoever misses one finds out by looking everywhere now and then. Everything is read from the
database, so hints may come late, twice, in any order or not at all.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec.structs import replace

from omnibus.server.errors import TableNotFound
from omnibus.server.store.database import AWAITED, CHAT, EVENTS, PEOPLE, PROGRAMS, REVOKED, SEATS
from omnibus.server.store.errors import StoreError
from omnibus.server.store.presences import PresenceStore
from omnibus.server.tables import chat
from omnibus.server.tables.bot_driver import TAKE_OVER_S
from omnibus.server.tables.periodic import rate_missing, resume_clocks
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.shared_presence import ANALYSES, USERS, SharedPresence

LOG: Final = logging.getLogger("omnibus.processes")
POLL_S: Final = 10.0
AT_ONCE: Final = 4  # of the connections to the database; hints may come in by the hundred

RECENT_S: Final = 60.0  # how far back to look for games that processes have not rated, which may have died
OVERDUE_S: Final = 600.0  # and for bots they have not asked; what is older was looked at before, or pauses

TakeOver = Callable[[], Awaitable[None]]
"""Does what another process has planned and not done in time."""


async def join_others(registry: TableRegistry, take_over: TakeOver) -> list[asyncio.Task[None]]:
    """Begin to share a database with other processes; return the tasks that do."""
    shared = SharedPresence(PresenceStore(registry.database), partial(_connections_at, registry))
    await shared.beat()
    registry.shared_presence = registry.online.shared_presence = registry.analyses.shared_presence = shared
    return [asyncio.create_task(shared.run()), asyncio.create_task(OtherProcesses(registry, take_over).run())]


def _connections_at(registry: TableRegistry, place: str) -> Mapping[str, int]:
    """Return how many connections users have to this process: at a table, or in all; or whose analysis it makes."""
    if place.startswith(USERS):
        user = place.removeprefix(USERS)
        number = registry.online.connections(user)
        return {user: number} if number else {}
    if place.startswith(ANALYSES):
        return registry.analyses.users_at(place)
    presence = registry.live.presence_of(place)
    return presence.counts() if presence else {}


class OtherProcesses:
    """Reads on wherever another process has changed something."""

    def __init__(self, registry: TableRegistry, take_over: TakeOver) -> None:
        self._registry = registry
        self._take_over = take_over
        self._heard: dict[str, None] = {}
        self._missed = False
        self._wake = asyncio.Event()
        registry.database.listen(self._hear)

    def _hear(self, subjects: Iterable[str]) -> None:
        heard = dict.fromkeys(subjects)
        self._missed = self._missed or not heard
        self._heard |= heard
        self._wake.set()

    async def run(self) -> None:
        """Look where others have changed something, and everywhere now and then."""
        looked = time.monotonic()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):  # `wait_for` may lose a cancellation
                    await self._wake.wait()
            self._wake.clear()
            heard, self._heard = self._heard, {}
            missed, self._missed = self._missed, False
            try:
                await self.look_at_all(heard)
                if missed or time.monotonic() - looked >= POLL_S:
                    looked = time.monotonic()
                    await self.look_everywhere(missed=missed)
            except StoreError as error:
                LOG.warning("not read: %s", error)
                self._missed = True
            except Exception:
                LOG.exception("not followed")  # the next look may do better
                self._missed = True

    async def look_at_all(self, subjects: Collection[str]) -> None:
        """Look where others have changed something; a few at once, so that connections are left for everybody else."""
        people = [subject.removeprefix(PEOPLE) for subject in subjects if subject.startswith(PEOPLE)]
        others = (subject for subject in subjects if not subject.startswith(PEOPLE))

        async def look_on() -> None:
            for subject in others:
                await self._look(subject)

        await asyncio.gather(self._look_at_people(people), *(look_on() for _ in range(AT_ONCE - 1)))

    async def _look(self, subject: str) -> None:
        kind, _, id_ = subject.partition(":")
        kind += ":"
        if kind == EVENTS:
            await self._read_on(id_)
        elif kind == CHAT:
            presence = self._registry.live.presence_of(id_)
            if presence is not None and presence.connections:
                await chat.catch_up(self._registry, presence)
        elif kind == SEATS:
            table, _, sent_away = id_.partition(":")
            await self._look_at_seats(table, sent_away or None)
        elif kind == AWAITED:
            await self._registry.online.tell_here(id_)
        elif kind == REVOKED:
            self._registry.interrupt_here(id_)
        elif kind == PROGRAMS:
            table, _, seat = id_.partition(":")
            self._registry.live.interrupt_seat(table, int(seat))

    async def _read_on(self, table_id: str) -> None:
        """Read on at a table in memory: at once if somebody looks at it, else when somebody asks for it."""
        table = self._registry.live.at_hand(table_id)
        if table is None:
            return
        if table.broken:
            await table.settled()  # it may be loading itself again, and have read too early for this
        connections = self._registry.live.presence_at(table).connections
        if table.broken:
            for connection in list(connections):
                connection.refresh(0)  # which closes it: reconnecting finds a new copy
        elif connections:
            with suppress(TableNotFound):
                await self._registry.read_on(table)
        else:
            self._registry.bot_driver.leave(table)

    async def _look_at_seats(self, table_id: str, sent_away: str | None = None) -> None:
        """Show who sits at a table now, that its game has started, or that it has been deleted."""
        registry = self._registry
        presence, table = registry.live.presence_of(table_id), registry.live.at_hand(table_id)
        if presence is None and table is None:
            return
        entry = await registry.table_store.entry(table_id)
        if entry is None:
            registry.forget(table_id)
            return
        if table is not None:
            await table.look_for_rematch()
            registry.show_names(table, replace(table.setup, sitters=entry.setup.sitters))
        elif presence is not None:
            presence.owners = [sitter.user for sitter in entry.setup.sitters]
        if presence is not None:
            registry.publisher.publish_setup(presence, sent_away)

    async def _look_at_people(self, tables: Iterable[str]) -> None:
        """Show who is at tables in other processes."""
        known = {id_: presence for id_ in tables if (presence := self._registry.live.presence_of(id_)) is not None}
        if known and self._registry.shared_presence is not None:
            elsewhere = await self._registry.shared_presence.elsewhere(known)
            for id_, presence in known.items():
                presence.see_elsewhere(elsewhere.get(id_, {}))

    async def look_everywhere(self, *, missed: bool) -> None:
        """Read on at all tables at which somebody is; if hints were missed, also tell users which tables wait.

        Then do what other processes had to do and have not done in time. What fails does not keep the rest waiting.
        """
        registry, now = self._registry, time.time()
        watched = registry.live.watched()
        looks: list[Callable[[], Awaitable[object]]] = [
            partial(self._look_at_events, watched),
            partial(self._look_at_chat, watched),
            partial(self._look_at_people, watched),
            partial(self._look_at_waiting, watched),
            partial(self._look_at_tokens, watched),
            *([self._tell_users] if missed else []),
            self._look_at_bots,
            self._take_over,
            partial(resume_clocks, registry),
            partial(rate_missing, registry, now - RECENT_S, now - POLL_S),
        ]
        for look in looks:
            try:
                await look()
            except StoreError:
                raise
            except Exception:
                LOG.exception("not followed")

    async def _look_at_events(self, watched: Mapping[str, Presence]) -> None:
        for id_, number in (await self._registry.table_store.last_events(watched)).items():
            table = self._registry.live.at_hand(id_)
            if table is not None and number > table.event:
                await self._read_on(id_)

    async def _look_at_chat(self, watched: Mapping[str, Presence]) -> None:
        for id_, number in (await self._registry.table_store.last_said(watched)).items():
            if number > watched[id_].said:
                await chat.catch_up(self._registry, watched[id_])

    async def _look_at_tokens(self, watched: Mapping[str, Presence]) -> None:
        """Close connections whose tokens have been revoked."""
        at_tables = {connection for presence in watched.values() for connection in presence.connections}
        connections = [each for each in at_tables.union(self._registry.online.all_connections()) if each.token]
        if connections:
            valid = await self._registry.user_store.valid_tokens({each.token for each in connections})
            for connection in connections:
                if connection.token not in valid:
                    connection.close()

    async def _tell_users(self) -> None:
        for user in self._registry.online.users():
            await self._registry.online.tell_here(user)

    async def _look_at_bots(self) -> None:
        """Have those bots asked that another process should have asked by now."""
        now = time.time()
        due = await self._registry.table_store.bots_due(now - TAKE_OVER_S, since=now - OVERDUE_S)
        self._registry.bot_driver.postpone(due)

    async def _look_at_waiting(self, watched: Mapping[str, Presence]) -> None:
        """Show whoever waits at a table for the game to start what has changed there."""
        for id_, presence in watched.items():
            if self._registry.live.at_hand(id_) is None:
                entry = await self._registry.table_store.entry(id_)
                owners = [sitter.user for sitter in entry.setup.sitters] if entry else None
                if entry is None or entry.standing != "open" or owners != presence.owners:
                    await self._look_at_seats(id_)
