"""A clock that only a test moves."""

from __future__ import annotations

import pytest


class WallClock:
    """The time of day, and the time by which the clocks of tables run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 1_000_000.0
        monkeypatch.setattr("omnibus.server.tables.table_clock.monotonic", self)
        monkeypatch.setattr("time.time", self)

    def __call__(self) -> float:
        return self.seconds
