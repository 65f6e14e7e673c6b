"""Play while servers are killed, and count what was lost: a few times in tests, often in `dev.py bench --kills`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from support.server_process import Sitting

Acknowledged = dict[str, dict[str, int]]
"""The requests that were acknowledged at each table, with the events they were stored as."""

Progress = Callable[[], None]
"""Called after each kill."""


def nothing() -> None:
    """Show no progress."""


@dataclass
class Tally:
    """What became of the moves."""

    kills: int
    acknowledged: int = 0
    lost: int = 0
    """Acknowledged, but not stored under the number that was told."""
    twice: int = 0
    """Stored, and stored again when they were sent again."""
    timed_out: int = 0
    """Players whose time was over, although they decide at once."""

    def count(self, stored: Iterable[tuple[int, str | None]], answers: Mapping[str, int]) -> None:
        """Count the moves of a table, given the numbers and requests of its events and what was acknowledged."""
        events = [(number, (request or "").partition(" ")[2]) for number, request in stored]
        assert [number for number, _ in events] == list(range(1, len(events) + 1))
        found = {name: number for number, name in events}
        self.acknowledged += len(answers)
        self.lost += sum(found.get(name) != number for name, number in answers.items())
        self.twice += sum(times - 1 for name, times in Counter(name for _, name in events).items() if name)


class Mover:
    """Plays at a table, over one connection after the other; what was not answered is sent again, as pages do."""

    def __init__(self, acknowledged: dict[str, int], seed: int = 0) -> None:
        self.acknowledged = acknowledged
        self.random = Random(seed)
        self._unanswered: dict[str, Any] = {}

    def play(self, sitting: Sitting) -> None:
        """Play one of the moves that are shown, and wait for the answer."""
        event, moves = sitting.scene["event"], sitting.scene["moves"]
        name = f"{id(self)} {event} {self.random.random()}"
        self._unanswered = {"play": moves[event % len(moves)]["line"], "event": event, "id": name}
        self.send(sitting)

    def send(self, sitting: Sitting) -> None:
        """Send what was not answered, and wait for the answer: nobody is told that the table is gone."""
        name = self._unanswered.get("id", "")
        if not name:
            return
        sitting.say(**self._unanswered)
        while name not in sitting.done and not any(error["id"] == name for error in sitting.errors):
            sitting.hear()
        assert all(error["code"] != "gone" for error in sitting.errors)
        if name in sitting.done:
            self.acknowledged[name] = sitting.done[name]
        if sitting.scene["event"] == self._unanswered["event"]:
            sitting.scene["moves"] = []  # answered, but not shown yet
        self._unanswered = {}
