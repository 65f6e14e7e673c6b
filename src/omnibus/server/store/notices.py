"""Messages to users whose turn it is: those that are planned, and those that were sent."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction


class NoticeRow(Struct, frozen=True):
    """That a user gets a message, or got one, because a table waited for them."""

    user: str
    table: str
    event: int
    """The last one when the table began to wait."""
    due: float
    sent: float | None


class NoticeStore:
    """Stores which messages are planned and sent, so that a restart loses none and repeats none."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def plan(self, user: str, table: str, event: int, due: float) -> None:
        """Store that a user is to get a message about a table."""
        query = (
            "INSERT INTO notices (user, table_id, event, due, sent) VALUES (?, ?, ?, ?, NULL) "
            "ON CONFLICT (user, table_id) DO UPDATE SET event = excluded.event, due = excluded.due, sent = NULL "
            "WHERE notices.event < excluded.event"
        )
        await self.database.execute(query, user, table, event, due)

    async def mark_sent(self, user: str, tables: Mapping[str, int]) -> bool:
        """Store which tables a user is told about now, each with its event; everything else is forgotten.

        False when nothing was planned any more: another process was quicker.
        """
        now = time.time()

        async def replace(transaction: Transaction) -> bool:
            planned = await transaction.execute("DELETE FROM notices WHERE user = ? AND sent IS NULL", user)
            if not planned:
                return False
            await transaction.execute("DELETE FROM notices WHERE user = ?", user)
            query = "SELECT id FROM tables WHERE id IN (SELECT value FROM json_each(?))"
            kept = await transaction.read(query, json.dumps(list(tables)))  # others have been deleted meanwhile
            insert = "INSERT INTO notices (user, table_id, event, due, sent) VALUES (?, ?, ?, ?, ?)"
            await transaction.execute_many(insert, [(user, table, tables[table], now, now) for (table,) in kept])
            return True

        return await self.database.write(replace)

    async def cancel(self, user: str) -> None:
        """Forget the messages that were planned for a user."""
        await self.database.execute("DELETE FROM notices WHERE user = ? AND sent IS NULL", user)

    async def all(self) -> list[NoticeRow]:
        """Return all messages, planned and sent."""
        rows = await self.database.read("SELECT user, table_id, event, due, sent FROM notices")
        return [NoticeRow(*row) for row in rows]

    async def of(self, user: str) -> list[NoticeRow]:
        """Return the messages to a user, planned and sent."""
        query = "SELECT user, table_id, event, due, sent FROM notices WHERE user = ?"
        return [NoticeRow(*row) for row in await self.database.read(query, user)]

    async def overdue(self, since: float) -> list[str]:
        """Return the users who should have got a message by a time, but have not."""
        query = "SELECT DISTINCT user FROM notices WHERE sent IS NULL AND due < ?"
        return [user for (user,) in await self.database.read(query, since)]
