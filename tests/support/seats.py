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


def _kind(message: bytes | None) -> str | None:
    return None if message is None else str(json.loads(message)["type"])


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

    async def hear(self) -> dict[str, Any]:
        """Receive the next message, other than who is here."""
        while True:
            message = await asyncio.wait_for(self.session.outbox.get(), 60)
            assert message is not None
            heard: dict[str, Any] = json.loads(message)
            if heard["type"] != "people":
                return heard

    def waiting(self) -> list[str | None]:
        """Return the types of the messages that wait to be received, other than who is here; None: it was closed."""
        return [kind for kind in map(_kind, received(self.session)) if kind != "people"]

    async def scene(self) -> dict[str, Any]:
        """Receive messages until one shows the table."""
        while (message := await self.hear())["type"] != "scene":
            pass
        return message

    async def synced(self) -> dict[str, Any]:
        """Ask to be shown the table."""
        await self.say(sync=True)
        return await self.scene()

    async def asked(self) -> dict[str, Any]:
        """Receive messages until it is this seat's turn, or the game is over."""
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


async def play_first(registry: TableRegistry, table: Table, times: int = 1) -> None:
    """Play the first legal line, so many times."""
    for _ in range(times):
        assert table.actor is not None
        await actions.play(registry, table, table.actor, table.match.lines()[0], table.event)


async def code_of(seat: Seat) -> str:
    while (message := await seat.hear())["type"] != "error":
        pass
    return str(message["code"])


async def next_of(seat: Seat, kind: str) -> dict[str, Any]:
    while (message := await seat.hear())["type"] != kind:
        pass
    return message


async def told(connection: Connection) -> dict[str, Any]:
    """Receive the next message over a connection."""
    message = await asyncio.wait_for(connection.outbox.get(), 60)
    assert message
    heard: dict[str, Any] = json.loads(message)
    return heard
