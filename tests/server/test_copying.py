"""A server moves from its file to PostgreSQL and back, and everything comes along."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from omnibus.server.store.models import Sitter
from omnibus.server.store.sqlite import FILE_NAME, SqliteDatabase
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.registry import TableRegistry
from support.command_line import omnibus
from support.postgres import PostgresServer, missing
from support.server_process import running_server

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")


async def furnish(file: Path) -> None:
    """Something of everything: users, tokens, a live and an open table, chat, a record, a muted user."""
    database, bot_pool = SqliteDatabase(file), BotPool(1)
    registry = TableRegistry(database, bot_pool)
    ann, bob = [(await registry.user_store.add_user(name))[0] for name in ("Ann", "Bob")]
    pair = [Sitter(user=ann.id, name="Zoë “Z” \\"), Sitter(user=bob.id)]
    live = await registry.open(ann.id, "times_square", {}, pair, seed=1)  # a game that lasts long enough
    await registry.open(ann.id, "times_square", {}, [pair[0], Sitter()], listed=True)
    table = await registry.table(live.id)
    for _ in range(30):
        assert table.actor is not None
        await table.play(table.actor, table.match.lines()[0], table.event, f"request {table.event}")
    await registry.table_store.say(live.id, ann.id, 0, "hello ☃")
    await registry.table_store.add_record(table.record(), bob.id)
    await registry.user_store.mute(ann.id, bob.id, muted=True)
    await registry.user_store.keep_mail(bob.id, "bob@example.org", confirmed=True)
    await registry.close()
    await bot_pool.close()
    database.close()


def contents(file: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}


def test_there_and_back(tmp_path: Path, postgres: PostgresServer) -> None:
    """Row by row; both are checked, nothing is ever added to what is there, and texts are erased there too."""
    file, again = tmp_path / FILE_NAME, tmp_path / "again" / FILE_NAME
    again.parent.mkdir()
    asyncio.run(furnish(file))
    name = postgres.create(empty=True)
    there = ["--database", postgres.address(name)]
    loaded = omnibus("admin", "load", str(file), *there)
    assert loaded.stdout == "2 users, 2 tables, 31 events: all is as in the file.\n", loaded.stderr
    assert "not empty" in omnibus("admin", "load", str(file), *there).stderr
    assert "31 events" in omnibus("admin", "check", *there).stdout
    assert omnibus("admin", "backup", str(again), *there).returncode == 0
    assert contents(again) == contents(file)
    assert omnibus("admin", "check", "--data", str(again.parent)).returncode == 0
    listed = omnibus("admin", "users", "--name", "zoë", *there).stdout.splitlines()
    assert len(listed) == 3
    user = listed[1].split()[0]
    erased = omnibus("admin", "erase-texts", user, "--yes", *there)
    assert erased.stdout == "Erased: 1 name, 2 names at tables, 1 chat line, 0 records, 0 addresses.\n"
    assert "name either" in omnibus("admin", "tables", "--data", str(tmp_path), *there).stderr
    postgres.drop(name)


def test_a_server_that_is_running_is_not_copied(tmp_path: Path, postgres: PostgresServer) -> None:
    """The file of a running server is refused in one sentence, and nothing is copied; a backup, or its file later, is.

    Nor can a server be started on a file that is being copied: both take the lock of the folder.
    """
    data, saved = tmp_path / "data", tmp_path / "saved.db"
    name = postgres.create(empty=True)
    there = ["--database", postgres.address(name)]
    with running_server(data):
        refused = omnibus("admin", "load", str(data / FILE_NAME), *there)
        assert "a server is running" in refused.stderr
        assert omnibus("admin", "backup", str(saved), "--data", str(data)).returncode == 0
        assert omnibus("admin", "load", str(saved), *there).returncode == 0
    postgres.drop(name)
    other = postgres.create(empty=True)
    loaded = omnibus("admin", "load", str(data / FILE_NAME), "--database", postgres.address(other))
    assert loaded.returncode == 0, loaded.stderr
    postgres.drop(other)
