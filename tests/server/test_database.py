"""The store: what is committed lasts, and nobody pays for somebody else's mistake."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from omnibus.server.store.database import Transaction
from omnibus.server.store.errors import Conflict
from omnibus.server.store.sqlite import SqliteDatabase, open_database


def insert(number: int) -> str:
    return f"INSERT INTO users (id, name, created, seen) VALUES ('u{number}', '', 0, 0)"


async def test_a_group_survives_its_duplicates(tmp_path: Path) -> None:
    """In one group a duplicate fails alone; everything else is there, also after opening the file again."""
    store = SqliteDatabase(tmp_path / "a.db")
    work = [store.execute(insert(number)) for number in (0, 1, 1, 2, 3, 3, 4)]
    results = await asyncio.gather(*work, return_exceptions=True)
    failed = [number for number, result in enumerate(results) if isinstance(result, Conflict)]
    assert failed == [2, 5]
    store.close()
    again = SqliteDatabase(tmp_path / "a.db")
    assert await again.read("SELECT count(*) FROM users") == [(5,)]
    again.close()


async def test_work_that_fails_is_undone_whole(tmp_path: Path) -> None:
    """Half of a piece of work is never there."""
    store = SqliteDatabase(tmp_path / "a.db")

    async def half(transaction: Transaction) -> None:
        await transaction.execute(insert(1))
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        await store.write(half)
    assert await store.read("SELECT count(*) FROM users") == [(0,)]
    store.close()


async def test_durability_is_asked_for(tmp_path: Path) -> None:
    """The file is in WAL mode, and every commit is on the disk, also when it is opened again."""
    for _ in range(2):
        store = SqliteDatabase(tmp_path / "a.db")
        assert await store.read("PRAGMA journal_mode") == [("wal",)]
        assert await store.read("PRAGMA synchronous") == [(2,)]
        store.close()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """What is no database is refused in a sentence, and so is a folder that cannot be one."""
    (tmp_path / "omnibus.db").write_text("this is a shopping list, not a database\n" * 100)
    with pytest.raises(ValueError, match="cannot be used: file is not a database"):
        open_database(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot be written"):
        open_database(tmp_path / "file" / "folder")
