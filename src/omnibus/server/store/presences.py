"""Who is connected to which server process, for the others on the same database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from omnibus.server.store.database import Database, Transaction


class PresenceStore:
    """Stores the processes that are alive, and how many connections users have to each, by place."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def beat(self, process: str, start: int) -> dict[str, int]:
        """Count on for a process, from a number that none has used before; return the counts of all."""

        async def count(transaction: Transaction) -> list[tuple[str, int]]:
            query = (
                "INSERT INTO processes (id, beats) VALUES (?, ?) "
                "ON CONFLICT (id) DO UPDATE SET beats = processes.beats + 1"
            )
            await transaction.execute(query, process, start)
            return await transaction.read("SELECT id, beats FROM processes")

        return dict(await self.database.write(count))

    async def remove(self, processes: Iterable[str]) -> None:
        """Remove processes that have ended or died, with everybody connected to them."""
        query = "DELETE FROM processes WHERE id IN (SELECT value FROM json_each(?))"
        await self.database.execute(query, json.dumps(list(processes)))

    async def put(self, process: str, at: Mapping[str, Mapping[str, int]]) -> None:
        """Store the connections at some places; Conflict when the process has been removed."""

        async def replace(transaction: Transaction) -> None:
            query = "DELETE FROM presences WHERE process = ? AND place IN (SELECT value FROM json_each(?))"
            await transaction.execute(query, process, json.dumps(list(at)))
            rows = [(process, place, user, number) for place, users in at.items() for user, number in users.items()]
            query = "INSERT INTO presences (process, place, user_id, connections) VALUES (?, ?, ?, ?)"
            await transaction.execute_many(query, rows)

        await self.database.write(replace)

    async def at(self, places: Iterable[str]) -> list[tuple[str, str, str, int]]:
        """Return process, place, user and number of connections at some places."""
        query = (
            "SELECT process, place, user_id, connections FROM presences WHERE place IN (SELECT value FROM json_each(?))"
        )
        return await self.database.read(query, json.dumps(list(places)))
