"""ASGI middleware around every request: response headers, the request log, and who is asking."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Awaitable, Callable
from posixpath import normpath
from typing import Final
from urllib.parse import unquote

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omnibus.server import metrics
from omnibus.server.http.request_limits import PROBES, closed_at_once
from omnibus.server.http.visitor import recognize, stranger
from omnibus.server.logs import without_tokens
from omnibus.server.store.errors import StoreError

LOG: Final = logging.getLogger("omnibus.requests")
TRY_LATER: Final = 1013  # a close code of the protocol

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()",
}
PERSONAL: Final = {"cache-control": "private, no-cache"}  # a page shows what its visitor may see, and nobody else

_TOKEN_IN_PATH: Final = re.compile(r"^((?:/api)?/(?:recover|mail)/)[^/]+", re.IGNORECASE)


class HeadersAndLog:
    """Adds the security headers to every response, and logs and counts requests, with status and duration."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an HTTP request on, and complete the start of its response."""
        if scope["type"] == "websocket":
            metrics.SOCKETS.add("opened")
            try:
                await self.app(scope, receive, send)
            finally:
                metrics.SOCKETS.add("closed")
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, scope["path"])
                _log(scope, message["status"], time.perf_counter() - began)
                metrics.count_request(message["status"], time.perf_counter() - began)
            await send(message)

        # HEAD is answered as GET is; uvicorn, which knows what was asked, sends only the head of the answer
        asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        await self.app(asked, receive, send_with_headers)


def _add_headers(message: Message, path: str) -> None:
    """Add the headers the response does not set itself."""
    given = {name for name, _ in message["headers"]}
    wanted = HEADERS if path.startswith("/static/") else HEADERS | PERSONAL
    extra = [(name.encode(), value.encode()) for name, value in wanted.items()]
    message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in given)]


def _log(scope: Scope, status: int, seconds: float) -> None:
    what = {"method": scope["method"], "path": masked(scope["path"]), "status": status, "ms": round(seconds * 1000, 1)}
    LOG.info("request", extra=what)


def masked(path: str) -> str:
    """Return a path as it may be logged: without the tokens some paths contain, however they are spelled."""
    plain = normpath("/" + unquote(path).replace("\\", "/").strip("/ "))
    hidden, found = _TOKEN_IN_PATH.subn(r"\1…", plain)
    return without_tokens(hidden if found else path)


class ResolveVisitor:
    """Finds out once who is asking; everything further in reads it with `visitor`.

    `unavailable` answers when the database does not say who it is.
    """

    def __init__(self, app: ASGIApp, unavailable: Callable[[Request, Exception], Awaitable[Response]]) -> None:
        self.app = app
        self._unavailable = unavailable

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Keep the visitor in the state of the request or socket."""
        if scope["type"] in ("http", "websocket"):
            connection = HTTPConnection(scope)
            connection.state.visitor = stranger(connection)
            try:
                if scope["path"] not in PROBES:
                    connection.state.visitor = await recognize(connection)
            except StoreError as error:
                if scope["type"] == "http":
                    await (await self._unavailable(Request(scope), error))(scope, receive, send)
                else:
                    await closed_at_once(receive, send, TRY_LATER)
                return
        await self.app(scope, receive, send)
