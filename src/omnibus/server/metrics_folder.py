"""The metrics of several processes behind one address, added up by whichever of them is asked.

Each process writes its own into a file of a folder that they share: every few seconds, when it is asked, and when it
stops. What a process has counted is kept when it ends, in a file for all that have ended, so that no sum ever falls.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from omnibus.server.metrics import Metric, Samples

WRITTEN_S: Final = 5.0
ENDED: Final = "ended"


class Written(Struct):
    """What a process has written, or what is left of those that have ended."""

    counters: dict[str, float] = {}
    gauges: dict[str, float] = {}
    of: str = ""
    """The process that has just ended, whose own file does not count any more."""


class MetricsFolder:
    """Files with the metrics of the processes of one server, each named after the id of its process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, metrics: Iterable[Metric], process: int | None = None) -> None:
        """Write the metrics of a process, this one if none is named."""
        written = Written()
        for each in metrics:
            if not each.shared:
                (written.gauges if each.kind == "gauge" else written.counters).update(each.samples())
        with suppress(OSError):  # the disk is full: others have to do with the numbers of before
            self._replace(str(process or os.getpid()), written)

    def others(self, process: int | None = None) -> Samples:
        """Return the sums of what all other processes have written, and those that have ended."""
        while self._folder.exists():
            with suppress(FileNotFoundError):  # a process has ended meanwhile
                return self._sums(str(process or os.getpid()))
        return {}

    def _sums(self, own: str) -> Samples:
        names = [path.name for path in self._folder.iterdir() if path.name.isdigit()]
        ended = self._read(ENDED) if (self._folder / ENDED).exists() else Written()
        sums = ended.counters
        for name in {*names} - {own, ended.of}:
            written = self._read(name)
            sums = added(added(sums, written.counters), written.gauges)
        return sums

    def end(self, process: int) -> None:
        """Add what a process has counted to that of all that have ended; called by whoever supervises them."""
        with suppress(OSError):  # it has written nothing, or the disk is full
            self._add_to_ended(str(process))

    def _add_to_ended(self, name: str) -> None:
        ended = self._read(ENDED) if (self._folder / ENDED).exists() else Written()
        counters = added(ended.counters, self._read(name).counters)
        self._replace(ENDED, Written(counters, of=name))
        (self._folder / name).unlink()
        self._replace(ENDED, Written(counters))  # another process may get the same id

    def _read(self, name: str) -> Written:
        return msgspec.json.decode((self._folder / name).read_bytes(), type=Written)

    def _replace(self, name: str, written: Written) -> None:
        new = self._folder / f"{name}.new"
        new.write_bytes(msgspec.json.encode(written))
        new.replace(self._folder / name)


def added(some: Samples, others: Samples) -> dict[str, float]:
    """Return the sums of numbers by their names."""
    return {**some, **{name: some.get(name, 0) + value for name, value in others.items()}}
