"""Bots in a browser: a worker process is a web worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, Protocol

from omnibus.server.tables.bot_process import StartProcess

_NUMBERS: Final = count(1)


class WebWorker(Protocol):
    """A web worker that answers lines with lines (files/bots.js)."""

    def write(self, line: str) -> None:
        """Send a line."""

    def terminate(self) -> None:
        """End it now."""


StartWebWorker = Callable[[Callable[[str], None], Callable[[], None]], WebWorker]
"""Starts a web worker, given what is to be called with each line it says, and when it has failed."""


class WebWorkerProcess:
    """A web worker as the pool of bots sees it."""

    def __init__(self, start: StartWebWorker) -> None:
        self.pid = next(_NUMBERS)
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._ended = asyncio.Event()
        self._worker = start(lambda line: self._lines.put_nowait(line.encode()), self._end)

    async def read_line(self) -> bytes:
        """Wait for a line; nothing when there will be none any more."""
        return await self._lines.get()

    async def write_line(self, line: bytes) -> None:
        """Send a line."""
        if self._ended.is_set():
            raise ProcessLookupError
        self._worker.write(line.decode())

    async def wait(self) -> None:
        """Wait until it has ended."""
        await self._ended.wait()

    def kill(self) -> None:
        """End it now."""
        self._worker.terminate()
        self._end()

    def _end(self) -> None:
        self._ended.set()
        self._lines.put_nowait(b"")


def in_web_workers(start: StartWebWorker) -> StartProcess:
    """Return what starts worker processes as web workers."""

    async def begin(command: Sequence[str], core: str) -> WebWorkerProcess:
        return WebWorkerProcess(start)

    return begin
