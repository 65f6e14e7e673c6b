"""A table: a match that is kept, and the one place where something is done to it.

Whatever happens is first committed, then acknowledged, then told. All of it goes by event number.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from omnibus.kernel.dice import Dice
from omnibus.kernel.game import BadNotation, Game, IllegalMove, Words
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord, Record, ply_of
from omnibus.kernel.record import write as write_record
from omnibus.kernel.svg import SEATS
from omnibus.server.errors import Code, NotReplayable, Rejected
from omnibus.server.store.models import Sitter, TableSetup, TableStatus
from omnibus.server.store.tables import First, TableStore
from omnibus.server.tables.bot_worker import Thought
from omnibus.server.tables.events import (
    Abandoned,
    Began,
    Event,
    Handed,
    History,
    Played,
    Proposed,
    Resigned,
    TakenBack,
    Undone,
)
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.view_cache import ViewCache

Change = Callable[["Table", int], None]
"""Called after a commit: the table, and the first ply that is no longer, or not yet, what it was."""

Acknowledge = Callable[[int], None]
"""Called with the event that came of a request, after its commit and before anybody is told."""


Advise = Callable[["Table", int], Awaitable[list[Thought]]]
"""Answers with what a strong bot thinks a seat should do."""


async def nobody_advises(_table: Table, _seat: int) -> list[Thought]:
    """Advise nothing."""
    return []


def nobody_tells(_table: Table, _since: int) -> None:
    """Tell nobody."""


def nobody_waits(_event: int) -> None:
    """Acknowledge to nobody."""


class Table:
    """A live table. Make one with `opened` or `loaded`."""

    def __init__(
        self, table_store: TableStore, setting: TableSetup, match: Match, history: History, event: int
    ) -> None:
        self.setting = setting
        self.match = match
        self.event = event
        self.changed: Change = nobody_tells
        self.advise: Advise = nobody_advises
        self.sessions: set[Any] = set()
        self.presence: Presence | None = None
        self.keeps_going = False  # whether bots play on here when nobody looks and only bots sit here
        self.awaited: str | None = None  # who was last told to be awaited here
        self.view_cache = ViewCache(match)
        self._table_store = table_store
        self._history = history
        self._answers: dict[str, int] = {}
        self._lock = asyncio.Lock()
        self._spoilt = False

    @classmethod
    def begun(cls, table_store: TableStore, setting: TableSetup) -> tuple[Table, First]:
        """Begin the game, everybody being there; the table counts once its first event is kept.

        Chance does nothing before: the commitment of the dice has been there for everybody to see.
        """
        match = Match.new(setting.game, seats=setting.seats, options=setting.options, seed=setting.seed)
        match.names = tuple(names_of(setting.sitters, ENGLISH))
        began = Began(list(match.written))
        table = cls(table_store, setting, match, History.of([began]), 1)
        return table, (began, table.awaits)

    @classmethod
    def loaded(cls, table_store: TableStore, setting: TableSetup) -> Table:
        """Take a table up again where its events leave it; Frozen when they no longer replay."""
        stored = table_store.events(setting.id)
        history = History.of(event for _, event, _ in stored)
        try:
            match = Match.resume(record_of(setting, history), seed=setting.seed, rolled=history.rolled)
        except BadRecord as error:
            raise NotReplayable(setting, history, str(error.reason)) from None
        table = cls(table_store, setting, match, history, stored[-1][0])
        table._answers = {request: number for number, _, request in stored if request is not None}
        return table

    @property
    def game(self) -> Game[Any]:
        """The game that is played here."""
        return self.match.game

    @property
    def actor(self) -> int | None:
        """The seat to decide; None when the table has come to its end."""
        actor = self.match.actor
        return actor if isinstance(actor, int) and not self._history.closed else None

    @property
    def standing(self) -> TableStatus:
        """Whether the game goes on."""
        if self.match.actor is None:
            return "over"
        return "closed" if self._history.closed else "live"

    @property
    def resigned(self) -> dict[int, str | None]:
        """The seats that were given up, and the bots that play on in them."""
        return self._history.resigned

    @property
    def proposed(self) -> Proposed | None:
        """What somebody has proposed, and others have yet to agree to."""
        return self._history.proposed

    @property
    def agreed(self) -> set[str | None]:
        """The users who have agreed to what is proposed."""
        return {self.owner(seat) for seat in self._history.agreed}

    @property
    def awaits(self) -> int | None:
        """The seat to decide, if a person decides for it."""
        return self.actor if self.actor is not None and self.sitter(self.actor).bot is None else None

    @property
    def secret(self) -> bool:
        """Whether the record still holds something that somebody here may not know.

        The end of a game that could not be kept is none: the table is taken up again before it.
        """
        return self.standing == "live" or self._spoilt

    @property
    def seed(self) -> str | None:
        """The seed of the dice, when nothing will be rolled here any more."""
        return None if self.secret else Dice(self.setting.seed).seed

    def sitter(self, seat: int) -> Sitter:
        """Return who decides for a seat now."""
        bot = self.resigned.get(seat) or self._history.handed.get(seat)
        return self.setting.sitters[seat] if bot is None else Sitter(bot=bot)

    def handed(self, seat: int) -> bool:
        """Tell whether a bot plays in a seat until its owner takes it back."""
        return seat in self._history.handed and seat not in self.resigned

    def owner(self, seat: int) -> str | None:
        """Return the user to whom a seat belongs, whoever plays in it for the moment."""
        return None if self.resigned.get(seat) else self.setting.sitters[seat].user

    def seats_of(self, user: str | None) -> list[int]:
        """Return the seats that belong to a user."""
        return [seat for seat in range(self.match.seats) if user is not None and self.owner(seat) == user]

    def owners(self) -> list[str | None]:
        """Return the users to whom the seats belong."""
        return [self.owner(seat) for seat in range(self.match.seats)]

    def people(self) -> set[str]:
        """Return the users to whom seats belong, each once."""
        return {user for user in self.owners() if user is not None}

    def hides(self, seats: list[int]) -> bool:
        """Tell whether some of these seats see what others of them do not."""
        views = [{**self.game.view(self.match.state, seat), "viewer": None} for seat in seats]
        return any(view != views[0] for view in views[1:])

    def may_ask(self, user: str | None) -> bool:
        """Tell whether somebody may ask for a hint: no other person sits here."""
        return user is not None and self.setting.people() == {user}

    def can_undo(self, seat: int | None) -> bool:
        """Tell whether a seat may take its last decision back: nothing has been decided or drawn since."""
        plies = self.match.plies
        return seat is not None and seat == self.awaits and bool(plies) and plies[-1][0] == seat

    def last_decision(self, seat: int) -> int | None:
        """Return the ply at which a seat has last decided."""
        plies = self.match.plies
        return next((ply for ply in reversed(range(len(plies))) if plies[ply][0] == seat), None)

    def names(self, told: Words) -> list[str]:
        """Name the seats in the reader's language."""
        return names_of(self.setting.sitters, told)

    def call(self, setting: TableSetup) -> None:
        """Let the same people be known by other names."""
        self.setting = setting
        self.match.names = tuple(names_of(setting.sitters, ENGLISH))
        self.view_cache.cut(0)

    def record(self) -> str:
        """Write the record of the table."""
        return self.match.record(reveal=not self.secret)

    async def settled(self) -> None:
        """Wait until nothing is on its way into the store."""
        async with self._lock:
            return

    async def play(
        self,
        seat: int,
        line: str,
        event: int,
        request: str | None = None,
        acknowledge: Acknowledge = nobody_waits,
        *,
        by_bot: bool = False,
    ) -> None:
        """Play a line for a seat; the event that came of it is acknowledged once it is kept."""
        async with self._lock:
            if request in self._answers:
                acknowledge(self._answers[request])
                return
            self._expect(event)
            if self.actor != seat or (self.awaits is None) != by_bot:
                raise Rejected(Code.NOT_YOUR_TURN)
            before = self.match.length
            try:
                self.match.play(line)
            except IllegalMove as illegal:
                raise Rejected(Code.REFUSED, illegal.refusal) from None
            except BadNotation:
                raise Rejected(Code.MALFORMED) from None
            await self.keep(Played(list(self.match.written[before:])), before, request, acknowledge)

    async def undo(
        self, seat: int, event: int, request: str | None = None, acknowledge: Acknowledge = nobody_waits
    ) -> None:
        """Take back the last decision of a seat, if it may be."""
        async with self._lock:
            if request in self._answers:
                acknowledge(self._answers[request])
                return
            self._expect(event)
            if not self.can_undo(seat):
                raise Rejected(Code.NOT_YOUR_TURN)
            self.match.undo()
            keep = self.match.length
            await self.keep(Undone(keep), keep, request, acknowledge)

    async def resign(self, seat: int, bot: str | None) -> None:
        """Give a seat up; a bot plays on in it while other people sit here."""
        async with self.writing():
            await self.keep(Resigned(seat, bot))

    async def hand(self, seat: int, bot: str) -> None:
        """Let a bot play in a seat until its owner takes it back."""
        async with self.writing():
            await self.keep(Handed(seat, bot))

    async def take_back(self, seat: int) -> None:
        """Let the owner play in a seat again."""
        async with self.writing():
            if self.handed(seat):
                await self.keep(TakenBack(seat))

    async def abandon(self) -> None:
        """Close the table before its end."""
        async with self.writing():
            await self.keep(Abandoned())

    @asynccontextmanager
    async def writing(self, event: int | None = None) -> AsyncIterator[None]:
        """Be the one who writes, if nothing has happened since an event (None: whatever has happened)."""
        async with self._lock:
            self._expect(self.event if event is None else event)
            yield

    async def go_back(self, keep: int) -> None:
        """Take back all but so many plies; only for who writes."""
        while self.match.length > keep:
            self.match.undo()
        await self.keep(Undone(keep), keep)

    def _expect(self, event: int) -> None:
        if self._spoilt:
            raise Rejected(Code.GONE)
        if self.standing != "live":
            raise Rejected(Code.OVER)
        if event != self.event:
            raise Rejected(Code.STALE)

    async def keep(
        self,
        event: Event,
        since: int | None = None,
        request: str | None = None,
        acknowledge: Acknowledge = nobody_waits,
    ) -> None:
        """Commit an event; then acknowledge it; then tell everybody. Only for who writes.

        `since` is the first ply that is no longer, or not yet, what it was; None: all of them are.
        """
        number = self.event + 1
        closed = isinstance(event, Abandoned) or (isinstance(event, Resigned) and event.bot is None)
        standing: TableStatus = "closed" if closed else "over" if self.match.actor is None else "live"
        awaits = self._awaits_after(event) if standing == "live" else None
        try:
            await self._table_store.append(
                self.setting.id, number, event, request=request, awaits=awaits, standing=standing
            )
        except BaseException:
            self._spoilt = True  # the match is ahead of the store; the next who asks gets it from there
            raise
        self.event = number
        self._history.add(event)
        if request is not None:
            self._answers[request] = number
        unchanged = self.match.length if since is None else since
        self.view_cache.cut(unchanged)
        acknowledge(number)
        self.changed(self, unchanged)

    def _awaits_after(self, event: Event) -> int | None:
        """Return the seat that is to decide once an event has happened, if a person decides for it."""
        actor = self.match.actor
        if isinstance(event, Resigned | Handed) and event.seat == actor:
            return None
        if isinstance(event, TakenBack) and event.seat == actor:
            return event.seat
        return self.awaits

    @property
    def spoilt(self) -> bool:
        """Whether this copy can no longer be trusted, because the store failed in the midst of something."""
        return self._spoilt


def names_of(sitters: list[Sitter], told: Words) -> list[str]:
    """Name sitters: by their own name, or by what they are and the letter of their seat."""
    names = []
    for sitter, look in zip(sitters, SEATS, strict=False):
        text = told.gettext("Player {seat}") if sitter.bot is None else told.gettext("Bot {seat}")
        names.append(sitter.name or text.format(seat=look.letter))
    return names


def record_of(setting: TableSetup, history: History, *, reveal: bool = False) -> str:
    """Write the record that the events of a table add up to; with the seed if nothing will be rolled there any more."""
    dice = Dice(setting.seed)
    return write_record(
        Record(
            game=setting.game,
            rules=setting.rules,
            seats=setting.seats,
            options=setting.options,
            names=tuple(names_of(setting.sitters, ENGLISH)),
            commitment=dice.commitment,
            seed=dice.seed if reveal else None,
            plies=tuple(map(ply_of, history.plies)),
        )
    )
