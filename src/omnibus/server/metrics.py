"""What this process counts and measures, and how it is written for Prometheus.

The text format is a few lines of code, so no library is needed; its parser reads the result in a test. Everything is
counted in the event loop, so that counting is an addition, without locks.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from omnibus import __version__

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


Kind = Literal["counter", "histogram", "gauge"]
Samples = Mapping[str, float]
"""Numbers by the names and labels under which they are written."""


class Counter:
    """Counts what happens, by the value of a label."""

    kind: Kind = "counter"
    shared = False

    def __init__(self, name: str, text: str, label: str, values: str) -> None:
        self.name, self.text, self.label = name, text, label
        self.values = dict.fromkeys(values.split(), 0)  # all of them, so that none appears out of nowhere

    def add(self, value: str) -> None:
        """Count something."""
        self.values[value] += 1

    def samples(self) -> dict[str, float]:
        """Return the numbers."""
        return {f'{self.name}{{{self.label}="{value}"}}': number for value, number in self.values.items()}


class Histogram:
    """Counts durations in buckets."""

    kind: Kind = "histogram"
    shared = False

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def samples(self) -> dict[str, float]:
        """Return the numbers: each bucket includes those before it."""
        bounds = (*map(str, BOUNDS), "+Inf")
        totals = accumulate(self.counts)
        found: dict[str, float] = {
            f'{self.name}_bucket{{le="{bound}"}}': total for bound, total in zip(bounds, totals, strict=True)
        }
        return found | {f"{self.name}_sum": self.sum, f"{self.name}_count": sum(self.counts)}


class Reading(Struct, frozen=True):
    """A number that is read when it is asked for."""

    name: str
    text: str
    value: float
    kind: Kind = "gauge"
    labels: Mapping[str, str] = {}
    shared: bool = False
    """Whether it is the same in all processes of a server, so that it is not added up."""

    def samples(self) -> dict[str, float]:
        """Return the number."""
        labels = ",".join(f'{name}="{value}"' for name, value in self.labels.items())
        return {f"{self.name}{{{labels}}}" if labels else self.name: self.value}


Metric = Counter | Histogram | Reading

MOVES: Final = Counter("omnibus_moves_total", "Moves stored, by people and by bots.", "by", "person bot")
MOVE_SECONDS: Final = Histogram("omnibus_move_seconds", "Time from a move to its being stored and published.")
COMMIT_SECONDS: Final = Histogram("omnibus_commit_seconds", "Time until the database has stored an event.")
REQUESTS: Final = Counter("omnibus_http_requests_total", "HTTP requests.", "status", "1xx 2xx 3xx 4xx 5xx")
REQUEST_SECONDS: Final = Histogram("omnibus_http_request_seconds", "Time from a request to its response.")
SOCKETS: Final = Counter("omnibus_sockets_total", "WebSockets.", "what", "opened closed")
LOOP_LAG: Final = Histogram("omnibus_event_loop_lag_seconds", "How late the event loop got to what was due.")
LOOP_WORK: Final = Histogram(
    "omnibus_event_loop_work_seconds", "Processor time of the event loop until it got to what was due."
)
NOTICES: Final = Counter("omnibus_notices_total", "Messages to players.", "result", "delivered failed")


def count_move(began: float, *, by_bot: bool) -> None:
    """Count a move that was stored and published, given when it came in (`time.perf_counter`)."""
    MOVES.add("bot" if by_bot else "person")
    MOVE_SECONDS.observe(time.perf_counter() - began)


def count_request(status: int, seconds: float) -> None:
    """Count a request that was answered."""
    REQUESTS.add(f"{status // 100}xx")
    REQUEST_SECONDS.observe(seconds)


def collected(readings: Iterable[Reading]) -> list[Metric]:
    """Return everything this process has counted, and some readings."""
    counted: list[Metric] = [MOVES, MOVE_SECONDS, COMMIT_SECONDS, REQUESTS, REQUEST_SECONDS, SOCKETS, NOTICES]
    return [*counted, LOOP_LAG, LOOP_WORK, *readings, *_process()]


def written(metrics: Iterable[Metric], others: Samples) -> str:
    """Write metrics in the text format of Prometheus, with what other processes of the server add to them."""
    return "".join(
        f"# HELP {each.name} {each.text}\n# TYPE {each.name} {each.kind}\n"
        + "".join(f"{name} {value + others.get(name, 0)}\n" for name, value in each.samples().items())
        for each in metrics
    )


def _process() -> Iterator[Reading]:
    """Read what the process uses; names as in Prometheus's own libraries."""
    yield Reading("omnibus_info", "The version.", 1, labels={"version": __version__}, shared=True)
    yield Reading("process_cpu_seconds_total", "Processor time used.", time.process_time(), "counter")
    memory = Path("/proc/self/statm")
    if memory.exists():
        pages = int(memory.read_text().split()[1])
        yield Reading("process_resident_memory_bytes", "Memory in use.", pages * os.sysconf("SC_PAGE_SIZE"))
