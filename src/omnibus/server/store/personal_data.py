"""What the database holds about one user, found by the columns that name users: new tables are not forgotten."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from omnibus.server.store.copying import schema
from omnibus.server.store.database import Database

NAMING: Final = ("user", "user_id", "owner", "player", "author", "sender", "guest", "reporter")
"""Columns with the id of a user, of whom the row is about or who has made it."""
SECRET: Final = frozenset({"hash", "seed", "sitters", "players", "device", "p256dh", "auth", "request"})
"""Columns that are left out: hashes of tokens, dice, keys of devices, and lists of other people's ids."""
CONDITIONS: Final = {
    "users": "id = ?",
    "board_nodes": "board_id IN (SELECT id FROM boards WHERE owner = ?)",
    "tables": "id IN (SELECT table_id FROM sitting WHERE user = ?)",
}
"""Where the rows about a user are not found by such a column."""
ID_LENGTH: Final = 16


@cache
def _named() -> dict[str, tuple[list[str], str]]:
    """Return the tables with rows about users: the columns to export, and the condition that finds the rows."""
    found = {}
    for table, columns in schema().items():
        naming = next((column for column in NAMING if column in columns), None)
        condition = CONDITIONS.get(table) or (f"{naming} = ?" if naming else None)
        if condition:
            found[table] = ([column for column in columns if column not in SECRET], condition)
    return found


class PersonalData:
    """Reads all rows about a user."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, user: str) -> dict[str, list[dict[str, Any]]]:
        """Return the rows about a user by table, each as a document; other people's ids are replaced by their names."""
        data: dict[str, list[dict[str, Any]]] = {}
        for table, (columns, condition) in _named().items():
            query = f"SELECT {', '.join(columns)} FROM {table} WHERE {condition}"
            rows = await self.database.read(query, user)
            data[table] = [dict(zip(columns, row, strict=True)) for row in rows]
        names = await self._names(data, user)
        return {
            table: [{key: names.get(value, value) if isinstance(value, str) else value for key, value in row.items()}
                    for row in rows]
            for table, rows in data.items()
            if rows
        }  # fmt: skip

    async def _names(self, data: dict[str, list[dict[str, Any]]], user: str) -> dict[str, str]:
        """Return the names of the other users whose ids appear."""
        values = {value for rows in data.values() for row in rows for value in row.values() if isinstance(value, str)}
        ids = sorted(value for value in values if len(value) == ID_LENGTH and value != user)
        query = "SELECT id, name FROM users WHERE id IN (SELECT value FROM json_each(?))"
        return dict(await self.database.read(query, json.dumps(ids)))
