"""The process of a worker, as the pool of bots sees it: lines go in, lines come out, and it can be killed."""

from __future__ import annotations

import os
from asyncio import create_subprocess_exec
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

LONGEST_LINE: Final = 1 << 20  # bytes


class WorkerProcess(Protocol):
    """What runs a worker: a process of this machine, or of a browser (static_site/runtime/bots.py)."""

    @property
    def pid(self) -> int:
        """A number that no other one has."""

    async def read_line(self) -> bytes:
        """Wait for a line; nothing when there will be none any more."""

    async def write_line(self, line: bytes) -> None:
        """Send a line; OSError or RuntimeError when it has ended."""

    async def wait(self) -> object:
        """Wait until it has ended."""

    def kill(self) -> None:
        """End it now."""


StartProcess = Callable[[Sequence[str], str], Awaitable[WorkerProcess]]
"""Starts a worker, given the command and the folder of a compiled core other than the server's, or ""."""


class LocalProcess:
    """A process of this machine and its pipes."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def read_line(self) -> bytes:
        """Wait for a line on its standard output."""
        assert self._process.stdout
        return await self._process.stdout.readline()

    async def write_line(self, line: bytes) -> None:
        """Send a line to its standard input."""
        assert self._process.stdin
        self._process.stdin.write(line + b"\n")
        await self._process.stdin.drain()

    async def wait(self) -> int:
        """Wait until it has ended."""
        return await self._process.wait()

    def kill(self) -> None:
        """End the process, and close its pipe: otherwise that could keep us waiting for ever."""
        assert self._process.stdin
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.stdin.close()


async def start_process(command: Sequence[str], core: str = "") -> LocalProcess:
    """Start a process, with a compiled core other than the server's if one is named."""
    environment = {**os.environ, "PYTHONPATH": core} if core else None
    return LocalProcess(
        await create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_LINE, env=environment
        )
    )
