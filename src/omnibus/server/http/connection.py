"""An open connection to a browser or a program: who it belongs to, and the messages waiting to be sent."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from msgspec import Struct

from omnibus.server.store.models import User
from omnibus.server.tables import messages

MOST_WAITING: Final = 200  # messages; a connection further behind is cut off, and syncs when it is back
MOST_BYTES: Final = 1024 * 1024  # of all but scenes
BEHIND_BYTES: Final = 256 * 1024  # whoever has so much still to read is sent the newest scene instead of all of them


class Outbox:
    """The messages that wait to be sent over a connection, in order; None: it is to be closed."""

    def __init__(self) -> None:
        self.size = 0
        """How many bytes wait."""
        self.scenes_size = 0
        """How many of them are scenes."""
        self._waiting: deque[tuple[bytes | None, bool]] = deque()
        self._arrived = asyncio.Event()

    def put(self, message: bytes | None, *, scene: bool = False) -> None:
        """Add a message."""
        self._waiting.append((message, scene))
        self._count(message, scene, 1)
        self._arrived.set()

    async def get(self) -> bytes | None:
        """Wait for the next message, and take it."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()
        return self.get_nowait()

    def get_nowait(self) -> bytes | None:
        """Take the next message; IndexError when there is none."""
        message, scene = self._waiting.popleft()
        self._count(message, scene, -1)
        return message

    def qsize(self) -> int:
        """Return how many messages wait."""
        return len(self._waiting)

    def drop_scenes(self) -> bool:
        """Remove the scenes, which a newer one will replace; return whether there were any."""
        kept = [(message, scene) for message, scene in self._waiting if not scene]
        dropped = len(kept) < len(self._waiting)
        self._waiting = deque(kept)
        self.size, self.scenes_size = self.size - self.scenes_size, 0
        return dropped

    def clear(self) -> None:
        """Remove all messages."""
        self._waiting.clear()
        self.size = self.scenes_size = 0

    def _count(self, message: bytes | None, scene: bool, times: int) -> None:
        size = times * len(message or b"")
        self.size += size
        self.scenes_size += size if scene else 0


class Connection:
    """An open connection. This one only listens; sessions at a table answer what is asked."""

    only: int | None = None
    """The only seat it may decide for, if it was opened with the token of a seat; None: all seats of the user."""

    token = ""
    """The hash of the token it was opened with; empty if nobody has identified."""

    waits = True
    """Whether it waits for a game to start."""

    def __init__(self, user: User | None, language: str) -> None:
        self.user = user
        self.language = language
        self.outbox = Outbox()
        self.closed = False
        self.aborted = asyncio.Event()
        """Set when the other side has not read for too long: the connection is cut off, without a handshake."""

    async def answer(self, text: str | bytes) -> None:
        """Do what a message asks, and answer it."""

    def refresh(self, since: int) -> None:
        """Show what has changed at the table, the log from a ply on."""

    @property
    def behind(self) -> bool:
        """Whether the other side reads more slowly than it is sent messages."""
        return self.outbox.size > BEHIND_BYTES

    def send(self, message: Struct, *, scene: bool = False) -> None:
        """Queue a message to be sent; `scene`: a newer one replaces it for a reader who is behind."""
        if self.outbox.qsize() >= MOST_WAITING or self.outbox.size - self.outbox.scenes_size > MOST_BYTES:
            self.abort()
        if not self.closed:
            self.outbox.put(messages.write(message), scene=scene)

    def close(self) -> None:
        """Ask for the connection to be closed; nothing more is sent or answered."""
        if not self.closed:
            self.closed = True
            self.outbox.put(None)

    def abort(self) -> None:
        """Ask for the connection to be cut off; what waits to be sent is dropped."""
        self.outbox.clear()
        self.close()
        self.aborted.set()
