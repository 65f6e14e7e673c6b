"""Servers of somebody else, on this machine: what webhooks and mails are sent to in tests."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

OK = b"HTTP/1.1 204 No Content\r\n\r\n"


class Listener:
    """An HTTP server that keeps what it is told and answers what it is told to."""

    def __init__(self, *answers: bytes) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.port = 0
        self._answers = list(answers)
        self._more = asyncio.Event()
        self._serving: set[asyncio.Task[Any]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a request in, and answer it."""
        task = asyncio.current_task()
        assert task
        self._serving.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = next(int(line[15:]) for line in head.splitlines() if line.lower().startswith("content-length:"))
            self.heard.append((head, await reader.readexactly(length)))
            self._more.set()
            writer.write(self._answers.pop(0) if self._answers else OK)
        finally:
            await ended(writer)

    async def close(self) -> None:
        """Let what is going on come to its end."""
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def until(self, number: int) -> None:
        """Wait until so many requests have come."""
        async with asyncio.timeout(60):
            while len(self.heard) < number:
                self._more.clear()
                await self._more.wait()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}/hook?to=me"


@asynccontextmanager
async def listener(*answers: bytes, security: ssl.SSLContext | None = None) -> AsyncIterator[Listener]:
    """Run an HTTP server."""
    listening = Listener(*answers)
    server = await asyncio.start_server(listening.serve, "127.0.0.1", 0, ssl=security)
    listening.port = server.sockets[0].getsockname()[1]
    async with server:
        yield listening
        await listening.close()


async def ended(writer: asyncio.StreamWriter) -> None:
    """End a connection, whatever the other side does."""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


class Mailbox:
    """Takes mails in."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.encrypted: list[bool] = []
        self.users: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 — aiosmtpd's
        """Take a mail in."""
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        self.encrypted.append(session.ssl is not None)
        return "250 OK"

    def authenticate(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        """Let everybody in who gives the one password."""
        self.users.append(data.login.decode())
        return AuthResult(success=data.password == b"se/cret", handled=False)


class AnyPort(Controller):
    """Runs a mail server at any free port, and knows which when it greets it to see whether it runs."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def mailbox(host: str = "127.0.0.1", **more: Any) -> Iterator[tuple[Mailbox, int]]:
    """Run a mail server."""
    box = Mailbox()
    controller = AnyPort(box, hostname=host, port=0, authenticator=box.authenticate, **more)
    controller.start()
    try:
        yield box, controller.port
    finally:
        controller.stop()
