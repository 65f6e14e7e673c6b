"""How fast is too fast: what one person, and all people at one address, may do in a while.

A club of twenty behind one address never gets there, a program that floods the house does at once. What is counted, and
against whom, is in one table; where things are made, one line spends one of them.
"""

from __future__ import annotations

import math
import time
from contextvars import ContextVar
from enum import StrEnum
from ipaddress import IPv6Address, ip_address
from typing import Final

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from omnibus.server.errors import Code, Rejected


class Quota(StrEnum):
    """What is counted."""

    REQUEST = "request"
    FILE = "file"
    SOCKET = "socket"
    MESSAGE = "message"
    WARNING = "warning"
    USER = "user"
    TOKEN = "token"
    TABLE = "table"
    RECORD = "record"
    CHAT = "chat"
    HINT = "hint"


LIMITS: Final[dict[Quota, tuple[str, str]]] = {  # by one person; by all at one address
    Quota.REQUEST: ("900 per 1 minute", "3000 per 1 minute"),  # a dragged slider asks 60 times a second
    Quota.FILE: ("1800 per 1 minute", "9000 per 1 minute"),  # a page has about 15, also one that says “too fast”
    Quota.SOCKET: ("60 per 1 minute", "300 per 1 minute"),
    Quota.MESSAGE: ("100 per 10 second", "600 per 10 second"),
    Quota.WARNING: ("20 per 10 second", "200 per 10 second"),  # who goes on after so many is cut off
    Quota.USER: ("20 per 1 hour", "100 per 1 hour"),
    Quota.TOKEN: ("60 per 10 minute", "300 per 10 minute"),
    Quota.TABLE: ("30 per 10 minute", "150 per 10 minute"),
    Quota.RECORD: ("30 per 10 minute", "100 per 10 minute"),
    Quota.CHAT: ("30 per 1 minute", "200 per 1 minute"),
    Quota.HINT: ("30 per 1 minute", "100 per 1 minute"),
}


SWEEP_S: Final = 60.0


class RateLimited(Rejected):
    """Something that may be asked again, but not before so many seconds have passed."""

    def __init__(self, seconds: int) -> None:
        super().__init__(Code.TOO_FAST)
        self.seconds = seconds


class Counts(MemoryStorage):
    """Counters in memory. The library's own looks through all of them at every count, which a flood would make dear."""

    def __init__(self) -> None:
        super().__init__()
        self._swept = time.time()

    async def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, and begin anew when the time of a counter is over."""
        now = time.time()
        if now - self._swept > SWEEP_S:
            self._sweep(now)
        if self.expirations.get(key, 0) <= now:
            self.storage[key] = 0
            self.expirations[key] = now + expiry
        self.storage[key] += amount
        return self.storage[key]

    def _sweep(self, now: float) -> None:
        """Forget the counters whose time is over."""
        self._swept = now
        for key in [key for key, until in self.expirations.items() if until <= now]:
            del self.storage[key], self.expirations[key]


class RateLimiter:
    """Counts what is done here, in memory: who was too fast before a restart may begin anew."""

    def __init__(self) -> None:
        self._counts = FixedWindowRateLimiter(Counts())
        self._limits = {deed: (parse(one), parse(all_)) for deed, (one, all_) in LIMITS.items()}

    async def spend(self, deed: Quota, person: str | None, address: str) -> None:
        """Count one more; TooFast when it is one too many, of the person or at the address."""
        one, everybody = self._limits[deed]
        if person is not None:
            await self._count(one, deed, "person", person)
        await self._count(everybody, deed, "address", address)

    async def _count(self, limit: RateLimitItem, *key: str) -> None:
        if not await self._counts.hit(limit, *key):
            until = (await self._counts.get_window_stats(limit, *key)).reset_time
            raise RateLimited(max(1, math.ceil(until - time.time())))


class Caller:
    """Somebody who asks for something: a person (or, unknown, a socket), at an address."""

    def __init__(self, pace: RateLimiter, person: str | None, address: str) -> None:
        self.person = person
        self.address = address
        self._pace = pace

    async def spend(self, deed: Quota) -> None:
        """Count one more for this caller; TooFast when it is one too many."""
        await self._pace.spend(deed, self.person, self.address)


CALLER: Final[ContextVar[Caller | None]] = ContextVar("caller", default=None)
"""Who asks for what is being done now; nobody where nothing is counted."""


async def spend(deed: Quota) -> None:
    """Count one more for whoever asks; TooFast when it is one too many."""
    caller = CALLER.get()
    if caller is not None:
        await caller.spend(deed)


def address_block(host: str) -> str:
    """Return what counts as one address: of IPv6 the network a household gets, of IPv4 the address itself."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"
