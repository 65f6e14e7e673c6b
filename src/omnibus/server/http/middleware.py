"""The door: who comes under a wrong name, brings too much or is too fast is told so, and does not get in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server.errors import TROUBLES, Code
from omnibus.server.http.rate_limits import CALLER, Caller, Quota, RateLimited, RateLimiter, address_block
from omnibus.server.http.visitor import config_of, visitor
from omnibus.server.pages.templates import render
from omnibus.server.tables import messages
from omnibus.server.tables.messages import Trouble

CLOSED_TOO_FAST: Final = 4429  # a close code of our own: come again, but much later
MOST_OPEN: Final = {"person": 40, "address": 400}  # sockets at the same time

FILES: Final = ("/static/", "/board.css")
LARGEST_BODY: Final = 8 * 1024  # bytes
LARGEST_RECORD: Final = 256 * 1024
ENVELOPE: Final = 32 * 1024  # what a form or JSON puts around a record

MUCH: Final = mark("This is more than the house takes in at once: {limit} kB.")
MUCH_RECORD: Final = mark("A record has at most 256 kB.")
WAIT: Final = mark("That was too fast. Please try again in a while ({seconds} s).")
WRONG_NAME: Final = mark("This house does not go by that name. Its host can name it with --public-url.")


class TooLarge(HTTPException):
    """A body that is larger than what is asked for can be."""

    def __init__(self) -> None:
        super().__init__(413)


class RequestLimits:
    """Stands before everything else, but for who writes down what was asked and answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._pace = RateLimiter()
        self._open: Counter[tuple[str, str]] = Counter()
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let somebody in, or tell them why not."""
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if not _well_named(request):
            await refused(request, 421, "wrong_host", WRONG_NAME)(scope, receive, send)
            return
        if _announced(request) > largest(scope["path"]):
            await too_large(request)(scope, receive, send)
            return
        try:
            await self._introduce(request, Quota.FILE if scope["path"].startswith(FILES) else Quota.REQUEST)
        except RateLimited as fast:
            await too_fast(request, fast)(scope, receive, send)
            return
        await self.app(scope, _measured(receive, largest(scope["path"])), send)

    async def _introduce(self, connection: HTTPConnection, deed: Quota) -> Caller | None:
        """Let everybody further in know who asks, and count it; where nothing is counted nobody needs to know."""
        CALLER.set(None)
        if not config_of(connection).limits:
            return None
        user = visitor(connection).user
        address = address_block(connection.client.host if connection.client else "")
        caller = Caller(self._pace, user.id if user else None, address)
        CALLER.set(caller)
        await caller.spend(deed)
        return caller

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        if not _well_named(connection):
            await send({"type": "websocket.close"})
            return
        with ExitStack() as room:
            try:
                caller = await self._introduce(connection, Quota.SOCKET)
                if caller is not None:
                    room.enter_context(self._room(caller))
            except RateLimited:
                await _close_too_fast(receive, send)
                return
            paced = receive if caller is None else _paced(self._known(caller), connection, receive, send)
            await self.app(scope, paced, send)

    @contextmanager
    def _room(self, caller: Caller) -> Iterator[None]:
        """Hold a place for a socket; TooFast when a person or an address has too many already."""
        held = [("person", caller.person)] if caller.person else []
        keys = [*held, ("address", caller.address)]
        if any(self._open[key] >= MOST_OPEN[key[0]] for key in keys):
            raise RateLimited(1)
        self._open.update(keys)
        try:
            yield
        finally:
            self._open.subtract(keys)
            self._open += Counter()  # forgets those of whom none is left

    def _known(self, caller: Caller) -> Caller:
        """Count the messages of who is nobody by their socket."""
        self._sockets += 1
        return caller if caller.person else Caller(self._pace, f"socket {self._sockets}", caller.address)


def _well_named(connection: HTTPConnection) -> bool:
    """Tell whether a visitor asks for this house, and for no other as well."""
    names = connection.headers.getlist("host")
    return len(names) == 1 and config_of(connection).knows(names[0])


def largest(path: str) -> int:
    """Return how many bytes can be brought to a path."""
    return LARGEST_RECORD + ENVELOPE if path.endswith("/records") else LARGEST_BODY


def _announced(request: Request) -> int:
    length = request.headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0


def _measured(receive: Receive, limit: int) -> Receive:
    """Stop reading a body once it is too large, whatever was said about its length."""
    taken = 0

    async def measured() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise TooLarge
        return message

    return measured


async def _close_too_fast(receive: Receive, send: Send) -> None:
    """Send a socket away; a browser is told a code only once it is connected."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": CLOSED_TOO_FAST})


def _paced(caller: Caller, connection: HTTPConnection, receive: Receive, send: Send) -> Receive:
    """Keep what comes too fast away from the table and say so; who goes on regardless is cut off."""

    async def paced() -> Message:
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

    return paced


async def _warned(caller: Caller, connection: HTTPConnection, message: Message, send: Send) -> bool:
    """Answer what came too fast; False when it has been answered often enough."""
    try:
        await caller.spend(Quota.WARNING)
    except RateLimited:
        return False
    request = messages.read(message.get("text") or message.get("bytes") or "")
    why = words(visitor(connection).language, COMMON_TEXTS).gettext(TROUBLES[Code.TOO_FAST])
    answer = messages.write(Trouble(Code.TOO_FAST, request.id if request else "", why))
    await send({"type": "websocket.send", "text": answer.decode()})
    return True


def too_fast(request: Request, fast: RateLimited) -> Response:
    """Answer who asks too much at once."""
    headers = {"retry-after": str(fast.seconds)}
    return refused(request, 429, Code.TOO_FAST.value, WAIT, headers, seconds=fast.seconds)


def too_large(request: Request) -> Response:
    """Answer who brings too much, and do not listen to the rest of it."""
    limit = largest(request.url.path)
    text = MUCH if limit == LARGEST_BODY else MUCH_RECORD
    return refused(request, 413, "too_large", text, {"connection": "close"}, limit=limit // 1024)


def refused(
    request: Request, status: int, code: str, text: str, headers: dict[str, str] | None = None, **blanks: int
) -> Response:
    """Say why not: as a page, as JSON to programs, or in plain words."""
    visit = visitor(request)
    why = words(visit.language, COMMON_TEXTS).gettext(text).format(**blanks)
    wanted = request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or "application/json" in wanted:
        return JSONResponse({"code": code, "text": why}, status, headers)
    if "text/html" not in wanted:
        return PlainTextResponse(why + "\n", status, headers)
    page = render(request, visit, "error.html", status=status, why=why)
    page.headers.update(headers or {})
    return page
