"""The store: one SQLite file, one thread that writes.

What comes in while a commit is on its way goes into the next one together (group commit), each piece of work behind
its own savepoint, so that one that fails takes nothing else with it. What `await` returns is on the disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from omnibus.server.store.errors import Conflict, StoreError
from omnibus.server.store.migrations import migrate

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]
Job = tuple[Work, "Future[Any]"]

LARGEST_GROUP: Final = 500
PAGES: Final = 500  # of a backup, between two looks at how far it is
WAIT_FOR_OTHERS_MS: Final = 5000  # another program may be looking at the file, a backup for instance


class Database:
    """A database file: `write` for what must last, `read` for what is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with translated():
            self._reader = connect(path)
            migrate(self._reader)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some work inside a transaction; when this returns it is committed, when it raises it is undone."""
        done: Future[T] = Future()
        self._jobs.put((work, done))
        return await asyncio.shield(asyncio.wrap_future(done))

    def read(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query, as of the last commit."""
        with translated():
            return self._reader.execute(query, values).fetchall()

    def close(self) -> None:
        """Finish every commit that was asked for, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        self._reader.close()

    def _write_all(self) -> None:
        connection = connect(self.path)
        going_on = True
        while going_on:
            group = self._group()
            going_on = None not in group
            _commit(connection, [job for job in group if job is not None])
        connection.close()

    def _group(self) -> list[Job | None]:
        """Wait for work, then take what else is there."""
        group = [self._jobs.get()]
        with suppress(Empty):
            while len(group) < LARGEST_GROUP:
                group.append(self._jobs.get_nowait())
        return group


@contextmanager
def translated() -> Iterator[None]:
    """Raise SQLite's errors as those of the store."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translation(error) from error


def _translation(error: sqlite3.Error) -> StoreError:
    return Conflict(str(error)) if isinstance(error, sqlite3.IntegrityError) else StoreError(str(error))


def connect(path: Path) -> sqlite3.Connection:
    """Open the file so that a commit survives a loss of power."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {WAIT_FOR_OTHERS_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def version(path: Path) -> int:
    """Return which version of the schema a file has."""
    with translated(), closing(sqlite3.connect(path)) as connection:
        found: int = connection.execute("PRAGMA user_version").fetchone()[0]
        return found


def back_up(path: Path, to: Path, progress: Callable[[int, int], None]) -> None:
    """Write the file as it is at this moment to another one, while others go on; `progress` is told done and all.

    What is being read stays as it is because a transaction is open on it: otherwise every commit of somebody else would
    let SQLite begin anew.
    """
    with translated(), closing(connect(path)) as source, closing(sqlite3.connect(to)) as target:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        source.backup(target, pages=PAGES, progress=lambda _, left, pages: progress(pages - left, pages))


def _commit(connection: sqlite3.Connection, jobs: list[Job]) -> None:
    """Commit jobs together, then say how each of them went."""
    if not jobs:
        return
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = [_attempt(connection, work) for work, _ in jobs]
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        results = [_translation(error)] * len(jobs)
    for (_, done), result in zip(jobs, results, strict=True):
        if isinstance(result, Exception):
            done.set_exception(result)
        else:
            done.set_result(result)


def _attempt(connection: sqlite3.Connection, work: Work) -> Any:
    """Do one piece of work; if it fails, only it is undone, and the exception is the result."""
    connection.execute("SAVEPOINT one")
    try:
        result = work(connection)
    except sqlite3.Error as error:
        connection.execute("ROLLBACK TO one")
        result = _translation(error)
    except Exception as error:
        connection.execute("ROLLBACK TO one")
        result = error
    connection.execute("RELEASE one")
    return result
