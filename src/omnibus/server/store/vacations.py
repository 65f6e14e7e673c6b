"""Vacations of users, during which their clocks in correspondence games are paused."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable

from msgspec import Struct

from omnibus.server.store.database import Database


class Vacation(Struct, frozen=True):
    """From when to when a vacation lasts; the end may have been brought forward."""

    starts: float
    ends: float


class VacationStore:
    """Stores vacations: numbered per user, so that of two that begin at once only one is stored."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, user: str) -> list[Vacation]:
        """Return all vacations of a user, the earliest first."""
        query = "SELECT starts, ends FROM vacations WHERE user = ? ORDER BY number"
        return [Vacation(*row) for row in await self.database.read(query, user)]

    async def until(self, users: Iterable[str]) -> dict[str, float]:
        """Return until when each of these users is on vacation, without those who are not."""
        query = "SELECT user, ends FROM vacations WHERE ends > ? AND user IN (SELECT value FROM json_each(?))"
        return dict(await self.database.read(query, time.time(), json.dumps(sorted(users))))

    async def current(self) -> dict[str, float]:
        """Return everybody who is on vacation, and until when."""
        return dict(await self.database.read("SELECT user, ends FROM vacations WHERE ends > ?", time.time()))

    async def begin(self, user: str, number: int, ends: float) -> None:
        """Store that a user's vacation of this number begins now; Conflict when it has begun already."""
        query = "INSERT INTO vacations (user, number, starts, ends) VALUES (?, ?, ?, ?)"
        await self.database.execute(query, user, number, time.time(), ends)

    async def end(self, user: str) -> bool:
        """Store that the vacation of a user ends now; False when there is none."""
        query = "UPDATE vacations SET ends = ?1 WHERE user = ?2 AND ends > ?1"
        return bool(await self.database.execute(query, time.time(), user))

    async def tables(self, user: str) -> list[str]:
        """Return the live tables with a clock at which a user sits."""
        query = (
            "SELECT id FROM tables JOIN sitting ON sitting.table_id = tables.id "
            "WHERE sitting.user = ? AND standing = 'live' AND clock <> ''"
        )
        return [row[0] for row in await self.database.read(query, user)]
