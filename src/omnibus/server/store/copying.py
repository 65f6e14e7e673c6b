"""Copy everything from one database to another: a file into PostgreSQL, PostgreSQL into a file.

The source is read as it is at one moment, while others may keep writing. The copy is made in one transaction, and
compared with the source before it is committed.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from graphlib import TopologicalSorter
from typing import Any, Final

from omnibus.server.store.database import Transaction
from omnibus.server.store.sqlite import migrate_file

Progress = Callable[[int, int], None]
"""Called with how much is done, and how much there is."""

ROWS: Final = 1000  # written at once


def copied_tables() -> dict[str, list[str]]:
    """Return all tables whose rows are copied, each after those it refers to, with their columns."""
    with empty_database() as file:
        query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'installed_schema'"
        names = [name for (name,) in file.execute(query)]
        refers = {name: {row[2] for row in file.execute(f"PRAGMA foreign_key_list({name})")} - {name} for name in names}
        columns = {name: [row[1] for row in file.execute(f"PRAGMA table_info({name})")] for name in names}
    return {name: columns[name] for name in TopologicalSorter(refers).static_order()}


def primary_keys() -> dict[str, list[str]]:
    """Return the columns of the primary key of every table."""
    with empty_database() as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        rows = {name: file.execute(f"PRAGMA table_info({name})").fetchall() for name in names}
    return {name: [row[1] for row in sorted(found, key=lambda row: row[5]) if row[5]] for name, found in rows.items()}


@contextmanager
def empty_database() -> Iterator[sqlite3.Connection]:
    """Open a database in memory with all tables and no rows."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as file:
        migrate_file(file)
        yield file


async def copy(source: Transaction, target: Transaction, progress: Progress) -> dict[str, int]:
    """Copy all rows, compare both, and return how many rows each table has; ValueError when something is wrong."""
    tables = copied_tables()
    counts = {table: await _count(source, table) for table in tables}
    if any([await _count(target, table) for table in tables]):
        raise ValueError("it is not empty")
    done, total = 0, 2 * sum(counts.values())
    for table, columns in tables.items():
        await _copy_table(source, target, table, columns)
        progress(done := done + counts[table], total)
    for table, columns in tables.items():
        if await _digest(source, table, columns) != await _digest(target, table, columns):
            raise ValueError(f"the copy of {table} differs from the original, so nothing was kept")
        progress(done := done + counts[table], total)
    return counts


async def _count(transaction: Transaction, table: str) -> int:
    ((number,),) = await transaction.read(f"SELECT count(*) FROM {table}")
    return int(number)


async def _copy_table(source: Transaction, target: Transaction, table: str, columns: list[str]) -> None:
    insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    waiting: list[list[Any]] = []
    async for row in source.stream(_select(table, columns)):
        waiting.append(list(row))
        if len(waiting) == ROWS:
            await target.execute_many(insert, waiting)
            waiting = []
    await target.execute_many(insert, waiting)


def _select(table: str, columns: list[str]) -> str:
    return f"SELECT {', '.join(columns)} FROM {table}"


async def _digest(transaction: Transaction, table: str, columns: list[str]) -> tuple[int, int]:
    """Return the number of rows, and the sum of their hashes, which does not depend on their order."""
    number = total = 0
    async for row in transaction.stream(_select(table, columns)):
        total += int.from_bytes(hashlib.sha256(repr(list(row)).encode()).digest(), "big")
        number += 1
    return number, total
