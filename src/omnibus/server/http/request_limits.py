"""Limits on requests and sockets: the host name, the size of the body, the rate, the number of open sockets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from fastapi import Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server.errors import TROUBLES, Code
from omnibus.server.http.rate_limits import CALLER, Caller, Quota, RateLimited, RateLimiter, address_block
from omnibus.server.http.visitor import config_of, registry_of, visitor
from omnibus.server.tables import messages
from omnibus.server.tables.messages import Trouble

CLOSED_TOO_FAST: Final = 4429  # a close code of our own: reconnect, but much later
MOST_OPEN: Final = {"person": 40, "address": 400}  # sockets at the same time

FILES: Final = ("/static/", "/board.css")
BY_ADDRESS: Final = ("/readyz", "/metrics")  # asked for by address, not by name
PROBES: Final = (*BY_ADDRESS, "/healthz")  # answered whatever hangs
LARGEST_BODY: Final = 8 * 1024  # bytes
LARGEST_RECORD: Final = 256 * 1024
WITH_RECORDS: Final = ("/records", "/boards", "/analysis", "/analysis/check")  # ends of paths that take a whole record
ENVELOPE: Final = 32 * 1024  # what a form or JSON adds around a record

MUCH: Final = mark("Request too large: the limit is {limit} kB.")
MUCH_RECORD: Final = mark("Record too large: the limit is 256 kB.")
WAIT: Final = mark("Too many requests. Please try again in {seconds} s.")
WRONG_NAME: Final = mark(
    "This server does not answer to that host name. If you run it, set its address with --public-url."
)


class TooLarge(HTTPException):
    """A body larger than its path allows."""

    def __init__(self) -> None:
        super().__init__(413)


class WrongHost(HTTPException):
    """A request for a host name that is not this server's."""

    def __init__(self) -> None:
        super().__init__(421)


Answer = Callable[[Request, Exception], Response]
"""Answers a request that was turned away."""


class RequestLimits:
    """Turns requests and sockets away that are too large, too fast, or meant for another host."""

    def __init__(self, app: ASGIApp, answer: Answer) -> None:
        self.app = app
        self._answer = answer
        self._rates = RateLimiter()
        self._open: Counter[tuple[str, str]] = Counter()
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a socket on, or say why not."""
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, limit = Request(scope), largest(scope["path"])
        try:
            if not _is_for_us(request) and scope["path"] not in BY_ADDRESS:
                raise WrongHost
            if _content_length(request) > limit:
                raise TooLarge
            await self._count(request, Quota.FILE if scope["path"].startswith(FILES) else Quota.REQUEST)
        except (WrongHost, TooLarge, RateLimited) as error:
            await self._answer(request, error)(scope, receive, send)
            return
        await self.app(scope, _measured(receive, limit), send)

    async def _count(self, connection: HTTPConnection, quota: Quota) -> Caller | None:
        """Count a request or socket for its caller, whom everything further in then knows; nobody without limits."""
        CALLER.set(None)
        if not config_of(connection).limits:
            return None
        user = visitor(connection).user
        address = address_block(connection.client.host if connection.client else "")
        registry = registry_of(connection)
        alone = not registry.database.shared or connection.url.path in PROBES
        counters = None if alone else registry.counter_store
        caller = Caller(self._rates, user.id if user else None, address, counters)
        if user is not None:
            registry.bot_pool.addresses.note(user.id, address)
        CALLER.set(caller)
        await caller.spend(quota)
        return caller

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        if not _is_for_us(connection):
            await send({"type": "websocket.close"})
            return
        with ExitStack() as stack:
            try:
                caller = await self._count(connection, Quota.SOCKET)
                if caller is not None:
                    stack.enter_context(self._counted_open(caller))
            except RateLimited:
                await closed_at_once(receive, send, CLOSED_TOO_FAST)
                return
            limited = receive if caller is None else _limited(self._counted_as(caller), connection, receive, send)
            await self.app(scope, limited, send)

    @contextmanager
    def _counted_open(self, caller: Caller) -> Iterator[None]:
        """Count a socket while it is open; RateLimited when its user or address has too many already."""
        held = [("person", caller.person)] if caller.person else []
        keys = [*held, ("address", caller.address)]
        if any(self._open[key] >= MOST_OPEN[key[0]] for key in keys):
            raise RateLimited(1)
        self._open.update(keys)
        try:
            yield
        finally:
            self._open.subtract(keys)
            self._open += Counter()  # forgets those with no socket left

    def _counted_as(self, caller: Caller) -> Caller:
        """Return for whom messages are counted: the user, or the socket of an unknown visitor."""
        self._sockets += 1
        return caller if caller.person else Caller(self._rates, f"socket {self._sockets}", caller.address)


def _is_for_us(connection: HTTPConnection) -> bool:
    """Tell whether a request names this server as its host, once."""
    names = connection.headers.getlist("host")
    return len(names) == 1 and config_of(connection).knows(names[0])


def largest(path: str) -> int:
    """Return how many bytes a request to a path may have."""
    return LARGEST_RECORD + ENVELOPE if path.endswith(WITH_RECORDS) else LARGEST_BODY


def _content_length(request: Request) -> int:
    length = request.headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0


def _measured(receive: Receive, limit: int) -> Receive:
    """Stop reading a body once it is too large, whatever its headers said."""
    taken = 0

    async def measured() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise TooLarge
        return message

    return measured


async def closed_at_once(receive: Receive, send: Send, code: int) -> None:
    """Close a socket that was not accepted; whoever opens it sees the close code only after the handshake."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": code})


def _limited(caller: Caller, connection: HTTPConnection, receive: Receive, send: Send) -> Receive:
    """Drop messages that come too fast and answer with an error; a sender who does not stop is disconnected."""

    async def limited() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            try:
                await caller.spend(Quota.MESSAGE)
            except RateLimited:
                if await _warned(caller, connection, message, send):
                    continue
                await send({"type": "websocket.close", "code": CLOSED_TOO_FAST})
                return {"type": "websocket.disconnect", "code": CLOSED_TOO_FAST}
            return message

    return limited


async def _warned(caller: Caller, connection: HTTPConnection, message: Message, send: Send) -> bool:
    """Answer a message that came too fast; False when that has been said often enough."""
    try:
        await caller.spend(Quota.WARNING)
    except RateLimited:
        return False
    request = messages.read(message.get("text") or message.get("bytes") or "")
    why = words(visitor(connection).language, COMMON_TEXTS).gettext(TROUBLES[Code.TOO_FAST])
    answer = messages.write(Trouble(Code.TOO_FAST, request.id if request else "", why))
    await send({"type": "websocket.send", "text": answer.decode()})
    return True
