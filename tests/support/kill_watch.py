"""What people notice of a server that fails: how long nobody gets anywhere, and how long its health is not told."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx

from support.kills import Acknowledged
from support.server_process import NO_CERTIFICATES

ASKED_EVERY_S = 0.2
PATIENCE_S = 60.0
HEALTH = ("/healthz", "/readyz")


class Watch:
    """The longest waits so far; what is asked of a process that is killed then does not count."""

    def __init__(self, acknowledged: Acknowledged) -> None:
        self._acknowledged = acknowledged
        self._stopping = threading.Event()
        self._known, self._since = 0, time.monotonic()
        self.wait = 0.0
        self.health = 0.0
        self.threads = [threading.Thread(target=self._look, daemon=True)]

    def ask(self, addresses: Sequence[str]) -> None:
        """Ask servers how they are, from now on: each at an address, which may change."""
        for number in range(len(addresses)):
            self.threads.append(threading.Thread(target=self._ask, args=(addresses, number), daemon=True))

    def stop(self) -> None:
        """Look no more."""
        self._stopping.set()

    def _look(self) -> None:
        while not self._stopping.wait(0.02):
            found = sum(len(answers) for answers in list(self._acknowledged.values()))
            now = time.monotonic()
            self.wait = max(self.wait, now - self._since)
            if found != self._known:
                self._known, self._since = found, now

    def _ask(self, addresses: Sequence[str], number: int) -> None:
        while not self._stopping.wait(ASKED_EVERY_S):
            for path in HEALTH:
                began = time.monotonic()
                try:
                    httpx.get(addresses[number] + path, timeout=PATIENCE_S, verify=NO_CERTIFICATES)
                except httpx.TimeoutException:
                    pass
                except httpx.HTTPError:
                    continue
                self.health = max(self.health, time.monotonic() - began)


@contextmanager
def watching(acknowledged: Acknowledged, addresses: Sequence[str]) -> Iterator[Watch]:
    """Watch servers at their addresses, and those who play there."""
    watch = Watch(acknowledged)
    watch.ask(addresses)
    for thread in watch.threads:
        thread.start()
    try:
        yield watch
    finally:
        watch.stop()
        for thread in watch.threads:
            thread.join(PATIENCE_S)
