"""What one connection may send: heads, waiting requests, frames, pings … have limits, and the server goes on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import struct
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
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
    BODY_TIMEOUT_S,
    FRAMES_AT_ONCE,
    FRAMES_PER_S,
    HEAD_TIMEOUT_S,
    LARGEST_BODY,
    LARGEST_HEAD,
    MOST_CONNECTIONS,
    MOST_FRAGMENTS,
    MOST_HEADERS,
    MOST_WAITING,
    READ_TIMEOUT_S,
    Budget,
    LimitedHttpProtocol,
    LimitedWebSocketProtocol,
    OpenConnections,
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


def test_no_token_in_the_address_of_a_socket_is_logged(running: ServerProcess) -> None:
    """Uvicorn logs the whole address of every socket; what looks like a token is masked."""
    token = "a-Token_" * 6
    with connected(running) as raw, contextlib.suppress(ConnectionError):
        upgrade(raw, running.port, f"/socket?recover/{token}")
    log = (running.data.parent / "server.log").read_text(encoding="utf-8")
    assert "/socket?recover/…" in log
    assert token not in log


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


def get(path: str = "/healthz", host: str = "127.0.0.1", upgrade: str = "") -> bytes:
    """A request of a client that keeps its connection."""
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{upgrade}\r\n".encode()


UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def answered(running: ServerProcess, data: bytes) -> int:
    """Send without reading, then read to the end; return how many requests were answered."""
    heard = b""
    with connected(running) as raw:
        try:
            raw.sendall(data)
            while more := raw.recv(65536):
                heard += more
        except ConnectionError:
            pass
    return heard.count(b"HTTP/1.1 ")


def test_some_requests_may_wait(running: ServerProcess) -> None:
    """Up to a limit, requests may be sent before the first of them is answered."""
    assert answered(running, get() * MOST_WAITING + get(upgrade="Connection: close\r\n")) == 1 + MOST_WAITING


@pytest.mark.parametrize(
    "flood",
    [
        get() * 400,
        get("/static/board.js") * 400,
        get(host="example.com") * 400,
        (get() + b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n") * 200,
        get(upgrade="Connection: close\r\n") * 400,
    ],
    ids=["page", "file", "other host", "HTTP/1.0", "after the end"],
)
def test_many_requests_may_not_wait(running: ServerProcess, flood: bytes) -> None:
    """Whoever sends many requests without waiting is cut off, whatever they ask for; the others are answered."""
    assert answered(running, flood) <= 1 + MOST_WAITING
    assert answers(running)


def test_no_socket_begins_while_a_request_waits(running: ServerProcess) -> None:
    """The answer to the request before would be sent in the middle of it."""
    with connected(running) as raw:
        raw.sendall(get() + get("/socket", upgrade=UPGRADE))
        heard = b""
        try:
            while more := raw.recv(65536):
                heard += more
        except ConnectionError:
            pass
    assert b" 101 " not in heard
    assert answers(running)


def test_what_follows_an_upgrade_to_another_protocol_is_no_request(running: ServerProcess) -> None:
    """The request itself is answered, as if it had not asked for it; what came along with it is dropped."""
    upgrade_to = "Connection: Upgrade\r\nUpgrade: h2c\r\n"
    with connected(running) as raw:
        raw.sendall(get(upgrade=upgrade_to) * 100)
        assert raw.recv(65536).startswith(b"HTTP/1.1 200 ")
        raw.sendall(get(upgrade="Connection: close\r\n"))
        heard = b""
        while more := raw.recv(65536):
            heard += more
    assert heard.count(b"HTTP/1.1 200 ") == 1
    assert b"HTTP/1.1 400 " not in heard


CHUNKED = b"POST /api/users HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
MUCH = 64 * LARGEST_HEAD
BESIDE_BODIES = {
    "trailer's value": CHUNKED + b"0\r\nX-A: " + b"a" * MUCH,
    "trailer's name": CHUNKED + b"0\r\n" + b"a" * MUCH,
    "trailers": CHUNKED + b"0\r\n" + b"X-A: a\r\n" * (MUCH // 8),
    "chunk extension": CHUNKED + b"5;" + b"a" * MUCH,
    "small chunks": CHUNKED + b"1;aaaaaaaa\r\n{\r\n" * (MUCH // 15),
    "empty lines": b"\r\n" * (MUCH // 2),
    "empty lines after a request": get() + b"\r\n" * (MUCH // 2),
}


@pytest.mark.parametrize("name", BESIDE_BODIES)
def test_what_is_not_body_has_a_limit(running: ServerProcess, name: str) -> None:
    """Neither before, nor within, nor after a body is there room for more than a large head."""
    with connected(running) as raw:
        assert cut_off(raw, BESIDE_BODIES[name])
    assert answers(running)


def test_trailers_are_refused(running: ServerProcess) -> None:
    """Even a small one: the server would take it for a header of the request."""
    with connected(running) as raw:
        raw.sendall(CHUNKED + b"2\r\n{}\r\n0\r\nHost: example.com\r\n\r\n")
        assert raw.recv(4096).startswith(b"HTTP/1.1 400 ")


def test_a_body_nobody_wants_has_a_limit(running: ServerProcess) -> None:
    """Whoever goes on with a body after the answer is cut off when it is larger than any that is taken."""
    begin = b"POST / HTTP/1.1\r\nHost: example.com\r\nContent-Length: 1000000000\r\n\r\n"
    with connected(running) as raw:
        assert cut_off(raw, begin + b"x" * 8 * LARGEST_BODY)
    assert answers(running)


def test_chunks_are_fine(running: ServerProcess) -> None:
    """A body in chunks of some size is read, up to the limit of its path."""
    chunks = (b"x" * 100 for _ in range(2000))
    answer = httpx.post(f"{running.url}/api/records", content=chunks, timeout=PATIENCE_S)
    assert answer.status_code == 401  # nobody's record; but it was read as a request


def test_an_address_has_so_many_connections(tmp_path: Path) -> None:
    """Sockets among them. Beyond them it is cut off at once, until it has closed some; others are answered."""
    with running_server(tmp_path / "data", "--proxy", "192.0.2.1") as server, contextlib.ExitStack() as held:
        many = [held.enter_context(connected(server)) for _ in range(MOST_CONNECTIONS)]
        for each in many[:20]:
            upgrade(each, server.port)
        with connected(server) as one_more:
            assert cut_off(one_more, get())
        other = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(transport=other, timeout=PATIENCE_S) as client:
            assert client.get(f"{server.url}/healthz").json()["ok"]
        for each in many:
            each.close()
        deadline = time.monotonic() + PATIENCE_S
        while not answered(server, get()):  # it has not heard of all that have ended
            assert time.monotonic() < deadline


class TestOpenConnections:
    def test_proxies_have_any_number(self) -> None:
        """They hold the connections of all visitors."""
        connections = OpenConnections(["10.0.0.0/8"])
        assert all(connections.add("10.1.2.3") for _ in range(2 * MOST_CONNECTIONS))

    def test_a_household_counts_as_one(self) -> None:
        """All addresses of an IPv6 network count together."""
        connections = OpenConnections([])
        ends = [connections.add(f"2001:db8::{number:x}") for number in range(MOST_CONNECTIONS)]
        assert connections.add("2001:db8::ffff") is None
        assert connections.add("2001:db9::1") is not None
        end = ends.pop()
        assert end is not None
        end()
        assert connections.add("2001:db8::ffff") is not None


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

    def create_task(self, coroutine: Any) -> Mock:
        coroutine.close()
        return Mock()

    def ring(self) -> float:
        delay, call, args = self.due.pop()
        call(*args)
        return delay


class TestHttpTimeouts:
    """A request has to arrive, and its answer to be read, in a time; otherwise the connection is cut."""

    def connected(self) -> tuple[LimitedHttpProtocol, Timers, Mock]:
        async def app(scope: Any, receive: Any, send: Any) -> None: ...

        timers, transport = Timers(), Mock(asyncio.Transport)
        transport.get_extra_info.return_value = None
        transport.is_closing.return_value = False
        config = Config(app, http=LimitedHttpProtocol)
        config.load()
        protocol = LimitedHttpProtocol(config, ServerState(), {}, cast(asyncio.AbstractEventLoop, timers))
        protocol.connection_made(transport)
        return protocol, timers, transport

    def test_half_a_head(self) -> None:
        """Also when only empty lines came before it."""
        for begin in (b"", b"GET / HTTP/1.1\r\nHost:", b"\r\n"):
            protocol, timers, transport = self.connected()
            protocol.data_received(begin)
            assert timers.ring() == HEAD_TIMEOUT_S
            transport.abort.assert_called_once()

    def test_half_a_body(self) -> None:
        """Its time begins with the end of the head."""
        protocol, timers, transport = self.connected()
        protocol.data_received(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345")
        assert timers.ring() == BODY_TIMEOUT_S
        transport.abort.assert_called_once()

    def test_a_whole_request_has_its_time(self) -> None:
        """The answer may take longer."""
        protocol, timers, _ = self.connected()
        protocol.data_received(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n12345")
        assert not timers.due

    def test_an_answer_nobody_reads(self) -> None:
        """It waits as long as the peer reads something now and then."""
        protocol, timers, transport = self.connected()
        protocol.data_received(get())
        transport.get_write_buffer_size.return_value = 100_000
        protocol.pause_writing()
        timers.ring()
        transport.get_write_buffer_size.return_value = 90_000
        waited = 0.0
        while timers.due:
            transport.abort.assert_not_called()
            waited += timers.ring()
        assert waited > READ_TIMEOUT_S
        transport.abort.assert_called_once()

    def test_the_rest_of_an_answer_nobody_reads(self) -> None:
        """When all of it is written but not sent, the connection would wait for ever to be closed."""
        protocol, timers, transport = self.connected()
        protocol.data_received(get())
        transport.get_write_buffer_size.return_value = 1000
        protocol.timeout_keep_alive = 1_000_000
        protocol.on_response_complete()
        timers.due = [timer for timer in timers.due if timer[0] != protocol.timeout_keep_alive]
        transport.get_write_buffer_size.return_value = 0
        timers.ring()
        assert not timers.due
        transport.abort.assert_not_called()


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


async def test_waiting_requests_leave_no_garbage() -> None:
    """When a connection ends, the requests that wait are forgotten, and the one that is answered hears of it."""
    told: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        told.append(await receive())
        told.append(await receive())

    config = Config(app, http=LimitedHttpProtocol)
    config.load()
    transport = Mock(asyncio.Transport)
    transport.get_extra_info.return_value = None
    transport.is_closing.return_value = False
    http = LimitedHttpProtocol(config, state := ServerState(), {}, asyncio.get_running_loop())
    http.connection_made(transport)
    gc.disable()
    try:
        http.data_received(get() * (1 + MOST_WAITING))
        left: list[weakref.ref[Any]] = [weakref.ref(http), *(weakref.ref(cycle) for cycle, _ in http.pipeline)]
        await asyncio.sleep(0)
        http.connection_lost(None)
        await asyncio.gather(*state.tasks)
        transport.reset_mock()
        del http
        await asyncio.sleep(0)
        assert not any(one() for one in left)
        assert [message["type"] for message in told] == ["http.request", "http.disconnect"]
    finally:
        gc.enable()


async def test_a_lost_connection_leaves_no_garbage() -> None:
    """Nothing of a WebSocket waits for a full garbage collection, which is rare in a server."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    config = Config(app, http=LimitedHttpProtocol, ws=LimitedWebSocketProtocol, ws_per_message_deflate=False)
    config.load()
    transport = Mock(asyncio.Transport)
    transport.get_extra_info.return_value = None
    transport.is_closing.return_value = False
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
