"""Friends: whoever wants somebody as a friend has a row, and two who want each other are friends."""

from __future__ import annotations

import time

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction


class FriendRow(Struct, frozen=True):
    """Somebody on the list of a user."""

    user: str
    name: str
    wanted: bool
    """Whether the user wants them as a friend."""
    wants: bool
    """Whether they want the user as a friend."""


_LISTED = """
    SELECT users.id, users.name, min(wanted), min(wants) FROM (
        SELECT friend AS other, 0 AS wanted, 1 AS wants FROM friends WHERE user_id = ?1
        UNION ALL SELECT user_id AS other, 1 AS wanted, 0 AS wants FROM friends WHERE friend = ?1
    ) AS listed JOIN users ON users.id = other GROUP BY users.id, users.name
"""


class FriendStore:
    """Stores who wants whom as a friend."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, user: str, friend: str, most: int) -> bool:
        """Store that a user wants a friend; False when there are too many already."""

        async def add(transaction: Transaction) -> bool:
            ((number,),) = await transaction.read("SELECT count(*) FROM friends WHERE user_id = ?", user)
            if number >= most:
                return False
            query = "INSERT INTO friends (user_id, friend, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            await transaction.execute(query, user, friend, time.time())
            return True

        return await self.database.write(add)

    async def remove(self, user: str, other: str) -> None:
        """Remove a friendship, or a request of either of two users."""
        query = "DELETE FROM friends WHERE (user_id = ?1 AND friend = ?2) OR (user_id = ?2 AND friend = ?1)"
        await self.database.execute(query, user, other)

    async def listed(self, user: str) -> list[FriendRow]:
        """Return everybody a user wants as a friend, or who wants the user, by name."""
        found = [
            FriendRow(id_, name, wanted=not unwanted, wants=not unwants)
            for id_, name, unwanted, unwants in await self.database.read(_LISTED, user)
        ]
        return sorted(found, key=lambda row: (row.name.casefold(), row.user))

    async def are_friends(self, user: str, other: str) -> bool:
        """Tell whether two users want each other as friends."""
        query = "SELECT count(*) FROM friends WHERE (user_id = ?1 AND friend = ?2) OR (user_id = ?2 AND friend = ?1)"
        return bool((await self.database.read(query, user, other))[0][0] == 2)
