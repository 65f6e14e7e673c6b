"""The schema of the database: who may use one that was made with another, and how migrations change it."""

from __future__ import annotations

import asyncio
import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from omnibus.server.store.database import Database
from omnibus.server.store.errors import StoreError
from omnibus.server.store.migrations import SCHEMA, Schema
from omnibus.server.store.opening import open_postgres
from omnibus.server.store.sqlite import FILE_NAME, SqliteDatabase
from support.command_line import Answer, omnibus
from support.postgres import PostgresServer

OLDER = "CREATE TABLE users (id TEXT PRIMARY KEY, token TEXT NOT NULL)"  # of a tree that kept no digest of its schema
CHANGED = "UPDATE installed_schema SET digest = 'another'"
MIGRATED = "UPDATE installed_schema SET migrations = 99"
WHY = {
    OLDER: "was made by a different version of Omnibus; export its records with that version",
    CHANGED: "was made by a different version of Omnibus; export its records with that version",
    MIGRATED: "was migrated by a newer version of Omnibus; install that version",
}
EXAMPLE = (
    """
    CREATE TABLE example (number INTEGER PRIMARY KEY, user TEXT NOT NULL) STRICT; -- two statements; and a comment
    INSERT INTO example VALUES (1, 'one; only');
    """,
    "ALTER TABLE example ADD COLUMN share REAL NOT NULL DEFAULT 0.5",
    "INSERT INTO example VALUES (2, 'two', 0.25)",
)
BROKEN = (*EXAMPLE[:2], "INSERT INTO example VALUES (2, 'two', 0.25); INSERT INTO nowhere VALUES (1)")
ROWS = [(1, "one; only", 0.5), (2, "two", 0.25)]


def refused(answer: Answer, why: str) -> None:
    """Expect one sentence."""
    assert (answer.returncode, answer.stdout) == (2, "")
    assert why in answer.stderr
    assert answer.stderr.startswith("omnibus: ")
    assert answer.stderr.count("\n") == 1


def all_refuse(folder: Path, where: list[str | Path], loaded: list[str | Path], why: str) -> None:
    """Expect a server, a check, a backup and copying to refuse a database."""
    with socket.create_server(("127.0.0.1", 0)) as taken:  # a server that does not refuse its database stops there
        port = str(taken.getsockname()[1])
        refused(omnibus("serve", "--no-browser", "--port", port, *where), why)
    refused(omnibus("admin", "check", *where), why)
    refused(omnibus("admin", "backup", folder / "backup.db", *where), why)
    refused(omnibus("admin", "load", *loaded), why)
    assert not (folder / "backup.db").exists()


@pytest.mark.parametrize("change", [OLDER, CHANGED, MIGRATED])
@pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
def test_a_file_with_another_schema_is_refused(tmp_path: Path, change: str, *, killed: bool) -> None:
    """By the server, a backup, copying and a check; it stays as it is, byte for byte.

    If a server was killed, what was written last is in the log beside the file.
    """
    first, data = tmp_path / "first", tmp_path / "data"
    first.mkdir()
    if change != OLDER:
        SqliteDatabase(first / FILE_NAME).close()
    with closing(sqlite3.connect(first / FILE_NAME, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(change)
        if change == OLDER:
            connection.execute("PRAGMA user_version = 27")
        if killed:
            shutil.copytree(first, data, ignore=shutil.ignore_patterns("*-shm"))
    if not killed:
        first.rename(data)
    before = {path: path.read_bytes() for path in data.iterdir()}
    assert len(before) == 1 + killed
    loaded: list[str | Path] = [data / FILE_NAME, "--database", "postgresql://omnibus@127.0.0.1:1/none"]
    all_refuse(tmp_path, ["--data", data], loaded, WHY[change])
    assert {path: path.read_bytes() for path in data.iterdir() if path.suffix not in (".lock", ".db-shm")} == before


@pytest.mark.parametrize("change", [OLDER, CHANGED, MIGRATED])
def test_a_database_in_postgresql_with_another_schema_is_refused(
    tmp_path: Path, postgres: PostgresServer, change: str
) -> None:
    """By the server, a backup, copying and a check; nothing is created there."""
    name = postgres.create(empty=change == OLDER)
    there: list[str | Path] = ["--database", postgres.address(name)]
    asked = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    asyncio.run(fetched(postgres.address(name), change))
    before = asyncio.run(fetched(postgres.address(name), asked))
    SqliteDatabase(tmp_path / FILE_NAME).close()
    all_refuse(tmp_path, there, [tmp_path / FILE_NAME, *there], WHY[change])
    assert asyncio.run(fetched(postgres.address(name), asked)) == before
    postgres.drop(name)


async def fetched(address: str, query: str) -> Any:
    """Ask PostgreSQL, without Omnibus."""
    import asyncpg

    connection = await asyncpg.connect(address)
    found = await connection.fetch(query)
    await connection.close()
    return found


async def opened(file: Path, address: str, *migrations: str) -> Database:
    """Open a database as a server with these migrations does."""
    schema = Schema(SCHEMA.script, migrations)
    if not address:
        return SqliteDatabase(file, schema)
    from omnibus.server.store.postgres import PostgresDatabase

    database = PostgresDatabase(address, schema=schema)
    await database.connect()
    return database


async def rows(file: Path, address: str, *migrations: str) -> list[tuple[object, ...]]:
    """Open a database, and read what the example is about."""
    database = await opened(file, address, *migrations)
    found = await database.read("SELECT number, user, share FROM example ORDER BY number")
    await database.aclose()
    return [tuple(row) for row in found]


@pytest.mark.both_databases
async def test_migrations_are_carried_out_in_order_and_once(tmp_path: Path, address: str) -> None:
    """Those a database lacks, when a server starts; a server that does not know them refuses it from then on."""
    file = tmp_path / FILE_NAME
    for known in (0, 1):
        await (await opened(file, address, *EXAMPLE[:known])).aclose()
    for _ in range(2):
        assert await rows(file, address, *EXAMPLE) == ROWS
    with pytest.raises((StoreError, ValueError), match="migrated by a newer version"):
        await opened(file, address, *EXAMPLE[:2])


@pytest.mark.both_databases
async def test_migrations_are_carried_out_together_or_not_at_all(tmp_path: Path, address: str) -> None:
    """When one fails the database is as before: the server that used it can go on."""
    file = tmp_path / FILE_NAME
    await (await opened(file, address)).aclose()
    with pytest.raises((StoreError, ValueError), match="nowhere"):
        await opened(file, address, *BROKEN)
    database = await opened(file, address)
    with pytest.raises(StoreError):
        await database.read("SELECT * FROM example")
    await database.aclose()
    assert await rows(file, address, *EXAMPLE) == ROWS


async def test_servers_that_start_at_once(postgres: PostgresServer) -> None:
    """One of them creates the tables and carries out the migrations; the others wait for it."""
    name = postgres.create(empty=True)
    address = postgres.address(name)
    several = await asyncio.gather(*(opened(Path(), address, *EXAMPLE) for _ in range(3)))
    for database in several:
        assert await database.read("SELECT number, user, share FROM example ORDER BY number") == ROWS
        await database.aclose()
    with pytest.raises(ValueError, match="migrated by a newer version"):
        await open_postgres(address).connect()
    postgres.drop(name)


def test_commands_leave_it_to_a_server_to_create_tables(postgres: PostgresServer) -> None:
    """They name an empty database as what it is."""
    name = postgres.create(empty=True)
    refused(omnibus("admin", "check", "--database", postgres.address(name)), "start `omnibus serve` once")
    postgres.drop(name)


def test_comments_in_the_schema_do_not_count(tmp_path: Path) -> None:
    """A database that was made before one was edited can be used; a column more is another schema."""
    SqliteDatabase(tmp_path / FILE_NAME).close()
    SqliteDatabase(tmp_path / FILE_NAME, Schema(f"-- a comment\n\n{SCHEMA.script}")).close()
    with pytest.raises(StoreError, match="a different version"):
        SqliteDatabase(tmp_path / FILE_NAME, Schema(SCHEMA.script.replace("name TEXT NOT NULL,", "", 1)))
