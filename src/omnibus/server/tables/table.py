"""A table: a live match whose events are stored, one at a time.

Its methods commit and return what has changed; `actions` publishes it. Everything goes by event number.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import BadNotation, Game, IllegalMove, Words
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.kernel.seat_changes import SeatChange
from omnibus.server.errors import Code, NotReplayable, Rejected, TableNotFound
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import Sitter, TableSetup, TableStatus
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
    Proposed,
    Resigned,
    Resumed,
    TimedOut,
    Undone,
)
from omnibus.server.tables.following import follow
from omnibus.server.tables.names import names_of
from omnibus.server.tables.record_of_table import record_of
from omnibus.server.tables.table_clock import TableClock, used_since
from omnibus.server.tables.thinking_times import ThinkingTime, clock_document
from omnibus.server.tables.view_cache import ViewCache


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


class Table:
    """A table whose game has started. Make one with `started` or `loaded`."""

    def __init__(self, table_store: TableStore, setup: TableSetup, match: Match, history: History, event: int) -> None:
        self.setup = setup
        self.match = match
        self.event = event
        self.last_change: tuple[int, SeatChange] | None = None  # if the last event was one, with its number
        self.keeps_going = bool(setup.tournament)  # whether bots play on when nobody looks and only bots sit here
        self.view_cache = ViewCache(match)
        self._table_store = table_store
        self._history = history
        self._answers: dict[str, int] = {}
        self._lock = asyncio.Lock()
        self._broken = False
        self._awaited = self.awaited_user
        self._event_at_rest = 0
        self.clock: TableClock | None = None
        self.show: Callable[[Table, int], None] = _nobody
        """Shows those who look at this table what has changed from a ply on, when another process has changed it."""
        self.rematch: TableSetup | None = None
        """The rematch somebody had proposed when it was last looked for, if it waited for players."""

    @classmethod
    def started(
        cls, table_store: TableStore, setup: TableSetup, away: Mapping[str, float] | None = None
    ) -> tuple[Table, FirstEvent]:
        """Start the game, when every seat is taken; return the table and its first event, which is still to be stored.

        No dice are rolled before, so that everybody could see the commitment. `away` are the users on vacation, where
        that stops their clocks, and until when.
        """
        options = games.find(setup.game).upgrade(setup.rules, dict(setup.options))  # by the rules it was opened with
        match = Match.new(setup.game, seats=setup.seats, options=options, seed=setup.seed)
        match.names = tuple(names_of(setup, ENGLISH))
        began = Began(match.written())
        table = cls(table_store, setup, match, History.of([began]), 1)
        if setup.clock is not None:
            clocks = clock.started(setup.clock, setup.seats, table.awaits)
            for user, until in (away or {}).items():
                for seat in setup.seats_of(user):
                    clocks = clock.on_vacation(clocks, seat, until)
            table.clock, began = TableClock(setup.clock, clocks), replace(began, clock=clocks)
            table.clock.set(clocks)
            table._history.clock = clocks
        return table, (events.write(began), table.awaits)

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
        match.changes = history.seat_changes(setup.seats)
        table = cls(table_store, setup, match, history, stored[-1][0])
        table._answers = {request: number for number, _, request in stored if request is not None}
        if setup.clock is not None and history.clock is not None:
            table.clock = TableClock(
                setup.clock, history.clock, used=await used_since(table_store, setup.id, history.clock)
            )
        return table

    @property
    def game(self) -> Game[Any]:
        """The game that is played here."""
        return self.match.game

    @property
    def actor(self) -> int | None:
        """The seat to decide; None when the game is over."""
        actor = self.match.actor
        return actor if isinstance(actor, int) and not self._history.closed else None

    @property
    def standing(self) -> TableStatus:
        """Whether the game is live, over, or closed before its end."""
        if self.match.actor is None:
            return "over"
        return "closed" if self._history.closed else "live"

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won; None while the game is live."""
        return tuple(self.match.outcome.winners) if self.match.outcome is not None else None

    @property
    def resigned(self) -> dict[int, str | None]:
        """The seats whose owners have resigned, and the bots that play on in them."""
        return self._history.resigned

    @property
    def timed_out(self) -> set[int]:
        """The seats whose time was over at some moment."""
        return self._history.timed_out

    @property
    def proposed(self) -> Proposed | None:
        """The open proposal."""
        return self._history.proposed

    @property
    def agreed(self) -> set[str | None]:
        """The users who have agreed to the proposal."""
        return {self.owner(seat) for seat in self._history.agreed}

    @property
    def awaits(self) -> int | None:
        """The seat to decide, if a person decides for it."""
        actor = self.actor
        return actor if actor is not None and self.sitter(actor).bot is None else None

    @property
    def awaited_user(self) -> str | None:
        """The user the table waits for; None when it waits for a bot, or for nobody any more."""
        seat = self.awaits
        return self.owner(seat) if seat is not None else None

    @property
    def secret(self) -> bool:
        """Whether the record may still hold something that somebody must not know.

        A last move that could not be stored does not end the game: the table is loaded again without it.
        """
        return self.standing == "live" or self._broken

    @property
    def seed(self) -> str | None:
        """The seed of the dice, once nothing will be rolled any more."""
        return None if self.secret else Dice(self.setup.seed).seed

    def sitter(self, seat: int) -> Sitter:
        """Return who decides for a seat now."""
        bot = self.resigned.get(seat) or self._history.handed_over.get(seat)
        return self.setup.sitters[seat] if bot is None else Sitter(bot=bot)

    def handed_over(self, seat: int) -> bool:
        """Tell whether a bot plays in a seat until its owner takes over again."""
        return seat in self._history.handed_over and seat not in self.resigned

    def owner(self, seat: int) -> str | None:
        """Return the user a seat belongs to, even while a bot plays in it."""
        return None if self.resigned.get(seat) else self.setup.sitters[seat].user

    def seats_of(self, user: str | None) -> list[int]:
        """Return the seats of a user."""
        return [seat for seat in range(self.match.seats) if user is not None and self.owner(seat) == user]

    def owners(self) -> list[str | None]:
        """Return the user each seat belongs to."""
        return [self.owner(seat) for seat in range(self.match.seats)]

    def people(self) -> set[str]:
        """Return the users who have a seat."""
        return {user for user in self.owners() if user is not None}

    def hides(self, seats: list[int]) -> bool:
        """Tell whether one of these seats sees something that another does not."""
        views = [{**self.game.view(self.match.state, seat), "viewer": None} for seat in seats]
        return any(view != views[0] for view in views[1:])

    def may_ask_hint(self, user: str | None) -> bool:
        """Tell whether a user may ask for hints: nobody else sits here, or plays the same deal."""
        return user is not None and self.setup.people() == {user} and not self.setup.deal

    def can_undo(self, seat: int | None) -> bool:
        """Tell whether a seat may undo its last decision: nothing has been decided or drawn since."""
        plies = self.match.plies
        return seat is not None and seat == self.awaits and bool(plies) and plies[-1][0] == seat

    def last_decision(self, seat: int) -> int | None:
        """Return the ply of the last decision of a seat."""
        plies = self.match.plies
        return next((ply for ply in reversed(range(len(plies))) if plies[ply][0] == seat), None)

    def names(self, told: Words) -> list[str]:
        """Return the names of the seats in a language."""
        return names_of(self.setup, told)

    async def look_for_rematch(self) -> None:
        """Find the rematch somebody has proposed, while it waits for players."""
        again = await self._table_store.rematch(self.setup.id) if self.standing != "live" else None
        entry = await self._table_store.entry(again) if again else None
        self.rematch = entry.setup if entry and entry.standing == "open" else None

    def rename(self, setup: TableSetup) -> None:
        """Show the same people under other names."""
        self.setup = setup
        self.match.names = tuple(names_of(setup, ENGLISH))
        self.view_cache.cut(0)

    def times(self, since: int = 0) -> list[ThinkingTime]:
        """Return what each decision from a ply on took; nothing at a table without a clock."""
        return self._history.times.since(since)

    def record(self, *, reveal: bool = True) -> str:
        """Return the record of the table; the seed is left out while it is a secret, or unless it is to be revealed."""
        if self.setup.clock is not None:
            self.match.clock = clock_document(self.setup.clock, self.times())
        return self.match.record(reveal=reveal and not self.secret)

    def rest(self) -> None:
        """Forget what readers were shown if nothing has happened since the last call; it can be made again."""
        if self._event_at_rest == self.event:
            self.view_cache = ViewCache(self.match)
            self.match.forget_views()
        self._event_at_rest = self.event

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
            self._expect(event)
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
            self._expect(event)
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
                return Change(self.event, self.match.length, new=False)
            return await self.commit(Resumed(seat), request=request)

    async def time_out(self, bot: str) -> Change | None:
        """Let a bot play in the seat whose time is over; None if nobody's is, because a move was quicker."""
        async with self._lock:
            if self._broken or self.clock is None or not self.clock.overrun:
                return None
            seat = self.clock.clocks.running
            assert seat is not None
            return await self.commit(TimedOut(seat, bot))

    async def take_vacation(self, seat: int, until: float) -> Change | None:
        """Let the clock of a seat stand still until a time; None where that is not possible, or known already."""
        async with self._lock:
            clock = self.clock
            if self._broken or self.standing != "live" or clock is None or not clock.control.by_days:
                return None
            known = clock.clocks.away_until(seat)
            if clock.overrun or until == known or (until <= time.time() and not clock.is_away(seat)):
                return None
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

    def _expect(self, event: int) -> None:
        if self._broken:
            raise Rejected(Code.GONE)
        if self.standing != "live":
            raise Rejected(Code.OVER)
        if event != self.event:
            raise Rejected(Code.STALE)

    async def commit(
        self, event: Event, since: int | None = None, request: str | None = None, *, used: float | None = None
    ) -> Change:
        """Store an event; only while `writing`. `since` is the first ply that has changed; None: no ply has.

        `used` is what the running clock had used when the event was accepted; None: what it has used by now.
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
            )
        except BaseException as error:
            self._broken = True  # the match is ahead of the database: the table is loaded again
            if not isinstance(error, Conflict) or not await self._load_again():
                raise
            if repeated := self.repeated(request):
                return repeated
            raise Rejected(Code.STALE) from None
        self.event = number
        self.last_change = (number, change) if change else None
        self._history.add(event)
        if self.clock is not None and event.clock is not None:
            self.clock.set(event.clock)
        if request is not None:
            self._answers[request] = number
        unchanged = self.match.length if since is None else since
        self.view_cache.cut(unchanged)
        self._awaited = self.awaited_user
        return Change(number, unchanged, self._awaited, awaited_before)

    async def read_on(self) -> None:
        """Take in what other processes have stored meanwhile; TableNotFound when the table has been deleted."""
        async with self._lock:
            if self._broken:
                return
            stored = await self._table_store.events(self.setup.id, self.event)
            if not stored:
                self._broken = True
                raise TableNotFound
            used = await self._used_since(stored[-1][1]) if len(stored) > 1 else 0.0
            since = self.match.length
            try:
                for number, body, request in stored[1:]:
                    first, change = follow(self.match, self._history, events.read(body))
                    since = min(since, first)
                    self._note(number, request, change)
            except BadRecord:
                self._broken = True  # by the rules of another version of this program
            if len(stored) > 1:
                if self.clock is not None and self._history.clock is not None:
                    self.clock.set(self._history.clock, used)
                self.view_cache.cut(since)
                self.show(self, since)

    async def _used_since(self, last: bytes) -> float:
        """Return what the running clock has used since the last event, which another process has stored."""
        clocks = events.read(last).clock if self.clock is not None else None
        return 0.0 if clocks is None else await used_since(self._table_store, self.setup.id, clocks)

    async def _load_again(self) -> bool:
        """Forget what could not be stored because another process was first; False when the table has been deleted."""
        try:
            stored = await Table.loaded(self._table_store, self.setup)
        except (TableNotFound, NotReplayable):
            return False
        self.match, self.view_cache, self._history = stored.match, stored.view_cache, stored._history
        self._answers, self.clock, self._broken = stored._answers, stored.clock, False
        self._note(stored.event)
        self.show(self, 0)
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

    @property
    def broken(self) -> bool:
        """Whether this copy is ahead of the database, because an event could not be stored."""
        return self._broken


def _nobody(table: Table, since: int) -> None:
    """Show nobody anything."""
