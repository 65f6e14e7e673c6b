"""Plans messages to users who are away when it is their turn: after a while, and never too often."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Coroutine, Iterable
from contextvars import Context
from typing import Any, Final, TypeVar

from msgspec import Struct

from omnibus import games
from omnibus.kernel.i18n import mark
from omnibus.server.notices.message_sender import MessageSender, Notice
from omnibus.server.people.online import OnlineUsers
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import LIVE_PATIENCE
from omnibus.server.store.notices import NoticeRow, NoticeStore
from omnibus.server.store.tables import TableStore
from omnibus.server.tables.table import Table

LOG: Final = logging.getLogger("omnibus.notices")
TAKE_OVER_S: Final = 30.0  # after a message was due, before another process sends it
T = TypeVar("T")

YOUR_TURN: Final = mark("Your turn: {game}")
TURN_TEXT: Final = mark("It is your turn in {game}.")
OTHER_TABLES: Final = mark("Other tables are waiting for you too.")


class Timing(Struct, frozen=True):
    """How long the notifier waits, in seconds."""

    wait: float = 60.0
    """Before the message: the user may be back in a moment."""
    wait_live: float = 15.0
    """The same in live games."""
    rest: float = 600.0
    """Between two messages to the same user."""
    retry: float = 30.0
    """Before the second attempt when the first one failed."""


class TurnNotifier:
    """Sends users who are away a message when it is their turn."""

    def __init__(
        self, sender: MessageSender, table_store: TableStore, online: OnlineUsers, timing: Timing | None = None
    ) -> None:
        self.sender = sender
        self._table_store = table_store
        self._online = online
        self._timing = timing or Timing()
        self._waiting: dict[str, dict[str, int]] = {}
        self._notified: dict[str, dict[str, int]] = {}
        self._last: dict[str, float] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._notices = NoticeStore(table_store.database)
        self._writes: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()  # one after the other: what is planned last is what is stored

    async def resume(self) -> None:
        """Plan again what was planned before a restart; those with a page open have time to come back first."""
        self._take_in(await self._notices.all())
        for user in self._waiting:
            self._set_timer(user, max(self._now() + self._timing.wait, self._earliest(user)))

    def _take_in(self, rows: Iterable[NoticeRow]) -> None:
        """Take in what is stored."""
        now, ago = self._now(), self._now() - time.time()
        for row in rows:
            if row.sent is None:
                self._waiting.setdefault(row.user, {})[row.table] = row.event
            else:
                self._notified.setdefault(row.user, {})[row.table] = row.event
                if self._waiting.get(row.user, {}).get(row.table, math.inf) <= row.event:
                    del self._waiting[row.user][row.table]  # another process has sent it
                if row.sent + ago > now - self._timing.rest:
                    self._last[row.user] = min(now, max(row.sent + ago, self._last.get(row.user, -math.inf)))

    async def take_over(self) -> None:
        """Send what another process has planned and not sent in time."""
        for user in await self._notices.overdue(time.time() - TAKE_OVER_S):
            if user not in self._timers:
                self._set_timer(user, self._now())

    async def notify_later(self, user: str, table: Table) -> None:
        """Send a user a message after a while, because a table waits for them, unless they come before."""
        id_, event = table.setup.id, table.event
        known = event <= self._notified.get(user, {}).get(id_, -1)
        if known or not await self.sender.ways(user):
            return
        self._waiting.setdefault(user, {})[id_] = event
        live = table.setup.patience <= LIVE_PATIENCE
        due = max(self._now() + (self._timing.wait_live if live else self._timing.wait), self._earliest(user))
        self._store(self._notices.plan(user, id_, event, time.time() + due - self._now()))
        timer = self._timers.get(user)
        if timer is None or timer.when() > due:
            self._set_timer(user, due)

    async def announce(self, user: str, table: str, game: str, title: str, text: str, /, **values: str) -> None:
        """Send a user who is away a message about a table at once; `title` and `text` are messages to translate.

        If the table waits for them, they get the message about that and no other.
        """
        ways = await self.sender.ways(user)
        if not ways or table in self._waiting.get(user, {}) or await self._online.is_online(user):
            return
        told = await self.sender.words_of(user)
        title, text = (told.gettext(each).format(**values) for each in (title, text))
        notice = Notice(title, text, self.sender.link(f"/tables/{table}"), game)
        for way in ways:
            self._keep(asyncio.create_task(self.sender.deliver(user, way, notice)))

    def due(self, user: str) -> float | None:
        """Return when the next message to a user is sent, as a time of the event loop; None when none is planned."""
        return self._timers[user].when() if user in self._timers else None

    @property
    def sending(self) -> bool:
        """Whether messages are being sent."""
        return bool(self._tasks)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _earliest(self, user: str) -> float:
        """Return when a user may be sent the next message."""
        return self._last[user] + self._timing.rest if user in self._last else 0

    def _set_timer(self, user: str, due: float) -> None:
        """Notify a user later, in an empty context: the caller's rate limits must not count what is sent then."""
        if user in self._timers:
            self._timers[user].cancel()
        self._timers[user] = asyncio.get_running_loop().call_at(due, self._notify, user, context=Context())

    def _notify(self, user: str) -> None:
        """Notify a user now, without waiting for it."""
        self._keep(asyncio.create_task(self.notify(user)))

    def _keep(self, task: asyncio.Task[Any]) -> None:
        """Keep a task until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def notify(self, user: str) -> None:
        """Send a user the message that is planned, if tables still wait for them and they have no page open."""
        self._timers.pop(user).cancel()
        if self._notices.database.shared:
            self._take_in(await self._notices.of(user))
            if not self._waiting.get(user):
                return
            if self._earliest(user) > self._now():
                self._set_timer(user, self._earliest(user))  # another process has sent something meanwhile
                return
        waiting = self._waiting.pop(user, {})
        awaited = await self._table_store.awaited(user)
        new = [table for table in awaited if table in waiting]
        if not new or await self._online.is_online(user):
            self._store(self._notices.cancel(user))
            return
        now = self._now()
        self._last = {other: at for other, at in self._last.items() if now - at < self._timing.rest} | {user: now}
        known = self._notified.get(user, {}) | waiting
        self._notified[user] = {table: known[table] for table in awaited if table in known}
        self._keep(asyncio.create_task(self._send_all(user, new[0])))

    def _store(self, write: Coroutine[Any, Any, None]) -> None:
        """Store something without waiting for it."""
        task = asyncio.create_task(self._stored(write))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)

    async def _stored(self, write: Coroutine[Any, Any, T]) -> T | None:
        """Store something that is not worth failing for: without it a restart loses or repeats a message."""
        try:
            async with self._writing:
                return await write
        except StoreError as error:
            LOG.warning("not kept", extra={"why": str(error)})
            return None
        finally:
            write.close()  # if this was cancelled before its turn came

    async def _send_all(self, user: str, table: str) -> None:
        """Tell a user that a table waits, in every way; stored first, so that it is never done twice."""
        if await self._stored(self._notices.mark_sent(user, self._notified[user])) is False:
            return
        ways = await self.sender.ways(user)
        await asyncio.gather(*(self._send(way, user, table) for way in ways))

    async def _send(self, way: str, user: str, table: str) -> None:
        """Tell a user one way that a table waits; try once more if that fails and the table still waits."""
        delivery = await self.sender.deliver(user, way, await self._turn_notice(user, table))
        if delivery.error:
            await asyncio.sleep(self._timing.retry)
            if table in await self._table_store.awaited(user) and not await self._online.is_online(user):
                await self.sender.deliver(user, way, await self._turn_notice(user, table))

    async def _turn_notice(self, user: str, table: str) -> Notice:
        """Write the message that a table waits for a user, and whether others do too."""
        translated = await self.sender.words_of(user)
        entry = await self._table_store.entry(table)
        game = games.find(entry.setup.game).title if entry else ""
        others = len(await self._table_store.awaited(user)) > 1
        text = translated.gettext(TURN_TEXT).format(game=game)
        if others:
            text += " " + translated.gettext(OTHER_TABLES)
        return Notice(translated.gettext(YOUR_TURN).format(game=game), text, self.sender.link(f"/tables/{table}"), game)

    async def close(self) -> None:
        """Cancel what has not been sent yet; it is stored, and planned again when the server is back."""
        for timer in self._timers.values():
            timer.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._writes, return_exceptions=True)
        self.sender.close()
