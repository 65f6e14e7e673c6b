"""What the house writes down and looks up: users, tables, events, records — the only room that speaks SQL."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
from functools import partial
from typing import Any, Final

import msgspec

from omnibus.server import events
from omnibus.server.events import Event
from omnibus.server.rows import Entry, Setting, Sitter, Standing, User
from omnibus.server.store import Store

ID_BYTES: Final = 12
TOKEN_BYTES: Final = 32
MOST_LISTED: Final = 200

_SITTERS: Final = msgspec.json.Decoder(list[Sitter])
_TABLE: Final = "id, game, rules, seats, options, seed, sitters, owner, created, updated, awaits, standing"


def new_id() -> str:
    """Make an id nobody can guess."""
    return secrets.token_urlsafe(ID_BYTES)


class Ledger:
    """Writes into the store and reads from it."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # users

    async def add_user(self) -> tuple[User, str]:
        """Make a user; the token is told this once and kept only as a hash."""
        user, token = User(new_id(), ""), secrets.token_urlsafe(TOKEN_BYTES)
        row = (user.id, hashed(token), user.name, time.time())
        await self.store.write(lambda store: store.execute("INSERT INTO users VALUES (?, ?, ?, ?)", row))
        return user, token

    def user(self, token: str) -> User | None:
        """Find the user a token belongs to."""
        rows = self.store.read("SELECT id, name FROM users WHERE token = ?", hashed(token))
        return User(*rows[0]) if rows else None

    async def rename(self, user: str, name: str) -> None:
        """Give a user another name."""
        await self.store.write(lambda store: store.execute("UPDATE users SET name = ? WHERE id = ?", (name, user)))

    # tables

    async def add_table(self, setting: Setting, began: Event, awaits: int | None, *, after: str | None = None) -> None:
        """Write a new table down with its first event; `after` is the table it is a rematch of."""
        await self.store.write(partial(_insert_table, setting=setting, began=began, awaits=awaits, after=after))

    def entry(self, table: str) -> Entry | None:
        """Find a table."""
        rows = self.store.read(f"SELECT {_TABLE} FROM tables WHERE id = ?", table)
        return _entry(rows[0]) if rows else None

    def entries(self, user: str) -> list[Entry]:
        """Return the tables a user sits at, the latest first."""
        query = (
            f"SELECT {_TABLE} FROM tables JOIN sitting ON sitting.table_id = tables.id "
            "WHERE sitting.user = ? ORDER BY updated DESC LIMIT ?"
        )
        return [_entry(row) for row in self.store.read(query, user, MOST_LISTED)]

    def rematch(self, table: str) -> str | None:
        """Return the table that was set up from this one."""
        rows = self.store.read("SELECT rematch FROM tables WHERE id = ?", table)
        return rows[0][0] if rows else None

    async def remove_table(self, table: str) -> None:
        """Remove a table with everything that happened at it."""
        await self.store.write(lambda store: store.execute("DELETE FROM tables WHERE id = ?", (table,)))

    # events

    async def append(
        self, table: str, number: int, event: Event, *, request: str | None, awaits: int | None, standing: Standing
    ) -> None:
        """Append the next event of a table; IntegrityError when there is one of this number or request already."""
        now = time.time()
        row = (table, number, events.write(event), request, now)

        def append(store: sqlite3.Connection) -> None:
            store.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
            updated = "UPDATE tables SET updated = ?, awaits = ?, standing = ? WHERE id = ?"
            store.execute(updated, (now, awaits, standing, table))

        await self.store.write(append)

    def events(self, table: str) -> list[tuple[int, Event, str | None]]:
        """Return everything that happened at a table: number, event, request."""
        query = "SELECT number, body, request FROM events WHERE table_id = ? ORDER BY number"
        return [(number, events.read(body), request) for number, body, request in self.store.read(query, table)]

    # records

    async def add_record(self, text: str, owner: str) -> str:
        """Keep an uploaded record; the same one is kept once."""
        id_ = hashlib.sha256(text.encode()).hexdigest()[:32]
        row = (id_, text, owner, time.time())
        await self.store.write(lambda store: store.execute("INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?)", row))
        return id_

    def record(self, id_: str) -> str | None:
        """Find an uploaded record."""
        rows = self.store.read("SELECT text FROM records WHERE id = ?", id_)
        return rows[0][0] if rows else None


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _insert_table(
    store: sqlite3.Connection, *, setting: Setting, began: Event, awaits: int | None, after: str | None
) -> None:
    sitters = msgspec.json.encode(setting.sitters).decode()
    options = json.dumps(setting.options, ensure_ascii=False)
    what = (setting.id, setting.game, setting.rules, setting.seats, options, f"{setting.seed:064x}", sitters)
    when = (setting.owner, None, setting.created, setting.created, awaits, "live")
    store.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*what, *when))
    store.executemany("INSERT INTO sitting VALUES (?, ?)", [(user, setting.id) for user in sorted(setting.people())])
    first = (setting.id, 1, events.write(began), None, setting.created)
    store.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", first)
    store.execute("UPDATE tables SET rematch = ? WHERE id = ?", (setting.id, after))


def _entry(row: tuple[Any, ...]) -> Entry:
    id_, game, rules, seats, options, seed, sitters, owner, created, updated, awaits, standing = row
    sat = _SITTERS.decode(sitters)
    setting = Setting(id_, game, rules, seats, json.loads(options), int(seed, 16), sat, owner, created)
    return Entry(setting, updated, awaits, standing)
