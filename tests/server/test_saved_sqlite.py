"""The database that something else saves: a transaction has happened when it has been saved, and not before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from omnibus.server.store.database import Transaction
from omnibus.server.store.errors import Conflict, StoreError
from omnibus.server.store.saved_sqlite import SavedSqliteDatabase
from omnibus.server.store.sqlite import SqliteDatabase

ADD = "INSERT INTO schema_test VALUES (?)"


class Disk:
    """Keeps a copy of one file; it can be full, and slow."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.copies = [b""]
        self.full = False
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def save(self) -> None:
        now = self.file.read_bytes()
        await self.may_go_on.wait()
        if self.full:
            raise OSError("no space left")
        self.copies.append(now)

    def restore(self) -> None:
        self.file.write_bytes(self.copies[-1])


@pytest.fixture
async def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path / "omnibus.db")


@pytest.fixture
async def database(disk: Disk) -> SavedSqliteDatabase:
    opened = SavedSqliteDatabase(disk.file, disk)
    await opened.execute("CREATE TABLE schema_test (number INTEGER PRIMARY KEY)")
    return opened


async def numbers(database: SqliteDatabase) -> list[int]:
    return [row[0] for row in await database.read("SELECT number FROM schema_test ORDER BY number")]


async def test_what_was_acknowledged_is_in_the_copy(database: SavedSqliteDatabase, disk: Disk, tmp_path: Path) -> None:
    await database.execute(ADD, 1)
    await database.aclose()
    copy = tmp_path / "copy.db"
    copy.write_bytes(disk.copies[-1])
    again = SavedSqliteDatabase(copy, Disk(copy))
    assert await numbers(again) == [1]
    again.close()


async def test_nothing_is_acknowledged_before_it_is_saved(database: SavedSqliteDatabase, disk: Disk) -> None:
    """Writes that arrive meanwhile are saved together afterwards."""
    before = len(disk.copies)
    disk.may_go_on.clear()
    writes = [asyncio.create_task(database.execute(ADD, number)) for number in range(3)]
    done, _ = await asyncio.wait(writes, timeout=0.05)
    assert not done
    more = asyncio.create_task(database.execute(ADD, 3))
    disk.may_go_on.set()
    assert await asyncio.gather(*writes, more) == [1, 1, 1, 1]
    assert len(disk.copies) == before + 2
    await database.aclose()


async def test_what_cannot_be_saved_has_not_happened(database: SavedSqliteDatabase, disk: Disk) -> None:
    """And when there is space again, everything goes on."""
    await database.execute(ADD, 1)
    disk.full = True
    with pytest.raises(StoreError, match="no space left"):
        await database.execute(ADD, 2)
    assert await numbers(database) == [1]
    assert "no space left" in database.trouble
    disk.full = False
    await database.execute(ADD, 2)
    assert (await numbers(database), database.trouble) == ([1, 2], "")
    await database.aclose()


async def test_one_that_fails_does_not_affect_the_others(database: SavedSqliteDatabase) -> None:
    async def add_two(transaction: Transaction) -> None:
        await transaction.execute(ADD, 7)
        await transaction.execute(ADD, 1)

    results = await asyncio.gather(
        database.execute(ADD, 1), database.write(add_two), database.execute(ADD, 2), return_exceptions=True
    )
    assert [type(result) for result in results] == [int, Conflict, int]
    assert await numbers(database) == [1, 2]
    await database.aclose()
