"""Analyses of finished tables and uploaded records, kept decision by decision, so that they can be resumed."""

from __future__ import annotations

from typing import Final, Literal

from omnibus.server.store.database import Database

Kind = Literal["table", "record"]
"""What is analysed: a table of this server, or an uploaded record."""

_INSERT: Final = (
    "INSERT INTO {kind}_analyses ({kind}_id, ply, basis, decision) VALUES (?, ?, ?, ?) "
    "ON CONFLICT ({kind}_id, ply) DO UPDATE SET basis = excluded.basis, decision = excluded.decision"
)


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

    async def count(self, kind: Kind, id_: str, basis: str) -> int:
        """Return how many decisions of a game were judged on this basis."""
        query = f"SELECT count(*) FROM {kind}_analyses WHERE {kind}_id = ? AND basis = ?"
        return int((await self.database.read(query, id_, basis))[0][0])
