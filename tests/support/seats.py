"""A page at a table, without the page: what tests of the server sit with."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.table import Table


async def opened(registry: TableRegistry, *args: Any, **more: Any) -> Table:
    """Set a table up at which nobody is missing."""
    return registry.table((await registry.open(*args, **more)).id)


class Seat:
    """A page at a table, without the page."""

    def __init__(self, table: Table, user: User | None, language: str = "en") -> None:
        self.session = TableSession(table, user, language)
        table.sessions.add(self.session)

    async def say(self, **message: Any) -> None:
        """Send a message."""
        await self.session.answer(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """Take the next message in."""
        message = await asyncio.wait_for(self.session.outbox.get(), 20)
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
            scene["moves"] and scene["event"] == self.session.table.event
        ):
            pass
        return scene


async def friends(registry: TableRegistry, number: int) -> list[User]:
    """Make users with names of one letter."""
    return [(await registry.user_store.add_user(name=letter))[0] for letter in "ABCDE"[:number]]


async def bus_with(registry: TableRegistry, people: list[User], *more: Sitter, **wishes: Any) -> Table:
    sitters = [Sitter(user=person.id, name=person.name) for person in people]
    return await opened(registry, people[0].id, "bus", {}, [*sitters, *more], **wishes)


async def play_first(table: Table, times: int = 1) -> None:
    """Let whoever is to decide decide, in the first way there is."""
    for _ in range(times):
        assert table.actor is not None
        await table.play(table.actor, table.match.lines()[0], table.event)


async def code_of(seat: Seat) -> str:
    while (message := await seat.hear())["type"] != "error":
        pass
    return str(message["code"])


async def next_of(seat: Seat, kind: str) -> dict[str, Any]:
    while (message := await seat.hear())["type"] != kind:
        pass
    return message
