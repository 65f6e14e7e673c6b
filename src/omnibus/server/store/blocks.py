"""Whom users have blocked."""

from __future__ import annotations

import json
import time
from collections.abc import Collection

from omnibus.server.store.database import Database, Transaction


class BlockStore:
    """Stores who has blocked whom."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def block(self, user: str, other: str) -> None:
        """Block another user; friendship, requests and invitations between the two are gone."""

        async def block(transaction: Transaction) -> None:
            add = "INSERT INTO blocks (user_id, blocked, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            await transaction.execute(add, user, other, time.time())
            for one, two in ((user, other), (other, user)):
                await transaction.execute("DELETE FROM friends WHERE user_id = ? AND friend = ?", one, two)
                await transaction.execute("DELETE FROM invitations WHERE host = ? AND guest = ?", one, two)

        await self.database.write(block)

    async def unblock(self, user: str, other: str) -> None:
        """Undo that a user has blocked another."""
        await self.database.execute("DELETE FROM blocks WHERE user_id = ? AND blocked = ?", user, other)

    async def blocked(self, user: str) -> set[str]:
        """Return whom a user has blocked."""
        return {row[0] for row in await self.database.read("SELECT blocked FROM blocks WHERE user_id = ?", user)}

    async def between(self, people: Collection[str]) -> set[tuple[str, str]]:
        """Return all blocks by or of some people, as pairs: one of these people, and somebody else."""
        if not people:
            return set()
        query = (
            "SELECT blocked, user_id FROM blocks WHERE blocked IN (SELECT value FROM json_each(?1)) "
            "UNION SELECT user_id, blocked FROM blocks WHERE user_id IN (SELECT value FROM json_each(?1))"
        )
        return {(one, other) for one, other in await self.database.read(query, json.dumps(sorted(people)))}
