"""The clocks of a live table: how much the running one has used by now, and what an event makes of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from omnibus.kernel.game import Document
from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.kernel.record import ply_of
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.models import Sitter, TimeControl
from omnibus.server.store.server_clock import ServerClock
from omnibus.server.store.tables import TableStore
from omnibus.server.tables import clock, events
from omnibus.server.tables.clock import Clocks
from omnibus.server.tables.events import Event, History, OnVacation, Played, Resumed, Undone
from omnibus.server.tables.thinking_times import ThinkingTime

TIME_OVER: Final = mark("Your time is up.")
SOONEST_S: Final = 20.0  # the warning comes when so much is left at the latest …
LATEST_S: Final = 6 * 3600.0  # … and so much at the earliest, else at an eighth of all time


class ClockView(Struct, frozen=True):
    """The clocks as a reader is shown them."""

    left: list[float | None]
    """The seconds each seat has left, at the moment of sending; null for bots."""
    running: int | None
    """The seat whose clock runs."""
    warn: float
    """When so much is left, it is time to hurry."""
    bank: float
    """What every seat started with, in seconds."""
    times: list[tuple[int, int, float, float]]
    """What decisions took, as `[ply, seat, seconds taken, seconds left in the bank]`; those from `since` on."""
    away: list[float | None] = []
    """Until when each seat is on vacation, in seconds since 1970; null: it is not."""


class TableClock:
    """The clocks of a table since its last event, as the server's clock has gone on since."""

    def __init__(self, control: TimeControl, clocks: Clocks, server_clock: ServerClock) -> None:
        self.control = control
        self.clocks = clocks
        self._server_clock = server_clock
        self._since = clocks.since

    def set(self, clocks: Clocks, *, stored_now: bool = False) -> None:
        """Go on from an event. While it was being stored nobody could move: that time is on nobody's clock."""
        self.clocks = clocks
        self._since = self._begun(clocks).since if stored_now else clocks.since

    def _begun(self, clocks: Clocks) -> Clocks:
        return clock.begun(clocks, self._server_clock.now, time.time())

    @property
    def used(self) -> float:
        """What the running clock has used since the last event, in seconds."""
        return max(0.0, self._server_clock.now - self._since)

    @property
    def overrun(self) -> bool:
        """Whether the time of the running clock is over."""
        return self.clocks.overrun(self.used)

    @property
    def left(self) -> float | None:
        """What the running clock has left; None if none runs."""
        return None if self.clocks.running is None else self.clocks.left(self.clocks.running, self.used)

    @property
    def due(self) -> float | None:
        """In how many seconds the time of the running clock is over; None if none runs."""
        seat = self.clocks.running
        return None if seat is None else max(0.0, self.clocks.left(seat) + self._since - self._server_clock.now)

    def is_away(self, seat: int) -> bool:
        """Tell whether a seat is on vacation."""
        return self.clocks.away_until(seat) > time.time()

    def in_time(self) -> float:
        """Return what the running clock has used; Rejected when its time is over."""
        used = self.used
        if self.clocks.overrun(used):
            raise Rejected(Code.REFUSED, why=TIME_OVER)
        return used

    def timed(self, event: Event, running: int | None, history: History, used: float | None = None) -> Event:
        """Return an event with the clocks after it, when the clock of a seat runs then; `history` is without it."""
        before = self.clocks.running
        clocks = clock.spent(self.clocks, self.used if used is None else used)
        if isinstance(event, Played) and before is not None and ply_of(event.plies[0]).actor == before:
            clocks = clock.decided(self.control, clocks, before)
        elif isinstance(event, Undone):
            clocks = clock.undone(clocks, history.undone_seats(event.keep))
        elif isinstance(event, Resumed):
            clocks = clock.returned(self.control, clocks, event.seat)
        elif isinstance(event, OnVacation):
            clocks = clock.on_vacation(clocks, event.seat, event.until)
        return replace(event, clock=self._begun(clock.switched(self.control, clocks, running)))

    def view(self, sitters: Sequence[Sitter], times: Iterable[ThinkingTime]) -> ClockView:
        """Return the clocks as they are shown now to everybody at a table with these sitters."""
        used = self.used
        every = self.control.bank + self.control.turn
        return ClockView(
            left=[
                None if sitter.bot else round(self.clocks.left(seat, used), 1) for seat, sitter in enumerate(sitters)
            ],
            running=self.clocks.running,
            warn=max(SOONEST_S, min(LATEST_S, every / 8)),
            bank=self.control.bank,
            times=_told(times),
            away=[self.clocks.away_until(seat) if self.is_away(seat) else None for seat in range(len(sitters))],
        )


def _told(times: Iterable[ThinkingTime]) -> list[tuple[int, int, float, float]]:
    return [(each.ply, each.seat, each.used, each.left) for each in times]


def recorded_clocks(recorded: Document, match: Match) -> ClockView:
    """Return the clocks of a record as they are shown at its end."""
    times = [ThinkingTime(ply, int(match.plies[ply][0]), used, left) for ply, used, left in recorded["times"]]
    left: list[float | None] = [None] * match.seats
    for each in times:
        left[each.seat] = each.left
    return ClockView(left, running=None, warn=0, bank=recorded["bank"], times=_told(times))


async def due_times(table_store: TableStore, tables: Sequence[str]) -> dict[str, float]:
    """Return in how many seconds the time of the running clocks of tables is over; without loading the tables."""
    due = {}
    for table, body in (await table_store.last_bodies(tables)).items():
        at = clock.due_at(events.read(body).clock)
        if at is not None:
            due[table] = at - table_store.server_clock.now
    return due
