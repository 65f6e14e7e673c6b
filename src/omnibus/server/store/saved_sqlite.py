"""The database as one SQLite file that something else saves: in a browser, which has neither threads nor a disk.

Everything happens in the event loop. Writes that arrive while the file is being saved go into the next transaction
together. When `await` returns, the file has been saved; if it cannot be saved, the transaction has not happened.
"""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol, TypeVar

from omnibus.server.store.database import Work
from omnibus.server.store.errors import StoreError
from omnibus.server.store.migrations import SCHEMA
from omnibus.server.store.sqlite import Job, SqliteDatabase, committed, migrate_file, translated

T = TypeVar("T")


class Keeper(Protocol):
    """Saves the folder of a database somewhere."""

    async def save(self) -> None:
        """Save what has changed, all of it or nothing."""

    def restore(self) -> None:
        """Put the files back as they were last saved."""


class SavedSqliteDatabase(SqliteDatabase):
    """A database file that is saved after every transaction."""

    def __init__(self, path: Path, keeper: Keeper) -> None:
        self.path = path
        self.schema = SCHEMA
        self._keeper = keeper
        self._waiting: list[Job] = []
        self._writing: asyncio.Task[None] | None = None
        self._open()

    async def write(self, work: Work[T]) -> T:
        """Do some work in a transaction: saved when this returns, undone when it raises."""
        done: Future[T] = Future()
        self._waiting.append((work, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_waiting())
        return await asyncio.shield(asyncio.wrap_future(done))

    async def aclose(self) -> None:
        """Finish all pending transactions, and close the file."""
        if self._writing is not None:
            await self._writing
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def _open(self) -> None:
        """Open the file with the journal in memory: whoever saves the file sees either all of a transaction or none."""
        with translated():
            self._reader = sqlite3.connect(self.path, isolation_level=None)
            for setting in ("journal_mode = MEMORY", "foreign_keys = ON", "secure_delete = ON"):
                self._reader.execute(f"PRAGMA {setting}")
            migrate_file(self._reader)

    async def _write_waiting(self) -> None:
        while self._waiting:
            jobs, self._waiting = self._waiting, []
            self._report(jobs, await self._saved(jobs))

    async def _saved(self, jobs: list[Job]) -> list[Any]:
        """Do jobs in one transaction and save it; return the result of each, which may be an exception."""
        results = committed(self._reader, jobs)
        try:
            await self._keeper.save()
        except Exception as error:  # whatever a browser says: no space, no permission
            self._reader.close()
            self._keeper.restore()
            self._open()
            return [StoreError(f"it could not be saved: {error}")] * len(jobs)
        return results
