"""The schema of the database: `schema.sql`, and the migrations since the first release.

Until the first release a change of the schema edits `schema.sql`, and a database that was made with another one is
refused. From then on `schema.sql` stays as it is, and a change is a new migration at the end of `MIGRATIONS`, in the
same SQL. A released migration is never edited.
"""

from __future__ import annotations

import hashlib
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omnibus.server.store.errors import StoreError

if TYPE_CHECKING:
    from omnibus.server.store.database import Transaction

MIGRATIONS: Final[tuple[str, ...]] = ()

DIFFERENT: Final = (
    "it was made by a different version of Omnibus; export its records with that version, then move it away or choose "
    "another place (--data, --database)"
)
NEWER: Final = "it was migrated by a newer version of Omnibus; install that version, or choose another place"
BEHIND: Final = "it has to be migrated first; start `omnibus serve` once"

_COMMENT: Final = re.compile(r"--.*")


class Schema:
    """What a database is made with, and the migrations it goes through afterwards."""

    def __init__(self, script: str, migrations: tuple[str, ...] = ()) -> None:
        self.script = script
        self.migrations = migrations

    @cached_property
    def digest(self) -> str:
        """What a database remembers of the script it was made with: comments and spaces do not count."""
        words = " ".join(_COMMENT.sub("", self.script).split())
        return hashlib.sha256(words.encode()).hexdigest()


SCHEMA: Final = Schema((Path(__file__).parent / "schema.sql").read_text("utf-8"), MIGRATIONS)


async def migrate(transaction: Transaction, schema: Schema) -> None:
    """Create the tables in an empty database, and carry out the migrations it lacks; StoreError when it is refused."""
    done = await migrations_done(transaction, schema)
    if done is None:
        await transaction.run_script(schema.script)
        add = "INSERT INTO installed_schema (digest, migrations) VALUES (?, 0)"
        await transaction.execute(add, schema.digest)
    for script in schema.migrations[done or 0 :]:
        await transaction.run_script(script)
    await transaction.execute("UPDATE installed_schema SET migrations = ?", len(schema.migrations))


async def migrations_done(transaction: Transaction, schema: Schema) -> int | None:
    """Return how many migrations a database has gone through; None if it is empty; StoreError when it is refused."""
    if not await transaction.has_table("installed_schema"):
        if await transaction.has_table("users"):
            raise StoreError(DIFFERENT)
        return None
    ((digest, done),) = await transaction.read("SELECT digest, migrations FROM installed_schema")
    if digest != schema.digest:
        raise StoreError(DIFFERENT)
    if done > len(schema.migrations):
        raise StoreError(NEWER)
    return int(done)
