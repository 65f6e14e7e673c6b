"""Names that people have claimed: each belongs to one user."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.errors import Conflict


class Claim(Struct, frozen=True):
    """A claimed name."""

    user: str
    name: str
    former: str
    """The name before the last change; empty: there was none."""
    changed: float
    """When it was claimed, or last changed."""


class ClaimStore:
    """Stores claimed names, by what names are compared by."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def claim(self, user: str, name: str, folded: str) -> bool:
        """Claim a name for a user, in place of an earlier one; False when somebody else has it."""

        async def claim(transaction: Transaction) -> bool:
            rows = await transaction.read("SELECT user FROM claims WHERE folded = ?", folded)
            if rows and rows[0][0] != user:
                return False
            before = await transaction.read("SELECT name FROM claims WHERE user = ?", user)
            if not before:
                add = "INSERT INTO claims (user, folded, name, former, changed) VALUES (?, ?, ?, '', ?)"
                await transaction.execute(add, user, folded, name, time.time())
            elif before[0][0] != name:
                change = "UPDATE claims SET folded = ?, name = ?, former = ?, changed = ? WHERE user = ?"
                await transaction.execute(change, folded, name, before[0][0], time.time(), user)
            return True

        try:
            return await self.database.write(claim)
        except Conflict:  # another process was quicker: now its name is there to be read
            return await self.database.write(claim)

    async def of(self, user: str) -> Claim | None:
        """Return the name a user has claimed."""
        return await self._found("user", user)

    async def find(self, folded: str) -> Claim | None:
        """Return the claim of a name."""
        return await self._found("folded", folded)

    async def is_removed(self, folded: str) -> bool:
        """Tell whether the host has removed a name, so that nobody can take it."""
        return bool(await self.database.read("SELECT 1 FROM removed_names WHERE folded = ?", folded))

    async def names(self, users: Sequence[str]) -> dict[str, str]:
        """Return the claimed names of users, by user."""
        query = "SELECT user, name FROM claims WHERE user IN (SELECT value FROM json_each(?))"
        return dict(await self.database.read(query, json.dumps(list(users))))

    async def _found(self, column: str, value: str) -> Claim | None:
        query = f"SELECT user, name, former, changed FROM claims WHERE {column} = ?"
        rows = await self.database.read(query, value)
        return Claim(*rows[0]) if rows else None
