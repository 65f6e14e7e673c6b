"""What one connection may send: heads, frames, fragments, pings and pongs have limits, and the server goes on."""

from __future__ import annotations

import base64
import os
import socket
import struct
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from omnibus.server.http.protocols import (
    FRAMES_AT_ONCE,
    FRAMES_PER_S,
    LARGEST_HEAD,
    MOST_FRAGMENTS,
    MOST_HEADERS,
    Budget,
)
from support.server_process import ServerProcess, running_server

TEXT, CONTINUATION, PING, PONG = 0x1, 0x0, 0x9, 0xA
MASK = b"\0\0\0\0"
PATIENCE_S = 20
SILENCE_S = 10  # shorter than the interval of keepalive pings, which would also end an unanswering connection


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("protocols") / "data") as server:
        yield server


def connected(running: ServerProcess) -> socket.socket:
    parts = urlsplit(running.url)
    assert parts.hostname
    assert parts.port
    return socket.create_connection((parts.hostname, parts.port), PATIENCE_S)


def upgraded(running: ServerProcess) -> socket.socket:
    """An anonymous WebSocket, by hand."""
    raw = connected(running)
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        "GET /socket HTTP/1.1",
        f"Host: {urlsplit(running.url).netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
    ]
    lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", "", ""]
    raw.sendall("\r\n".join(lines).encode())
    assert b" 101 " in raw.recv(4096)
    return raw


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """A masked frame, as clients send them (masked with zeros)."""
    assert len(payload) < 126
    return struct.pack("!BB", (0x80 if fin else 0) | opcode, 0x80 | len(payload)) + MASK + payload


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


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_is_cut_off(running: ServerProcess, kind: str) -> None:
    """Control frames and fragments count like messages; everybody else is answered."""
    with upgraded(running) as raw:
        assert cut_off(raw, FLOODS[kind])
    assert answers(running)


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
