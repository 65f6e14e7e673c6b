"""What a profile shows besides ratings: results, analysed games, opponents, and games in progress."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec import Struct

from omnibus.server.store.analyses import AnalysedGame
from omnibus.server.store.models import TableRow
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.results import GameStatistics, statistics

MOST_OPPONENTS: Final = 5


class Opponent(Struct, frozen=True):
    """Somebody with a claimed name whom a player has met, and in how many finished games."""

    name: str
    games: int


class PublicProfile(Struct, frozen=True):
    """A player's games, as another person may see them."""

    results: list[GameStatistics]
    analysed: list[AnalysedGame]
    """The earliest first."""
    opponents: list[Opponent]
    """Those met most often first."""
    current: list[TableRow]
    """The games in progress that the reader may know of, the latest first."""


async def profile(registry: TableRegistry, user: str, reader: str | None) -> PublicProfile:
    """Return the profile of a user for a reader."""
    finished = await registry.table_store.finished(user)
    return PublicProfile(
        results=statistics(finished, user),
        analysed=await _analysed(registry, user, reader),
        opponents=await _opponents(registry, finished, user),
        current=[entry for entry in await registry.table_store.live_entries(user) if _may_know(entry, reader)],
    )


async def _analysed(registry: TableRegistry, user: str, reader: str | None) -> list[AnalysedGame]:
    """Return the analysed games; to others none of a deal that somebody may still play, because they show its dice."""
    found = await registry.analyses.games_of(user)
    secret = set() if reader == user else await registry.deal_store.secret_tables(user)
    return [game for game in found if game.table not in secret]


async def _opponents(registry: TableRegistry, finished: list[TableRow], user: str) -> list[Opponent]:
    """Count whom a user has met; only those who have claimed a name, because the others have no profile either."""
    met = Counter(other for entry in finished for other in entry.setup.people() - {user})
    names = await registry.rating_service.claims.names(list(met))
    known = [Opponent(names[other], games) for other, games in met.items() if other in names]
    return sorted(known, key=lambda each: (-each.games, each.name.casefold()))[:MOST_OPPONENTS]


def _may_know(entry: TableRow, reader: str | None) -> bool:
    """Tell whether a reader may be told of a table: its link is a secret unless it was listed for all, or is rated."""
    return entry.setup.listed or entry.setup.rated or reader in entry.setup.people()
