"""Store many tables quickly: copies of one, with its events and the people there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from omnibus.server.store.copying import copied_tables
from omnibus.server.store.database import Database, Transaction

PARTS = {"tables": "id", "sitting": "table_id", "events": "table_id"}
"""Where a table is stored, and in which column its id is."""
AT_ONCE = 1000

Rows = dict[str, tuple[list[str], list[list[Any]]]]


async def store_copies(
    database: Database, table: str, number: int, progress: Callable[[int], None] = lambda done: None
) -> None:
    """Store so many copies of a table."""
    columns = copied_tables()
    rows: Rows = {}
    for part, key in PARTS.items():
        query = f"SELECT {', '.join(columns[part])} FROM {part} WHERE {key} = ?"
        rows[part] = columns[part], [list(row) for row in await database.read(query, table)]
    for first in range(0, number, AT_ONCE):
        names = [f"{table}-{each}" for each in range(first, min(first + AT_ONCE, number))]
        await database.write(partial(_insert, rows=rows, names=names))
        progress(first + len(names))


async def _insert(transaction: Transaction, *, rows: Rows, names: list[str]) -> None:
    for part, key in PARTS.items():
        columns, originals = rows[part]
        at = columns.index(key)
        add = f"INSERT INTO {part} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        copies = [[*row[:at], name, *row[at + 1 :]] for name in names for row in originals]
        await transaction.execute_many(add, copies)
