"""A page that is open somewhere in the house: who looks at it, and the messages on their way to it."""

from __future__ import annotations

import asyncio
from typing import Final

from msgspec import Struct

from omnibus.server.store.models import User
from omnibus.server.tables import messages

MOST_WAITING: Final = 200  # messages; who is further behind is cut off, and syncs when back


class Connection:
    """An open connection; what it asks is answered by those who know about it."""

    table_id: str | None = None
    """At which table it is, if at one."""
    only: int | None = None
    """The only seat it may decide for, if it came with the token of a seat; None: all that belong to the user."""

    def __init__(self, user: User | None, language: str) -> None:
        self.user = user
        self.language = language
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.closed = False

    async def answer(self, text: str | bytes) -> None:
        """Do what a message asks, and say how it went. A page that only listens is not answered."""

    def send(self, message: Struct) -> None:
        """Send a message, after all those before it."""
        if self.outbox.qsize() >= MOST_WAITING:
            self.close()
        if not self.closed:
            self.outbox.put_nowait(messages.write(message))

    def said(self) -> list[bytes]:
        """Return the messages that wait to be sent, for a page that will not be there for long."""
        waiting = [self.outbox.get_nowait() for _ in range(self.outbox.qsize())]
        return [message for message in waiting if message is not None]

    def close(self) -> None:
        """Ask for the connection to end; from here on nothing more is heard or sent."""
        if not self.closed:
            self.closed = True
            self.outbox.put_nowait(None)
