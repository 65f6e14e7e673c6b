"""The schema in PostgreSQL: what SQLite's first migrations add up to, and all later ones, translated."""

from __future__ import annotations

from typing import Any, Final

from omnibus.server.store.dialect import postgres_schema
from omnibus.server.store.migrations import MIGRATIONS, expect_known

BASE_VERSION: Final = 6
"""The version of SQLite's schema that `BASE` is equal to."""

BOOLEANS: Final = frozenset({"confirmed", "listed"})
"""Columns that are true or false here, and 1 or 0 in SQLite."""

LOCK: Final = 0x6F6D6E6962  # a number of ours: two servers that start at once migrate one after the other

BASE: Final = """
    CREATE TABLE users (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created REAL NOT NULL,
        seen REAL NOT NULL,
        webhook TEXT NOT NULL DEFAULT '',
        mail TEXT NOT NULL DEFAULT '',
        language TEXT NOT NULL DEFAULT 'en',
        confirmed BOOLEAN NOT NULL DEFAULT FALSE
    );
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        rules INTEGER NOT NULL,
        seats INTEGER NOT NULL,
        options TEXT NOT NULL,
        seed TEXT NOT NULL,
        sitters TEXT NOT NULL,
        owner TEXT NOT NULL REFERENCES users (id),
        rematch TEXT,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        awaits INTEGER,
        standing TEXT NOT NULL CHECK (standing IN ('open', 'live', 'over', 'closed')),
        listed BOOLEAN NOT NULL DEFAULT FALSE,
        patience REAL NOT NULL DEFAULT 259200,
        winners TEXT
    );
    CREATE INDEX listed_tables ON tables (standing, updated) WHERE listed;
    CREATE TABLE sitting (
        user TEXT NOT NULL REFERENCES users (id),
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        seen REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (user, table_id)
    );
    CREATE INDEX sitting_at ON sitting (table_id);
    CREATE TABLE events (
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        body BLOB NOT NULL,
        request TEXT,
        at REAL NOT NULL,
        PRIMARY KEY (table_id, number)
    );
    CREATE UNIQUE INDEX requests ON events (table_id, request) WHERE request IS NOT NULL;
    CREATE TABLE records (
        id TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        owner TEXT NOT NULL REFERENCES users (id),
        created REAL NOT NULL
    );
    CREATE TABLE tokens (
        hash TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('device', 'recovery', 'seat', 'invitation', 'mail')),
        user TEXT REFERENCES users (id) ON DELETE CASCADE,
        table_id TEXT REFERENCES tables (id) ON DELETE CASCADE,
        seat INTEGER,
        created REAL NOT NULL
    );
    CREATE INDEX tokens_of_users ON tokens (user, kind);
    CREATE INDEX tokens_of_tables ON tokens (table_id, seat);
    CREATE TABLE chat (
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        text TEXT NOT NULL,
        at REAL NOT NULL,
        request TEXT,
        PRIMARY KEY (table_id, number)
    );
    CREATE UNIQUE INDEX chat_requests ON chat (table_id, request) WHERE request IS NOT NULL;
    CREATE TABLE mutes (
        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        muted TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        PRIMARY KEY (user, muted)
    );
    CREATE TABLE notices (
        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        event INTEGER NOT NULL,
        due REAL NOT NULL,
        sent REAL,
        PRIMARY KEY (user, table_id)
    );
"""


async def migrate(connection: Any) -> None:
    """Bring the database to the latest version, all or nothing; ValueError when it is newer than this program."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
        found = await version(connection)
        expect_known(found)
        if found == len(MIGRATIONS):
            return
        if found == 0:
            await connection.execute(postgres_schema(BASE))
        for script in MIGRATIONS[max(found, BASE_VERSION) :]:
            await connection.execute(postgres_schema(script))
        await connection.execute("DELETE FROM schema_version")
        await connection.execute("INSERT INTO schema_version VALUES ($1)", len(MIGRATIONS))


async def version(connection: Any) -> int:
    """Return the version of the schema; 0 when there is none."""
    if await connection.fetchval("SELECT to_regclass('schema_version')") is None:
        return 0
    return int(await connection.fetchval("SELECT version FROM schema_version") or 0)
