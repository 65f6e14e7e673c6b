"""The log of rated games, the corrections of results by the host, and what the games have changed.

The ratings follow from the log and the corrections alone. Neither is ever changed; what a game has changed is
calculated again when the result of it, or of one before it, is corrected.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from math import inf
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from omnibus.ratings.log import RatedGame, RatingChange, Ratings
from omnibus.ratings.model import Rating
from omnibus.server.store.database import Database, Transaction

_COLUMNS: Final = (
    "table_id, user, at, game, seats, rank, mean_before, deviation_before, mean_after, deviation_after, weight, games"
)
_INSERT: Final = f"INSERT INTO rating_changes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LOG: Final = (
    "SELECT number, table_id, at, game, players, ranks, "
    "(SELECT ranks FROM result_corrections WHERE result_corrections.table_id = rated_games.table_id "
    "ORDER BY result_corrections.number DESC LIMIT 1), "
    "EXISTS (SELECT 1 FROM result_corrections WHERE result_corrections.table_id = rated_games.table_id) "
    "FROM rated_games WHERE number > ? ORDER BY number"
)


class LogVersion(Struct, frozen=True):
    """How often the log has changed, and how often results in it were corrected."""

    changes: int = 0
    corrections: int = 0


class LoggedGame(Struct, frozen=True):
    """A game in the log, with the result that counts."""

    number: int
    id: str
    game: RatedGame | None
    """None: the host has voided it."""


class RatingStore:
    """Stores rated games, corrections, and the changes of ratings."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def version(self) -> LogVersion:
        """Return the version of the log."""
        rows = await self.database.read("SELECT changes, corrections FROM rating_log")
        return LogVersion(*rows[0]) if rows else LogVersion()

    async def add(self, game: RatedGame, changes: Sequence[RatingChange], version: LogVersion) -> bool:
        """Add a game with what it has changed; False when the log is not the one these changes follow from."""

        async def add(transaction: Transaction) -> bool:
            if await _locked(transaction) != version:
                return False
            ((last,),) = await transaction.read("SELECT coalesce(max(number), 0) FROM rated_games")
            row = (last + 1, game.id, game.at, game.game, json.dumps(game.players), json.dumps(game.ranks))
            query = "INSERT INTO rated_games (number, table_id, at, game, players, ranks) VALUES (?, ?, ?, ?, ?, ?)"
            await transaction.execute(query, *row)
            await transaction.execute_many(_INSERT, [_row(change) for change in changes])
            await transaction.execute("UPDATE rating_log SET changes = changes + 1")
            return True

        return await self.database.write(add)

    async def log(self, after: int = 0) -> list[LoggedGame]:
        """Return the games after a number, in their order, each with the result that counts."""
        return _logged(await self.database.read(_LOG, after))

    async def games(self) -> list[RatedGame]:
        """Return all rated games that count, in their order."""
        return [logged.game for logged in await self.log() if logged.game is not None]

    async def correct(self, table: str, ranks: Sequence[int] | None, reason: str) -> int:
        """Correct the result of a game, or (None) void it; calculate all changes again, and return how many there are.

        The correction is appended to those before; the last one of a table counts.
        """

        async def correct(transaction: Transaction) -> int:
            await _locked(transaction)
            ((last,),) = await transaction.read("SELECT coalesce(max(number), 0) FROM result_corrections")
            query = "INSERT INTO result_corrections (number, table_id, at, ranks, reason) VALUES (?, ?, ?, ?, ?)"
            written = None if ranks is None else json.dumps(list(ranks))
            await transaction.execute(query, last + 1, table, time.time(), written, reason)
            winners = None if ranks is None else json.dumps([seat for seat, rank in enumerate(ranks) if rank == 1])
            await transaction.execute("UPDATE tables SET winners = ? WHERE id = ?", winners, table)
            await transaction.execute("UPDATE rating_log SET changes = changes + 1, corrections = corrections + 1")
            return await _recalculate(transaction)

        return await self.database.write(correct)

    async def is_corrected(self, table: str) -> bool:
        """Tell whether the host has corrected or voided the result of a table."""
        return bool(await self.database.read("SELECT 1 FROM result_corrections WHERE table_id = ?", table))

    async def changes(self, user: str) -> list[RatingChange]:
        """Return what rated games have changed for a user, the earliest first."""
        query = f"SELECT {_COLUMNS} FROM rating_changes WHERE user = ? ORDER BY at, games"
        return [_change(row) for row in await self.database.read(query, user)]

    async def all_changes(self) -> list[RatingChange]:
        """Return what all rated games have changed."""
        return [_change(row) for row in await self.database.read(f"SELECT {_COLUMNS} FROM rating_changes")]

    async def unrated(self, since: float = 0.0, until: float = inf) -> list[str]:
        """Return the rated tables whose game has ended between two times, but is not among the rated games."""
        query = (
            "SELECT id FROM tables WHERE rated = 1 AND standing IN ('over', 'closed') AND updated BETWEEN ? AND ? "
            "AND id NOT IN (SELECT table_id FROM rated_games) ORDER BY updated"
        )
        return [row[0] for row in await self.database.read(query, since, until)]


async def _locked(transaction: Transaction) -> LogVersion:
    """Keep others from changing the log until the end of the transaction; return its version."""
    add = "INSERT INTO rating_log (id, changes, corrections) VALUES (1, 0, 0) ON CONFLICT DO NOTHING"
    await transaction.execute(add)
    await transaction.execute("UPDATE rating_log SET id = 1")
    ((changes, corrections),) = await transaction.read("SELECT changes, corrections FROM rating_log")
    return LogVersion(changes, corrections)


async def _recalculate(transaction: Transaction) -> int:
    """Calculate from the log what every game has changed, and store it in place of what was stored."""
    ratings = Ratings()
    games = [logged.game for logged in _logged(await transaction.read(_LOG, 0)) if logged.game is not None]
    changes = [change for game in games for change in ratings.add(game)]
    await transaction.execute("DELETE FROM rating_changes")
    await transaction.execute_many(_INSERT, [_row(change) for change in changes])
    return len(changes)


def _logged(rows: Sequence[Any]) -> list[LoggedGame]:
    found = []
    for number, id_, at, game, players, ranks, corrected_ranks, corrected in rows:
        played = RatedGame(id_, at, game, tuple(json.loads(players)), tuple(json.loads(ranks)))
        if corrected and corrected_ranks is None:
            found.append(LoggedGame(number, id_, None))
        else:
            counted = replace(played, ranks=tuple(json.loads(corrected_ranks))) if corrected else played
            found.append(LoggedGame(number, id_, counted))
    return found


def _row(change: RatingChange) -> tuple[Any, ...]:
    return (
        change.id,
        change.user,
        change.at,
        *change.pool,
        change.rank,
        *change.before,
        *change.after,
        change.weight,
        change.games,
    )


def _change(row: Sequence[Any]) -> RatingChange:
    id_, user, at, game, seats, rank, mean, deviation, mean_after, deviation_after, weight, games = row
    before, after = Rating(mean, deviation), Rating(mean_after, deviation_after)
    return RatingChange(id_, at, (game, seats), user, rank, before, after, weight, games)
