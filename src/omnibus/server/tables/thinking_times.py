"""How long each decision of a game took, and what its seat had left: what replays and records show of the clocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from omnibus.kernel.game import Document
from omnibus.server.store.models import TimeControl

DECIMALS: Final = 1  # of a second


class ThinkingTime(NamedTuple):
    """What a decision took: its ply, the seat, the seconds it took, and the seconds left in the bank after it."""

    ply: int
    seat: int
    used: float
    left: float


class ThinkingTimes:
    """The times of all decisions that stand.

    What somebody thought about a decision that was undone counts for the one that replaces it, so that the times of a
    seat add up to what it has used.
    """

    def __init__(self) -> None:
        self._decisions: list[ThinkingTime] = []
        self._thought: dict[int, float] = {}

    def think(self, seat: int, used: float) -> None:
        """Note that a seat has thought."""
        self._thought[seat] = self._thought.get(seat, 0.0) + used

    def decide(self, ply: int, seat: int, left: float) -> None:
        """Note that a seat has decided after what it has thought."""
        self._decisions.append(ThinkingTime(ply, seat, self._thought.pop(seat, 0.0), left))

    def undo(self, keep: int) -> None:
        """Note that only so many plies are kept."""
        while self._decisions and self._decisions[-1].ply >= keep:
            undone = self._decisions.pop()
            self.think(undone.seat, undone.used)

    def leave(self, seat: int) -> None:
        """Note that a bot plays in a seat: what its owner has thought led to no decision."""
        self._thought.pop(seat, None)

    def since(self, ply: int = 0) -> list[ThinkingTime]:
        """Return the times of the decisions from a ply on."""
        found = []
        for each in reversed(self._decisions):
            if each.ply < ply:
                break
            found.append(each._replace(used=round(each.used, DECIMALS), left=round(each.left, DECIMALS)))
        return found[::-1]


def clock_document(control: TimeControl, times: Iterable[ThinkingTime]) -> Document:
    """Return the clocks of a game as a record has them."""
    return {
        "bank": control.bank,
        "increment": control.increment,
        "turn": control.turn,
        "times": [[each.ply, each.used, each.left] for each in times],
    }
