"""What one connection may send: uvicorn's protocols with limits on requests, headers, frames and bytes.

Rate limits count what a visitor asks for. These count what arrives before anybody knows what is asked: header lines,
requests that wait for the answer to an earlier one, empty fragments, pings and pongs cost the event loop time and
memory although nothing may ever come of them. Whoever exceeds a limit is cut off (`abort`): a closing handshake would
wait for a peer that may never read.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from ipaddress import ip_address, ip_network
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from omnibus.server.http.rate_limits import address_block

LARGEST_HEAD: Final = 32 * 1024  # bytes of a request that are not its body: request line, headers, sizes of chunks
MOST_HEADERS: Final = 100
LARGEST_BODY: Final = 512 * 1024  # bytes; what the path allows is less (request_limits.py)
HEAD_TIMEOUT_S: Final = 15.0  # for a request line and headers to arrive
BODY_TIMEOUT_S: Final = 60.0
MOST_WAITING: Final = 8  # requests that were sent before an earlier one was answered
MOST_CONNECTIONS: Final = 600  # of one address, among them sockets, which have a lower limit (request_limits.py)

FRAMES_PER_S: Final = 50.0
FRAMES_AT_ONCE: Final = 400  # somebody who comes back sends what has piled up
BYTES_PER_S: Final = 64 * 1024.0
BYTES_AT_ONCE: Final = 512 * 1024
MOST_FRAGMENTS: Final = 16  # of one message
READ_TIMEOUT_S: Final = 30.0  # for a peer to read anything of what waits for it
READ_CHECKS: Final = 6  # in that time
SLICE: Final = 4096  # bytes parsed between two looks at the limits
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


class ReadTimeout:
    """Cuts off a peer who reads nothing of what waits for it for too long; one who reads slowly may go on."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Begin to wait, anew if need be."""
        self._check_later(transport, transport.get_write_buffer_size(), READ_CHECKS)

    def stop(self) -> None:
        """Wait no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_later(self, transport: asyncio.Transport, least: int, checks: int) -> None:
        self.stop()
        self._timer = self._loop.call_later(READ_TIMEOUT_S / READ_CHECKS, self._check, transport, least, checks - 1)

    def _check(self, transport: asyncio.Transport, least: int, checks: int) -> None:
        left = transport.get_write_buffer_size()
        if left == 0:
            self.stop()
        elif left < least:
            self._check_later(transport, left, READ_CHECKS)
        elif checks > 0:
            self._check_later(transport, least, checks)
        else:
            transport.abort()


class OpenConnections:
    """Counts the connections each address holds; proxies hold those of many and may have any number."""

    def __init__(self, proxies: Iterable[str]) -> None:
        self._proxies = [ip_network(each) for each in proxies]
        self._open: Counter[str] = Counter()

    def add(self, host: str) -> Callable[[], None] | None:
        """Count a connection, and return what to call when it ends; None when there are too many."""
        try:
            if any(ip_address(host) in each for each in self._proxies):
                return lambda: None
        except ValueError:  # not an address
            return lambda: None
        address = address_block(host)
        if self._open[address] >= MOST_CONNECTIONS:
            return None
        self._open[address] += 1

        def end() -> None:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

        return end


class Refused(Exception):
    """Raised in a callback of the parser, so that it parses nothing more."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """HTTP with limits on the size of a request, on the time it takes to arrive, and on how many wait."""

    def __init__(self, *args: Any, connections: OpenConnections | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self._connections = connections
        self._uncount: Callable[[], None] | None = None
        self._in_head = True  # or before it
        self._beside_body = 0  # bytes of this request that are not its body
        self._body = 0
        self._timer: asyncio.TimerHandle | None = None  # for the head or the body to arrive
        self._running: RequestResponseCycle | None = None
        self._read_timeout = ReadTimeout(self.loop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the first request; turn away whoever has too many connections."""
        super().connection_made(transport)
        if self._connections is not None and self.client is not None:
            self._uncount = self._connections.add(self.client[0])
            if self._uncount is None:
                transport.abort()
                return
        self._wait(HEAD_TIMEOUT_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks, forget the requests that wait, and tell the one that is being answered.

        What has been parsed refers to this object; without that nothing waits for a full garbage collection.
        """
        self._let_go()
        self.pipeline.clear()
        self.cycle = self._running  # type: ignore[assignment]  # not the last one that waits
        super().connection_lost(exc)
        self.cycle = self._running = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Parse what arrived in slices, so that it is noticed soon when a request is too large."""
        if self.transport.is_closing():
            return
        if self._in_head and self._timer is None:
            self._wait(HEAD_TIMEOUT_S)  # also for empty lines before a request, which begin none
        for start in range(0, len(data), SLICE):
            part = data[start : start + SLICE]
            self._beside_body += len(part)
            super().data_received(part)
            if self.transport.is_closing() or self.parser is None:  # refused, or handed over
                return
            if self._beside_body > LARGEST_HEAD:
                self._refuse_head()
                return
            if self._in_head and self.parser.should_upgrade():
                return  # what came along with such a request is in another protocol, which is not spoken here

    def on_message_begin(self) -> None:
        """Start the clock for the next request, if it has come along with an earlier one."""
        super().on_message_begin()
        if self._timer is None:
            self._wait(HEAD_TIMEOUT_S)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header, up to the limit. After a body they are refused: uvicorn would add them to those before it."""
        if not self._in_head:
            raise Refused
        super().on_header(name, value)
        if len(self.headers) > MOST_HEADERS:
            self._refuse_head()
            raise Refused

    def on_headers_complete(self) -> None:
        """Begin the request, or let it wait for the one before it."""
        if len(self.pipeline) >= MOST_WAITING:
            self.transport.abort()
            raise Refused
        self._in_head, self._body = False, 0
        self._wait(BODY_TIMEOUT_S)
        super().on_headers_complete()
        if not self.pipeline:
            self._running = self.cycle

    def on_body(self, body: bytes) -> None:
        """Take a body in, as far as any path allows."""
        self._beside_body -= len(body)
        self._body += len(body)
        if self._body > LARGEST_BODY:
            self.transport.abort()
            raise Refused
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request; what comes next belongs to another one."""
        self._in_head, self._beside_body = True, 0
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request; nothing more is read while another one waits."""
        if self.pipeline:
            self._running = self.pipeline[-1][0]
        super().on_response_complete()
        if self.pipeline and not self.transport.is_closing():
            self.flow.pause_reading()
        if self.transport.get_write_buffer_size():
            self._read_timeout.start(self.transport)  # it may be closed now, and would wait for ever

    def pause_writing(self) -> None:
        """Wait for a peer that does not read, but not for ever."""
        super().pause_writing()
        self._read_timeout.start(self.transport)

    def resume_writing(self) -> None:
        """Write again to a peer that has caught up."""
        super().resume_writing()
        self._read_timeout.stop()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be parsed, unless the connection was refused already."""
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over, unless answers are still to be sent.

        Breaks the cycle of this object and its parser, as `connection_lost` does: otherwise both would stay in memory
        until a full garbage collection, which is rare here (serve.py).
        """
        if self._answers():
            self.transport.abort()
            return
        uncount, self._uncount = self._uncount, None
        self._let_go()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]
        self.transport.get_protocol().uncount = uncount  # type: ignore[attr-defined]

    def _answers(self) -> bool:
        """Tell whether a request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _refuse_head(self) -> None:
        """Say that a head is too large, if it is one and no answer to an earlier request would be torn apart."""
        if self._in_head and not self._answers():
            self.transport.write(b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n")
            self.transport.close()
        else:
            self.transport.abort()

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _let_go(self) -> None:
        """Stop the clocks, and count this connection no longer."""
        self._stop_waiting()
        self._read_timeout.stop()
        if self._uncount is not None:
            self._uncount()
            self._uncount = None


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket with a budget of frames and bytes, control frames and fragments included."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._frame_budget = Budget(FRAMES_AT_ONCE, FRAMES_PER_S)
        self._byte_budget = Budget(BYTES_AT_ONCE, BYTES_PER_S)
        self._aborted = False
        self._shut_down = False
        self._read_timeout = ReadTimeout(self.loop)
        self.uncount: Callable[[], None] | None = None
        """Called when the connection ends; given by the protocol that it began with."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock, and break the cycle of the protocol and its parser, a generator (see the upgrade above)."""
        self._read_timeout.stop()
        if self.uncount is not None:
            self.uncount()
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
        self._read_timeout.start(self.transport)
        if not self.read_paused:
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read again from a peer that has caught up."""
        self._read_timeout.stop()
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
            self._read_timeout.start(self.transport)

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
