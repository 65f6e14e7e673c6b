"""The puzzles that come with the games: found by id, by game, theme and rating, and the one of the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final

from msgspec import Struct

from omnibus import games
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import mark
from omnibus.lab.puzzles.document import Puzzle, puzzles_of
from omnibus.server.store.puzzles import Rated

BANDS: Final = {"easy": (-9999, 900), "middle": (900, 1200), "hard": (1200, 9999)}
"""Ranges of ratings, from … to below …: what the bot `easy` (900) mostly solves, what `medium` (1200) does, others."""
BAND_NAMES: Final = {"easy": mark("easy"), "middle": mark("medium"), "hard": mark("hard")}


class Listed(Struct, frozen=True):
    """A puzzle with its game and the rating it has on this server."""

    game: str
    puzzle: Puzzle
    rating: int

    @property
    def band(self) -> str:
        """The range its rating is in: how hard it is."""
        return next(name for name, (_, high) in BANDS.items() if self.rating < high)

    def fits(self, *, game: str = "", theme: str = "", band: str = "") -> bool:
        """Tell whether it is what somebody looks for; an empty text, or an unknown band, asks for nothing."""
        return (
            (not game or game == self.game)
            and (not theme or theme in self.puzzle.themes)
            and (band not in BANDS or band == self.band)
        )


@cache
def puzzles() -> dict[str, tuple[Game[Any], Puzzle]]:
    """Return all puzzles by their ids."""
    found: dict[str, tuple[Game[Any], Puzzle]] = {}
    for name in games.names():
        game = games.find(name)
        found |= {key: (game, puzzle) for key, puzzle in puzzles_of(game).items()}
    return found


def listed(rated: Mapping[str, Rated]) -> list[Listed]:
    """Return all puzzles by game, the easiest first; `rated` are the ratings people have given them."""
    found = [
        Listed(game.name, puzzle, round(rated[key].rating) if key in rated else puzzle.rating)
        for key, (game, puzzle) in puzzles().items()
    ]
    return sorted(found, key=lambda each: (each.game, each.rating, each.puzzle.id))


def daily(day: date) -> str | None:
    """Return the id of the puzzle of a day, the same for everybody: one after the other, in an order of their own."""
    order = sorted(puzzles(), key=lambda key: sha256(key.encode()).digest())
    return order[day.toordinal() % len(order)] if order else None


def today() -> str | None:
    """Return the id of the puzzle of today; days begin at midnight UTC."""
    return daily(datetime.now(UTC).date())


def next_after(key: str, *, tried: Mapping[str, bool], rated: Mapping[str, Rated], wish: float) -> str | None:
    """Return another puzzle of the same game: one not tried yet, whose rating is nearest to a wish."""
    game = puzzles()[key][0].name
    others = [each for each in listed(rated) if each.game == game and each.puzzle.id != key]
    best = nearest(others, tried=tried, wish=wish) or nearest(others, tried={}, wish=wish)
    return best.puzzle.id if best else None


def nearest(those: Sequence[Listed], *, tried: Mapping[str, bool], wish: float) -> Listed | None:
    """Return the puzzle not tried yet whose rating is nearest to a wish; None when all have been tried."""
    fresh = [each for each in those if each.puzzle.id not in tried]
    return min(fresh, key=lambda each: (abs(each.rating - wish), each.puzzle.id), default=None)
