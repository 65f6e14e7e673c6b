"""Results of finished games: who won, as the lists and statistics of the pages show it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from omnibus.server.store.models import TableRow

Result = Literal["won", "shared_win", "lost", "no_winner"]


class GameStatistics(Struct):
    """How a user did in one game with so many seats."""

    game: str
    seats: int
    played: int = 0
    won: int = 0
    shared: int = 0
    """Wins shared with others; they do not count as won."""


def result(entry: TableRow, user: str) -> Result | None:
    """Return how a game ended for a user; None if it is not over, or if the user played several seats."""
    own = entry.setup.seats_of(user)
    if entry.winners is None or len(own) != 1:
        return None
    if not entry.winners:
        return "no_winner"
    if own[0] not in entry.winners:
        return "lost"
    return "won" if len(entry.winners) == 1 else "shared_win"


def statistics(entries: Iterable[TableRow], user: str) -> list[GameStatistics]:
    """Count the results of a user, by game and number of seats."""
    found: dict[tuple[str, int], GameStatistics] = {}
    for entry in entries:
        ended = result(entry, user)
        if ended is None:
            continue
        key = (entry.setup.game, entry.setup.seats)
        counted = found.setdefault(key, GameStatistics(*key))
        counted.played += 1
        counted.won += ended == "won"
        counted.shared += ended == "shared_win"
    return [found[key] for key in sorted(found)]
