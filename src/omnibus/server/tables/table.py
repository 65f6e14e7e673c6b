"""A table: a live match whose events are stored, one at a time.

Its methods commit and return what has changed; `actions` publishes it. Everything goes by event number.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from omnibus.kernel.game import BadNotation, IllegalMove
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.kernel.seat_changes import SeatChange
from omnibus.server.errors import Code, NotReplayable, Rejected, TableNotFound
from omnibus.server.store.errors import Conflict, StoreError
from omnibus.server.store.models import TableSetup, TableStatus
from omnibus.server.store.server_clock import CONFIRM_S
from omnibus.server.store.tables import FirstEvent, TableStore
from omnibus.server.tables import clock, events
from omnibus.server.tables.events import (
    Abandoned,
    Began,
    Event,
    HandedOver,
    History,
    OnVacation,
    Played,
    Resigned,
    Resumed,
    TimedOut,
    Undone,
)
from omnibus.server.tables.following import follow
from omnibus.server.tables.names import names_of
from omnibus.server.tables.record_of_table import record_of
from omnibus.server.tables.seated_match import SAME_DICE, SeatedMatch
from omnibus.server.tables.table_clock import TIME_OVER, TableClock

FRESH_S: Final = 1.0  # so lately it must have been possible to store a move when somebody's time is over


class Change(Struct, frozen=True):
    """What an action has changed at a table, already stored."""

    event: int
    """The event it was stored as; the last event if there was nothing to do."""
    since: int
    """The first ply that is no longer, or not yet, what it was."""
    awaited: str | None = None
    """The user the table waits for now."""
    awaited_before: str | None = None
    new: bool = True
    """False: nothing has happened, because the request was repeated or there was nothing to do."""


class Overtaken(Rejected):
    """Another process was first to change the table, which has been loaded again."""

    def __init__(self, answer: Change | None) -> None:
        super().__init__(Code.STALE)
        self.answer = answer
        """What the request changed, if it was the other process that carried it out."""


class Table(SeatedMatch):
    """A table whose game has started. Make one with `started` or `loaded`."""

    def __init__(self, table_store: TableStore, setup: TableSetup, match: Match, history: History, event: int) -> None:
        super().__init__(setup, match, history, event)
        self.keeps_going = bool(setup.tournament)  # whether bots play on when nobody looks and only bots sit here
        self._table_store = table_store
        self._answers: dict[str, int] = {}
        self._lock = asyncio.Lock()
        self._awaited = self.awaited_user

    @classmethod
    async def started(
        cls, table_store: TableStore, setup: TableSetup, away: Mapping[str, float] | None = None
    ) -> tuple[Table, FirstEvent]:
        """Start the game, when every seat is taken; return the table and its first event, which is still to be stored.

        No dice are rolled before, so that everybody could see the commitment. `away` are the users on vacation, where
        that stops their clocks, and until when.
        """
        match = Match.new(setup.game, seats=setup.seats, options=setup.options, seed=setup.seed)
        match.names = tuple(names_of(setup, ENGLISH))
        began = Began(match.written())
        table = cls(table_store, setup, match, History.of([began]), 1)
        if setup.clock is not None:
            await table_store.server_clock.confirm(CONFIRM_S)
            clocks = clock.started(setup.clock, setup.seats, table.awaits)
            for user, until in (away or {}).items():
                for seat in setup.seats_of(user):
                    clocks = clock.on_vacation(clocks, seat, until)
            clocks = clock.begun(clocks, table_store.server_clock.now, time.time())
            table.clock, began = TableClock(setup.clock, clocks, table_store.server_clock), replace(began, clock=clocks)
            table._history.clock = clocks
        return table, FirstEvent(events.write(began), table.awaits, clock.due_at(began.clock))

    @classmethod
    async def loaded(cls, table_store: TableStore, setup: TableSetup) -> Table:
        """Load a table from its events; NotReplayable when they no longer fit the rules."""
        stored = await table_store.events(setup.id)
        if not stored:
            raise TableNotFound  # it has been deleted since its setup was read
        history = History.of(events.read(event) for _, event, _ in stored)
        try:
            match = Match.resume(record_of(setup, history), seed=setup.seed, rolled=history.rolled)
        except BadRecord as error:
            raise NotReplayable(setup, history, error.reason) from None
        match.changes = list(history.changes)
        table = cls(table_store, setup, match, history, stored[-1][0])
        table._answers = {request: number for number, _, request in stored if request is not None}
        if setup.clock is not None and history.clock is not None:
            await table_store.server_clock.read()
            table.clock = TableClock(setup.clock, history.clock, table_store.server_clock)
        return table

    async def look_for_rematch(self) -> None:
        """Find the rematch somebody has proposed, while it waits for players."""
        again = await self._table_store.rematch(self.setup.id) if self.standing != "live" else None
        entry = await self._table_store.entry(again) if again else None
        self.rematch = entry.setup if entry and entry.standing == "open" else None

    async def settled(self) -> None:
        """Wait until nothing is being stored: until then the match may be ahead of the last event."""
        async with self._lock:
            return

    async def play(
        self, seat: int, line: str, event: int, request: str | None = None, *, by_bot: bool = False
    ) -> Change:
        """Play a line for a seat; a request that was stored before is not carried out again."""
        async with self._lock:
            if repeated := self.repeated(request):
                return repeated
            self._expect(event, None if by_bot else seat)
            if self.actor != seat or (self.awaits is None) != by_bot:
                raise Rejected(Code.NOT_YOUR_TURN)
            used = self.clock.in_time() if self.clock else None
            before = self.match.length
            try:
                self.match.play(line)
            except IllegalMove as illegal:
                raise Rejected(Code.REFUSED, illegal.refusal) from None
            except BadNotation:
                raise Rejected(Code.MALFORMED) from None
            return await self.commit(Played(self.match.written(before)), before, request, used=used)

    async def undo(self, seat: int, event: int, request: str | None = None) -> Change:
        """Undo the last decision of a seat, if nothing has been decided or drawn since."""
        async with self._lock:
            if repeated := self.repeated(request):
                return repeated
            self._expect(event, seat)
            if self.setup.deal:
                raise Rejected(Code.REFUSED, why=SAME_DICE)
            if not self.can_undo(seat):
                raise Rejected(Code.NOT_YOUR_TURN)
            used = self.clock.in_time() if self.clock else None
            self.match.undo()
            return await self.commit(Undone(self.match.length), self.match.length, request, used=used)

    def repeated(self, request: str | None) -> Change | None:
        """Return the first answer to a request that was stored before; None for a new one."""
        known = self._answers.get(request) if request is not None else None
        return None if known is None else Change(known, self.match.length, new=False)

    async def resign(self, seat: int, bot: str | None) -> Change:
        """Give a seat up to a bot; without a bot the game ends here, and is won if only one seat is left."""
        async with self.writing():
            return await self.commit(Resigned(seat, bot))

    async def hand_over(self, seat: int, bot: str, request: str | None = None) -> Change:
        """Let a bot play in a seat until its owner takes over again."""
        async with self._lock:
            if repeated := self.repeated(request):
                return repeated
            self._expect(self.event)
            return await self.commit(HandedOver(seat, bot), request=request)

    async def resume(self, seat: int, request: str | None = None) -> Change:
        """Let the owner of a seat play in it again, if a bot does."""
        async with self._lock:
            if repeated := self.repeated(request):
                return repeated
            self._expect(self.event)
            if not self.handed_over(seat):
                return self._unchanged()
            return await self.commit(Resumed(seat), request=request)

    async def time_out(self, bot: str) -> Change:
        """Let a bot play in the seat whose time is over, unless a move was quicker; or could not be stored until now.

        StoreError when nothing can be stored.
        """
        await self._table_store.server_clock.confirm(FRESH_S)
        async with self._lock:
            if self._broken or self.clock is None or not self.clock.overrun:
                return self._unchanged()
            seat = self.clock.clocks.running
            assert seat is not None
            return await self.commit(TimedOut(seat, bot))

    async def take_vacation(self, seat: int, until: float) -> Change:
        """Pause the clock of a seat until a time, unless that is not possible, or known already."""
        async with self._lock:
            clock = self.clock
            if self._broken or self.standing != "live" or clock is None or not clock.control.by_days:
                return self._unchanged()
            known = clock.clocks.away_until(seat)
            if clock.overrun or until == known or (until <= time.time() and not clock.is_away(seat)):
                return self._unchanged()
            return await self.commit(OnVacation(seat, until))

    async def abandon(self) -> Change:
        """Close the table before the end of its game."""
        async with self.writing():
            return await self.commit(Abandoned())

    @asynccontextmanager
    async def writing(self, event: int | None = None) -> AsyncIterator[None]:
        """Hold the lock for a commit; rejects when the game is over, or the last event is not this one (None: any)."""
        async with self._lock:
            self._expect(self.event if event is None else event)
            yield

    async def undo_to(self, keep: int, request: str | None = None) -> Change:
        """Undo all plies but the first ones; only while `writing`."""
        while self.match.length > keep:
            self.match.undo()
        return await self.commit(Undone(keep), keep, request)

    def _expect(self, event: int, seat: int | None = None) -> None:
        """Reject what comes after the game, after the time of a seat whose owner decides, or after another event."""
        if self._broken:
            raise StoreError("the table has to be loaded again")
        if self.standing != "live":
            raise Rejected(Code.OVER)
        if seat is not None and self.out_of_time(seat):
            raise Rejected(Code.REFUSED, why=TIME_OVER)
        if event != self.event:
            raise Rejected(Code.STALE)

    def _unchanged(self) -> Change:
        return Change(self.event, self.match.length, new=False)

    async def commit(
        self, event: Event, since: int | None = None, request: str | None = None, *, used: float | None = None
    ) -> Change:
        """Store an event; only while `writing`. `since` is the first ply that has changed; None: no ply has.

        `used` is what the running clock had used when the event was accepted; None: what it has used by now. Overtaken
        when another process has stored an event of this number, or this request.
        """
        number, awaited_before = self.event + 1, self._awaited
        closed = isinstance(event, Abandoned) or (isinstance(event, Resigned) and event.bot is None)
        if change := self._history.seat_change(event):
            self.match.changes.append(change)
        standing: TableStatus = "over" if self.match.actor is None else "closed" if closed else "live"
        awaits = self._awaits_after(event) if standing == "live" else None
        if self.clock is not None:
            event = self.clock.timed(event, awaits, self._history, used)
        try:
            await self._table_store.append(
                self.setup.id,
                number,
                events.write(event),
                request=request,
                awaits=awaits,
                standing=standing,
                winners=self.winners,
                clock_due=clock.due_at(event.clock),
            )
        except BaseException as error:
            self._broken = True  # the match is ahead of the database: the table is loaded again
            if not isinstance(error, Conflict) or not await self._load_again():
                raise
            raise Overtaken(self.repeated(request)) from None
        self.event = number
        self.last_change = (number, change) if change else None
        self._history.add(event)
        if self.clock is not None and event.clock is not None:
            self.clock.set(event.clock, stored_now=True)
        if request is not None:
            self._answers[request] = number
        unchanged = self.match.length if since is None else since
        self.view_cache.cut(unchanged)
        self._awaited = self.awaited_user
        return Change(number, unchanged, self._awaited, awaited_before)

    async def read_on(self) -> int | None:
        """Take in what other processes have stored meanwhile; return the first ply that has changed, if they have.

        TableNotFound when the table has been deleted.
        """
        async with self._lock:
            if self._broken:
                return None
            stored = await self._table_store.events(self.setup.id, self.event)
            if not stored:
                self._broken = True
                raise TableNotFound
            since = self.match.length
            try:
                for number, body, request in stored[1:]:
                    first, change = follow(self.match, self._history, events.read(body))
                    since = min(since, first)
                    self._note(number, request, change)
            except BadRecord:
                self._broken = True  # by the rules of another version of this program
            if len(stored) == 1:
                return None
            if self.clock is not None and self._history.clock is not None:
                self.clock.set(self._history.clock)
            self.view_cache.cut(since)
            return since

    async def _load_again(self) -> bool:
        """Forget what could not be stored because another process was first; False when the table has been deleted."""
        try:
            stored = await Table.loaded(self._table_store, self.setup)
        except (TableNotFound, NotReplayable):
            return False
        self.match, self.view_cache, self._history = stored.match, stored.view_cache, stored._history
        self._answers, self.clock, self._broken = stored._answers, stored.clock, False
        self._note(stored.event)
        return True

    def _note(self, number: int, request: str | None = None, change: SeatChange | None = None) -> None:
        """Note the last event, which another process has stored: its number and request, and what changed of a seat."""
        self.event, self.last_change = number, (number, change) if change else None
        self._awaited = self.awaited_user
        if request is not None:
            self._answers[request] = number

    def _awaits_after(self, event: Event) -> int | None:
        """Return the seat to decide after an event, if a person decides for it."""
        actor = self.match.actor
        if isinstance(event, Resigned | HandedOver | TimedOut) and event.seat == actor:
            return None
        if isinstance(event, Resumed) and event.seat == actor:
            return event.seat
        return self.awaits
