"""The courier carries a message to a webhook: to the very address that was examined, without detours, or not at all."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from omnibus import __version__
from omnibus.kernel.i18n import mark
from omnibus.server.notices.webhook_url import NOT_PUBLIC, BadAddress, Webhook, is_public, read

TIMEOUT_S: Final = 5.0
LONGEST_ANSWER: Final = 256  # bytes; only its first line is of interest

NO_SUCH_HOST: Final = mark("There is no server with this name.")
NOBODY_ANSWERS: Final = mark("No server answers at this address.")
TOO_SLOW: Final = mark("The server took too long to respond.")
NOT_SECURE: Final = mark("No secure connection to the server is possible. Its certificate may have expired.")
NO_ANSWER: Final = mark("The server did not answer with HTTP.")
REDIRECTED: Final = mark("The server answered with a redirect. Redirects are not followed.")
TURNED_DOWN: Final = mark("The server answered with status {status}.")

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Finds the addresses of a host; OSError when there is none."""

Connect = Callable[..., Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


class Undelivered(Exception):
    """A message did not arrive: why, as a message to translate with what is to be filled in."""

    def __init__(self, why: str, **blanks: Any) -> None:
        super().__init__(why)
        self.why = why
        self.blanks = blanks


async def resolve(host: str, port: int) -> list[str]:
    """Ask the system for the addresses of a host."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class WebhookSender:
    """Sends JSON to webhooks. `private`: also to addresses that are not on the public net."""

    def __init__(
        self,
        *,
        private: bool,
        timeout: float = TIMEOUT_S,
        resolve: Resolve = resolve,
        connect: Connect = asyncio.open_connection,
    ) -> None:
        self._private = private
        self._timeout = timeout
        self._resolve = resolve
        self._connect = connect

    async def deliver(self, address: str, content: bytes) -> None:
        """Send a message; Undelivered says why it did not arrive."""
        async with self._in_time():
            status = await self._post(read(address), content)
        if 300 <= status < 400:
            raise Undelivered(REDIRECTED)
        if not 200 <= status < 300:
            raise Undelivered(TURNED_DOWN, status=status)

    async def examine(self, address: str) -> None:
        """Find out whether messages could be sent to an address; Undelivered says why not."""
        async with self._in_time():
            await self._addresses(read(address))

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        """Let nothing take long, and call what goes wrong by its name."""
        try:
            async with asyncio.timeout(self._timeout):
                yield
        except BadAddress as error:
            raise Undelivered(str(error)) from None
        except TimeoutError:
            raise Undelivered(TOO_SLOW) from None
        except ssl.SSLError:
            raise Undelivered(NOT_SECURE) from None
        except OSError:
            raise Undelivered(NOBODY_ANSWERS) from None

    async def _post(self, webhook: Webhook, content: bytes) -> int:
        """Ask, and read no more of the answer than its first line."""
        reader, writer = await self._reach(webhook)
        try:
            writer.write(_request(webhook, content))
            await writer.drain()
            return _status(await reader.readuntil(b"\n"))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            raise Undelivered(NO_ANSWER) from None
        finally:
            writer.transport.abort()

    async def _reach(self, webhook: Webhook) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to one of the addresses of the host; under its name, as far as it has to prove who it is."""
        security: dict[str, Any] = {}
        if webhook.secure:
            security = {"ssl": ssl.create_default_context(), "server_hostname": webhook.host}
        for address in await self._addresses(webhook):
            try:
                return await self._connect(address, webhook.port, limit=LONGEST_ANSWER, **security)
            except ssl.SSLError:
                raise
            except OSError:
                continue
        raise Undelivered(NOBODY_ANSWERS)

    async def _addresses(self, webhook: Webhook) -> list[str]:
        """Find the addresses of a host, once: a name may stand for another one a moment later."""
        try:
            addresses = await self._resolve(webhook.host, webhook.port)
        except (OSError, UnicodeError):
            raise Undelivered(NO_SUCH_HOST) from None
        if not self._private and not all(map(is_public, addresses)):
            raise BadAddress(NOT_PUBLIC)
        return addresses


def _request(webhook: Webhook, content: bytes) -> bytes:
    head = (
        f"POST {webhook.path} HTTP/1.1",
        f"Host: {webhook.site}",
        f"User-Agent: Omnibus/{__version__}",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode("ascii") + content


def _status(line: bytes) -> int:
    """Read the status of an answer from its first line."""
    version, _, rest = line.partition(b" ")
    status = rest[:3]
    if not version.startswith(b"HTTP/1.") or len(status) != 3 or not status.isdigit():
        raise Undelivered(NO_ANSWER)
    return int(status)
