"""Solving puzzles: a first attempt changes the ratings of the person and the puzzle, later ones are practice."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Struct

from omnibus.kernel.game import Game
from omnibus.lab.puzzles.document import Puzzle
from omnibus.server.puzzles.glicko import NEWCOMER, VOLATILITY, after
from omnibus.server.store.puzzles import Attempt, PuzzleStore, Rated


class PuzzleStanding(Struct, frozen=True):
    """How somebody stands with the puzzles of a game."""

    rating: int
    deviation: int
    """How uncertain the rating is: it is right within twice as much, 19 times out of 20."""
    streak: int
    """How many puzzles they have solved in a row, of all games."""
    change: int = 0
    """By how much the rating has just changed."""


async def standing(store: PuzzleStore, user: str | None, game: str, before: Rated | None = None) -> PuzzleStanding:
    """Return how a user stands; somebody without an account is a newcomer."""
    rated = (await store.people(user)).get(game, NEWCOMER) if user else NEWCOMER
    change = round(rated.rating) - round(before.rating) if before else 0
    return PuzzleStanding(round(rated.rating), round(rated.deviation), await store.streak(user) if user else 0, change)


async def attempt(store: PuzzleStore, user: str, game: Game[Any], puzzle: Puzzle, *, solved: bool) -> PuzzleStanding:
    """Count an attempt, if it is the first one; return how the user stands then."""
    before = (await store.people(user)).get(game.name, NEWCOMER)
    first = await store.add(Attempt(user, game.name, puzzle.id, solved), partial(_rate, puzzle, solved))
    return await standing(store, user, game.name, before if first else None)


def _rate(puzzle: Puzzle, solved: bool, person: Rated | None, rated: Rated | None, now: float) -> tuple[Rated, Rated]:
    """Return the ratings of both after an attempt; a puzzle begins with the rating from the bots' attempts."""
    one = person or NEWCOMER
    other = rated or Rated(float(puzzle.rating), float(puzzle.deviation), VOLATILITY)
    return after(one, other, float(solved), now), after(other, one, float(not solved), now)
