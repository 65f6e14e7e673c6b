"""Invitations of users to tables by their names, and how many requests wait for a user's answer."""

from __future__ import annotations

import time

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction


class InvitationRow(Struct, frozen=True):
    """An invitation to a table with free seats."""

    table: str
    guest: str
    host: str
    at: float


_OPEN = "FROM invitations JOIN tables ON tables.id = invitations.table_id WHERE standing = 'open'"
INBOX = (
    f"(SELECT count(*) {_OPEN} AND guest = ?1) + (SELECT count(*) FROM friends AS asks "
    "WHERE friend = ?1 AND NOT EXISTS (SELECT 1 FROM friends AS own "
    "WHERE own.user_id = ?1 AND own.friend = asks.user_id))"
)
"""How many invitations and friend requests wait for the answer of a user."""


class InvitationStore:
    """Stores who is invited to which table, until they answer or the game starts."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, table: str, guest: str, host: str, most: int) -> bool | None:
        """Store an invitation; True when it is new, False when it was there, None when there are too many."""

        async def add(transaction: Transaction) -> bool | None:
            await transaction.lock(table)
            ((number,),) = await transaction.read("SELECT count(*) FROM invitations WHERE table_id = ?", table)
            known = "SELECT 1 FROM invitations WHERE table_id = ? AND guest = ?"
            if await transaction.read(known, table, guest):
                return False
            if number >= most:
                return None
            query = "INSERT INTO invitations (table_id, guest, host, at) VALUES (?, ?, ?, ?)"
            await transaction.execute(query, table, guest, host, time.time())
            return True

        return await self.database.write(add)

    async def remove(self, table: str, guest: str) -> bool:
        """Remove an invitation; False when there is none."""
        query = "DELETE FROM invitations WHERE table_id = ? AND guest = ?"
        return bool(await self.database.execute(query, table, guest))

    async def exists(self, table: str, guest: str) -> bool:
        """Tell whether a user is invited to a table."""
        query = "SELECT 1 FROM invitations WHERE table_id = ? AND guest = ?"
        return bool(await self.database.read(query, table, guest))

    async def of_guest(self, guest: str) -> list[InvitationRow]:
        """Return the invitations of a user to tables whose games have not started, the latest first."""
        query = f"SELECT table_id, guest, host, at {_OPEN} AND guest = ? ORDER BY at DESC"
        return [InvitationRow(*row) for row in await self.database.read(query, guest)]

    async def of_table(self, table: str) -> list[InvitationRow]:
        """Return who is invited to a table, the earliest first."""
        query = f"SELECT table_id, guest, host, at {_OPEN} AND table_id = ? ORDER BY at"
        return [InvitationRow(*row) for row in await self.database.read(query, table)]

    async def latest(self, guest: str) -> float:
        """Return when a user was last invited anywhere; 0 if never."""
        query = "SELECT coalesce(max(at), 0) FROM invitations WHERE guest = ?"
        return float((await self.database.read(query, guest))[0][0])

    async def waiting(self, user: str) -> int:
        """Count the invitations and friend requests that wait for the answer of a user."""
        return int((await self.database.read(f"SELECT {INBOX}", user))[0][0])
