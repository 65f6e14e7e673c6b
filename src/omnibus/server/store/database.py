"""The database as the stores see it: a SQLite file (sqlite.py) or a PostgreSQL server (postgres.py).

Everything is awaited: `await database.read(query, *values)` returns rows, `await database.execute(query, *values)`
changes some, and `await database.write(work)` does several things in one transaction, where `work` is a coroutine
function that gets the Transaction and awaits nothing else. After an `await` somebody else may have changed what was
read before. Queries are written once, in the SQL that dialect.py describes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from msgspec import Struct

from omnibus.server.store.errors import StoreError
from omnibus.server.store.migrations import Schema
from omnibus.server.store.models import TableStatus

T = TypeVar("T")
Hear = Callable[[Iterable[str]], None]

EVENTS: Final = "events:"
CHAT: Final = "chat:"
SEATS: Final = "seats:"
PEOPLE: Final = "people:"
AWAITED: Final = "awaited:"
REVOKED: Final = "revoked:"
PROGRAMS: Final = "programs:"
"""What a hint is about, followed by the id of a table or of a user."""

Work = Callable[["Transaction"], Coroutine[Any, Any, T]]


class NewEvent(Struct, frozen=True):
    """An event that is to be stored, and what it changes in the row of its table."""

    table: str
    number: int
    body: bytes
    request: str | None
    at: float
    awaits: int | None
    """The seat that is to decide, if a person sits there."""
    standing: TableStatus
    winners: str | None = None
    """The seats that have won, as JSON."""
    clock_due: float | None = None
    """When the time of the running clock is over, on the server's clock; None: none runs."""


class Transaction(ABC):
    """A transaction in progress: what is done in it is committed together or not at all."""

    @abstractmethod
    async def read(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    async def execute(self, query: str, *values: Any) -> int:
        """Change rows, and return how many."""

    @abstractmethod
    async def execute_many(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Change rows once with each of several lists of values."""

    @abstractmethod
    async def run_script(self, script: str) -> None:
        """Create or change tables: several statements without values."""

    @abstractmethod
    async def has_table(self, name: str) -> bool:
        """Tell whether there is a table of this name."""

    @abstractmethod
    def stream(self, query: str) -> AsyncIterator[Sequence[Any]]:
        """Return the rows of a query one by one, for results that may be large."""

    @abstractmethod
    async def lock(self, table: str) -> None:
        """Keep other transactions from changing or locking a table until the end of this one."""


class Database(ABC):
    """A database: `read` queries it, `execute`, `write` and `append` change it. A commit survives a loss of power."""

    shared = False
    """Whether several server processes may use it at the same time."""
    schema: Schema
    probe = "UPDATE installed_schema SET migrations = migrations"
    """A statement that writes something, and changes nothing."""
    trouble = ""
    """Why the last commit failed; empty when it did not."""

    def hint(self, subject: str) -> None:  # noqa: B027 — of a file there are no other processes
        """Tell the other processes that something has changed; nobody may rely on their hearing it."""

    def listen(self, hear: Hear) -> None:  # noqa: B027
        """Call `hear` with what other processes have hinted at; with nothing when hints may have been missed."""

    @abstractmethod
    async def connect(self) -> None:
        """Get ready for use, in the event loop that will use it; ValueError says why that fails."""

    @abstractmethod
    async def read(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query, as of the last commit."""

    @abstractmethod
    async def write(self, work: Work[T]) -> T:
        """Do some work in a transaction: committed when this returns, rolled back when it raises."""

    async def execute(self, query: str, *values: Any) -> int:
        """Change rows in a transaction of its own, and return how many."""
        return await self.write(lambda transaction: transaction.execute(query, *values))

    @abstractmethod
    async def append(self, event: NewEvent) -> None:
        """Append an event; Conflict when there is one of this number or request already."""

    async def writable(self) -> str:
        """Return why nothing can be written; empty when it can. After a failed commit it is tried again."""
        if self.trouble:
            with suppress(StoreError):
                await self.execute(self.probe)
        return self.trouble

    async def unready(self) -> str:
        """Return why the database cannot serve this program; empty when it can. StoreError when it cannot be read."""
        ((digest, done),) = await self.read("SELECT digest, migrations FROM installed_schema")
        same = (digest, done) == (self.schema.digest, len(self.schema.migrations))
        return "" if same else "another version of Omnibus has changed the database"

    @abstractmethod
    async def damage(self) -> list[str]:
        """Return what is damaged, as the database describes it."""

    @abstractmethod
    async def clean_up(self) -> bool:
        """Remove what is left of texts that were removed; False when another program hinders it for now."""

    @abstractmethod
    async def aclose(self) -> None:
        """Finish all pending commits, and close the database."""


async def insert_event(transaction: Transaction, event: NewEvent) -> None:
    """Insert an event in a transaction, and change the row of its table."""
    add = "INSERT INTO events (table_id, number, body, request, at) VALUES (?, ?, ?, ?, ?)"
    await transaction.execute(add, event.table, event.number, event.body, event.request, event.at)
    update = "UPDATE tables SET updated = ?, awaits = ?, standing = ?, winners = ?, clock_due = ? WHERE id = ?"
    changed = (event.at, event.awaits, event.standing, event.winners, event.clock_due)
    await transaction.execute(update, *changed, event.table)
