"""Rate limits: how much one user, and everybody at one address, may do in a while.

A club of twenty behind one address stays below them, a program that floods the server does not. LIMITS says what is
counted; the code that creates something calls `spend`.
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
from omnibus.server.store.counters import CounterStore
from omnibus.server.store.errors import StoreError


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
    DRAFT = "draft"
    BOARD = "board"
    ANSWER = "answer"
    ANALYSIS = "analysis"
    PEOPLE = "people"


LIMITS: Final[dict[Quota, tuple[str, str]]] = {  # by one person; by all at one address
    Quota.REQUEST: ("900 per 1 minute", "3000 per 1 minute"),  # a dragged slider asks 60 times a second
    Quota.FILE: ("1800 per 1 minute", "9000 per 1 minute"),  # a page has about 15, an error page too
    Quota.SOCKET: ("60 per 1 minute", "300 per 1 minute"),
    Quota.MESSAGE: ("100 per 10 second", "600 per 10 second"),
    Quota.WARNING: ("20 per 10 second", "200 per 10 second"),  # whoever goes on after so many is disconnected
    Quota.USER: ("20 per 1 hour", "100 per 1 hour"),
    Quota.TOKEN: ("60 per 10 minute", "300 per 10 minute"),
    Quota.TABLE: ("30 per 10 minute", "150 per 10 minute"),
    Quota.RECORD: ("30 per 10 minute", "100 per 10 minute"),
    Quota.CHAT: ("30 per 1 minute", "200 per 1 minute"),
    Quota.HINT: ("30 per 1 minute", "100 per 1 minute"),
    Quota.DRAFT: ("120 per 1 minute", "400 per 1 minute"),  # positions and records that are read to be checked
    Quota.BOARD: ("30 per 10 minute", "100 per 10 minute"),
    Quota.ANSWER: ("120 per 1 minute", "400 per 1 minute"),  # of bots on what-if boards
    Quota.ANALYSIS: ("20 per 1 hour", "60 per 1 hour"),
    Quota.PEOPLE: ("60 per 10 minute", "300 per 10 minute"),  # friend requests, invitations by name, blocks, reports
}


FREQUENT: Final = frozenset({Quota.REQUEST, Quota.FILE, Quota.SOCKET, Quota.MESSAGE, Quota.WARNING})
PART: Final = 4  # processes add up what is frequent from this part of a limit on
MOST_ADDED: Final = 10_000
SWEEP_S: Final = 60.0
WIDE_ALLOWANCE: Final = 8  # times what one address may do: for all blocks of an IPv6 network together


class RateLimited(Rejected):
    """Too many requests: to be tried again after some seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(Code.TOO_FAST)
        self.seconds = seconds


class Counts(MemoryStorage):
    """Counters in memory, by the monotonic clock: a wall clock that is set back locks nobody out.

    The library's own scans all of them at every count, which a flood would make expensive.
    """

    def __init__(self) -> None:
        super().__init__()
        self._swept = time.monotonic()

    async def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, from zero again when the window of a counter has passed."""
        now = time.monotonic()
        if now - self._swept > SWEEP_S:
            self._sweep(now)
        if self.expirations.get(key, -math.inf) <= now:
            self.storage[key] = 0
            self.expirations[key] = now + expiry
        self.storage[key] += amount
        return self.storage[key]

    async def get(self, key: str) -> int:
        """Return the count of a window that has not passed."""
        return self.storage.get(key, 0) if self.expirations.get(key, -math.inf) > time.monotonic() else 0

    async def get_expiry(self, key: str) -> float:
        """Return when the window of a counter passes."""
        return self.expirations.get(key, time.monotonic())

    def _sweep(self, now: float) -> None:
        """Forget the counters whose window has passed."""
        self._swept = now
        for key in [key for key, until in self.expirations.items() if until <= now]:
            del self.storage[key], self.expirations[key]


class SharedCounts:
    """What this process has counted, added to what the others have."""

    def __init__(self) -> None:
        self._added: dict[str, tuple[float, int]] = {}  # until when a window counts, and how much of it was added

    async def allows(self, counters: CounterStore, limit: RateLimitItem, name: str, number: int, until: float) -> bool:
        """Tell whether all processes together stay within a limit, if this one has counted so many until a time."""
        now = time.monotonic()
        if len(self._added) > MOST_ADDED:
            self._added = {key: kept for key, kept in self._added.items() if kept[0] > now}
        window, added = self._added.get(name, (until, 0))
        added = added if window == until else 0
        self._added[name] = (until, number)
        try:
            total, _ = await counters.count(name, number - added, max(0.0, until - now))
        except StoreError:
            return True  # this process still counts
        return total <= limit.amount


class RateLimiter:
    """Counts against the limits, in memory: a restart resets all counters.

    Where several processes share a database, they add up what they have counted: always of what is rare, of the rest
    only once a process has counted a good part of a limit, so that hardly anybody causes additional queries.
    """

    def __init__(self) -> None:
        self._counts = FixedWindowRateLimiter(Counts())
        self._shared = SharedCounts()
        self._limits = {quota: (parse(one), parse(all_)) for quota, (one, all_) in LIMITS.items()}
        self._wide = {quota: _times(limit, WIDE_ALLOWANCE) for quota, (_, limit) in self._limits.items()}

    async def spend(self, quota: Quota, person: str | None, address: str, counters: CounterStore | None = None) -> None:
        """Count one more; RateLimited when it is one too many, for the person or the address."""
        one, everybody = self._limits[quota]
        if person is not None:
            await self._count(counters, one, quota, "person", person)
        await self._count(counters, everybody, quota, "address", address)
        wide = wide_block(address)
        if wide is not None:
            await self._count(counters, self._wide[quota], quota, "network", wide)

    async def _count(self, counters: CounterStore | None, limit: RateLimitItem, quota: Quota, *key: str) -> None:
        allowed = await self._counts.hit(limit, quota, *key)
        if allowed and counters is None:
            return
        until, left = await self._counts.get_window_stats(limit, quota, *key)
        number = limit.amount - left
        if allowed and counters is not None and (quota not in FREQUENT or number * PART >= limit.amount):
            allowed = await self._shared.allows(counters, limit, f"{quota} {key}", number, until)
        if not allowed:
            raise RateLimited(max(1, math.ceil(until - time.monotonic())))


class Caller:
    """Whoever makes a request: a user (or the socket of an unknown visitor), at an address."""

    def __init__(
        self, rates: RateLimiter, person: str | None, address: str, counters: CounterStore | None = None
    ) -> None:
        self.person = person
        self.address = address
        self._rates = rates
        self._counters = counters  # where several processes count together

    async def spend(self, quota: Quota) -> None:
        """Count one more for this caller; RateLimited when it is one too many."""
        await self._rates.spend(quota, self.person, self.address, self._counters)


CALLER: Final[ContextVar[Caller | None]] = ContextVar("caller", default=None)
"""Who makes the current request; None where nothing is counted."""


async def spend(quota: Quota) -> None:
    """Count one more for the caller of the current request; RateLimited when it is one too many."""
    caller = CALLER.get()
    if caller is not None:
        await caller.spend(quota)


def address_block(host: str) -> str:
    """Return what counts as one address: for IPv6 the network a household gets, for IPv4 the address itself."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"


def wide_block(block: str) -> str | None:
    """Return the network around an IPv6 block: a provider hands out up to 65,536 blocks as one; None for IPv4."""
    if not block.endswith("/64"):
        return None
    return f"{IPv6Address(int(IPv6Address(block.removesuffix('/64'))) >> 80 << 80)}/48"


def _times(limit: RateLimitItem, factor: int) -> RateLimitItem:
    return type(limit)(limit.amount * factor, limit.multiples)


class Throttle:
    """Allows something as often as a limit says (`3 per 1 minute`), for each key separately, with or without limits."""

    def __init__(self, limit: str, name: str = "", counters: CounterStore | None = None) -> None:
        self._limit = parse(limit)
        self._name = name
        self._counters = counters  # where several processes count together, under a name
        self._counts = FixedWindowRateLimiter(Counts())
        self._shared = SharedCounts()

    async def allows(self, key: str) -> bool:
        """Tell whether it may be done now; if so, it counts as done."""
        allowed = await self._counts.hit(self._limit, key)
        if not allowed or self._counters is None:
            return allowed
        until, left = await self._counts.get_window_stats(self._limit, key)
        number = self._limit.amount - left
        return await self._shared.allows(self._counters, self._limit, f"{self._name} {key}", number, until)
