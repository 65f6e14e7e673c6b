"""The server's clock: how many seconds there have been in which moves could be stored. Players' clocks go by it.

The database holds one number. Every process that serves tables with a clock confirms it every few seconds: it adds
what has passed on a monotonic clock since it last did so. If that was too long ago (a process or a machine that stood
still), or something could not be stored meanwhile, it adds nothing and goes on from what is stored. Of several
processes the one that is ahead counts. The time of day is never asked for, so it does not matter what becomes of it.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.errors import StoreError

CONFIRM_S: Final = 2.0  # how often; whoever is thinking when a server is killed gets as much of it back
LATE_S: Final = 5.0  # without being confirmed for so long, the clock stands still

_ADVANCE: Final = """
    INSERT INTO server_clock (id, seconds) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET seconds =
        CASE WHEN excluded.seconds > server_clock.seconds THEN excluded.seconds ELSE server_clock.seconds END
"""


class ServerClock:
    """The clock as this process knows it: what it last confirmed, and what has passed since."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._confirming = asyncio.Lock()
        self._seconds: float | None = None
        self._since = 0.0
        self.stops = 0
        """How often it has stood still and gone on."""
        self._failures = 0
        self._failures_seen = -1  # it stands still until it is confirmed for the first time

    @property
    def now(self) -> float:
        """What the clock shows; it stands still while nothing can be stored."""
        assert self._seconds is not None, "the clock has not been read"
        return self._at(monotonic())

    async def read(self) -> None:
        """Find out what the clock shows, unless that is known."""
        if self._seconds is None:
            rows = await self._database.read("SELECT seconds FROM server_clock")
            self._seconds = rows[0][0] if rows else 0.0

    async def confirm(self, within: float = 0.0) -> None:
        """Show that something can be stored now, unless that was shown within so many seconds; StoreError if not.

        Nobody may be told that their time is over by a clock that is not confirmed: they might have moved.
        """
        async with self._confirming:
            await self.read()
            began, failures = monotonic(), self._failures
            if self._runs(began) and began - self._since < within:
                return
            shown, stood_still = self._at(began), not self._runs(began)
            try:
                stored = await self._database.write(lambda transaction: _advanced(transaction, shown))
            except StoreError:
                self.fail()
                raise
            # What another process has counted was true at some moment until now; what this one has, when it began.
            self._seconds, self._since = (stored, monotonic()) if stored > shown else (shown, began)
            self._failures_seen = failures
            self.stops += stood_still

    def fail(self) -> None:
        """Note that something could not be stored: what has passed since the clock was confirmed does not count."""
        self._failures += 1

    def _runs(self, moment: float) -> bool:
        return self._failures == self._failures_seen and moment - self._since <= LATE_S

    def _at(self, moment: float) -> float:
        assert self._seconds is not None
        return self._seconds + (moment - self._since if self._runs(moment) else 0.0)


async def _advanced(transaction: Transaction, seconds: float) -> float:
    """Store what the clock shows, unless it shows more already; return what is stored then."""
    await transaction.execute(_ADVANCE, seconds)
    ((stored,),) = await transaction.read("SELECT seconds FROM server_clock")
    return float(stored)
