"""Counters that several processes share: of rate limits, and of requests that store nothing else."""

from __future__ import annotations

import hashlib
import time
from typing import Final

from omnibus.server.store.database import Database
from omnibus.server.store.models import DAY

_COUNT: Final = """
    INSERT INTO counters (name, number, until) VALUES (?1, ?2, ?3)
    ON CONFLICT (name) DO UPDATE SET
        number = CASE WHEN counters.until > ?4 THEN counters.number + excluded.number ELSE excluded.number END,
        until = CASE WHEN counters.until > ?4 THEN counters.until ELSE excluded.until END
    RETURNING number, until
"""


class CounterStore:
    """Counts in the database. Of names only hashes are stored: they may hold addresses."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def count(self, name: str, number: int, seconds: float) -> tuple[int, float]:
        """Add to a counter, which begins again after some seconds; return the total, and for how long it counts."""
        now = time.time()
        values = (hashlib.sha256(name.encode()).hexdigest(), number, now + seconds, now)
        ((total, until),) = await self.database.write(lambda transaction: transaction.read(_COUNT, *values))
        return total, until - now

    async def first_time(self, request: str) -> bool:
        """Tell whether a request that stores nothing else is new; it is remembered for a day."""
        query = "INSERT INTO handled_requests (name, at) VALUES (?, ?) ON CONFLICT DO NOTHING"
        return await self.database.execute(query, request, time.time()) > 0

    async def sweep(self) -> None:
        """Remove what is over."""
        now = time.time()
        await self.database.execute("DELETE FROM counters WHERE until <= ?", now)
        await self.database.execute("DELETE FROM handled_requests WHERE at <= ?", now - DAY)
