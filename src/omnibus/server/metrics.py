"""What this process counts and measures, and how it is written for Prometheus.

The text format is a few lines of code, so no library is needed; its parser reads the result in a test. Everything is
counted in the event loop, so that counting is an addition, without locks.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from omnibus import __version__

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Counter:
    """Counts what happens, by the value of a label."""

    def __init__(self, name: str, text: str, label: str, values: str) -> None:
        self.name, self.text, self.label = name, text, label
        self.values = dict.fromkeys(values.split(), 0)  # all of them, so that none appears out of nowhere

    def add(self, value: str) -> None:
        """Count something."""
        self.values[value] += 1

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text format."""
        yield from _head(self.name, self.text, "counter")
        for value, number in self.values.items():
            yield f'{self.name}{{{self.label}="{value}"}} {number}'


class Histogram:
    """Counts durations in buckets."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text format: each bucket includes those before it."""
        yield from _head(self.name, self.text, "histogram")
        total = 0
        for bound, number in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            total += number
            yield f'{self.name}_bucket{{le="{bound}"}} {total}'
        yield f"{self.name}_sum {self.sum}"
        yield f"{self.name}_count {total}"


class Reading(Struct, frozen=True):
    """A number that is read when it is asked for."""

    name: str
    text: str
    value: float
    kind: Literal["gauge", "counter"] = "gauge"
    labels: Mapping[str, str] = {}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text format."""
        yield from _head(self.name, self.text, self.kind)
        labels = ",".join(f'{name}="{value}"' for name, value in self.labels.items())
        yield f"{self.name}{{{labels}}} {self.value}" if labels else f"{self.name} {self.value}"


MOVES: Final = Counter("omnibus_moves_total", "Moves stored, by people and by bots.", "by", "person bot")
MOVE_SECONDS: Final = Histogram("omnibus_move_seconds", "Time from a move to its being stored and published.")
REQUESTS: Final = Counter("omnibus_http_requests_total", "HTTP requests.", "status", "1xx 2xx 3xx 4xx 5xx")
REQUEST_SECONDS: Final = Histogram("omnibus_http_request_seconds", "Time from a request to its response.")
SOCKETS: Final = Counter("omnibus_sockets_total", "WebSockets.", "what", "opened closed")
NOTICES: Final = Counter("omnibus_notices_total", "Messages to players.", "result", "delivered failed")


def count_move(began: float, *, by_bot: bool) -> None:
    """Count a move that was stored and published, given when it came in (`time.perf_counter`)."""
    MOVES.add("bot" if by_bot else "person")
    MOVE_SECONDS.observe(time.perf_counter() - began)


def count_request(status: int, seconds: float) -> None:
    """Count a request that was answered."""
    REQUESTS.add(f"{status // 100}xx")
    REQUEST_SECONDS.observe(seconds)


def written(readings: Iterable[Reading]) -> str:
    """Write everything this process has counted, and some readings, in the text format of Prometheus."""
    counted = (MOVES, MOVE_SECONDS, REQUESTS, REQUEST_SECONDS, SOCKETS, NOTICES)
    everything: list[Counter | Histogram | Reading] = [*counted, *readings, *_process()]
    return "\n".join(line for each in everything for line in each.lines()) + "\n"


def _process() -> Iterator[Reading]:
    """Read what the process uses; names as in Prometheus's own libraries."""
    yield Reading("omnibus_info", "The version.", 1, labels={"version": __version__})
    yield Reading("process_cpu_seconds_total", "Processor time used.", time.process_time(), "counter")
    memory = Path("/proc/self/statm")
    if memory.exists():
        pages = int(memory.read_text().split()[1])
        yield Reading("process_resident_memory_bytes", "Memory in use.", pages * os.sysconf("SC_PAGE_SIZE"))


def _head(name: str, text: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
