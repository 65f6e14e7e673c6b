"""What one connection may send: uvicorn's protocols with limits on headers, frames and bytes.

Rate limits count what a visitor asks for. These count what arrives before anybody knows what is asked: header lines,
empty fragments, pings and pongs cost the event loop time although no request or message ever comes of them. Whoever
exceeds a limit is cut off (`abort`): a closing handshake would wait for a peer that may never read.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

LARGEST_HEAD: Final = 32 * 1024  # bytes: request line and headers
MOST_HEADERS: Final = 100
HEAD_TIMEOUT_S: Final = 15.0  # for a request line and headers to arrive

FRAMES_PER_S: Final = 50.0
FRAMES_AT_ONCE: Final = 400  # somebody who comes back sends what has piled up
BYTES_PER_S: Final = 64 * 1024.0
BYTES_AT_ONCE: Final = 512 * 1024
MOST_FRAGMENTS: Final = 16  # of one message
READ_TIMEOUT_S: Final = 30.0  # for a peer to read anything of what waits for it
READ_CHECKS: Final = 6  # in that time
SLICE: Final = 4096  # bytes parsed between two looks at the budget
CLOSED_NOT_UTF8: Final = 1007  # a close code of the protocol

Clock = Callable[[], float]


class Budget:
    """A token bucket: an amount at once, and an amount per second."""

    def __init__(self, at_once: float, per_second: float, clock: Clock = time.monotonic) -> None:
        self._at_once = at_once
        self._per_second = per_second
        self._clock = clock
        self._left = at_once
        self._since = clock()

    def spend(self, amount: float) -> bool:
        """Take an amount from the budget; False when it is not there."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._since) * self._per_second) - amount
        self._since = now
        return self._left >= 0


class LimitedHttpProtocol(HttpToolsProtocol):
    """HTTP with a limit on the size of a request's head, and on the time it takes to arrive."""

    _head = 0
    _head_timer: asyncio.TimerHandle | None = None
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the first request."""
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Refuse a head that is too large before the rest of it is parsed."""
        if self._in_head:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self._head_ends_in(data):
                self._refuse_head()
                return
        super().data_received(data)

    def _head_ends_in(self, data: bytes) -> bool:
        """Tell whether the head ends within what has arrived, and within its limit: the rest is a body."""
        end = data.find(b"\r\n\r\n")
        return end >= 0 and self._head - len(data) + end <= LARGEST_HEAD

    def on_message_begin(self) -> None:
        """Count the head of the next request anew."""
        super().on_message_begin()
        self._in_head = True
        if self._head_timer is None:
            self._wait_for_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header, up to the limit; what is beyond it is refused when the head is complete."""
        if len(self.headers) <= MOST_HEADERS:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin the request, unless its head is too large."""
        self._in_head, self._head = False, 0
        self._stop_waiting()
        if len(self.headers) > MOST_HEADERS:
            self._refuse_head()
            return
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a body in; what follows a refused head is dropped."""
        if self.cycle is not None:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request; one that was refused has not begun."""
        if self.cycle is not None:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over, and break the cycle of this object and its parser, as `connection_lost` does.

        Otherwise both would stay in memory until a full garbage collection, which is rare here (serve.py).
        """
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]

    def _refuse_head(self) -> None:
        self.transport.write(b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n")
        self.transport.close()

    def _wait_for_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket with a budget of frames and bytes, control frames and fragments included."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._frame_budget = Budget(FRAMES_AT_ONCE, FRAMES_PER_S)
        self._byte_budget = Budget(BYTES_AT_ONCE, BYTES_PER_S)
        self._aborted = False
        self._shut_down = False
        self._read_timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock, and break the cycle of the protocol and its parser, a generator (see the upgrade above)."""
        self._stop_read_timer()
        super().connection_lost(exc)
        self.conn.parser.close()

    def data_received(self, data: bytes) -> None:
        """Parse what arrived in slices, so that a flood is noticed after the first of them."""
        for start in range(0, len(data), SLICE):
            part = data[start : start + SLICE]
            if self._aborted or not self._byte_budget.spend(len(part)):
                self._abort()
                return
            super().data_received(part)

    def handle_events(self) -> None:
        """Handle frames until the budget is spent."""
        if not self._aborted:
            super().handle_events()

    def handle_cont(self, event: Frame) -> None:
        """Take a fragment in."""
        if self._counted() and len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._abort()

    def handle_text(self, event: Frame) -> None:
        """Take a message in, or its first fragment."""
        if self._counted():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Take a message in, or its first fragment."""
        if self._counted():
            super().handle_bytes(event)

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._counted():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take the answer to a ping, or a pong nobody asked for."""
        if self._counted():
            super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; close the connection for text that is not UTF-8.

        uvicorn logs such a text as an error of the server, and fails when two arrive together.
        """
        if self.curr_msg_data_type == "text" and not _is_utf8(self.frames):
            self.frames = []
            if self.conn.state is State.OPEN:
                self.conn.send_close(CLOSED_NOT_UTF8)
                self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        """Stop reading from a peer that does not read, and start its timeout."""
        super().pause_writing()
        self._wait_until_read()
        if not self.read_paused:
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read again from a peer that has caught up."""
        self._stop_read_timer()
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def shutdown(self) -> None:
        """Tell the peer that the server is going to restart; once is enough."""
        if not self._shut_down:
            self._shut_down = True
            super().shutdown()

    def keepalive_timeout(self) -> None:
        """Cut off a peer who does not answer pings: closing would wait until it has read everything."""
        super().keepalive_timeout()
        self._abort()

    async def send(self, message: Any) -> None:
        """Send; a peer who does not take part in the closing handshake is cut off."""
        await super().send(message)
        if self.close_timer is not None and message["type"] == "websocket.close":
            self.close_timer.cancel()
            self.close_timer = self.loop.call_later(self.close_timeout, self._abort)

    async def receive(self) -> Any:
        """Wait for the next message; nothing is read from a peer that does not read itself."""
        message = await super().receive()
        if not self.writable.is_set() and not self.transport.is_closing():
            self.transport.pause_reading()
        return message

    async def run_asgi(self) -> None:
        """Run the application; a peer who does not read what is left is cut off afterwards."""
        await super().run_asgi()
        if not self.writable.is_set():
            self._abort()
        elif self.close_timer is None and self.transport.get_write_buffer_size():
            self._wait_until_read()

    def _wait_until_read(self) -> None:
        """Cut off a peer who reads nothing for too long; one who reads slowly may go on."""
        self._check_read_later(self.transport.get_write_buffer_size(), READ_CHECKS)

    def _check_read_later(self, least: int, checks: int) -> None:
        self._stop_read_timer()
        self._read_timer = self.loop.call_later(READ_TIMEOUT_S / READ_CHECKS, self._check_read, least, checks - 1)

    def _check_read(self, least: int, checks: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left < least:
            self._check_read_later(left, READ_CHECKS)
        elif checks > 0:
            self._check_read_later(least, checks)
        else:
            self._abort()

    def _stop_read_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _counted(self) -> bool:
        """Count one frame; False, and the connection is cut, when it is one too many."""
        if self._aborted or not self._frame_budget.spend(1):
            self._abort()
            return False
        return True

    def _abort(self) -> None:
        if not self._aborted:
            self._aborted = True
            self.transport.abort()


def _is_utf8(fragments: list[bytes]) -> bool:
    try:
        b"".join(fragments).decode()
    except UnicodeDecodeError:
        return False
    return True
