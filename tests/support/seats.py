"""Sessions at a table without a browser, and tables to sit at."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from omnibus.server.http.connection import Connection
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.table import Table


def received(connection: Connection) -> list[bytes | None]:
    """Take all messages that wait to be sent over a connection; None: it is to be closed."""
    return [connection.outbox.get_nowait() for _ in range(connection.outbox.qsize())]


async def opened(registry: TableRegistry, *args: Any, **more: Any) -> Table:
    """Set up a table at which no seat is free."""
    return await registry.table((await registry.open(*args, **more)).id)


class Seat:
    """A session at a table, without a browser."""

    def __init__(self, registry: TableRegistry, table: Table, user: User | None, language: str = "en") -> None:
        self.session = TableSession(registry, table, user, language)
        self.session.presence.enter(self.session)

    async def say(self, **message: Any) -> None:
        """Send a message."""
        await self.session.answer(json.dumps(message))

    async def scene(self) -> dict[str, Any]:
        """Receive messages until one shows the table."""
        return await next_of(self, "scene")

    async def synced(self) -> dict[str, Any]:
        """Ask to be shown the table."""
        await self.say(sync=True)
        return await self.scene()


async def friends(registry: TableRegistry, number: int) -> list[User]:
    """Make users with names of one letter."""
    return [(await registry.user_store.add_user(name=letter))[0] for letter in "ABCDE"[:number]]


async def bus_with(registry: TableRegistry, people: list[User], *more: Sitter, **wishes: Any) -> Table:
    sitters = [Sitter(user=person.id, name=person.name) for person in people]
    return await opened(registry, people[0].id, "bus", {}, [*sitters, *more], **wishes)


async def play_first(registry: TableRegistry, table: Table, times: int = 1) -> None:
    """Play the first legal line, so many times."""
    for _ in range(times):
        assert table.actor is not None
        await actions.play(registry, table, table.actor, table.match.lines()[0], table.event)


async def next_of(seat: Seat, kind: str) -> dict[str, Any]:
    """Receive messages until one is of this type."""
    while (message := await told(seat.session))["type"] != kind:
        pass
    return message


async def told(connection: Connection) -> dict[str, Any]:
    """Receive the next message over a connection."""
    message = await asyncio.wait_for(connection.outbox.get(), 60)
    assert message
    heard: dict[str, Any] = json.loads(message)
    return heard
