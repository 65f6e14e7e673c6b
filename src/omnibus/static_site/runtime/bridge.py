"""Where the scripts of the site call Python (files/offline/worker.js): their values become Python's, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from omnibus.server.store.saved_sqlite import Keeper
from omnibus.static_site.runtime.asgi import PageRequest
from omnibus.static_site.runtime.bots import StartWebWorker
from omnibus.static_site.runtime.server import BrowserServer

DATA: Final = Path("/data")
"""The folder of Python's file system that storage.js keeps."""


async def start(origin: str, keeper: Keeper, start_worker: StartWebWorker) -> Bridge:
    """Start the server of a site."""
    return Bridge(await BrowserServer.start(DATA, origin, keeper, start_worker))


class Bridge:
    """The server, called by scripts."""

    def __init__(self, server: BrowserServer) -> None:
        self._server = server

    async def respond(self, method: str, path: str, headers: Any, body: Any) -> tuple[int, Any, bytes]:
        """Answer a request: status, headers and body."""
        response = await self._server.respond(PageRequest(method, path, _pairs(headers), body.to_bytes()))
        return response.status, response.headers, response.body

    def open_socket(self, number: str, path: str, headers: Any, send: Any) -> None:
        """Open a socket for a page."""
        self._server.open_socket(number, path, _pairs(headers), send)

    def receive(self, number: str, text: str) -> None:
        """Pass on what a page sends through a socket."""
        self._server.receive(number, text)

    def close_socket(self, number: str) -> None:
        """Close a socket whose page has gone."""
        self._server.close_socket(number)


def _pairs(headers: Any) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers.to_py()]
