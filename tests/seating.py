"""A page at a table, without the page: what tests of the server sit with."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from omnibus.server.hall import Hall
from omnibus.server.rows import User
from omnibus.server.table import Table
from omnibus.server.watcher import Watcher


async def opened(hall: Hall, *args: Any, **more: Any) -> Table:
    """Set a table up at which nobody is missing."""
    return hall.table((await hall.open(*args, **more)).id)


class Seat:
    """A page at a table, without the page."""

    def __init__(self, table: Table, user: User | None, language: str = "en") -> None:
        self.watcher = Watcher(table, user, language)
        table.watchers.add(self.watcher)

    async def say(self, **message: Any) -> None:
        """Send a message."""
        await self.watcher.answer(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """Take the next message in."""
        message = await asyncio.wait_for(self.watcher.outbox.get(), 20)
        assert message is not None
        heard: dict[str, Any] = json.loads(message)
        return heard

    async def scene(self) -> dict[str, Any]:
        """Take messages in until one shows the table."""
        while (message := await self.hear())["type"] != "scene":
            pass
        return message

    async def asked(self) -> dict[str, Any]:
        """Take messages in until there is something to decide, or nothing any more."""
        await self.say(sync=True)
        while (scene := await self.scene())["live"] and not (
            scene["moves"] and scene["event"] == self.watcher.table.event
        ):
            pass
        return scene
