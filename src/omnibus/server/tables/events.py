"""The events of a table as they are stored: numbered per table, appended, never changed.

The plies in an event are written as in a record, so the record of a table follows from its events.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from omnibus.kernel.game import Actor
from omnibus.kernel.record import ply_of
from omnibus.kernel.seat_changes import SeatChange, cut
from omnibus.server.tables.clock import Clocks
from omnibus.server.tables.thinking_times import ThinkingTimes


class TableEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What all events have."""

    clock: Clocks | None = None
    """The clocks after the event, at a table with a clock."""


class Began(TableEvent, frozen=True, tag="began"):
    """The game started, with the chance moves before the first decision."""

    plies: list[str]


class Played(TableEvent, frozen=True, tag="played"):
    """A seat decided, with the chance moves that follow."""

    plies: list[str]


class Undone(TableEvent, frozen=True, tag="undone"):
    """Decisions were undone: only this many plies of the record are kept."""

    keep: int


class Resigned(TableEvent, frozen=True, tag="resigned"):
    """The owner of a seat resigned and does not win; a bot plays on in it, or (None) the game ends here."""

    seat: int
    bot: str | None


class Abandoned(TableEvent, frozen=True, tag="abandoned"):
    """The table was closed before the end of its game."""


class HandedOver(TableEvent, frozen=True, tag="handed"):
    """A bot plays in a seat until its owner takes over again."""

    seat: int
    bot: str


class Resumed(TableEvent, frozen=True, tag="resumed"):
    """The owner of a seat plays in it again."""

    seat: int


class TimedOut(TableEvent, frozen=True, tag="timed_out"):
    """The time of a seat was over; a bot plays in it until its owner takes over again."""

    seat: int
    bot: str


class OnVacation(TableEvent, frozen=True, tag="vacation"):
    """The owner of a seat is on vacation until a time; one that is past ends the vacation."""

    seat: int
    until: float


class Proposed(TableEvent, frozen=True, tag="proposed"):
    """A proposal that all people at the table have to agree to: to undo, or to let a bot play for somebody away."""

    seat: int
    """The seat of whoever proposes it."""
    keep: int | None = None
    """To undo all plies but this many."""
    away: int | None = None
    """The seat a bot is to play in."""


class Agreed(TableEvent, frozen=True, tag="agreed"):
    """Somebody agrees to the proposal, and others have yet to; when the last one agrees it is carried out instead."""

    seat: int


class Declined(TableEvent, frozen=True, tag="declined"):
    """The proposal was declined, or withdrawn."""

    seat: int


Settling = Undone | Resigned | Abandoned | HandedOver | Resumed | TimedOut | Declined
"""What ends the open proposal."""
Event = Began | Played | OnVacation | Proposed | Agreed | Settling

write: Final = msgspec.json.Encoder().encode
read: Final = msgspec.json.Decoder(Event).decode


class History:
    """What the events of a table add up to."""

    def __init__(self) -> None:
        self.plies: list[str] = []
        self.rolled = 0
        self.resigned: dict[int, str | None] = {}
        self.changes: list[SeatChange] = []
        self.handed_over: dict[int, str] = {}
        self.timed_out: set[int] = set()
        """The seats whose time was over at some moment, even if their owners are back."""
        self.clock: Clocks | None = None
        self.times = ThinkingTimes()
        self.abandoned = False
        self.proposed: Proposed | None = None
        self.agreed: set[int] = set()

    @classmethod
    def of(cls, events: Iterable[Event]) -> History:
        """Add up events."""
        history = cls()
        for event in events:
            history.add(event)
        return history

    def add(self, event: Event) -> None:
        """Add the next event."""
        if event.clock is not None:
            self._take_time(event, event.clock)
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
        elif not isinstance(event, OnVacation):
            self.proposed = None
            self._settle(event)

    def _take_time(self, event: Event, clock: Clocks) -> None:
        """Note what the clocks were before an event, and what a decision took."""
        seat = self.clock.running if self.clock else None
        self.clock = clock
        if seat is not None:
            self.times.think(seat, clock.used)
            if isinstance(event, Played) and ply_of(event.plies[0]).actor == seat:
                self.times.decide(len(self.plies), seat, clock.banks[seat])
        if isinstance(event, Undone):
            self.times.undo(event.keep)
        elif isinstance(event, HandedOver | TimedOut | Resigned):
            self.times.leave(event.seat)

    def _asks_for_another(self, actors: list[Actor]) -> bool:
        """Tell whether somebody who proposed to undo their last decision has made another one."""
        return self.proposed is not None and self.proposed.keep is not None and self.proposed.seat in actors

    def _settle(self, event: Settling) -> None:
        """Add an event that ends the open proposal."""
        if change := self.seat_change(event):
            self.changes.append(change)
        if isinstance(event, Undone):
            del self.plies[event.keep :]
            self.changes = cut(self.changes, event.keep)
        elif isinstance(event, Resigned):
            self.resigned[event.seat] = event.bot
        elif isinstance(event, HandedOver | TimedOut):
            self.handed_over[event.seat] = event.bot
            if isinstance(event, TimedOut):
                self.timed_out.add(event.seat)
        elif isinstance(event, Resumed):
            self.handed_over.pop(event.seat, None)
        elif isinstance(event, Abandoned):
            self.abandoned = True

    def seat_change(self, event: Event) -> SeatChange | None:
        """Return what an event that comes next changes about a seat; None for nothing."""
        if isinstance(event, Resigned):
            return SeatChange(len(self.plies), event.seat, "resigned")
        if isinstance(event, TimedOut):
            return SeatChange(len(self.plies), event.seat, "timed out")
        if isinstance(event, HandedOver) and event.seat not in self.handed_over:
            return SeatChange(len(self.plies), event.seat, "left")
        if isinstance(event, Resumed) and event.seat in self.handed_over:
            return SeatChange(len(self.plies), event.seat, "returned")
        return None

    def undone_seats(self, keep: int) -> list[int]:
        """Return the seats of the decisions that are undone when only so many plies are kept."""
        actors = [ply_of(ply).actor for ply in self.plies[keep:]]
        return [actor for actor in actors if isinstance(actor, int)]

    @property
    def closed(self) -> bool:
        """Whether the table ended before the game did."""
        return self.abandoned or None in self.resigned.values()
