"""What can happen at a table, as it is stored: numbered per table, appended, never changed.

Plies stand in an event as they stand in a record, so the record of a table is what its events say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from omnibus.kernel.game import Actor
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


class Handed(Struct, frozen=True, tag="handed"):
    """A bot plays in a seat until its owner takes it back."""

    seat: int
    bot: str


class TakenBack(Struct, frozen=True, tag="taken_back"):
    """The owner of a seat plays in it again."""

    seat: int


class Proposed(Struct, frozen=True, tag="proposed"):
    """Somebody proposes what needs the consent of all people here: to go back, or to let a bot play for one away."""

    seat: int
    """Who proposes."""
    keep: int | None = None
    """To take back all but so many plies."""
    away: int | None = None
    """The seat in which a bot is to play."""


class Agreed(Struct, frozen=True, tag="agreed"):
    """Somebody agrees to what is proposed, and others have yet to; the last to agree does what was proposed."""

    seat: int


class Declined(Struct, frozen=True, tag="declined"):
    """Somebody is against what is proposed, or who proposed it thinks better of it."""

    seat: int


Event = Began | Played | Undone | Resigned | Abandoned | Handed | TakenBack | Proposed | Agreed | Declined

write: Final = msgspec.json.Encoder().encode
read: Final = msgspec.json.Decoder(Event).decode


class History:
    """What the events of a table come to."""

    def __init__(self) -> None:
        self.plies: list[str] = []
        self.rolled = 0
        self.resigned: dict[int, str | None] = {}
        self.handed: dict[int, str] = {}
        self.abandoned = False
        self.proposed: Proposed | None = None
        self.agreed: set[int] = set()

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
            plies = [ply_of(ply) for ply in event.plies]
            self.rolled = max([self.rolled, *(ply.roll or 0 for ply in plies)])
            if self._asks_for_another([ply.actor for ply in plies]):
                self.proposed = None
        elif isinstance(event, Proposed):
            self.proposed, self.agreed = event, {event.seat}
        elif isinstance(event, Agreed):
            self.agreed.add(event.seat)
        else:
            self.proposed = None
            self._settle(event)

    def _asks_for_another(self, actors: list[Actor]) -> bool:
        """Tell whether somebody who proposed to take back a last decision has made another one."""
        return self.proposed is not None and self.proposed.keep is not None and self.proposed.seat in actors

    def _settle(self, event: Undone | Resigned | Abandoned | Handed | TakenBack | Declined) -> None:
        """Add what leaves nothing to be agreed upon."""
        if isinstance(event, Undone):
            del self.plies[event.keep :]
        elif isinstance(event, Resigned):
            self.resigned[event.seat] = event.bot
        elif isinstance(event, Handed):
            self.handed[event.seat] = event.bot
        elif isinstance(event, TakenBack):
            self.handed.pop(event.seat, None)
        elif isinstance(event, Abandoned):
            self.abandoned = True

    @property
    def closed(self) -> bool:
        """Whether the table ended before the game did."""
        return self.abandoned or None in self.resigned.values()
