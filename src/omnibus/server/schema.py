"""The database, version by version. What has been released is never edited: a change is a further step."""

from __future__ import annotations

import sqlite3
from typing import Final

MIGRATIONS: Final = (
    """
    CREATE TABLE users (
        id TEXT PRIMARY KEY,
        token TEXT NOT NULL UNIQUE, -- the SHA-256 of what the cookie holds
        name TEXT NOT NULL,
        created REAL NOT NULL
    ) STRICT;
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        rules INTEGER NOT NULL,
        seats INTEGER NOT NULL,
        options TEXT NOT NULL,
        seed TEXT NOT NULL, -- of the dice: a secret while the game goes on
        sitters TEXT NOT NULL,
        owner TEXT NOT NULL REFERENCES users (id),
        rematch TEXT, -- the table that was set up from this one
        created REAL NOT NULL,
        updated REAL NOT NULL,
        awaits INTEGER, -- the seat to decide
        standing TEXT NOT NULL CHECK (standing IN ('live', 'over', 'closed'))
    ) STRICT;
    CREATE TABLE sitting (
        user TEXT NOT NULL REFERENCES users (id),
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        PRIMARY KEY (user, table_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        body BLOB NOT NULL,
        request TEXT, -- who asked for it and under which id, so that asking twice is answered once
        at REAL NOT NULL,
        PRIMARY KEY (table_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX requests ON events (table_id, request) WHERE request IS NOT NULL;
    CREATE TABLE records (
        id TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        owner TEXT NOT NULL REFERENCES users (id),
        created REAL NOT NULL
    ) STRICT;
    """,
)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to the newest version; ValueError when it is newer than this program."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise ValueError(f"this database has version {version}, and this Omnibus knows up to {len(MIGRATIONS)}")
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")
