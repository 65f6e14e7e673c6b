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

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self.wait = 0.0
        """The longest time in seconds in which nothing was acknowledged to anybody."""
        self.health = 0.0
        """The longest time in seconds until somebody who asks how a server is was answered."""

    @contextmanager
    def watching(self, acknowledged: Acknowledged, addresses: Sequence[str]) -> Iterator[None]:
        """Watch servers at their addresses, which may change, and those who play there."""
        threads = [threading.Thread(target=self._look, args=(acknowledged,), daemon=True)]
        for number in range(len(addresses)):
            threads.append(threading.Thread(target=self._ask, args=(addresses, number), daemon=True))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            for thread in threads:
                thread.join(PATIENCE_S)

    def _look(self, acknowledged: Acknowledged) -> None:
        known, since = 0, time.monotonic()
        while not self._stopping.wait(0.02):
            found = sum(len(answers) for answers in list(acknowledged.values()))
            now = time.monotonic()
            self.wait = max(self.wait, now - since)
            if found != known:
                known, since = found, now

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
