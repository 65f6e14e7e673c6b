"""The database as a PostgreSQL server, for what one file on one machine cannot do.

Events are appended in batches: those that arrive during a commit go into the next one together, in one statement whose
result says which of them were the first of their number. They have a connection of their own, so that a move is stored
however many pages are being read. Everything else is a transaction of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import asyncpg

from omnibus.server.store.database import EVENTS, Database, Hear, NewEvent, Transaction, Work
from omnibus.server.store.dialect import postgres_query, postgres_script
from omnibus.server.store.errors import Conflict, StoreError, Unanswered, Unstorable
from omnibus.server.store.hint_channel import ANSWER_S, KEEPALIVE, SERVER_LOCK, HintChannel
from omnibus.server.store.migrations import BEHIND, SCHEMA, Schema, migrate, migrations_done

T = TypeVar("T")
Job = tuple[NewEvent, "asyncio.Future[None]"]

CONNECTIONS: Final = 10
LARGEST_BATCH: Final = 500
FETCHED: Final = 1000  # rows of a large result at once
CONNECT_S: Final = 5.0
WAIT_S: Final = 10.0  # for a free connection; whoever has waited so long is told to come back
SPARE_S: Final = 0.5  # for an answer that has arrived while this process was busy or stood still
CLOSE_S: Final = 10.0
MIGRATION_LOCK: Final = 0x6F6D6E6962  # a number of ours: servers that start at once migrate one after the other
TRIES: Final = 3  # of a transaction that the server gave up because it and another waited for each other
MARK: Final = "omnibus.settings"  # a setting of ours that means nothing: it shows whether settings arrive
UNSUPPORTED: Final = "unsupported startup parameter"  # what PgBouncer says of settings it does not know
POOLER: Final = (
    "something between Omnibus and PostgreSQL, PgBouncer for instance, does not pass the settings of a connection on, "
    "and without them a stored move might be lost; give the address of PostgreSQL itself"
)
SILENT: Final = "the database does not answer"
LOST: Final = "there is an event of this number or request already, or the table was deleted"

BROKEN: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    OSError,
    TimeoutError,
)
"""Errors after which nobody knows whether a statement was carried out."""

_APPEND: Final = """
    WITH job AS (
        SELECT * FROM unnest(
            $1::text[], $2::bigint[], $3::bytea[], $4::text[], $5::float8[], $6::bigint[], $7::text[], $8::text[],
            $9::float8[]
        ) AS job (table_id, number, body, request, at, awaits, standing, winners, clock_due)
    ), added AS (
        INSERT INTO events (table_id, number, body, request, at)
            SELECT table_id, number, body, request, at FROM job
            WHERE EXISTS (SELECT 1 FROM tables WHERE id = table_id)
            ON CONFLICT DO NOTHING
            RETURNING table_id
    )
    UPDATE tables
        SET updated = job.at, awaits = job.awaits, standing = job.standing, winners = job.winners,
            clock_due = job.clock_due
        FROM job JOIN added USING (table_id)
        WHERE tables.id = job.table_id
        RETURNING tables.id
"""


class Deadline:
    """The time in which statements of a connection must be answered, one after the other: `with deadline: await …`.

    When it is over the connection is given up, and whoever waits for it fails at once.
    """

    def __init__(self, connection: Any) -> None:
        self.passed = False
        self._connection = connection
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(ANSWER_S, self._late)

    def __exit__(self, *_: object) -> None:
        assert self._timer is not None
        self._timer.cancel()

    def _late(self) -> None:
        """Look once more a little later: whoever was stopped takes in first what has arrived meanwhile."""
        self._timer = asyncio.get_running_loop().call_later(SPARE_S, self._give_up)

    def _give_up(self) -> None:
        self.passed = True
        self._connection.terminate()


class PostgresTransaction(Transaction):
    """A transaction in progress on a connection. Without a deadline its statements may take as long as they like."""

    def __init__(self, connection: Any, deadline: Deadline | None = None) -> None:
        self._connection = connection
        self._deadline = deadline or nullcontext()

    async def read(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        with self._deadline:
            rows: list[Any] = await self._connection.fetch(postgres_query(query), *values)
        return rows

    async def execute(self, query: str, *values: Any) -> int:
        """Change rows, and return how many."""
        with self._deadline:
            return _count(await self._connection.execute(postgres_query(query), *values))

    async def execute_many(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Change rows once with each of several lists of values."""
        with self._deadline:
            await self._connection.executemany(postgres_query(query), rows)

    async def run_script(self, script: str) -> None:
        """Create or change tables: several statements without values."""
        await self._connection.execute(postgres_script(script))

    async def has_table(self, name: str) -> bool:
        """Tell whether there is a table of this name."""
        return await self._connection.fetchval("SELECT to_regclass($1)", name) is not None

    async def stream(self, query: str) -> AsyncIterator[Sequence[Any]]:
        """Return the rows of a query one by one."""
        async for row in self._connection.cursor(postgres_query(query), prefetch=FETCHED):
            yield row

    async def lock(self, table: str) -> None:
        """Keep other transactions from changing or locking a table until the end of this one."""
        with self._deadline:
            await self._connection.execute("SELECT 1 FROM tables WHERE id = $1 FOR NO KEY UPDATE", table)


class PostgresDatabase(Database):
    """A database on a PostgreSQL server; `connect` before anything else.

    `alone`: it refuses to be used beside a server of this database; `migrates`: it brings the schema up to date.
    """

    shared = True

    def __init__(self, address: str, *, alone: bool = False, migrates: bool = True, schema: Schema = SCHEMA) -> None:
        self.address = address
        self.schema = schema
        self._alone = alone
        self._migrates = migrates
        self._guard: Any = None  # the connection that finds out whether a server is running
        self._pool: Any = None
        self._appends: Any = None  # a pool of one connection
        self._waiting: list[Job] = []
        self._appending: asyncio.Task[None] | None = None
        self._writes: set[asyncio.Task[Any]] = set()
        self._hints = HintChannel(address)

    def hint(self, subject: str) -> None:
        """Tell the other processes that something has changed; nobody may rely on their hearing it."""
        self._hints.send(subject)

    def listen(self, hear: Hear) -> None:
        """Call `hear` with what other processes have hinted at; with nothing when hints may have been missed."""
        self._hints.listen(hear)

    async def connect(self) -> None:
        """Open connections and bring the schema up to date; ValueError says why that fails."""
        try:
            with translated():
                await self._connect()
        except (StoreError, ValueError) as error:
            await self.aclose()
            error = ValueError(POOLER) if UNSUPPORTED in str(error) else error
            raise ValueError(f"the database {shown(self.address)} cannot be used: {error}") from None

    async def _connect(self) -> None:
        self._pool, self._appends = await self._new_pool(CONNECTIONS), await self._new_pool(1)
        if self._alone:
            self._guard = await asyncpg.connect(self.address, timeout=CONNECT_S)
            if not await self._guard.fetchval("SELECT pg_try_advisory_lock($1)", SERVER_LOCK):
                raise ValueError("an Omnibus server is using it")
        async with self._pool.acquire() as connection:
            if await connection.fetchval("SELECT current_setting($1, TRUE)", MARK) != "kept":
                raise ValueError(POOLER)
            async with connection.transaction():
                transaction = PostgresTransaction(connection)
                if self._migrates:
                    await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
                    await migrate(transaction, self.schema)
                elif await migrations_done(transaction, self.schema) != len(self.schema.migrations):
                    raise ValueError(BEHIND)

    async def _new_pool(self, connections: int) -> Any:
        settings = {"synchronous_commit": "on", "application_name": "omnibus", MARK: "kept", **KEEPALIVE}
        return await asyncpg.create_pool(
            self.address,
            min_size=0,
            max_size=connections,
            timeout=CONNECT_S,
            server_settings=settings,
            reset=_nothing,
        )

    async def read(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query, as of the last commit."""
        try:
            async with self._connection() as (connection, deadline):
                return await PostgresTransaction(connection, deadline).read(query, *values)
        except Unanswered as error:
            raise StoreError(str(error)) from error  # nothing was to be written

    async def write(self, work: Work[T]) -> T:
        """Do some work in a transaction: committed when this returns, rolled back when it raises.

        Whoever waits may give up, as when somebody closes a page; the work is finished all the same.
        """
        task = asyncio.create_task(self._written(work))
        self._writes.add(task)
        task.add_done_callback(self._written_at_last)
        return await asyncio.shield(task)

    def _written_at_last(self, task: asyncio.Task[Any]) -> None:
        """Forget a transaction; if it failed and whoever waited has given up, nobody needs to be told."""
        self._writes.discard(task)
        if not task.cancelled():
            task.exception()

    async def _written(self, work: Work[T]) -> T:
        for _ in range(TRIES - 1):
            try:
                return await self._attempt(work)
            except StoreError as error:
                if not isinstance(error.__cause__, asyncpg.DeadlockDetectedError):
                    raise
        return await self._attempt(work)

    async def _attempt(self, work: Work[T]) -> T:
        try:
            async with self._connection() as (connection, deadline):
                transaction = connection.transaction()
                with deadline:
                    await transaction.start()
                try:
                    result = await work(PostgresTransaction(connection, deadline))
                except BaseException:
                    with deadline:
                        await transaction.rollback()
                    raise
                with deadline:
                    await transaction.commit()
        except StoreError as error:
            self.trouble = _trouble(error)
            raise
        self.trouble = ""
        return result

    async def append(self, event: NewEvent) -> None:
        """Append an event; Conflict when there is one of this number or request already."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, done))
        if self._appending is None or self._appending.done():
            self._appending = asyncio.create_task(self._append_all())
        await asyncio.shield(done)

    async def _append_all(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            try:
                results = await self._appended([event for event, _ in batch])
            except Exception as error:  # or whoever waits would wait for ever
                results = [StoreError(repr(error))] * len(batch)
            for (event, done), result in zip(batch, results, strict=True):
                if result is None:
                    done.set_result(None)
                    self.hint(f"{EVENTS}{event.table}")
                else:
                    if isinstance(result, Unanswered):
                        self.hint(f"{EVENTS}{event.table}")  # it may be stored
                    done.set_exception(result)
                    done.exception()  # seen, though whoever waited may have given up

    def _next_batch(self) -> list[Job]:
        """Take what is waiting, one event of each table, in the order of tables: or racing writers would deadlock."""
        batch: dict[str, Job] = {}
        later: list[Job] = []
        for job in self._waiting:
            table = job[0].table
            if table in batch or len(batch) == LARGEST_BATCH:
                later.append(job)
            else:
                batch[table] = job
        self._waiting = later
        return [batch[table] for table in sorted(batch)]

    async def _appended(self, events: Sequence[NewEvent]) -> list[StoreError | None]:
        """Append events together, and return what went wrong with each; if they fail together, each is tried alone."""
        columns = [
            [getattr(event, name) for event in events]
            for name in ("table", "number", "body", "request", "at", "awaits", "standing", "winners", "clock_due")
        ]
        try:
            async with self._connection(self._appends) as (connection, deadline):
                with deadline:
                    rows = await connection.fetch(_APPEND, *columns)
        except StoreError as error:
            if len(events) > 1 and isinstance(error, Conflict | Unstorable):
                return [result for event in events for result in await self._appended([event])]
            self.trouble = _trouble(error)
            return [error] * len(events)
        self.trouble = ""
        added = {row[0] for row in rows}
        return [None if event.table in added else Conflict(LOST) for event in events]

    async def damage(self) -> list[str]:
        """Return nothing: PostgreSQL refuses damaged pages and rows that refer to nothing by itself."""
        return []

    async def clean_up(self) -> bool:
        """Let PostgreSQL reuse the space of what was removed."""
        async with self._connection() as (connection, _):
            await connection.execute("VACUUM users, tables, chat, records")
        return True

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Transaction]:
        """Read the database as it is at one moment."""
        async with (
            self._connection() as (connection, _),
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield PostgresTransaction(connection)

    async def aclose(self) -> None:
        """Finish all pending commits, and close the connections."""
        await asyncio.gather(*self._writes, *([self._appending] if self._appending else []), return_exceptions=True)
        await self._hints.close()
        opened_ones = (self._guard, self._appends, self._pool)
        self._guard = self._appends = self._pool = None
        for opened in opened_ones:
            if opened is not None:
                try:
                    await asyncio.wait_for(opened.close(), CLOSE_S)
                except (TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                    opened.terminate()

    @asynccontextmanager
    async def _connection(self, pool: Any = None) -> AsyncIterator[tuple[Any, Deadline]]:
        """Lend a connection, with the deadline of its statements; Unanswered when it breaks or they are not in time."""
        with translated():
            async with (pool or self._pool).acquire(timeout=WAIT_S) as connection:
                deadline = Deadline(connection)
                try:
                    yield connection, deadline
                except BROKEN as error:
                    raise Unanswered(SILENT if deadline.passed else str(error) or SILENT) from error


@contextmanager
def translated() -> Iterator[None]:
    """Raise errors of PostgreSQL and of the connection to it as those of the store."""
    try:
        yield
    except asyncpg.IntegrityConstraintViolationError as error:
        raise Conflict(str(error)) from error
    except asyncpg.DataError as error:
        raise Unstorable(str(error)) from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
        raise StoreError(str(error) or SILENT) from error


def _trouble(error: StoreError) -> str:
    """Return why nothing can be written, if an error means that; a row or a text of one caller does not."""
    return "" if isinstance(error, Conflict | Unstorable) else str(error)


def shown(address: str) -> str:
    """Return an address as it may be shown: without a password."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


async def _nothing(connection: Any) -> None:
    """Leave a connection as it is when it goes back to the pool: nothing here changes its settings."""


def _count(status: str) -> int:
    """Return how many rows a command has changed, from what PostgreSQL says: `UPDATE 3`."""
    number = status.rpartition(" ")[2]
    return int(number) if number.isdigit() else 0
