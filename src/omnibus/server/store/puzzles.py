"""First attempts at puzzles, and the ratings of people and puzzles."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction


class Rated(Struct, frozen=True):
    """A rating of a person or a puzzle, how uncertain it is, and when it was last changed."""

    rating: float
    deviation: float
    volatility: float
    at: float = 0.0


class Attempt(Struct, frozen=True):
    """A person's first attempt at a puzzle."""

    user: str
    game: str
    puzzle: str
    solved: bool


Rate = Callable[[Rated | None, Rated | None, float], tuple[Rated, Rated]]
"""Returns the new ratings of the person and the puzzle, given the old ones and the time."""

_PERSON: Final = "SELECT rating, deviation, volatility, at FROM puzzle_players WHERE user_id = ? AND game = ?"
_PUZZLE: Final = "SELECT rating, deviation, volatility, at FROM puzzle_ratings WHERE puzzle = ?"
_LOCK_PERSON: Final = "UPDATE puzzle_players SET at = at WHERE user_id = ? AND game = ?"
_LOCK_PUZZLE: Final = "UPDATE puzzle_ratings SET at = at WHERE puzzle = ?"
"""Nobody else changes a rating between reading and writing it, not even another server."""
_STREAK: Final = """
    SELECT count(*) FROM puzzle_attempts WHERE user_id = ? AND solved = 1
    AND at > COALESCE((SELECT max(at) FROM puzzle_attempts WHERE user_id = ? AND solved = 0), 0)
"""


class PuzzleStore:
    """Stores who has tried which puzzle, and the ratings that follow from it."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, attempt: Attempt, rate: Rate) -> bool:
        """Store a first attempt and the ratings after it; False if there has been one already."""
        now = time.time()

        async def add(transaction: Transaction) -> bool:
            row = (attempt.user, attempt.puzzle, attempt.game, int(attempt.solved), now)
            insert = "INSERT INTO puzzle_attempts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            if await transaction.execute(insert, *row) < 1:
                return False
            await transaction.execute(_LOCK_PERSON, attempt.user, attempt.game)
            await transaction.execute(_LOCK_PUZZLE, attempt.puzzle)
            person = [Rated(*row) for row in await transaction.read(_PERSON, attempt.user, attempt.game)]
            puzzle = [Rated(*row) for row in await transaction.read(_PUZZLE, attempt.puzzle)]
            one, other = rate(person[0] if person else None, puzzle[0] if puzzle else None, now)
            await transaction.execute(
                "INSERT INTO puzzle_players VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_id, game) DO UPDATE SET "
                "rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, "
                "at = excluded.at",
                *(attempt.user, attempt.game, one.rating, one.deviation, one.volatility, now),
            )
            await transaction.execute(
                "INSERT INTO puzzle_ratings VALUES (?, ?, ?, ?, ?) ON CONFLICT (puzzle) DO UPDATE SET "
                "rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, "
                "at = excluded.at",
                *(attempt.puzzle, other.rating, other.deviation, other.volatility, now),
            )
            return True

        return await self.database.write(add)

    async def attempts(self, user: str) -> dict[str, bool]:
        """Return the puzzles a user has tried, each with whether the first attempt solved it."""
        rows = await self.database.read("SELECT puzzle, solved FROM puzzle_attempts WHERE user_id = ?", user)
        return {puzzle: bool(solved) for puzzle, solved in rows}

    async def streak(self, user: str) -> int:
        """Return how many puzzles a user has solved since the last failure."""
        ((found,),) = await self.database.read(_STREAK, user, user)
        return int(found)

    async def people(self, user: str) -> dict[str, Rated]:
        """Return the ratings of a user by game."""
        rows = await self.database.read(
            "SELECT game, rating, deviation, volatility, at FROM puzzle_players WHERE user_id = ?", user
        )
        return {game: Rated(*rated) for game, *rated in rows}

    async def puzzles(self) -> dict[str, Rated]:
        """Return the ratings of the puzzles that anybody has tried."""
        rows = await self.database.read("SELECT puzzle, rating, deviation, volatility, at FROM puzzle_ratings")
        return {puzzle: Rated(*rated) for puzzle, *rated in rows}
