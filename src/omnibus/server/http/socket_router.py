"""Passes the sockets of a table on to the same one of several processes that listen at one address.

Whichever process accepts a connection, what the readers of a table are shown is then computed in one of them. Nothing
depends on it: where a socket cannot be passed on, it is served by whoever has accepted it.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from omnibus.server.http.protocols import LARGEST_HEAD, LimitedHttpProtocol

_SOCKET_OF_TABLE: Final = re.compile(rb"GET (?:/api)?/tables/([^/ ?]+)/socket[ ?]")

AGAIN_S: Final = 0.02  # before a socket is offered again to a process that is busy
TRIES: Final = 50

MakeProtocol = Callable[[bytes], asyncio.Protocol]
"""Makes the protocol of a connection from which some bytes have been read already."""


class SocketRouter:
    """One of several processes that pass sockets on to each other, through Unix sockets in a folder of theirs."""

    def __init__(self, folder: Path, number: int, processes: int) -> None:
        self._folder = folder
        self._number = number
        self._processes = processes
        self._sending = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sending.setblocking(False)
        self._receiving: socket.socket | None = None
        self._arriving: set[asyncio.Task[Any]] = set()

    def open(self, make: MakeProtocol) -> None:
        """Begin to take in sockets, in place of the process that had this number before."""
        self._receiving = receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        receiving.setblocking(False)
        new = self._folder / f"{self._number}.{os.getpid()}"
        receiving.bind(str(new))
        new.replace(self._path(self._number))
        asyncio.get_running_loop().add_reader(receiving, self._receive, receiving, make)

    def close(self) -> None:
        """Take in no more sockets."""
        if self._receiving is not None:
            asyncio.get_running_loop().remove_reader(self._receiving)
            self._receiving.close()
            self._receiving = None

    def _path(self, number: int) -> str:
        return str(self._folder / str(number))

    def home(self, data: bytes) -> int:
        """Return the number of the process that a connection belongs to, given what was read from it."""
        found = _SOCKET_OF_TABLE.match(data)
        return crc32(found[1]) % self._processes if found and len(data) <= LARGEST_HEAD else self._number

    def is_elsewhere(self, data: bytes) -> bool:
        """Tell whether a connection belongs to another process."""
        return self.home(data) != self._number

    def pass_on(self, connection: socket.socket, data: bytes) -> None:
        """Pass a connection on, with what was read from it.

        BlockingIOError: the other process is busy. Any other OSError: it has died.
        """
        passed = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [connection.fileno()]))
        self._sending.sendmsg([data], [passed], 0, self._path(self.home(data)))

    def _receive(self, receiving: socket.socket, make: MakeProtocol) -> None:
        """Take in all sockets that have been passed on."""
        with suppress(OSError):  # there are no more
            while True:
                data, received, _, _ = socket.recv_fds(receiving, LARGEST_HEAD, 1)
                for number in received:
                    self._accept(socket.socket(fileno=number), partial(make, data))

    def _accept(self, connection: socket.socket, make: Callable[[], asyncio.Protocol]) -> None:
        connection.setblocking(False)
        task = asyncio.create_task(asyncio.get_running_loop().connect_accepted_socket(make, connection))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)


class RoutedHttpProtocol(LimitedHttpProtocol):
    """HTTP at one of several processes; connections that belong to another one are passed on."""

    def __init__(self, *args: Any, router: SocketRouter, read: bytes = b"", **more: Any) -> None:
        super().__init__(*args, **more)
        self._router = router
        self._read = read  # by the process that has accepted the connection
        self._new = not read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin with what another process has read."""
        super().connection_made(transport)
        if self._read:
            self.data_received(self._read)

    def data_received(self, data: bytes) -> None:
        """Pass the connection on if the first request says that it belongs elsewhere."""
        new, self._new = self._new, False
        if new and self._router.is_elsewhere(data):
            self.transport.pause_reading()
            self._pass_on(data)
        else:
            super().data_received(data)

    def _pass_on(self, data: bytes, tries: int = TRIES) -> None:
        """Pass the connection on, if need be after a while; serve it here when that fails."""
        if self.transport.is_closing():
            return
        try:
            self._router.pass_on(self.transport.get_extra_info("socket"), data)
            self.transport.abort()  # closes it here only
        except OSError as error:
            if isinstance(error, BlockingIOError) and tries > 0:
                self.loop.call_later(AGAIN_S, self._pass_on, data, tries - 1)
                return
            self.transport.resume_reading()
            super().data_received(data)
