"""Deals: games in which everybody plays the same seat with the same dice, options and bots, and who played them."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.models import DAY
from omnibus.server.store.users import new_id

OPEN_FOR: Final = 14 * DAY
MOST_GAMES: Final = 50  # of one deal


class DealRow(Struct, frozen=True):
    """A deal: the table at which it was played first, and until when others may begin to play it."""

    id: str
    table: str
    closes: float
    created: float


class DealGame(Struct, frozen=True):
    """A game of a deal: who plays it, and at which table (None: it has been deleted)."""

    player: str
    table: str | None


class TeamMatchRow(Struct, frozen=True):
    """A team match: its two tables, and whether two people play both games."""

    id: str
    first: str
    second: str
    pair: bool


class DealClosed(Exception):
    """Nobody else may play the deal: it is closed, or enough have played it."""


class DealStore:
    """Stores deals and who plays them."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, table: str, player: str) -> str:
        """Make a deal of a finished game, if there is none yet; return its id."""
        return await self.database.write(partial(_add, table=table, player=player))

    async def deal(self, id_: str) -> DealRow | None:
        """Return a deal."""
        rows = await self.database.read("SELECT id, table_id, closes, created FROM deals WHERE id = ?", id_)
        return DealRow(*rows[0]) if rows else None

    async def games(self, id_: str) -> list[DealGame]:
        """Return the games of a deal in the order in which they were begun."""
        query = "SELECT player, table_id FROM deal_games WHERE deal_id = ? ORDER BY number"
        return [DealGame(*row) for row in await self.database.read(query, id_)]

    async def add_match(self, id_: str, first: str, second: str, *, pair: bool) -> None:
        """Store a team match; its two tables have its id as that of their deal, and nobody else may play it."""
        now = time.time()
        await self.database.write(partial(_add_match, id_=id_, first=first, second=second, pair=pair, now=now))

    async def match(self, id_: str) -> TeamMatchRow | None:
        """Return a team match."""
        query = "SELECT table_id, second, pair FROM team_matches JOIN deals ON deals.id = deal_id WHERE id = ?"
        rows = await self.database.read(query, id_)
        return next((TeamMatchRow(id_, first, second, bool(pair)) for first, second, pair in rows), None)

    async def enter(self, id_: str, player: str, table: str) -> str | None:
        """Store that somebody plays a deal at a table; return the table, or that of an earlier game of theirs.

        None: that one has been deleted. DealClosed when nobody else may play.
        """
        return await self.database.write(partial(_enter, id_=id_, player=player, table=table))

    async def close(self, id_: str) -> None:
        """Let nobody else begin to play a deal."""
        now = time.time()
        query = "UPDATE deals SET closes = ? WHERE id = ? AND closes > ?"
        await self.database.execute(query, now, id_, now)

    async def keeps_seed(self, id_: str) -> bool:
        """Tell whether the dice of a deal are a secret: somebody plays it, or may still begin to.

        The deal is deleted with its first table; whoever plays it then plays on.
        """
        query = (
            "SELECT (SELECT count(*) FROM deals WHERE id = ? AND closes > ?) + "
            "(SELECT count(*) FROM tables WHERE deal = ? AND standing IN ('live', 'open'))"
        )
        ((found,),) = await self.database.read(query, id_, time.time(), id_)
        return bool(found)

    async def others_play(self, table: str) -> bool:
        """Tell whether others are playing a deal that was played first at this table."""
        query = (
            "SELECT count(*) FROM deals JOIN tables ON tables.deal = deals.id "
            "WHERE deals.table_id = ? AND tables.id <> ? AND standing = 'live'"
        )
        ((found,),) = await self.database.read(query, table, table)
        return bool(found)

    async def secret_tables(self, user: str) -> set[str]:
        """Return the tables of a user that belong to deals whose dice are a secret."""
        query = (
            "SELECT tables.id FROM tables JOIN sitting ON sitting.table_id = tables.id "
            "LEFT JOIN deals ON deals.id = deal WHERE sitting.user = ? AND deal <> '' AND (closes > ? OR EXISTS "
            "(SELECT 1 FROM tables AS others WHERE others.deal = tables.deal AND others.standing IN ('live', 'open')))"
        )
        return {table for (table,) in await self.database.read(query, user, time.time())}

    async def deal_of(self, table: str) -> str:
        """Return the deal a table belongs to; empty: none."""
        rows = await self.database.read("SELECT deal FROM tables WHERE id = ?", table)
        return rows[0][0] if rows else ""


async def _add(transaction: Transaction, *, table: str, player: str) -> str:
    await transaction.lock(table)
    rows = await transaction.read("SELECT deal FROM tables WHERE id = ?", table)
    if rows and rows[0][0]:
        known: str = rows[0][0]
        return known
    id_, now = new_id(), time.time()
    insert = "INSERT INTO deals (id, table_id, closes, created) VALUES (?, ?, ?, ?)"
    await transaction.execute(insert, id_, table, now + OPEN_FOR, now)
    await transaction.execute("UPDATE tables SET deal = ? WHERE id = ?", id_, table)
    await _insert_game(transaction, id_, player, 0, table)
    return id_


async def _add_match(transaction: Transaction, *, id_: str, first: str, second: str, pair: bool, now: float) -> None:
    insert = "INSERT INTO deals (id, table_id, closes, created) VALUES (?, ?, ?, ?)"
    await transaction.execute(insert, id_, first, now, now)
    insert = "INSERT INTO team_matches (deal_id, second, pair) VALUES (?, ?, ?)"
    await transaction.execute(insert, id_, second, int(pair))


async def _enter(transaction: Transaction, *, id_: str, player: str, table: str) -> str | None:
    rows = await transaction.read("SELECT table_id, closes FROM deals WHERE id = ?", id_)
    if not rows:
        raise DealClosed
    await transaction.lock(rows[0][0])
    mine = "SELECT table_id FROM deal_games WHERE deal_id = ? AND player = ?"
    known = await transaction.read(mine, id_, player)
    if known:
        earlier: str | None = known[0][0]
        return earlier
    ((number,),) = await transaction.read("SELECT count(*) FROM deal_games WHERE deal_id = ?", id_)
    if rows[0][1] <= time.time() or number >= MOST_GAMES:
        raise DealClosed
    await _insert_game(transaction, id_, player, number, table)
    return table


async def _insert_game(transaction: Transaction, id_: str, player: str, number: int, table: str) -> None:
    query = "INSERT INTO deal_games (deal_id, player, number, table_id) VALUES (?, ?, ?, ?)"
    await transaction.execute(query, id_, player, number, table)
