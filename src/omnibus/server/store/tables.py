"""Tables, their events and chat, and uploaded records. Events are stored as bytes: what they mean is for tables/."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from functools import partial
from math import inf
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from omnibus.server import metrics
from omnibus.server.store.database import Database, NewEvent, Transaction, insert_event
from omnibus.server.store.errors import Conflict, StoreError, Unstorable
from omnibus.server.store.invitations import INBOX
from omnibus.server.store.models import (
    ChatLine,
    Listing,
    Sitter,
    TableRow,
    TableSetup,
    TableStatus,
    TimeControl,
)
from omnibus.server.store.server_clock import ServerClock

MOST_LISTED: Final = 200

SITTERS: Final = msgspec.json.Decoder(list[Sitter])
_CLOCK: Final = msgspec.json.Decoder(TimeControl)
_LISTING: Final = msgspec.json.Decoder(Listing)
MOST_SAID: Final = 500  # chat lines returned at once
_COLUMNS: Final = (
    "id, game, rules, seats, options, seed, sitters, owner, created, updated, awaits, standing, listed, patience, "
    "winners, deal, clock, rated, tournament, random_seats, listing"
)
_INSERT: Final = (
    f"INSERT INTO tables ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?)"
)


_WAITING: Final = f"""
    SELECT id, sitters, awaits, opened, inbox FROM (SELECT {INBOX} AS inbox) AS requests LEFT JOIN (
        SELECT id, sitters, awaits, updated, tournament <> '' AND sitting.seen <=
            (SELECT at FROM events WHERE events.table_id = tables.id AND number = 1) AS opened
        FROM tables JOIN sitting ON sitting.table_id = tables.id
        WHERE sitting.user = ?1 AND standing = 'live' AND (awaits IS NOT NULL OR tournament <> '')
        ORDER BY updated LIMIT ?2
    ) AS found ON TRUE ORDER BY updated
"""


class Waiting(NamedTuple):
    """What waits for a user."""

    tables: list[str]
    """The tables at which it is the user's turn, the longest waiting first."""
    opened: list[str]
    """The tables of tournaments that have opened without the user's coming, the longest waiting first."""
    inbox: int
    """The number of invitations and friend requests to be answered."""


class FirstEvent(NamedTuple):
    """The event that starts a game."""

    body: bytes
    awaits: int | None
    """The seat that decides first, if a person sits there."""
    clock_due: float | None = None
    """When the time of the running clock is over, on the server's clock; None: none runs."""


class TableStore:
    """Stores tables and what happens at them, and finds them again."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.server_clock = ServerClock(database)

    # tables

    async def add_table(self, setup: TableSetup, first: FirstEvent | None, *, after: str | None = None) -> None:
        """Add a table, with its first event if no seat is free; `after` is the table of which it is the rematch."""
        await self.database.write(partial(_insert_table, setup=setup, first=first, after=after))

    async def reseat(
        self, setup: TableSetup, before: list[Sitter], first: FirstEvent | None = None, *, apart: str | None = None
    ) -> None:
        """Store who sits where, and the first event once no seat is free; Conflict unless all sit as `before`.

        It is a Conflict too when somebody sits down who sits at the table `apart`. Invitations to seats that are taken
        are removed.
        """
        await self.database.write(partial(_reseat_as_before, setup=setup, before=before, first=first, apart=apart))

    async def entry(self, table: str) -> TableRow | None:
        """Return a table."""
        rows = await self.database.read(f"SELECT {_COLUMNS} FROM tables WHERE id = ?", table)
        return _entry(rows[0]) if rows else None

    async def entries(self, user: str) -> list[TableRow]:
        """Return the tables a user sits at, the latest first."""
        query = (
            f"SELECT {_COLUMNS} FROM tables JOIN sitting ON sitting.table_id = tables.id "
            "WHERE sitting.user = ? ORDER BY updated DESC LIMIT ?"
        )
        return [_entry(row) for row in await self.database.read(query, user, MOST_LISTED)]

    async def finished(self, user: str) -> list[TableRow]:
        """Return all finished games of a user whose winners are known."""
        query = (
            f"SELECT {_COLUMNS} FROM tables JOIN sitting ON sitting.table_id = tables.id "
            "WHERE sitting.user = ? AND standing = 'over' AND winners IS NOT NULL"
        )
        return [_entry(row) for row in await self.database.read(query, user)]

    async def live_entries(self, user: str) -> list[TableRow]:
        """Return the games in progress of a user, the latest first."""
        return await self._standing(user, "'live'")

    async def unfinished_entries(self, user: str) -> list[TableRow]:
        """Return all tables of a user whose game is in progress or has not started."""
        return await self._standing(user, "'live', 'open'")

    async def ended(self, user: str) -> list[str]:
        """Return all tables of a user whose game has ended, in whatever way."""
        query = (
            "SELECT id FROM tables JOIN sitting ON sitting.table_id = tables.id "
            "WHERE sitting.user = ? AND standing IN ('over', 'closed') ORDER BY updated DESC"
        )
        return [row[0] for row in await self.database.read(query, user)]

    async def _standing(self, user: str, standings: str) -> list[TableRow]:
        query = (
            f"SELECT {_COLUMNS} FROM tables JOIN sitting ON sitting.table_id = tables.id "
            f"WHERE sitting.user = ? AND standing IN ({standings}) ORDER BY updated DESC"
        )
        return [_entry(row) for row in await self.database.read(query, user)]

    async def count_of_game(self, user: str, game: str) -> int:
        """Count the tables of a game a user sits at."""
        query = "SELECT count(*) FROM tables JOIN sitting ON sitting.table_id = tables.id WHERE user = ? AND game = ?"
        return int((await self.database.read(query, user, game))[0][0])

    async def open_entries(self) -> list[TableRow]:
        """Return the tables the lobby shows because seats are free, the latest first."""
        query = f"SELECT {_COLUMNS} FROM tables WHERE listed = 1 AND standing = 'open' ORDER BY updated DESC LIMIT ?"
        return [_entry(row) for row in await self.database.read(query, MOST_LISTED)]

    async def open_versions(self) -> list[tuple[str, float]]:
        """Return the ids of the tables the lobby shows, each with when it last changed."""
        query = "SELECT id, updated FROM tables WHERE listed = 1 AND standing = 'open' ORDER BY updated DESC LIMIT ?"
        return [(id_, updated) for id_, updated in await self.database.read(query, MOST_LISTED)]

    async def awaited(self, user: str) -> list[str]:
        """Return the tables that wait for a user, the longest waiting first."""
        return (await self.waiting(user)).tables

    async def waiting(self, user: str) -> Waiting:
        """Return what waits for a user, in one query: every page of theirs asks for it, and at every turn again."""
        rows = await self.database.read(_WAITING, user, MOST_LISTED)
        asked = [(id_, SITTERS.decode(sitters)[awaits]) for id_, sitters, awaits, *_ in rows if awaits is not None]
        return Waiting(
            [id_ for id_, sitter in asked if sitter.user == user],
            [id_ for id_, _, _, opened, _ in rows if opened],
            rows[0][-1],
        )

    async def bots_due(self, before: float = inf, *, since: float = 0.0) -> list[str]:
        """Return the live tables that wait for no person though one sits there, the longest waiting first.

        Only those at which something has last happened between two times.
        """
        query = (
            "SELECT id FROM tables WHERE standing = 'live' AND awaits IS NULL AND updated BETWEEN ? AND ? "
            "AND id IN (SELECT table_id FROM sitting) ORDER BY updated"
        )
        return [row[0] for row in await self.database.read(query, since, before)]

    async def clocks_due(self, before: float) -> dict[str, float]:
        """Return the tables at which somebody's time may be over before the server's clock shows a time, with when."""
        query = "SELECT id, clock_due FROM tables WHERE clock_due < ? ORDER BY clock_due"
        return dict(await self.database.read(query, before))

    async def postpone_clocks(self, later: Iterable[tuple[str, float, float | None]]) -> None:
        """Store for tables that somebody's time is over later than was stored, or that no clock runs (None).

        Where something has happened meanwhile, nothing is changed.
        """
        rows = [(due, table, before) for table, before, due in later]
        query = "UPDATE tables SET clock_due = ? WHERE id = ? AND clock_due = ?"
        if rows:
            await self.database.write(lambda transaction: transaction.execute_many(query, rows))

    async def any_clock_runs(self) -> bool:
        """Tell whether a clock runs anywhere."""
        return bool(await self.database.read("SELECT 1 FROM tables WHERE clock_due IS NOT NULL LIMIT 1"))

    async def all_entries(self, standing: TableStatus | None = None) -> list[tuple[TableRow, int]]:
        """Return all tables, or those of one standing, the latest first, each with the number of its last event."""
        last = "(SELECT coalesce(max(number), 0) FROM events WHERE table_id = tables.id)"
        query = f"SELECT {_COLUMNS}, {last} FROM tables WHERE ?1 = '' OR standing = ?1 ORDER BY updated DESC"
        return [(_entry(row[:-1]), row[-1]) for row in await self.database.read(query, standing or "")]

    async def count_tables(self) -> int:
        """Return how many tables there are."""
        count: int = (await self.database.read("SELECT count(*) FROM tables"))[0][0]
        return count

    async def ids(self) -> list[str]:
        """Return the ids of all tables, also of those that cannot be read."""
        return [row[0] for row in await self.database.read("SELECT id FROM tables ORDER BY created")]

    async def sitters(self, tables: Iterable[str]) -> dict[str, list[Sitter]]:
        """Return who sits at tables."""
        query = "SELECT id, sitters FROM tables WHERE id IN (SELECT value FROM json_each(?))"
        rows = await self.database.read(query, json.dumps(list(tables)))
        return {id_: SITTERS.decode(sitters) for id_, sitters in rows}

    async def rematch(self, table: str) -> str | None:
        """Return the table that was set up from this one."""
        rows = await self.database.read("SELECT rematch FROM tables WHERE id = ?", table)
        return rows[0][0] if rows else None

    async def remove_table(self, table: str, before: list[Sitter]) -> None:
        """Remove a table with everything that happened at it; Conflict unless all sit as `before`."""

        async def remove(transaction: Transaction) -> None:
            await _expect(transaction, table, before)
            await transaction.execute("DELETE FROM tables WHERE id = ?", table)

        await self.database.write(remove)

    # events

    async def append(
        self,
        table: str,
        number: int,
        event: bytes,
        *,
        request: str | None,
        awaits: int | None,
        standing: TableStatus,
        winners: Sequence[int] | None = None,
        clock_due: float | None = None,
    ) -> None:
        """Append the next event of a table; Conflict when there is one of this number or request already.

        `awaits` is the seat that is to decide, if a person sits there; `winners` are the seats that have won;
        `clock_due` is when the time of the running clock is over, on the server's clock.
        """
        won = None if winners is None else json.dumps(list(winners))
        new = NewEvent(table, number, event, request, time.time(), awaits, standing, won, clock_due)
        began = time.perf_counter()
        try:
            await self.database.append(new)
            metrics.COMMIT_SECONDS.observe(time.perf_counter() - began)
        except (Conflict, Unstorable):
            raise
        except StoreError:
            self.server_clock.fail()
            raise

    async def events(self, table: str, since: int = 1) -> list[tuple[int, bytes, str | None]]:
        """Return the events of a table from a number on: number, event, request."""
        query = "SELECT number, body, request FROM events WHERE table_id = ? AND number >= ? ORDER BY number"
        return await self.database.read(query, table, since)

    async def last_events(self, tables: Iterable[str]) -> dict[str, int]:
        """Return the number of the last event of each table that has any."""
        return await self._last("events", tables)

    async def _last(self, what: str, tables: Iterable[str]) -> dict[str, int]:
        query = (
            f"SELECT table_id, max(number) FROM {what} WHERE table_id IN (SELECT value FROM json_each(?)) "
            "GROUP BY table_id"
        )
        return dict(await self.database.read(query, json.dumps(list(tables))))

    async def last_bodies(self, tables: Iterable[str]) -> dict[str, bytes]:
        """Return the last event of each table that has any."""
        query = (
            "SELECT table_id, body FROM events WHERE table_id IN (SELECT value FROM json_each(?)) "
            "AND number = (SELECT max(number) FROM events AS others WHERE others.table_id = events.table_id)"
        )
        return dict(await self.database.read(query, json.dumps(list(tables))))

    async def last_event_at(self, table: str) -> float:
        """Return when the last event of a table was stored."""
        query = "SELECT at FROM events WHERE table_id = ? ORDER BY number DESC LIMIT 1"
        at: float = (await self.database.read(query, table))[0][0]
        return at

    async def count_events(self) -> int:
        """Return how many events there are."""
        count: int = (await self.database.read("SELECT count(*) FROM events"))[0][0]
        return count

    # chat

    async def say(self, table: str, user: str, seat: int, text: str, request: str | None = None) -> ChatLine | None:
        """Add a chat line; None if it was added before, by the same request."""

        async def insert(transaction: Transaction) -> ChatLine | None:
            await transaction.lock(table)  # so that nobody else takes the same number
            asked = "SELECT 1 FROM chat WHERE table_id = ? AND request = ?"
            if request is not None and await transaction.read(asked, table, request):
                return None
            last = "SELECT coalesce(max(number), 0) FROM chat WHERE table_id = ?"
            ((number,),) = await transaction.read(last, table)
            said = ChatLine(number + 1, user, seat, text, time.time())
            add = "INSERT INTO chat (table_id, number, user, seat, text, at, request) VALUES (?, ?, ?, ?, ?, ?, ?)"
            await transaction.execute(add, table, said.number, user, seat, text, said.at, request)
            return said

        return await self.database.write(insert)

    async def said(self, table: str, since: int = 0) -> list[ChatLine]:
        """Return the chat lines of a table after a number, the last ones if there are many."""
        where = "WHERE table_id = ? AND number > ? AND text <> '' ORDER BY number DESC LIMIT ?"
        query = f"SELECT number, user, seat, text, at FROM chat {where}"
        return [ChatLine(*row) for row in reversed(await self.database.read(query, table, since, MOST_SAID))]

    async def last_said(self, tables: Iterable[str]) -> dict[str, int]:
        """Return the number of the last chat line of each table that has any."""
        return await self._last("chat", tables)

    # records

    async def add_record(self, text: str, owner: str) -> str:
        """Store an uploaded record and return its id; the same text is stored once."""
        id_ = hashlib.sha256(text.encode()).hexdigest()[:32]
        query = "INSERT INTO records (id, text, owner, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        await self.database.execute(query, id_, text, owner, time.time())
        return id_

    async def record(self, id_: str) -> str | None:
        """Return an uploaded record."""
        rows = await self.database.read("SELECT text FROM records WHERE id = ?", id_)
        return rows[0][0] if rows else None


async def _insert_table(
    transaction: Transaction, *, setup: TableSetup, first: FirstEvent | None, after: str | None
) -> None:
    options = json.dumps(setup.options, ensure_ascii=False)
    what = (setup.id, setup.game, setup.rules, setup.seats, options, f"{setup.seed:064x}", "[]")
    when = (setup.owner, setup.created, setup.created, None, "open", int(setup.listed), setup.patience)
    clock = "" if setup.clock is None else msgspec.json.encode(setup.clock).decode()
    listing = "" if setup.listing is None else msgspec.json.encode(setup.listing).decode()
    others = (setup.deal, clock, int(setup.rated), setup.tournament, int(setup.random_seats), listing)
    await transaction.execute(_INSERT, *what, *when, *others)
    if after is not None:
        await transaction.lock(after)
        query = "SELECT 1 FROM tables JOIN tables AS old ON old.rematch = tables.id WHERE old.id = ?"
        if await transaction.read(query, after):
            raise Conflict("somebody else has proposed a rematch")
        await transaction.execute("UPDATE tables SET rematch = ? WHERE id = ?", setup.id, after)
    await _reseat(transaction, setup=setup, first=first)


async def _reseat_as_before(
    transaction: Transaction, *, setup: TableSetup, before: list[Sitter], first: FirstEvent | None, apart: str | None
) -> None:
    if apart is not None:
        for table in sorted((setup.id, apart)):  # always in this order, or two people who sit down would wait for ever
            await transaction.lock(table)
        query = "SELECT 1 FROM sitting WHERE table_id = ? AND user IN (SELECT value FROM json_each(?))"
        if await transaction.read(query, apart, json.dumps(sorted(setup.people() - {seat.user for seat in before}))):
            raise Conflict("whoever sits down sits at another table already")
    await _expect(transaction, setup.id, before)
    await _reseat(transaction, setup=setup, first=first)


async def _expect(transaction: Transaction, table: str, sitters: list[Sitter]) -> None:
    """Lock a table; Conflict when it was deleted, or others sit there than somebody has seen."""
    await transaction.lock(table)
    rows = await transaction.read("SELECT sitters FROM tables WHERE id = ?", table)
    if not rows or SITTERS.decode(rows[0][0]) != sitters:
        raise Conflict("somebody else has changed the seats of this table, or deleted it")


async def _reseat(transaction: Transaction, *, setup: TableSetup, first: FirstEvent | None) -> None:
    now = time.time()
    sitters = msgspec.json.encode(setup.sitters).decode()
    await transaction.execute("UPDATE tables SET sitters = ?, updated = ? WHERE id = ?", sitters, now, setup.id)
    people = sorted(setup.people())
    query = "DELETE FROM sitting WHERE table_id = ? AND user NOT IN (SELECT value FROM json_each(?))"
    await transaction.execute(query, setup.id, json.dumps(people))
    query = "INSERT INTO sitting (user, table_id, seen) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    await transaction.execute_many(query, [(user, setup.id, now) for user in people])
    if first is not None:
        event = NewEvent(setup.id, 1, first.body, None, now, first.awaits, "live", clock_due=first.clock_due)
        await insert_event(transaction, event)


def _entry(row: tuple[Any, ...]) -> TableRow:
    id_, game, rules, seats, options, seed, sitters, owner, created, updated, awaits, standing, *others = row
    listed, patience, winners, deal, clock, rated, tournament, random_seats, listing = others
    sat = SITTERS.decode(sitters)
    options = json.loads(options)
    setup = TableSetup(
        id_, game, rules, seats, options, int(seed, 16), sat, owner, created, bool(listed), patience, deal
    )
    if clock or rated or tournament or random_seats or listing:
        setup = replace(
            setup,
            clock=_CLOCK.decode(clock) if clock else None,
            rated=bool(rated),
            tournament=tournament,
            random_seats=bool(random_seats),
            listing=_LISTING.decode(listing) if listing else None,
        )
    return TableRow(setup, updated, awaits, standing, None if winners is None else json.loads(winners))
