"""The queues of quick pairing: tables that were opened for a wish are listed one after the other."""

from __future__ import annotations

import time

from omnibus.server.store.database import Database, Transaction


class PairingStore:
    """Counts the tables that quick pairing has listed, for each wish."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def last(self, wish: str) -> int:
        """Return how many tables have been listed for a wish so far."""
        rows = await self.database.read("SELECT last FROM pairing_queues WHERE wish = ?", wish)
        return int(rows[0][0]) if rows else 0

    async def enter(self, wish: str, seen: int, table: str) -> bool:
        """List a table for a wish; False when another was listed after `seen`, which may be one to join instead.

        So of two people who ask at the same moment, in whichever processes, the second one finds the first.
        """

        async def enter(transaction: Transaction) -> bool:
            add = "INSERT INTO pairing_queues (wish, last) VALUES (?, 0) ON CONFLICT DO NOTHING"
            await transaction.execute(add, wish)
            count = "UPDATE pairing_queues SET last = last + 1 WHERE wish = ? AND last = ?"
            if not await transaction.execute(count, wish, seen):
                return False
            await transaction.execute("UPDATE tables SET listed = 1, updated = ? WHERE id = ?", time.time(), table)
            return True

        return await self.database.write(enter)
