"""Analyses of finished tables and uploaded records, kept decision by decision, so that they can be resumed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from omnibus.server.store.database import Database
from omnibus.server.store.models import Sitter

Kind = Literal["table", "record"]
"""What is analysed: a table of this server, or an uploaded record."""

_INSERT: Final = (
    "INSERT INTO {kind}_analyses ({kind}_id, ply, basis, decision) VALUES (?, ?, ?, ?) "
    "ON CONFLICT ({kind}_id, ply) DO UPDATE SET basis = excluded.basis, decision = excluded.decision"
)
_KEEP: Final = (
    "INSERT INTO analysis_results (table_id, seat, accuracy, luck) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (table_id, seat) DO UPDATE SET accuracy = excluded.accuracy, luck = excluded.luck"
)
_SITTERS: Final = msgspec.json.Decoder(list[Sitter])


class AnalysedGame(Struct, frozen=True):
    """How a user did in an analysed game."""

    table: str
    game: str
    at: float
    """When it ended."""
    accuracy: float | None
    """In percent; None if there was nothing to decide."""
    luck: float
    """In shares of a win."""


class AnalysisStore:
    """Stores what decisions are worth, each as a JSON document. What it says is for tables/."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, kind: Kind, id_: str, ply: int, basis: str, decision: str) -> None:
        """Store a decision in place of an earlier one; Conflict when its game has been deleted meanwhile."""
        await self.database.execute(_INSERT.format(kind=kind), id_, ply, basis, decision)

    async def decisions(self, kind: Kind, id_: str, basis: str) -> list[str]:
        """Return the decisions of a game that were judged on this basis, in the order of the game."""
        query = f"SELECT decision FROM {kind}_analyses WHERE {kind}_id = ? AND basis = ? ORDER BY ply"
        return [row[0] for row in await self.database.read(query, id_, basis)]

    async def keep_results(self, table: str, results: Iterable[tuple[float | None, float]]) -> None:
        """Store the accuracy and the luck of each seat of an analysed table."""
        rows = [(table, seat, accuracy, luck) for seat, (accuracy, luck) in enumerate(results)]
        await self.database.write(lambda transaction: transaction.execute_many(_KEEP, rows))

    async def games_of(self, user: str) -> list[AnalysedGame]:
        """Return the analysed games in which a user had one seat, the earliest first."""
        query = (
            "SELECT id, game, updated, sitters, seat, accuracy, luck FROM analysis_results "
            "JOIN tables ON tables.id = analysis_results.table_id "
            "WHERE id IN (SELECT table_id FROM sitting WHERE user = ?) ORDER BY updated, id"
        )
        found = []
        for id_, game, at, sitters, seat, accuracy, luck in await self.database.read(query, user):
            if [number for number, each in enumerate(_SITTERS.decode(sitters)) if each.user == user] == [seat]:
                found.append(AnalysedGame(id_, game, at, accuracy, luck))
        return found

    async def count(self, kind: Kind, id_: str, basis: str) -> int:
        """Return how many decisions of a game were judged on this basis."""
        query = f"SELECT count(*) FROM {kind}_analyses WHERE {kind}_id = ? AND basis = ?"
        return int((await self.database.read(query, id_, basis))[0][0])
