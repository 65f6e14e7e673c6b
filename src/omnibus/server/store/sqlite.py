"""The database as one SQLite file, with one thread that writes.

Reading never suspends the caller. Writes that arrive during a commit go into the next one together (group commit), each
behind its own savepoint, so that one that fails does not affect the others. When `await` returns, the data is on the
disk.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from omnibus.server.store.database import Database, NewEvent, Transaction, Work, insert_event
from omnibus.server.store.errors import Conflict, StoreError
from omnibus.server.store.migrations import SCHEMA, Schema, migrate, migrations_done

T = TypeVar("T")
Job = tuple[Work[Any], "Future[Any]"]

FILE_NAME: Final = "omnibus.db"
LARGEST_GROUP: Final = 500
PAGES: Final = 500  # of a backup, between two reports of progress
WAIT_FOR_OTHERS_MS: Final = 5000  # another process may use the file, a backup for instance
LEAST_FREE: Final = 16 * 1024 * 1024  # bytes on the disk; below that a server is not well
CHECK_S: Final = 5.0  # for looking for damage when a server starts
CHECK_STEPS: Final = 10_000  # of SQLite's virtual machine, between two looks at the clock


class SqliteTransaction(Transaction):
    """A transaction in progress. It is the only one, so it locks nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def read(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        return self._connection.execute(query, values).fetchall()

    async def execute(self, query: str, *values: Any) -> int:
        """Change rows, and return how many."""
        return self._connection.execute(query, values).rowcount

    async def execute_many(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Change rows once with each of several lists of values."""
        self._connection.executemany(query, rows)

    async def run_script(self, script: str) -> None:
        """Create or change tables: several statements without values. `executescript` would commit what is open."""
        waiting = ""
        for part in script.split(";"):
            waiting += f"{part};"
            if sqlite3.complete_statement(waiting):
                self._connection.execute(waiting)
                waiting = ""

    async def has_table(self, name: str) -> bool:
        """Tell whether there is a table of this name."""
        return bool(await self.read("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name))

    async def stream(self, query: str) -> AsyncIterator[Sequence[Any]]:
        """Return the rows of a query one by one."""
        for row in self._connection.execute(query):
            yield row

    async def lock(self, table: str) -> None:
        """Do nothing: there is no other transaction."""


class SqliteDatabase(Database):
    """A database file; it is open as soon as it is made."""

    probe = "PRAGMA user_version = 0"  # an update that changes no value would not write anything

    def __init__(self, path: Path, schema: Schema = SCHEMA) -> None:
        self.path = path
        self.schema = schema
        migrations_of(path, schema)
        with translated():
            self._reader = connect(path)
            migrate_file(self._reader, schema)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    async def connect(self) -> None:
        """Do nothing: the file is open."""

    async def write(self, work: Work[T]) -> T:
        """Do some work in a transaction: committed when this returns, rolled back when it raises."""
        done: Future[T] = Future()
        self._jobs.put((work, done))
        return await asyncio.shield(asyncio.wrap_future(done))

    async def append(self, event: NewEvent) -> None:
        """Append an event; Conflict when there is one of this number or request already."""
        await self.write(lambda transaction: insert_event(transaction, event))

    async def read(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query, as of the last commit."""
        with translated():
            return self._reader.execute(query, values).fetchall()

    async def damage(self) -> list[str]:
        """Return what is damaged in the file, as SQLite describes it."""
        broken = [row[0] for row in await self.read("PRAGMA integrity_check") if row[0] != "ok"]
        astray = await self.read("PRAGMA foreign_key_check")
        return broken + [
            f"a row of {table} refers to something that is not in {parent}" for table, _, parent, _ in astray
        ]

    async def clean_up(self) -> bool:
        """Empty the write-ahead log, which still holds what was removed."""
        return empty_log(self.path)

    async def aclose(self) -> None:
        """Finish all pending commits, and close the file."""
        self.close()

    def close(self) -> None:
        """Finish all pending commits, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        self._reader.close()

    def _write_all(self) -> None:
        connection = connect(self.path)
        going_on = True
        while going_on:
            group = self._group()
            going_on = None not in group
            jobs = [job for job in group if job is not None]
            self._report(jobs, committed(connection, jobs) if jobs else [])
        connection.close()

    def _report(self, jobs: list[Job], results: list[Any]) -> None:
        """Remember whether a commit worked, and report the result of each job."""
        failed = [result for result in results if isinstance(result, StoreError) and not isinstance(result, Conflict)]
        self.trouble = str(failed[0]) if failed else ""
        for (_, done), result in zip(jobs, results, strict=True):
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)

    async def writable(self) -> str:
        """Return why nothing can be written; empty when it can. After a failed commit it is tried again."""
        if not await super().writable() and shutil.disk_usage(self.path.parent).free < LEAST_FREE:
            return "there is hardly any space left on the disk"
        return self.trouble

    def _group(self) -> list[Job | None]:
        """Wait for work, then take all that is waiting."""
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


def data_folder() -> Path:
    """Return the folder for a user's data on this system."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Omnibus"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Omnibus"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "omnibus"


def open_database(folder: Path) -> SqliteDatabase:
    """Open the database in a folder, or create it there; ValueError says why that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.close(os.open(folder / FILE_NAME, os.O_CREAT | os.O_RDWR, 0o600))  # readable by nobody else
        return SqliteDatabase(folder / FILE_NAME)
    except OSError as error:
        raise ValueError(f"the data folder {folder} cannot be written: {error.strerror}") from None
    except StoreError as error:
        raise ValueError(f"the data folder {folder} cannot be used: {error}") from None


def connect(path: Path) -> sqlite3.Connection:
    """Open the file in a mode in which a commit survives a loss of power."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {WAIT_FOR_OTHERS_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what is removed is overwritten with zeros
    return connection


def empty_log(path: Path) -> bool:
    """Move everything from the write-ahead log into the file and empty the log, which still holds removed texts.

    False when another program has been reading an earlier state of the database all the time, a backup for instance.
    """
    with translated(), closing(connect(path)) as connection:
        busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not busy


def damage_found(path: Path, seconds: float = CHECK_S) -> str:
    """Look for damage in the file, within a time limit; return the first that is found, or an empty text."""
    if not path.is_file() or not path.stat().st_size:
        return ""
    until = time.monotonic() + seconds
    with closing(reader(path)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > until, CHECK_STEPS)
        try:
            found: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_BUSY):
                return ""
            return str(error)
        except sqlite3.Error as error:
            return str(error)
    return "" if found == "ok" else found.replace("\n", " ")


def migrate_file(connection: sqlite3.Connection, schema: Schema = SCHEMA) -> None:
    """Create the tables in an empty file, and carry out the migrations it lacks; StoreError when it is refused."""
    transaction = SqliteTransaction(connection)
    if _finished(migrations_done(transaction, schema)) == len(schema.migrations):
        return
    connection.execute("PRAGMA foreign_keys = OFF")  # references would break while a table is replaced
    connection.execute("BEGIN IMMEDIATE")
    try:
        _finished(migrate(transaction, schema))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA foreign_keys = ON")


def migrations_of(path: Path, schema: Schema = SCHEMA) -> int | None:
    """Return how many migrations a file has gone through, None if it is empty; StoreError when it is refused.

    It is only read: a file that is refused stays as it is.
    """
    if not path.exists():
        return None
    with translated(), closing(reader(path)) as connection:
        return _finished(migrations_done(SqliteTransaction(connection), schema))


def reader(path: Path) -> sqlite3.Connection:
    """Open the file to look at it, without changing it; if nobody uses it, no log is created beside it either."""
    used = path.with_name(f"{path.name}-wal").exists()
    address = f"{path.absolute().as_uri()}?mode=ro{'' if used else '&immutable=1'}"
    return sqlite3.connect(address, uri=True, isolation_level=None)


def back_up(path: Path, to: Path, progress: Callable[[int, int], None]) -> None:
    """Copy the file as it is now to another one, while others keep writing; `progress` gets pages done and in all.

    The open transaction keeps a snapshot: without it SQLite would start again at every commit of somebody else.
    """
    with translated(), closing(connect(path)) as source, closing(sqlite3.connect(to)) as target:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        source.backup(target, pages=PAGES, progress=lambda _, left, pages: progress(pages - left, pages))


@contextmanager
def snapshot(path: Path) -> Iterator[SqliteTransaction]:
    """Read a file as it is at one moment."""
    with translated(), closing(connect(path)) as connection:
        connection.execute("BEGIN")
        yield SqliteTransaction(connection)


@contextmanager
def filled(path: Path) -> Iterator[SqliteTransaction]:
    """Fill a new file in one transaction, in this thread; nobody else may use the file meanwhile."""
    with translated(), closing(connect(path)) as connection:
        migrate_file(connection)
        connection.execute("BEGIN IMMEDIATE")
        yield SqliteTransaction(connection)
        connection.execute("COMMIT")


def committed(connection: sqlite3.Connection, jobs: list[Job]) -> list[Any]:
    """Commit jobs together, and return the result of each, which may be an exception."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = [_attempt(connection, work) for work, _ in jobs]
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [_translation(error)] * len(jobs)
    return results


def _attempt(connection: sqlite3.Connection, work: Work[Any]) -> Any:
    """Do one job; if it fails, only this one is rolled back, and the exception is the result."""
    connection.execute("SAVEPOINT one")
    try:
        result = _finished(work(SqliteTransaction(connection)))
    except sqlite3.Error as error:
        connection.execute("ROLLBACK TO one")
        result = _translation(error)
    except Exception as error:
        connection.execute("ROLLBACK TO one")
        result = error
    connection.execute("RELEASE one")
    return result


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, outside any event loop: statements of a transaction never suspend it."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    work.close()
    raise RuntimeError("a transaction can await nothing but its own statements")
