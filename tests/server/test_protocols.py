"""What one connection may send: heads, frames, fragments, pings and pongs have limits, and the server goes on."""

from __future__ import annotations

import asyncio
import gc
import socket
import struct
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock
from urllib.parse import urlsplit

import httpx
import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from attack import CONTINUATION, PING, PONG, TEXT, frame, upgrade
from omnibus.server.http.protocols import (
    FRAMES_AT_ONCE,
    FRAMES_PER_S,
    LARGEST_HEAD,
    MOST_FRAGMENTS,
    MOST_HEADERS,
    READ_TIMEOUT_S,
    Budget,
    LimitedHttpProtocol,
    LimitedWebSocketProtocol,
)
from support.server_process import ServerProcess, running_server

CLOSE = 0x8
PATIENCE_S = 60
SILENCE_S = 10  # shorter than the interval of keepalive pings, which would also end an unanswering connection


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("protocols") / "data", traced=True) as server:
        yield server


def connected(running: ServerProcess) -> socket.socket:
    parts = urlsplit(running.url)
    assert parts.hostname
    assert parts.port
    return socket.create_connection((parts.hostname, parts.port), PATIENCE_S)


def upgraded(running: ServerProcess) -> socket.socket:
    """An anonymous WebSocket, by hand."""
    return upgrade(connected(running), running.port)


def cut_off(raw: socket.socket, data: bytes) -> bool:
    """Send without reading, then read to the end; tell whether the server has ended the connection."""
    try:
        raw.sendall(data)
        raw.settimeout(SILENCE_S)
        while raw.recv(65536):
            pass
    except (ConnectionError, BrokenPipeError):
        return True
    except TimeoutError:
        return False
    return True


def answers(running: ServerProcess) -> bool:
    return bool(httpx.get(f"{running.url}/healthz", timeout=PATIENCE_S).json()["ok"])


FLOOD = 50 * FRAMES_AT_ONCE
FLOODS = {
    "empty fragments": frame(TEXT, fin=False) + frame(CONTINUATION, fin=False) * FLOOD,
    "fragments of one message": frame(TEXT, fin=False) + frame(CONTINUATION, b"x", fin=False) * (MOST_FRAGMENTS + 1),
    "pings": frame(PING, b"x" * 100) * FLOOD,
    "pongs": frame(PONG) * FLOOD,
    "messages": frame(TEXT, b"{}") * FLOOD,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_frames_is_cut_off(running: ServerProcess, flood: str) -> None:
    """Control frames and fragments count like messages; everybody else is answered."""
    with upgraded(running) as raw:
        assert cut_off(raw, FLOODS[flood])
    assert answers(running)


def test_text_that_is_not_utf8(running: ServerProcess) -> None:
    """The connection is closed with the code for it, also when several arrive together; no error is logged."""
    with upgraded(running) as raw:
        raw.sendall(frame(TEXT, b"\xff") * 3)
        heard = b""
        while some := raw.recv(65536):
            heard += some
    assert heard.endswith(struct.pack("!BBH", 0x80 | CLOSE, 2, 1007))
    assert answers(running)
    assert '"level": "error"' not in (running.data.parent / "server.log").read_text(encoding="utf-8")


def test_some_frames_are_fine(running: ServerProcess) -> None:
    """A few fragments and pings within the limits are answered."""
    with upgraded(running) as raw:
        raw.sendall(frame(TEXT, b"{", fin=False) + frame(CONTINUATION, b"}") + frame(PING, b"still there?"))
        heard = b""
        while b"still there?" not in heard:
            heard += raw.recv(4096)


def head(size: int = 0, headers: int = 0) -> bytes:
    lines = ["GET /healthz HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines += [f"x-{number}: 1" for number in range(headers)] + ([f"x-large: {'x' * size}"] if size else [])
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (head(), b"200"),
        (head(size=LARGEST_HEAD // 2), b"200"),
        (head(size=2 * LARGEST_HEAD), b"431"),
        (head(size=64 * LARGEST_HEAD), b"431"),
        (head(headers=MOST_HEADERS // 2), b"200"),
        (head(headers=MOST_HEADERS + 1), b"431"),
    ],
)
def test_heads_have_a_limit(running: ServerProcess, request_head: bytes, status: bytes) -> None:
    """In bytes and in number; the answer says so and the connection ends."""
    with connected(running) as raw:
        heard = b""
        try:
            raw.sendall(request_head)
            while more := raw.recv(65536):
                heard += more
        except ConnectionError:
            assert status == b"431"  # what was still on its way is refused with a reset
            return
        assert heard.split(b" ", 2)[1] == status
    assert answers(running)


def test_a_large_body_is_no_head(running: ServerProcess) -> None:
    """A body may come along in the same packet as its head."""
    body = b"game: " + b"x" * (3 * LARGEST_HEAD)
    answer = httpx.post(f"{running.url}/api/records", content=body, timeout=PATIENCE_S)
    assert answer.status_code == 401  # nobody's record; but it was read as a request


class TestBudget:
    def test_so_much_at_once_and_so_much_a_second(self) -> None:
        now = 0.0
        budget = Budget(10, 2, lambda: now)
        assert all(budget.spend(1) for _ in range(10))
        assert not budget.spend(1)
        now = 5.0
        assert all(budget.spend(1) for _ in range(9))
        assert not budget.spend(1)

    def test_what_the_page_sends_is_far_below(self) -> None:
        """A person's messages are limited to ten a second; frames leave room for pings and reconnects."""
        assert FRAMES_PER_S >= 30


class Timers:
    """The clock of an event loop that is set by hand."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Any, tuple[Any, ...]]] = []

    def call_later(self, delay: float, call: Any, *args: Any) -> SimpleNamespace:
        timer = (delay, call, args)
        self.due.append(timer)
        return SimpleNamespace(cancel=lambda: self.due.__delitem__(slice(None)))

    def ring(self) -> float:
        delay, call, args = self.due.pop()
        call(*args)
        return delay


class TestReadTimeout:
    """Somebody who reads nothing of what waits for them is cut off; somebody who reads slowly is not."""

    def paused(self) -> tuple[LimitedWebSocketProtocol, Timers, Mock]:
        """A connection whose buffer has filled up."""

        async def app(scope: Any, receive: Any, send: Any) -> None: ...

        timers, transport = Timers(), Mock(asyncio.Transport)
        config = Config(app, ws_per_message_deflate=False)
        protocol = LimitedWebSocketProtocol(config, ServerState(), {}, cast(asyncio.AbstractEventLoop, timers))
        protocol.transport = transport
        transport.get_write_buffer_size.return_value = 100_000
        protocol.pause_writing()
        return protocol, timers, transport

    async def test_reads_nothing(self) -> None:
        """It is cut off without a handshake."""
        _, timers, transport = self.paused()
        waited = 0.0
        while timers.due:
            transport.abort.assert_not_called()
            waited += timers.ring()
        assert waited == READ_TIMEOUT_S
        transport.abort.assert_called_once()
        transport.write.assert_not_called()

    async def test_reads_slowly(self) -> None:
        """It may go on while it reads, and the clock stops when it has caught up."""
        protocol, timers, transport = self.paused()
        transport.get_write_buffer_size.return_value = 90_000
        timers.ring()
        transport.abort.assert_not_called()
        assert len(timers.due) == 1
        protocol.resume_writing()
        assert not timers.due

    async def test_is_let_go_while_it_does_not_read(self) -> None:
        """When the server ends the connection of somebody who does not read, it does not wait for them."""
        protocol, _, transport = self.paused()
        protocol.scope = cast(Any, {})
        protocol.handshake_complete = True
        await protocol.run_asgi()
        transport.abort.assert_called_once()


async def test_a_lost_connection_leaves_no_garbage() -> None:
    """Nothing of a WebSocket waits for a full garbage collection, which is rare in a server."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    config = Config(app, http=LimitedHttpProtocol, ws=LimitedWebSocketProtocol, ws_per_message_deflate=False)
    config.load()
    transport = Mock(asyncio.Transport)
    transport.get_extra_info.return_value = None
    http = LimitedHttpProtocol(config, ServerState(), {}, asyncio.get_running_loop())
    http.connection_made(transport)
    gc.disable()
    try:
        http.data_received(
            b"GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        socket_protocol = transport.set_protocol.call_args.args[0]
        left = [weakref.ref(http), weakref.ref(socket_protocol.conn)]
        await asyncio.sleep(0)  # the application begins
        socket_protocol.connection_lost(None)
        await asyncio.gather(*socket_protocol.tasks)
        transport.reset_mock()
        del http, socket_protocol
        await asyncio.sleep(0)
        assert [one() for one in left] == [None, None]
    finally:
        gc.enable()
