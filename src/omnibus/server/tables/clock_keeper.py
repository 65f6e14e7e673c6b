"""Lets a bot take over where somebody's time is over, and confirms the server's clock while clocks of players run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from typing import Final

from omnibus.server.store.errors import StoreError
from omnibus.server.store.server_clock import CONFIRM_S
from omnibus.server.store.tables import TableStore
from omnibus.server.tables.table import Table
from omnibus.server.tables.table_clock import due_times

LOG: Final = logging.getLogger("omnibus.clocks")
SOON_S: Final = 0.01  # after a timer that was early
AGAIN_S: Final = 5.0  # after an error of the database
LATER_S: Final = 2.0  # how much later a process acts that has not stored the last event of a table: another one will
AHEAD_S: Final = 300.0  # a clock that has more time than this has no timer yet; it costs nothing until then


class ClockKeeper:
    """One timer for each table at which the time may be over soon; the table itself need not stay in memory.

    Every process on a database has these timers, so that any of them may die. The first to store that the time is over
    lets the bot take over, as with moves.
    """

    def __init__(
        self, table_store: TableStore, time_out: Callable[[str], Awaitable[None]], show: Callable[[], None]
    ) -> None:
        self._table_store = table_store
        self._time_out = time_out
        self._show = show  # all clocks, which have stood still
        self._stops = 0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._confirming: asyncio.Task[None] | None = None

    @property
    def watched(self) -> set[str]:
        """The tables that have a timer."""
        return set(self._timers)

    def watch(self, table: Table, later: float = 0.0) -> None:
        """Set the timer of a table that was loaded or has changed; without a running clock it has none.

        It fires so many seconds `later` than the time is over.
        """
        self.forget(table.setup.id)
        due = table.clock.due if table.clock is not None and not table.broken else None
        if due is not None:
            self.resume({table.setup.id: due}, later)

    def resume(self, due: Mapping[str, float], later: float = 0.0) -> None:
        """Set the timers of tables that have none, given in how many seconds the time is over, if that is soon."""
        self._keep_confirming()
        for table_id, seconds in due.items():
            if table_id not in self._timers and seconds <= AHEAD_S:
                self._set(table_id, max(seconds, SOON_S) + later)

    async def look_ahead(self, later: float = 0.0) -> None:
        """Set the timers of all tables at which the time may be over soon, whoever has last changed them."""
        now = self._table_store.server_clock.now
        near = await self._table_store.clocks_due(now + AHEAD_S)
        unwatched = {table_id: stored for table_id, stored in near.items() if table_id not in self._timers}
        due = await due_times(self._table_store, list(unwatched))
        await self._table_store.postpone_clocks(
            (table_id, stored, now + due[table_id] if table_id in due else None)
            for table_id, stored in unwatched.items()
            if due.get(table_id, inf) > AHEAD_S
        )
        self.resume(due, later)

    def forget(self, table_id: str) -> None:
        """Remove the timer of a table."""
        timer = self._timers.pop(table_id, None)
        if timer is not None:
            timer.cancel()

    def _set(self, table_id: str, seconds: float) -> None:
        self._timers[table_id] = asyncio.get_running_loop().call_later(seconds, self._fire, table_id)

    def _keep_confirming(self) -> None:
        if self._confirming is None or self._confirming.done():
            self._stops = self._table_store.server_clock.stops
            self._confirming = asyncio.create_task(self._confirm())

    def _fire(self, table_id: str) -> None:
        self._timers.pop(table_id, None)
        task = asyncio.create_task(self._end(table_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _end(self, table_id: str) -> None:
        try:
            await self._time_out(table_id)
        except StoreError:
            LOG.warning("the end of a player's time could not be stored", extra={"table": table_id})
            self._set(table_id, AGAIN_S)

    async def _confirm(self) -> None:
        """Confirm the server's clock every few seconds, as long as some clock runs."""
        server_clock = self._table_store.server_clock
        while True:
            try:
                if not await self._table_store.any_clock_runs():
                    return
                await server_clock.confirm()
                if self._stops != server_clock.stops:
                    self._stops = server_clock.stops
                    self._show()
            except StoreError:
                LOG.warning("nothing can be stored, so the clocks of players stand still")
            await asyncio.sleep(CONFIRM_S)

    async def close(self) -> None:
        """Stop all timers, and store what the server's clock shows."""
        running = self._confirming is not None and not self._confirming.done()
        for table_id in list(self._timers):
            self.forget(table_id)
        tasks = [*self._tasks, *([self._confirming] if self._confirming else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if running:
            await self._table_store.server_clock.confirm()
