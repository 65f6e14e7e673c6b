"""A queue that is fair to the addresses that wait in it, then to the users at an address, and serves short jobs first.

This is fair queueing by finish times (self-clocked fair queueing, Golestani 1994), at three levels: networks, the
addresses of a network, the users at an address. Whoever comes to a level starts at its present time; their next job
would finish so many seconds later; the job that would finish first is served, and its finish is the new time. So
however many jobs come from one address, and however many users they are for, a job from another address waits for about
one of them. An IPv6 network gets, as with the rate limits, as much as a few addresses do, however many it has.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, TypeVar

from omnibus.server.http.rate_limits import WIDE_ALLOWANCE, wide_block

Item = TypeVar("Item")
UNLIMITED: Final = 1_000_000_000
MOST_KNOWN: Final = 20_000  # users whose addresses are remembered


class QueueFull(Exception):
    """As many jobs wait as may: of one user, from one address, or in all."""


class Asker(NamedTuple):
    """For whom something is done: a user, and the address the user comes from, empty if it is not known."""

    user: str = ""
    address: str = ""

    def path(self) -> tuple[str, str, str]:
        """Return the network, the address in it, and the user there."""
        return wide_block(self.address) or self.address, self.address, self.user


class LastAddresses:
    """Where users were last seen: what is done for them later counts for the same address.

    Nothing of this is stored. Users who were not seen since the server started, or by another of its processes only,
    share one address, until they make a request.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}  # the longest unseen first

    def note(self, user: str, address: str) -> None:
        """Remember that a user made a request from an address."""
        self._known.pop(user, None)
        self._known[user] = address
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def asker(self, user: str) -> Asker:
        """Return a user with the address."""
        return Asker(user, self._known.get(user, ""))


@dataclass(frozen=True, eq=False, slots=True)
class Job(Generic[Item]):
    """Something to be done for somebody, and how many seconds it is expected to take."""

    asker: Asker
    seconds: float
    number: int
    item: Item


@dataclass(eq=False, slots=True)
class _Line(Generic[Item]):
    """The jobs of one user, the shortest first; or the lines of several, who take turns."""

    start: float = 0.0  # the time from which the next job counts, at the level above
    share: int = 1  # so many lines in it are served as if each were a line of its own
    time: float = 0.0
    lines: dict[str, _Line[Item]] = field(default_factory=dict)
    jobs: list[Job[Item]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.jobs) + sum(map(len, self.lines.values()))

    def within(self, name: str, share: int = 1) -> _Line[Item]:
        """Return a line in this one, which may begin now."""
        return self.lines.setdefault(name, _Line(self.time, share))

    def next(self) -> Job[Item]:
        """Return the job to be done next."""
        return self.jobs[0] if self.jobs else self._first().next()

    def finish(self) -> tuple[float, int]:
        """Return when the next job would finish; of two that finish together the older one comes first."""
        job = self.next()
        return self.start + job.seconds / max(1, min(self.share, len(self.lines))), job.number

    def serve(self) -> None:
        """Count the next job as done."""
        self.start = self.finish()[0]
        if self.lines:
            first = self._first()
            self.time = first.finish()[0]
            first.serve()

    def _first(self) -> _Line[Item]:
        return min(self.lines.values(), key=lambda line: line.finish())


class FairQueue(Generic[Item]):
    """Jobs of several users at several addresses, at most a number of each."""

    def __init__(self, most_per_user: int, most_per_address: int, most: int = UNLIMITED) -> None:
        self._limits = (UNLIMITED, most_per_address, most_per_user)
        self._most = most
        self._all: _Line[Item] = _Line()
        self._number = 0
        self._added = 0

    def __len__(self) -> int:
        """Return how many jobs wait."""
        return self._number

    def add(self, asker: Asker, seconds: float, item: Item, *, limited: bool = True) -> Job[Item]:
        """Let a job wait; QueueFull if it is limited and too many wait already."""
        if limited:
            self._expect_room(asker)
        line = self._all
        for name, share in zip(asker.path(), (WIDE_ALLOWANCE, 1, 1), strict=True):
            line = line.within(name, share)
        self._added += 1
        job = Job(asker, seconds, self._added, item)
        insort(line.jobs, job, key=lambda waiting: (waiting.seconds, waiting.number))
        self._number += 1
        return job

    def _expect_room(self, asker: Asker) -> None:
        line, full = self._all, self._number >= self._most
        for name, most in zip(asker.path(), self._limits, strict=True):
            line = line.lines.get(name, _Line())
            full = full or len(line) >= most
        if full:
            raise QueueFull(asker.user)

    def take(self) -> Job[Item] | None:
        """Return the job to be done now, which waits no longer; None when none is waiting."""
        if not self._number:
            return None
        job = self._all.next()
        self._all.serve()
        self.drop(job)
        return job

    def drop(self, job: Job[Item]) -> None:
        """Forget a job if it is still waiting."""
        lines, path = [self._all], job.asker.path()
        for name in path:
            if name not in lines[-1].lines:
                return
            lines.append(lines[-1].lines[name])
        if job in lines[-1].jobs:
            lines[-1].jobs.remove(job)
            self._number -= 1
        for outer, name, line in reversed(list(zip(lines, path, lines[1:], strict=False))):
            if not line.jobs and not line.lines:
                del outer.lines[name]
