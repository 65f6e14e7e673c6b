"""Rated games in their order, and what each has changed. The ratings follow from the games alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, Final

from omnibus.ratings.log import RatedGame, RatingChange
from omnibus.ratings.model import Rating
from omnibus.server.store.database import Database, Transaction

_COLUMNS: Final = (
    "table_id, user, at, game, seats, rank, mean_before, deviation_before, mean_after, deviation_after, weight, games"
)
_INSERT: Final = f"INSERT INTO rating_changes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class RatingStore:
    """Stores rated games and the changes of ratings."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, number: int, game: RatedGame, rate: Callable[[], Sequence[RatingChange]]) -> None:
        """Add a game under a number, and what `rate` says that it changes.

        Conflict when the game is there already, or another of this number: then `rate` has not been called.
        """

        async def add(transaction: Transaction) -> None:
            row = (number, game.id, game.at, game.game, json.dumps(game.players), json.dumps(game.ranks))
            query = "INSERT INTO rated_games (number, table_id, at, game, players, ranks) VALUES (?, ?, ?, ?, ?, ?)"
            await transaction.execute(query, *row)
            await transaction.execute_many(_INSERT, [_row(change) for change in rate()])

        await self.database.write(add)

    async def games(self, after: int = 0) -> list[tuple[int, RatedGame]]:
        """Return the rated games after a number in their order, each with its number."""
        query = "SELECT number, table_id, at, game, players, ranks FROM rated_games WHERE number > ? ORDER BY number"
        return [
            (number, RatedGame(id_, at, game, tuple(json.loads(players)), tuple(json.loads(ranks))))
            for number, id_, at, game, players, ranks in await self.database.read(query, after)
        ]

    async def changes(self, user: str) -> list[RatingChange]:
        """Return what rated games have changed for a user, the earliest first."""
        query = f"SELECT {_COLUMNS} FROM rating_changes WHERE user = ? ORDER BY at, games"
        return [_change(row) for row in await self.database.read(query, user)]

    async def unrated(self, since: float = 0.0, until: float = inf) -> list[str]:
        """Return the rated tables whose game has ended between two times, but is not among the rated games."""
        query = (
            "SELECT id FROM tables WHERE rated = 1 AND standing IN ('over', 'closed') AND updated BETWEEN ? AND ? "
            "AND id NOT IN (SELECT table_id FROM rated_games) ORDER BY updated"
        )
        return [row[0] for row in await self.database.read(query, since, until)]


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
