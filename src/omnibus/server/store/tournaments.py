"""Tournaments: what they are like, who has entered, their rounds, and the tables of each round with their results.

Several processes may run the same tournament. Every change raises its version, and what was decided from an earlier
version is not stored: whoever comes second reads again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from omnibus.kernel.game import Document
from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.models import TableStatus, TimeControl
from omnibus.server.store.users import new_id
from omnibus.tournaments.tournament import TournamentFormat

TournamentStatus = Literal["open", "live", "over", "cancelled"]
"""Open: it has not started."""

MOST_LISTED: Final = 100
_COLUMNS: Final = "id, name, owner, setup, status, version, created, starts, started, ended, since"


class TournamentSetup(Struct, frozen=True):
    """What a tournament is like."""

    game: str
    rules: int
    """The version of the rules the options are written for."""
    options: Document
    format: TournamentFormat
    size: int = 2
    """How many sit at a table, if the numbers work out."""
    rounds: int = 0
    """Of a Swiss tournament; 0: as many as it takes to find the best one. From the start on it is known."""
    time_limit: float = 3600.0
    """How long a round may take, or the whole arena, in seconds."""
    clock: TimeControl | None = None
    rated: bool = False
    bots: str = ""
    """The level of bots that sit in seats nobody has at a table of three or more; empty: there are none."""


class TournamentRow(Struct, frozen=True):
    """A tournament in a list of tournaments."""

    id: str
    name: str
    owner: str
    setup: TournamentSetup
    status: TournamentStatus
    version: int
    created: float
    starts: float | None
    """When it starts by itself; None: when its host starts it."""
    started: float | None
    ended: float | None
    since: float
    """What the server's clock showed when the time began that is limited: that of the round, or of the whole arena."""
    entrants: int
    """How many have entered and not withdrawn."""


class Entrant(Struct, frozen=True):
    """Somebody who has entered a tournament."""

    user: str
    withdrawn: bool


class RoundRow(Struct, frozen=True):
    """A round of a tournament; in an arena, tables that were opened at the same moment."""

    number: int
    started: float
    byes: tuple[str, ...]


class Pairing(Struct, frozen=True):
    """Who plays together at a table of a tournament."""

    round: int
    number: int
    table: str
    players: tuple[str, ...]
    """The entrants in the order of their seats; bots come after them."""
    opened: float = 0.0
    """When the table was opened, 0 before; if it is gone then, it has been deleted."""
    ranks: tuple[int, ...] | None = None
    """The ranks of the entrants, once the table is over."""
    ended: float = 0.0
    """When the result was stored."""


class StoredTournament(Struct, frozen=True):
    """All that is stored of a tournament."""

    row: TournamentRow
    entrants: list[Entrant]
    """In the order of entry, or of their ratings when it started."""
    rounds: list[RoundRow]
    pairings: list[Pairing]


class TournamentStore:
    """Stores tournaments."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # reading

    async def row(self, id_: str) -> TournamentRow | None:
        """Return a tournament without its rounds."""
        rows = await self._rows("WHERE id = ?", id_)
        return rows[0] if rows else None

    async def listed(self) -> list[TournamentRow]:
        """Return the tournaments people can enter, watch or look up, the latest first."""
        return await self._rows("WHERE status <> 'cancelled' ORDER BY created DESC LIMIT ?", MOST_LISTED)

    async def live(self) -> list[str]:
        """Return the tournaments that are being played."""
        query = "SELECT id FROM tournaments WHERE status = 'live' ORDER BY started"
        return [row[0] for row in await self.database.read(query)]

    async def due(self, now: float) -> list[str]:
        """Return the tournaments whose time to start has come."""
        query = "SELECT id FROM tournaments WHERE status = 'open' AND starts <= ? ORDER BY starts"
        return [row[0] for row in await self.database.read(query, now)]

    async def version(self, id_: str) -> int | None:
        """Return the version of a tournament; None: there is no such tournament."""
        rows = await self.database.read("SELECT version FROM tournaments WHERE id = ?", id_)
        return rows[0][0] if rows else None

    async def plays_in_any(self, user: str) -> bool:
        """Tell whether somebody plays in a tournament that is not over."""
        query = (
            "SELECT 1 FROM tournaments WHERE status IN ('open', 'live') AND EXISTS (SELECT 1 FROM tournament_entrants "
            "WHERE tournament_id = tournaments.id AND user = ? AND withdrawn = 0) LIMIT 1"
        )
        return bool(await self.database.read(query, user))

    async def count_of(self, owner: str) -> int:
        """Return how many tournaments of somebody are not over."""
        query = "SELECT count(*) FROM tournaments WHERE owner = ? AND status IN ('open', 'live')"
        return int((await self.database.read(query, owner))[0][0])

    async def load(self, id_: str) -> StoredTournament | None:
        """Return all that is stored of a tournament."""
        row = await self.row(id_)
        if row is None:
            return None
        entrants = "SELECT user, withdrawn FROM tournament_entrants WHERE tournament_id = ? ORDER BY number"
        rounds = "SELECT number, started, byes FROM tournament_rounds WHERE tournament_id = ? ORDER BY number"
        tables = (
            "SELECT round, number, table_id, players, opened, ranks, ended FROM tournament_tables "
            "WHERE tournament_id = ? ORDER BY round, number"
        )
        return StoredTournament(
            row,
            [Entrant(user, bool(withdrawn)) for user, withdrawn in await self.database.read(entrants, id_)],
            [RoundRow(number, at, _tuple(byes)) for number, at, byes in await self.database.read(rounds, id_)],
            [_pairing(each) for each in await self.database.read(tables, id_)],
        )

    async def standings_of_tables(self, id_: str) -> dict[str, TableStatus | None]:
        """Return how the tables without a result stand, by id; None: there is no such table, or not yet."""
        query = (
            "SELECT table_id, standing FROM tournament_tables LEFT JOIN tables ON tables.id = table_id "
            "WHERE tournament_id = ? AND ranks IS NULL"
        )
        return dict(await self.database.read(query, id_))

    async def _rows(self, where: str, *values: Any) -> list[TournamentRow]:
        count = "(SELECT count(*) FROM tournament_entrants WHERE tournament_id = tournaments.id AND withdrawn = 0)"
        query = f"SELECT {_COLUMNS}, {count} FROM tournaments {where}"
        return [_row(each) for each in await self.database.read(query, *values)]

    # changing

    async def add(self, name: str, owner: str, setup: TournamentSetup, starts: float | None = None) -> str:
        """Add a tournament that people can enter, and that starts by itself at some time, if any; return its id."""
        id_ = new_id()
        query = (
            "INSERT INTO tournaments (id, name, owner, setup, status, version, created, starts) "
            "VALUES (?, ?, ?, ?, 'open', 0, ?, ?)"
        )
        await self.database.execute(query, id_, name, owner, _json(setup), time.time(), starts)
        return id_

    async def enter(self, id_: str, user: str, statuses: Sequence[TournamentStatus], most: int) -> bool:
        """Enter somebody who has not, or has withdrawn; False when it is full, or its status is none of these."""
        return await self.database.write(partial(_enter, id_=id_, user=user, statuses=statuses, most=most))

    async def withdraw(self, id_: str, user: str) -> None:
        """Withdraw an entrant; before the start they are removed."""
        await self.database.write(partial(_withdraw, id_=id_, user=user))

    async def start(self, row: TournamentRow, setup: TournamentSetup, order: Sequence[str]) -> bool:
        """Start a tournament, with the entrants in an order; False when something has changed since it was read.

        `row.since` is what is stored of it.
        """
        return await self.database.write(partial(_start, row=row, setup=setup, order=order, now=time.time()))

    async def add_round(self, row: TournamentRow, added: RoundRow, pairings: Sequence[Pairing]) -> bool:
        """Add a round with its tables; False when something has changed since the tournament was read.

        `row.since` is what is stored of it.
        """
        return await self.database.write(partial(_add_round, row=row, added=added, pairings=pairings))

    async def mark_opened(self, id_: str, table: str) -> None:
        """Store that a table has been opened."""
        await self._change_table(id_, table, "opened = ?1 WHERE opened IS NULL", time.time())

    async def set_ranks(self, id_: str, table: str, ranks: Sequence[int]) -> None:
        """Store the result of a table, unless there is one already."""
        change = "ended = ?1, ranks = ?4 WHERE ranks IS NULL"
        await self._change_table(id_, table, change, time.time(), json.dumps(list(ranks)))

    async def _change_table(self, id_: str, table: str, change: str, now: float, *more: Any) -> None:
        """Change the row of a table, and raise the version if it was changed."""

        async def work(transaction: Transaction) -> None:
            query = f"UPDATE tournament_tables SET {change} AND tournament_id = ?2 AND table_id = ?3"
            if await transaction.execute(query, now, id_, table, *more):
                await transaction.execute("UPDATE tournaments SET version = version + 1 WHERE id = ?", id_)

        await self.database.write(work)

    async def finish(self, row: TournamentRow) -> bool:
        """End a tournament; False when something has changed since it was read."""
        query = (
            "UPDATE tournaments SET status = 'over', ended = ?, version = version + 1 "
            "WHERE id = ? AND version = ? AND status = 'live'"
        )
        return bool(await self.database.execute(query, time.time(), row.id, row.version))

    async def give_up(self, row: TournamentRow) -> bool:
        """Cancel a tournament that cannot start; False when something has changed since it was read."""
        query = (
            "UPDATE tournaments SET status = 'cancelled', ended = ?, version = version + 1 "
            "WHERE id = ? AND version = ? AND status = 'open'"
        )
        return bool(await self.database.execute(query, time.time(), row.id, row.version))

    async def cancel(self, id_: str) -> None:
        """Cancel a tournament that is not over."""
        query = (
            "UPDATE tournaments SET status = 'cancelled', ended = ?, version = version + 1 "
            "WHERE id = ? AND status IN ('open', 'live')"
        )
        await self.database.execute(query, time.time(), id_)


async def leave_tournaments(transaction: Transaction, user: str) -> None:
    """Withdraw somebody from all tournaments, and remove the names they have given to some."""
    where = "WHERE owner = ?1 OR id IN (SELECT tournament_id FROM tournament_entrants WHERE user = ?1)"
    await transaction.execute(f"UPDATE tournaments SET version = version + 1 {where}", user)
    await transaction.execute("UPDATE tournaments SET name = '' WHERE owner = ?", user)
    await transaction.execute("UPDATE tournament_entrants SET withdrawn = 1 WHERE user = ?", user)


async def withdraw_everywhere(transaction: Transaction, user: str) -> None:
    """Withdraw somebody from all tournaments that are not over."""
    query = (
        "SELECT id FROM tournaments JOIN tournament_entrants ON tournament_id = id "
        "WHERE tournament_entrants.user = ? AND withdrawn = 0 AND status IN ('open', 'live') ORDER BY id"
    )
    for (id_,) in await transaction.read(query, user):
        await _withdraw(transaction, id_=id_, user=user)


async def _enter(
    transaction: Transaction, *, id_: str, user: str, statuses: Sequence[TournamentStatus], most: int
) -> bool:
    bump = "UPDATE tournaments SET version = version + 1 WHERE id = ? AND status IN (SELECT value FROM json_each(?))"
    if not await transaction.execute(bump, id_, json.dumps(list(statuses))):
        return False
    count = "SELECT count(*), coalesce(max(number), 0) FROM tournament_entrants WHERE tournament_id = ?"
    ((entrants, last),) = await transaction.read(count, id_)
    back = "UPDATE tournament_entrants SET withdrawn = 0 WHERE tournament_id = ? AND user = ?"
    if await transaction.execute(back, id_, user):
        return True
    if entrants >= most:
        return False
    add = "INSERT INTO tournament_entrants (tournament_id, user, number, withdrawn) VALUES (?, ?, ?, 0)"
    await transaction.execute(add, id_, user, last + 1)
    return True


async def _withdraw(transaction: Transaction, *, id_: str, user: str) -> None:
    await transaction.execute("UPDATE tournaments SET version = version + 1 WHERE id = ?", id_)
    rows = await transaction.read("SELECT status FROM tournaments WHERE id = ?", id_)
    if rows and rows[0][0] == "open":
        query = "DELETE FROM tournament_entrants WHERE tournament_id = ? AND user = ?"
    else:
        query = "UPDATE tournament_entrants SET withdrawn = 1 WHERE tournament_id = ? AND user = ?"
    await transaction.execute(query, id_, user)


async def _start(
    transaction: Transaction, *, row: TournamentRow, setup: TournamentSetup, order: Sequence[str], now: float
) -> bool:
    query = (
        "UPDATE tournaments SET status = 'live', started = ?, since = ?, setup = ?, version = version + 1 "
        "WHERE id = ? AND version = ? AND status = 'open'"
    )
    if not await transaction.execute(query, now, row.since, _json(setup), row.id, row.version):
        return False
    query = "UPDATE tournament_entrants SET number = ? WHERE tournament_id = ? AND user = ?"
    await transaction.execute_many(query, [(number, row.id, user) for number, user in enumerate(order, 1)])
    return True


async def _add_round(
    transaction: Transaction, *, row: TournamentRow, added: RoundRow, pairings: Sequence[Pairing]
) -> bool:
    bump = "UPDATE tournaments SET version = version + 1, since = ? WHERE id = ? AND version = ? AND status = 'live'"
    if not await transaction.execute(bump, row.since, row.id, row.version):
        return False
    query = "INSERT INTO tournament_rounds (tournament_id, number, started, byes) VALUES (?, ?, ?, ?)"
    await transaction.execute(query, row.id, added.number, added.started, json.dumps(added.byes))
    query = "INSERT INTO tournament_tables (tournament_id, round, number, table_id, players) VALUES (?, ?, ?, ?, ?)"
    rows = [(row.id, each.round, each.number, each.table, json.dumps(each.players)) for each in pairings]
    await transaction.execute_many(query, rows)
    return True


def _json(setup: TournamentSetup) -> str:
    return msgspec.json.encode(setup).decode()


def _tuple(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))


def _row(row: Sequence[Any]) -> TournamentRow:
    id_, name, owner, setup, *others = row
    return TournamentRow(id_, name, owner, msgspec.json.decode(setup, type=TournamentSetup), *others)


def _pairing(row: Sequence[Any]) -> Pairing:
    number, place, table, players, opened, ranks, ended = row
    found = Pairing(number, place, table, _tuple(players), opened or 0.0)
    return found if ranks is None else replace(found, ranks=_tuple(ranks), ended=ended)
