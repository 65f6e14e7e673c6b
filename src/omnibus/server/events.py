"""What can happen at a table, as it is stored: numbered per table, appended, never changed.

Plies stand in an event as they stand in a record, so the record of a table is what its events say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from omnibus.kernel.record import ply_of


class Began(Struct, frozen=True, tag="began"):
    """The table was set up, and chance did what comes before the first decision."""

    plies: list[str]


class Played(Struct, frozen=True, tag="played"):
    """A seat decided, and chance did what follows."""

    plies: list[str]


class Undone(Struct, frozen=True, tag="undone"):
    """A decision was taken back: only so many plies of the record are kept."""

    keep: int


class Resigned(Struct, frozen=True, tag="resigned"):
    """A seat was given up; a bot plays on in it, or (None) the table ends here."""

    seat: int
    bot: str | None


class Abandoned(Struct, frozen=True, tag="abandoned"):
    """The table was closed before its end."""


Event = Began | Played | Undone | Resigned | Abandoned

write: Final = msgspec.json.Encoder().encode
read: Final = msgspec.json.Decoder(Event).decode


class History:
    """What the events of a table come to."""

    def __init__(self) -> None:
        self.plies: list[str] = []
        self.rolled = 0
        self.resigned: dict[int, str | None] = {}
        self.abandoned = False

    @classmethod
    def of(cls, events: Iterable[Event]) -> History:
        """Add events up."""
        history = cls()
        for event in events:
            history.add(event)
        return history

    def add(self, event: Event) -> None:
        """Add the next event."""
        if isinstance(event, Began | Played):
            self.plies += event.plies
            self.rolled = max([self.rolled, *(ply.roll or 0 for ply in map(ply_of, event.plies))])
        elif isinstance(event, Undone):
            del self.plies[event.keep :]
        elif isinstance(event, Resigned):
            self.resigned[event.seat] = event.bot
        else:
            self.abandoned = True

    @property
    def closed(self) -> bool:
        """Whether the table ended before the game did."""
        return self.abandoned or None in self.resigned.values()


__all__ = ["Abandoned", "Began", "Event", "History", "Played", "Resigned", "Undone", "read", "write"]
