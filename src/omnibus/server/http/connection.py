"""An open connection to a browser or a program: who it belongs to, and the messages waiting to be sent."""

from __future__ import annotations

import asyncio
from typing import Final

from msgspec import Struct

from omnibus.server.store.models import User
from omnibus.server.tables import messages

MOST_WAITING: Final = 200  # messages; a connection further behind is closed, and syncs when it is back


class Connection:
    """An open connection. This one only listens; sessions at a table answer what is asked."""

    only: int | None = None
    """The only seat it may decide for, if it was opened with the token of a seat; None: all seats of the user."""

    def __init__(self, user: User | None, language: str) -> None:
        self.user = user
        self.language = language
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.closed = False

    async def answer(self, text: str | bytes) -> None:
        """Do what a message asks, and answer it."""

    def refresh(self, since: int) -> None:
        """Show what has changed at the table, the log from a ply on."""

    def send(self, message: Struct) -> None:
        """Queue a message to be sent."""
        if self.outbox.qsize() >= MOST_WAITING:
            self.close()
        if not self.closed:
            self.outbox.put_nowait(messages.write(message))

    def close(self) -> None:
        """Ask for the connection to be closed; nothing more is sent or answered."""
        if not self.closed:
            self.closed = True
            self.outbox.put_nowait(None)
