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

import httpx
import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from attack import CONTINUATION, PING, PONG, TEXT, frame, upgrade
from omnibus.server.http.protocols import (
    FRAMES_AT_ONCE,
    FRAMES_PER_S,
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
IMPATIENT = (
    "-c",
    "from omnibus.cli.main import main; from omnibus.server.http import protocols; "
    "protocols.HEAD_TIMEOUT_S = protocols.BODY_TIMEOUT_S = 0.5; main()",
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("protocols") / "data", traced=True) as server:
        yield server
        assert server.process.poll() is None
        assert '"level": "error"' not in logged(server)


def connected(running: ServerProcess) -> socket.socket:
    return socket.create_connection(("127.0.0.1", running.port), PATIENCE_S)


def upgraded(running: ServerProcess) -> socket.socket:
    """An anonymous WebSocket, by hand."""
    return upgrade(connected(running), running.port)


def heard(raw: socket.socket, data: bytes) -> bytes:
    """Send without reading, then read to the end."""
    found = b""
    with contextlib.suppress(ConnectionError):  # what was still on its way is refused with a reset
        raw.sendall(data)
        while more := raw.recv(65536):
            found += more
    return found


def expect_cut_off(raw: socket.socket, data: bytes, server: ServerProcess) -> None:
    """Send without reading, then read until the server ends the connection; others are answered."""
    raw.settimeout(SILENCE_S)
    heard(raw, data)
    assert answers(server)


def answers(running: ServerProcess) -> bool:
    return bool(httpx.get(f"{running.url}/healthz", timeout=PATIENCE_S).json()["ok"])


def logged(running: ServerProcess) -> str:
    return (running.data.parent / "server.log").read_text(encoding="utf-8")


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
        expect_cut_off(raw, FLOODS[flood], running)


def test_some_frames_are_fine(running: ServerProcess) -> None:
    """A few fragments and pings within the limits are answered."""
    with upgraded(running) as raw:
        raw.sendall(frame(TEXT, b"{", fin=False) + frame(CONTINUATION, b"}") + frame(PING, b"still there?"))
        found = b""
        while b"still there?" not in found:
            found += raw.recv(4096)


def test_text_that_is_not_utf8(running: ServerProcess) -> None:
    """The connection is closed with the code for it, also when several arrive together; no error is logged."""
    with upgraded(running) as raw:
        assert heard(raw, frame(TEXT, b"\xff") * 3).endswith(struct.pack("!BBH", 0x80 | CLOSE, 2, 1007))
    assert '"level": "error"' not in logged(running)


def test_no_token_in_the_address_of_a_socket_is_logged(running: ServerProcess) -> None:
    """Uvicorn logs the whole address of every socket; what looks like a token is masked."""
    token = "a-Token_" * 6
    with connected(running) as raw, contextlib.suppress(ConnectionError):
        upgrade(raw, running.port, f"/socket?recover/{token}")
    assert "/socket?recover/…" in logged(running)
    assert token not in logged(running)


def get(path: str = "/healthz", host: str = "127.0.0.1", more: str = "") -> bytes:
    """A request of a client that keeps its connection."""
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode()


LAST = get(more="Connection: close\r\n")
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("", b"200"),
        (f"x-large: {'x' * (LARGEST_HEAD // 2)}\r\n", b"200"),
        (f"x-large: {'x' * (2 * LARGEST_HEAD)}\r\n", b"431"),
        (f"x-large: {'x' * (64 * LARGEST_HEAD)}\r\n", b"431"),
        ("x: 1\r\n" * (MOST_HEADERS // 2), b"200"),
        ("x: 1\r\n" * (MOST_HEADERS + 1), b"431"),
    ],
    ids=range(6),
)
def test_heads_have_a_limit(running: ServerProcess, headers: str, status: bytes) -> None:
    """In bytes and in number; the answer says so, unless a reset is faster, and the connection ends."""
    with connected(running) as raw:
        begin = heard(raw, get(more=f"Connection: close\r\n{headers}"))[:12]
        assert begin == b"HTTP/1.1 " + status or (not begin and status == b"431")
    assert answers(running)


@pytest.mark.parametrize("body", [b"game: " + b"x" * (3 * LARGEST_HEAD), [b"x" * 100] * 2000], ids=["whole", "chunks"])
def test_a_large_body_is_no_head(running: ServerProcess, body: bytes | list[bytes]) -> None:
    """It may come along in the same packet as its head, or in chunks of some size."""
    content = body if isinstance(body, bytes) else iter(body)
    answer = httpx.post(f"{running.url}/api/records", content=content, timeout=PATIENCE_S)
    assert answer.status_code == 401  # nobody's record; but it was read as a request


def answered(running: ServerProcess, data: bytes) -> int:
    """Send without reading, then read to the end; return how many requests were answered."""
    with connected(running) as raw:
        return heard(raw, data).count(b"HTTP/1.1 ")


def test_some_requests_may_wait(running: ServerProcess) -> None:
    """Up to a limit, requests may be sent before the first of them is answered."""
    assert answered(running, get() * MOST_WAITING + LAST) == 1 + MOST_WAITING


WAITING = {
    "page": get() * 400,
    "file": get("/static/board.js") * 400,
    "other host": get(host="example.com") * 400,
    "HTTP/1.0": (get() + b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n") * 200,
    "after the end": LAST * 400,
}


@pytest.mark.parametrize("flood", WAITING)
def test_many_requests_may_not_wait(running: ServerProcess, flood: str) -> None:
    """Whoever sends many requests without waiting is cut off, whatever they ask for; the others are answered."""
    assert answered(running, WAITING[flood]) <= 1 + MOST_WAITING
    assert answers(running)


def test_no_socket_begins_while_a_request_waits(running: ServerProcess) -> None:
    """The answer to the request before would be sent in the middle of it."""
    with connected(running) as raw:
        assert b" 101 " not in heard(raw, get() + get("/socket", more=UPGRADE))
    assert answers(running)


def test_what_follows_an_upgrade_to_another_protocol_is_no_request(running: ServerProcess) -> None:
    """The request itself is answered, as if it had not asked for it; what came along with it is dropped."""
    with connected(running) as raw:
        raw.sendall(get(more="Connection: Upgrade\r\nUpgrade: h2c\r\n") * 100)
        assert raw.recv(65536).startswith(b"HTTP/1.1 200 ")
        rest = heard(raw, LAST)
    assert rest.count(b"HTTP/1.1 200 ") == 1
    assert b"HTTP/1.1 400 " not in rest


CHUNKED = b"POST /api/users HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
MUCH = 64 * LARGEST_HEAD
UNWANTED = b"POST / HTTP/1.1\r\nHost: example.com\r\nContent-Length: 1000000000\r\n\r\n"
TOO_MUCH = {
    "trailer's value": CHUNKED + b"0\r\nX-A: " + b"a" * MUCH,
    "trailer's name": CHUNKED + b"0\r\n" + b"a" * MUCH,
    "trailers": CHUNKED + b"0\r\n" + b"X-A: a\r\n" * (MUCH // 8),
    "chunk extension": CHUNKED + b"5;" + b"a" * MUCH,
    "small chunks": CHUNKED + b"1;aaaaaaaa\r\n{\r\n" * (MUCH // 15),
    "empty lines": b"\r\n" * (MUCH // 2),
    "empty lines after a request": get() + b"\r\n" * (MUCH // 2),
    "a body nobody wants, larger than any that is taken": UNWANTED + b"x" * 8 * LARGEST_BODY,
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_belongs_to_no_request_has_a_limit(running: ServerProcess, name: str) -> None:
    """Neither before, nor within, nor after a body is there room for more than a large head."""
    with connected(running) as raw:
        expect_cut_off(raw, TOO_MUCH[name], running)


def test_trailers_are_refused(running: ServerProcess) -> None:
    """Even a small one: the server would take it for a header of the request."""
    with connected(running) as raw:
        raw.sendall(CHUNKED + b"2\r\n{}\r\n0\r\nHost: example.com\r\n\r\n")
        assert raw.recv(4096).startswith(b"HTTP/1.1 400 ")


def test_a_request_has_to_arrive_in_a_time(tmp_path: Path) -> None:
    """Its head, also when only empty lines came before it, and its body; otherwise the connection is cut."""
    half = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n12345"
    with running_server(tmp_path / "data", program=IMPATIENT) as server:
        for begin in (b"", b"GET / HTTP/1.1\r\nHost:", b"\r\n", half):
            with connected(server) as raw:
                expect_cut_off(raw, begin, server)


def test_an_address_has_so_many_connections(tmp_path: Path) -> None:
    """Sockets among them. Beyond them it is cut off at once, until it has closed some; others are answered."""
    with running_server(tmp_path / "data", "--proxy", "192.0.2.1") as server, contextlib.ExitStack() as held:
        many = [held.enter_context(connected(server)) for _ in range(MOST_CONNECTIONS)]
        for each in many[:20]:
            upgrade(each, server.port)
        with connected(server) as one_more:
            one_more.settimeout(SILENCE_S)
            assert heard(one_more, get()) == b""
        other = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(transport=other, timeout=PATIENCE_S) as client:
            assert client.get(f"{server.url}/healthz").json()["ok"]
        for each in many:
            each.close()
        deadline = time.monotonic() + PATIENCE_S
        while not answered(server, LAST):  # it has not heard of all that have ended
            assert time.monotonic() < deadline


def test_whose_connections_count_together() -> None:
    """Those of an IPv6 network do; proxies hold the connections of all visitors, and may have any number."""
    connections = OpenConnections(["10.0.0.0/8"])
    assert all(connections.add("10.1.2.3") for _ in range(2 * MOST_CONNECTIONS))
    ends = [connections.add(f"2001:db8::{number:x}") for number in range(MOST_CONNECTIONS)]
    assert connections.add("2001:db8::ffff") is None
    assert connections.add("2001:db9::1") is not None
    end = ends.pop()
    assert end is not None
    end()
    assert connections.add("2001:db8::ffff") is not None


def test_so_much_at_once_and_so_much_a_second() -> None:
    """What is not spent comes back with time. A person's ten messages a second leave room for pings and reconnects."""
    now = 0.0
    budget = Budget(10, 2, lambda: now)
    assert [budget.spend(1) for _ in range(11)] == [True] * 10 + [False]
    now = 5.0
    assert [budget.spend(1) for _ in range(10)] == [True] * 9 + [False]
    assert FRAMES_PER_S >= 30


class Timers:
    """The clock of an event loop that is set by hand."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Any, tuple[Any, ...]]] = []

    def call_later(self, delay: float, call: Any, *args: Any) -> SimpleNamespace:
        self.due.append((delay, call, args))
        return SimpleNamespace(cancel=self.due.clear)

    def create_task(self, coroutine: Any) -> Mock:
        coroutine.close()
        return Mock()

    def ring(self) -> float:
        delay, call, args = self.due.pop()
        call(*args)
        return delay


async def asks_twice(scope: Any, receive: Any, send: Any) -> None:
    """An application that waits for the end of its connection."""
    TOLD.append((await receive())["type"])
    TOLD.append((await receive())["type"])


TOLD: list[str] = []


def http_on(loop: Any) -> tuple[LimitedHttpProtocol, Mock]:
    """A connection without a network, and its transport."""
    transport = Mock(asyncio.Transport)
    transport.get_extra_info.return_value = None
    transport.is_closing.return_value = False
    config = Config(asks_twice, http=LimitedHttpProtocol, ws=LimitedWebSocketProtocol, ws_per_message_deflate=False)
    config.load()
    http = LimitedHttpProtocol(config, ServerState(), {}, loop)
    http.connection_made(transport)
    return http, transport


def paused(kind: str) -> tuple[Any, Timers, Mock]:
    """A connection whose buffer has filled up."""
    timers = Timers()
    protocol: Any
    protocol, transport = http_on(timers)
    if kind == "http":
        protocol.data_received(get())
    else:
        protocol = LimitedWebSocketProtocol(protocol.config, ServerState(), {}, cast(asyncio.AbstractEventLoop, timers))
        protocol.transport = transport
        timers.due.clear()
    assert not timers.due  # what has arrived may take as long to answer as it does
    transport.get_write_buffer_size.return_value = 100_000
    protocol.pause_writing()
    return protocol, timers, transport


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_who_reads_nothing_is_cut_off(kind: str) -> None:
    """Without a handshake; who reads something now and then may go on, and the clock stops when they have caught up."""
    protocol, timers, transport = paused(kind)
    timers.ring()
    transport.get_write_buffer_size.return_value = 90_000
    timers.ring()
    waited = 0.0
    while timers.due:
        transport.abort.assert_not_called()
        waited += timers.ring()
    assert waited == READ_TIMEOUT_S
    transport.abort.assert_called_once()
    transport.write.assert_not_called()
    protocol, timers, _ = paused(kind)
    protocol.resume_writing()
    assert not timers.due


async def test_an_end_does_not_wait_for_who_does_not_read() -> None:
    """When the server ends a socket, or an answer is written but not sent, it does not wait for ever to be closed."""
    protocol, _, transport = paused("websocket")
    protocol.scope = {}
    protocol.handshake_complete = True
    await protocol.run_asgi()
    transport.abort.assert_called_once()
    protocol, timers, transport = paused("http")
    protocol.resume_writing()
    protocol.timeout_keep_alive = 1_000_000
    protocol.on_response_complete()
    assert sorted(timer[0] < 1_000_000 for timer in timers.due) == [False, True]


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_a_lost_connection_leaves_no_garbage(kind: str) -> None:
    """Nothing waits for a full garbage collection, which is rare in a server; what is being answered hears of it."""
    http, transport = http_on(asyncio.get_running_loop())
    TOLD.clear()
    gc.disable()
    try:
        http.data_received(get() * (1 + MOST_WAITING) if kind == "http" else get("/socket", more=UPGRADE))
        socket_protocol: Any = transport.set_protocol.call_args and transport.set_protocol.call_args.args[0]
        left: list[weakref.ref[Any]] = [weakref.ref(http), *(weakref.ref(cycle) for cycle, _ in http.pipeline)]
        left += [weakref.ref(socket_protocol.conn)] if socket_protocol else []
        await asyncio.sleep(0)  # the application begins
        tasks = socket_protocol.tasks if socket_protocol else http.tasks
        (socket_protocol or http).connection_lost(None)
        await asyncio.gather(*tasks)
        transport.reset_mock()
        del http, socket_protocol
        await asyncio.sleep(0)
        assert not any(one() for one in left)
        begins = "http.request" if kind == "http" else "websocket.connect"
        assert [begins, f"{kind}.disconnect"] == TOLD
    finally:
        gc.enable()
