"""Results of finished games: who won, as the lists and statistics of the pages show it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.server.background import in_background
from omnibus.server.store.models import TableRow, TableSetup
from omnibus.server.store.tables import TableStore
from omnibus.server.tables import events
from omnibus.server.tables.events import History
from omnibus.server.tables.record_of_table import record_of

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


async def fill_in_winners(table_store: TableStore) -> None:
    """Store the winners of the games that an earlier version of the server has played to their end."""
    for id_ in await table_store.without_winners():
        entry = await table_store.entry(id_)
        if entry is None:
            continue
        stored = [event for _, event, _ in await table_store.events(id_)]
        await table_store.set_winners(id_, await in_background(_winners, entry.setup, stored))


def _winners(setup: TableSetup, stored: list[bytes]) -> tuple[int, ...]:
    """Replay a game and return who won; nobody if it does not replay any more."""
    history = History.of(events.read(event) for event in stored)
    try:
        match = Match.resume(record_of(setup, history), seed=setup.seed, rolled=history.rolled)
    except BadRecord:
        return ()
    return tuple(match.outcome.winners) if match.outcome else ()
