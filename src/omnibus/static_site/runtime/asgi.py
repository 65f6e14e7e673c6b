"""Requests and sockets of pages in the same browser, passed to the application as an ASGI server does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from starlette.types import ASGIApp, Message, Scope

LOG: Final = logging.getLogger("omnibus.browser")

Headers = Iterable[tuple[str, str]]


class Response(NamedTuple):
    """What the application answers to a request."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


class PageRequest(NamedTuple):
    """A request of a page: the path is that of the application, whatever folder the site is in."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes = b""


def _scope(kind: str, origin: str, path: str, headers: Headers) -> Scope:
    site, asked = urlsplit(origin), urlsplit(path)
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": site.scheme if kind == "http" else site.scheme.replace("http", "ws"),
        "path": unquote(asked.path),
        "raw_path": asked.path.encode(),
        "query_string": asked.query.encode(),
        "root_path": "",
        "headers": [(b"host", site.netloc.encode()), *((name.encode(), value.encode()) for name, value in headers)],
        "client": ("127.0.0.1", 0),
        "server": (site.hostname, site.port),
    }


async def respond(app: ASGIApp, origin: str, request: PageRequest) -> Response:
    """Have a request answered."""
    headers = [*request.headers, ("content-length", str(len(request.body)))]
    scope = {**_scope("http", origin, request.path, headers), "method": request.method}
    coming: list[Message] = [{"type": "http.request", "body": request.body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        return coming.pop() if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    try:
        await app(scope, receive, send)
    except Exception:
        LOG.exception("request failed", extra={"path": request.path})
    if not sent:
        return Response(500, [], b"")
    start = sent[0]
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Response(start["status"], [(name.decode(), value.decode()) for name, value in start["headers"]], body)


class Socket:
    """An open socket of a page; `send` passes on what the application says: `accept`, `text` or `close`."""

    def __init__(
        self, app: ASGIApp, origin: str, path: str, headers: Headers, send: Callable[[str, str | int], None]
    ) -> None:
        self._send = send
        self._coming: asyncio.Queue[Message] = asyncio.Queue()
        self._coming.put_nowait({"type": "websocket.connect"})
        scope = {**_scope("websocket", origin, path, headers), "subprotocols": []}
        self._task = asyncio.create_task(self._run(app, scope))

    def receive(self, text: str) -> None:
        """Pass a message on to the application."""
        self._coming.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Tell the application that the page has gone."""
        self._coming.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def _run(self, app: ASGIApp, scope: Scope) -> None:
        try:
            await app(scope, self._coming.get, self._pass_on)
        except Exception:
            LOG.exception("socket failed", extra={"path": scope["path"]})
            self._send("close", 1011)

    async def _pass_on(self, message: Message) -> None:
        if message["type"] == "websocket.accept":
            self._send("accept", "")
        elif message["type"] == "websocket.close":
            self._send("close", message.get("code", 1000))
        else:
            self._send("text", message.get("text") or message["bytes"].decode())
