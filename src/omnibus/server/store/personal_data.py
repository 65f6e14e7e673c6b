"""What the database holds about one user, found by the columns that name users: new tables are not forgotten."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, Final

from omnibus.server.store.copying import copied_tables, primary_keys
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
ROWS: Final = 100  # read at once
FEW_ROWS: Final = {"records": 1, "boards": 1}  # where a row may have a whole record, of 256 kB

Row = dict[str, Any]


@cache
def _named() -> dict[str, tuple[list[str], str]]:
    """Return the tables with rows about users: the columns to export, and the condition that finds the rows."""
    found = {}
    for table, columns in copied_tables().items():
        naming = next((column for column in NAMING if column in columns), None)
        condition = CONDITIONS.get(table) or (f"{naming} = ?" if naming else None)
        if condition:
            found[table] = ([column for column in columns if column not in SECRET], condition)
    return found


class PersonalData:
    """Reads all rows about a user."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def pages(self, user: str) -> AsyncIterator[tuple[str, list[Row]]]:
        """Return the rows about a user table by table, some at a time, as there may be any number of them.

        Each is a document, in which other people's ids are replaced by their names.
        """
        keys = primary_keys()
        for table, (columns, condition) in _named().items():
            key = ", ".join(keys[table])
            query = f"SELECT {', '.join(columns)}, {key} FROM {table} WHERE {condition}"
            after = f"{query} AND ({key}) > ({', '.join('?' * len(keys[table]))})"
            order = f" ORDER BY {key} LIMIT {FEW_ROWS.get(table, ROWS)}"
            last: tuple[Any, ...] = ()
            while rows := await self.database.read((after if last else query) + order, user, *last):
                last = tuple(rows[-1][len(columns) :])
                yield table, await self._named([dict(zip(columns, row, strict=False)) for row in rows], user)

    async def _named(self, rows: list[Row], user: str) -> list[Row]:
        names = await self._names(rows, user)
        return [
            {key: names.get(value, value) if isinstance(value, str) else value for key, value in row.items()}
            for row in rows
        ]

    async def _names(self, rows: list[Row], user: str) -> dict[str, str]:
        """Return the names of the other users whose ids appear."""
        values = {value for row in rows for value in row.values() if isinstance(value, str)}
        ids = sorted(value for value in values if len(value) == ID_LENGTH and value != user)
        query = "SELECT id, name FROM users WHERE id IN (SELECT value FROM json_each(?))"
        return dict(await self.database.read(query, json.dumps(ids)))
