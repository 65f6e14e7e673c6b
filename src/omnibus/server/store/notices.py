"""Messages to users whose turn it is: those that are planned, and those that were sent."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping

from msgspec import Struct

from omnibus.server.store.database import Database


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
        query = "INSERT OR REPLACE INTO notices VALUES (?, ?, ?, ?, NULL)"
        await self.database.write(lambda connection: connection.execute(query, (user, table, event, due)))

    async def mark_sent(self, user: str, tables: Mapping[str, int]) -> None:
        """Store which tables a user has been told about, each with its event; everything else is forgotten."""
        now = time.time()
        rows = [(user, table, event, now, now) for table, event in tables.items()]

        def replace(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM notices WHERE user = ?", (user,))
            insert = "INSERT INTO notices SELECT ?1, id, ?3, ?4, ?5 FROM tables WHERE id = ?2"
            connection.executemany(insert, rows)  # a table may have been deleted meanwhile

        await self.database.write(replace)

    async def cancel(self, user: str) -> None:
        """Forget the messages that were planned for a user."""
        query = "DELETE FROM notices WHERE user = ? AND sent IS NULL"
        await self.database.write(lambda connection: connection.execute(query, (user,)))

    def all(self) -> list[NoticeRow]:
        """Return all messages, planned and sent."""
        return [NoticeRow(*row) for row in self.database.read("SELECT user, table_id, event, due, sent FROM notices")]
