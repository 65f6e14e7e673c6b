"""Raw WebSocket frames, made up at random: fragments, control frames, invalid UTF-8, lengths that are not true."""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from random import Random

from omnibus.server.serve import LOOPBACK
from omnibus.server.tables.messages import LONGEST

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
OPCODES = (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG)
SENT = {TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION}
FINAL = 0x80
RESERVED = 0x70
MASKED = 0x80
SHORT, MEDIUM, LONG = 125, 126, 127
PATIENCE_S = 60
LENGTHS = (0, 1, 2, 5, 125, 126, 127, 1000, LONGEST, LONGEST + 1)
FALSE_LENGTHS = (0, 1, 126, 65_535, 65_536, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
NOT_UTF8 = (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80")
CODES = (b"\x03\xe8", b"\x03\xee", b"\0")  # why a connection is closed: a good one, a reserved one, half of one
PAYLOADS = (b'{"sync": true}', b'{"look": 0}', b"{", *NOT_UTF8, *CODES)


def frame(random: Random) -> bytes:
    """Make up a frame; about a third of them are what a browser could send."""
    opcode = random.choice(OPCODES) if random.random() < 0.9 else random.randrange(16)
    first = opcode | (FINAL if random.random() < 0.8 else 0)
    if random.random() < 0.05:
        first |= random.choice((0x10, 0x20, 0x40, RESERVED))
    payload = random.choice(PAYLOADS) if random.random() < 0.6 else random.randbytes(random.choice(LENGTHS))
    if opcode >= CLOSE and random.random() < 0.8:
        payload = payload[:SHORT]
    length = len(payload) if random.random() < 0.9 else random.choice(FALSE_LENGTHS)
    masked = random.random() < 0.95
    mask = random.randbytes(4) if masked else b""
    body = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)) if masked else payload
    return bytes([first]) + _head(length, masked, random) + mask + body


def _head(length: int, masked: bool, random: Random) -> bytes:
    """Write a length; now and then with more bytes than it needs, which is not allowed."""
    bit = MASKED if masked else 0
    wasteful = random.random() < 0.03
    if length <= SHORT and not wasteful:
        return bytes([bit | length])
    if length < 1 << 16 and not (wasteful and length > SHORT):
        return bytes([bit | MEDIUM]) + struct.pack("!H", length)
    return bytes([bit | LONG]) + struct.pack("!Q", length)


async def send_frames(port: int, path: str, frames: list[bytes], random: Random) -> None:
    """Open a socket by hand, send frames, sometimes in pieces, and read what comes until the server has closed it."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    head = (
        f"GET {path} HTTP/1.1",
        f"Host: {LOOPBACK}:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write("\r\n".join((*head, "", "")).encode())
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
            heard = b""
            with suppress(ConnectionError):
                content = b"".join(frames)
                cut = random.randrange(len(content) + 1)
                for part in (content[:cut], content[cut:]):
                    writer.write(part)
                    await writer.drain()
                writer.write_eof()
                while some := await reader.read(1 << 16):
                    heard += some
            _check(heard)
    finally:
        writer.transport.abort()


def _check(heard: bytes) -> None:
    """Check that the server sent whole, unmasked frames of known kinds; the last one may be cut off."""
    while len(heard) >= 2:
        opcode, length, begin = heard[0] & 0x0F, heard[1], 2
        assert opcode in SENT, f"opcode {opcode}"
        assert not heard[0] & RESERVED
        assert not length & MASKED
        if length == MEDIUM:
            begin = 4
        elif length == LONG:
            begin = 10
        if begin > 2:
            length = int.from_bytes(heard[2:begin], "big")
        heard = heard[begin + length :]
