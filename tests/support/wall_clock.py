"""A clock that only a test moves."""

from __future__ import annotations

from math import inf

import pytest


class WallClock:
    """The time of day, and the time by which the server's clock runs: as if it was confirmed all the time.

    With `late` it is late when the time is moved by more than a few seconds, as in a server.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, late: bool = False) -> None:
        self.seconds = 1_000_000.0
        self.jumped = 0.0
        """How much the time of day has jumped, while nothing else noticed."""
        monkeypatch.setattr("omnibus.server.store.server_clock.monotonic", self)
        monkeypatch.setattr("time.time", lambda: self.seconds + self.jumped)
        if not late:
            monkeypatch.setattr("omnibus.server.store.server_clock.LATE_S", inf)

    def __call__(self) -> float:
        return self.seconds
