"""Sends messages to webhooks: only to the address that was checked, without following redirects."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from urllib.parse import urlsplit

from omnibus import __version__
from omnibus.kernel.i18n import mark
from omnibus.server.notices.webhook_url import NOT_PUBLIC, OWN_ADDRESS, BadAddress, Webhook, is_public, plain, read

TIMEOUT_S: Final = 5.0
LONGEST_ANSWER: Final = 256  # bytes; only the status line is read

NO_SUCH_HOST: Final = mark("There is no server with this name.")
UNREACHABLE: Final = mark("No server answers at this address.")
TOO_SLOW: Final = mark("The server took too long to respond.")
NOT_SECURE: Final = mark("No secure connection to the server is possible. Its certificate may have expired.")
NOT_HTTP: Final = mark("The server did not answer with HTTP.")
REDIRECTED: Final = mark("The server answered with a redirect. Redirects are not followed.")
BAD_STATUS: Final = mark("The server answered with status {status}.")

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Finds the addresses of a host; OSError when there is none."""

Connect = Callable[..., Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


class Undelivered(Exception):
    """A message could not be delivered: why, as a message to translate, and the values to fill in."""

    def __init__(self, why: str, **values: Any) -> None:
        super().__init__(why)
        self.why = why
        self.values = values


async def resolve(host: str, port: int) -> list[str]:
    """Ask the system for the addresses of a host."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def machine_addresses() -> set[str]:
    """Return the addresses under which this machine reaches others. Nothing is sent: UDP only looks up the route."""
    found = set()
    for family, other in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((other, 9))
            found.add(str(probe.getsockname()[0]))
    return found


class WebhookSender:
    """Sends JSON to webhooks. `private`: also to addresses in private networks, and to this server itself.

    `public_url` is the address of this server: its other services trust requests that come from the machine itself.
    """

    def __init__(
        self,
        *,
        private: bool,
        public_url: str = "",
        timeout: float = TIMEOUT_S,
        resolve: Resolve = resolve,
        connect: Connect = asyncio.open_connection,
    ) -> None:
        self._private = private
        self._own_host = urlsplit(public_url).hostname or ""
        self._timeout = timeout
        self._resolve = resolve
        self._connect = connect

    async def deliver(self, address: str, content: bytes) -> None:
        """Send a message; Undelivered says why it did not arrive."""
        status = await self.post(address, content, {"Content-Type": "application/json"})
        if 300 <= status < 400:
            raise Undelivered(REDIRECTED)
        if not 200 <= status < 300:
            raise Undelivered(BAD_STATUS, status=status)

    async def post(self, address: str, content: bytes, headers: Mapping[str, str]) -> int:
        """Send a request and return the status of the response; Undelivered says why there is none."""
        async with self._in_time():
            return await self._post(read(address), content, headers)

    async def check(self, address: str) -> None:
        """Check whether messages could be sent to an address; Undelivered says why not."""
        async with self._in_time():
            await self._addresses(read(address))

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        """Limit the time, and turn network errors into Undelivered."""
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
            raise Undelivered(UNREACHABLE) from None

    async def _post(self, webhook: Webhook, content: bytes, headers: Mapping[str, str]) -> int:
        """Send a request, and read no more of the response than its status line."""
        reader, writer = await self._connection(webhook)
        try:
            writer.write(_request(webhook, content, headers))
            await writer.drain()
            return _status(await reader.readuntil(b"\n"))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            raise Undelivered(NOT_HTTP) from None
        finally:
            writer.transport.abort()

    async def _connection(self, webhook: Webhook) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to one of the addresses of the host; its certificate must be for the host name."""
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
        raise Undelivered(UNREACHABLE)

    async def _addresses(self, webhook: Webhook) -> list[str]:
        """Resolve a host once: asked again a moment later, its name may stand for a private address."""
        try:
            addresses = await self._resolve(webhook.host, webhook.port)
        except (OSError, UnicodeError):
            raise Undelivered(NO_SUCH_HOST) from None
        if not self._private and not all(map(is_public, addresses)):
            raise BadAddress(NOT_PUBLIC)
        if not self._private and await self._own_addresses(webhook.port) & set(map(plain, addresses)):
            raise BadAddress(OWN_ADDRESS)
        return addresses

    async def _own_addresses(self, port: int) -> set[str]:
        """Return the addresses of this machine, and those its public name stands for now."""
        own = machine_addresses()
        if self._own_host:
            with suppress(OSError, UnicodeError):
                own.update(await self._resolve(self._own_host, port))
        return set(map(plain, own))


def _request(webhook: Webhook, content: bytes, headers: Mapping[str, str]) -> bytes:
    head = (
        f"POST {webhook.path} HTTP/1.1",
        f"Host: {webhook.site}",
        f"User-Agent: Omnibus/{__version__}",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(content)}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode("ascii") + content


def _status(line: bytes) -> int:
    """Read the status from the first line of a response."""
    version, _, rest = line.partition(b" ")
    status = rest[:3]
    if not version.startswith(b"HTTP/1.") or len(status) != 3 or not status.isdigit():
        raise Undelivered(NOT_HTTP)
    return int(status)
