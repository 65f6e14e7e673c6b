"""A visit to the site while it is built: shows that it works, and which modules a visitor needs.

Their compiled code goes into the site, so that no browser has to compile it again.
"""

from __future__ import annotations

import marshal
import sys
import tempfile
from collections.abc import Callable, Iterable
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any, Final

from omnibus import games
from omnibus.server.tables.bot_worker import KeptBots, reply
from omnibus.static_site.runtime.asgi import PageRequest
from omnibus.static_site.runtime.server import BrowserServer

ORIGIN: Final = "http://localhost"
HEADER: Final = MAGIC_NUMBER + (0b01).to_bytes(4, "little") + bytes(8)  # of a .pyc that is never compared with a source
FORM: Final = ("content-type", "application/x-www-form-urlencoded")


class NoKeeper:
    """Keeps nothing: a rehearsal leaves nothing behind."""

    async def save(self) -> None:
        """Save nothing."""

    def restore(self) -> None:
        """Put nothing back."""


class BotsHere:
    """A web worker that is none: it answers at once."""

    def __init__(self, say: Callable[[str], None], fail: Callable[[], None]) -> None:
        self._say = say
        self._kept = KeptBots()
        say("ready")

    def write(self, line: str) -> None:
        """Answer a line."""
        self._say(reply(self._kept, line).decode())

    def terminate(self) -> None:
        """End: there is nothing to end."""


async def rehearse(*names: str) -> None:
    """Visit the pages, and begin every game, or those named; RuntimeError when one of them does not work."""
    with tempfile.TemporaryDirectory() as folder:
        server = await BrowserServer.start(Path(folder), ORIGIN, NoKeeper(), BotsHere)
        try:
            await _visit_all(server, names or games.names())
        finally:
            await server.close()


async def _visit_all(server: BrowserServer, names: Iterable[str]) -> None:
    for path in ("/", "/board.css", "/puzzles", "/analysis", "/you", "/credits"):
        await _visit(server, "GET", path)
    for name in names:
        for path in (f"/pictures/{name}.svg", f"/learn/{name}", f"/rules/{name}"):
            await _visit(server, "GET", path)
        await _play(server, name)


async def _play(server: BrowserServer, name: str) -> None:
    """Begin a game against a bot, and look at the table and its socket; open a board."""
    location = (await _visit(server, "POST", f"/play/{name}")).get("location", "/")
    await _visit(server, "GET", location)
    server.open_socket("1", f"{location}/socket", [], lambda *_: None)
    server.receive("1", '{"sync": true}')
    await _visit(server, "POST", f"{location}/abandon")
    server.close_socket("1")
    board = (await _visit(server, "POST", f"/analysis/{name}")).get("location", "/")
    await _visit(server, "GET", board)
    await _visit(server, "GET", f"/api{board}/nodes/0")


async def _visit(server: BrowserServer, method: str, path: str) -> dict[str, str]:
    """Ask for a path; return the headers of the response."""
    response = await server.respond(PageRequest(method, path, [FORM]))
    if response.status >= 400:
        raise RuntimeError(f"{method} {path} is answered with {response.status}")
    return dict(response.headers)


def compiled() -> dict[str, bytes]:
    """Return the compiled code (.pyc) of all modules that are loaded, by their files."""
    found: dict[str, bytes] = {}
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        if spec is not None and spec.origin and spec.origin.endswith(".py") and hasattr(spec.loader, "get_source"):
            found[spec.origin] = HEADER + _code(spec)
    return found


def _code(spec: Any) -> bytes:
    code = compile(spec.loader.get_source(spec.name), spec.origin, "exec", dont_inherit=True, optimize=2)
    return marshal.dumps(code)
