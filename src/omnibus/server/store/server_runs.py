"""When the server was running. Clocks of players are paused while it is not."""

from __future__ import annotations

import secrets
import time
from typing import Final

from omnibus.server.store.database import Database, Transaction
from omnibus.server.store.models import DAY

KEPT_S: Final = 200 * DAY  # longer than anybody's time for a turn


class ServerRuns:
    """Stores from when to when servers ran on this database: each notes every few seconds that it still does."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._id = ""

    async def note(self) -> None:
        """Note that this server is running."""
        now = time.time()
        if self._id:
            await self.database.execute("UPDATE server_runs SET seen = ? WHERE id = ?", now, self._id)
            return
        run = secrets.token_urlsafe(12)

        async def begin(transaction: Transaction) -> None:
            await transaction.execute("DELETE FROM server_runs WHERE seen < ?", now - KEPT_S)
            await transaction.execute("INSERT INTO server_runs (id, started, seen) VALUES (?, ?, ?)", run, now, now)

        await self.database.write(begin)
        self._id = run

    async def since(self, at: float) -> list[tuple[float, float]]:
        """Return from when to when servers ran that were running after a time; this one until now."""
        query = "SELECT id, started, seen FROM server_runs WHERE seen > ? OR id = ?"
        rows = await self.database.read(query, at, self._id)
        return [(started, time.time() if id_ == self._id else seen) for id_, started, seen in rows]
