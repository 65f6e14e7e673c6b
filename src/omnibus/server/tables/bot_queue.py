"""A queue that is fair to the users who wait in it, and serves short jobs before long ones.

This is fair queueing by finish times (self-clocked fair queueing, Golestani 1994). A user who comes to the queue starts
at its present time; the user's next job would finish so many seconds later; the job that would finish first is served,
and its finish is the new time. So however many jobs one user has, another user's job waits for about one of them.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")


class QueueFull(Exception):
    """A user has as many jobs waiting as one user may have."""


@dataclass(frozen=True, eq=False, slots=True)
class Job(Generic[Item]):
    """Something to be done for a user, and how many seconds it is expected to take."""

    user: str
    seconds: float
    number: int
    item: Item


@dataclass(slots=True)
class _Line(Generic[Item]):
    """The jobs of one user, the shortest first, and the time from which the next one counts."""

    start: float
    jobs: list[Job[Item]] = field(default_factory=list)

    def finish(self) -> tuple[float, int]:
        """Return when the next job would finish; of two that finish together the older one comes first."""
        return self.start + self.jobs[0].seconds, self.jobs[0].number


class FairQueue(Generic[Item]):
    """Jobs of several users, at most a number of each."""

    def __init__(self, most_per_user: int) -> None:
        self._most = most_per_user
        self._lines: dict[str, _Line[Item]] = {}
        self._time = 0.0
        self._added = 0

    def __len__(self) -> int:
        """Return how many jobs wait."""
        return sum(len(line.jobs) for line in self._lines.values())

    def add(self, user: str, seconds: float, item: Item) -> Job[Item]:
        """Let a job wait; QueueFull if the user has too many waiting."""
        line = self._lines.setdefault(user, _Line(self._time))
        if len(line.jobs) >= self._most:
            raise QueueFull(user)
        self._added += 1
        job = Job(user, seconds, self._added, item)
        insort(line.jobs, job, key=lambda waiting: (waiting.seconds, waiting.number))
        return job

    def take(self) -> Job[Item] | None:
        """Return the job to be done now, which waits no longer; None when none is waiting."""
        if not self._lines:
            return None
        line = min(self._lines.values(), key=_Line.finish)
        self._time = line.start = line.finish()[0]
        job = line.jobs[0]
        self.drop(job)
        return job

    def drop(self, job: Job[Item]) -> None:
        """Forget a job if it is still waiting."""
        line = self._lines.get(job.user)
        if line is not None and job in line.jobs:
            line.jobs.remove(job)
            if not line.jobs:
                del self._lines[job.user]
