"""A table: a match that is kept, and the one place where something is done to it.

Whatever happens is first committed, then acknowledged, then told. All of it goes by event number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

from omnibus.kernel.dice import Dice
from omnibus.kernel.game import BadNotation, Game, IllegalMove, Refusal, Words
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord, Record, ply_of
from omnibus.kernel.record import write as write_record
from omnibus.kernel.svg import SEATS
from omnibus.kernel.words import ENGLISH
from omnibus.server.chronicle import Chronicle
from omnibus.server.events import Abandoned, Began, Event, History, Played, Resigned, Undone
from omnibus.server.ledger import Ledger
from omnibus.server.rows import Setting, Sitter, Standing
from omnibus.server.worker import Thought


class Code(StrEnum):
    """Why something asked of a table was not done."""

    MALFORMED = "malformed"
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    REFUSED = "refused"
    OVER = "over"
    GONE = "gone"
    TOO_FAST = "too_fast"


class Rejected(Exception):
    """Something asked of a table that is not done: the code, and the refusal if the rules are why."""

    def __init__(self, code: Code, refusal: Refusal | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.refusal = refusal


class Frozen(Exception):
    """A table whose record does not replay with the rules of this program: it is kept as it is."""

    def __init__(self, setting: Setting, history: History, reason: str) -> None:
        super().__init__(reason)
        self.setting = setting
        self.history = history
        self.reason = reason


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

    def __init__(self, ledger: Ledger, setting: Setting, match: Match, history: History, event: int) -> None:
        self.setting = setting
        self.match = match
        self.event = event
        self.changed: Change = nobody_tells
        self.advise: Advise = nobody_advises
        self.watchers: set[Any] = set()
        self.chronicle = Chronicle(match)
        self._ledger = ledger
        self._history = history
        self._answers: dict[str, int] = {}
        self._lock = asyncio.Lock()
        self._spoilt = False

    @classmethod
    async def opened(cls, ledger: Ledger, setting: Setting, *, after: str | None = None) -> Table:
        """Set a new table up, and keep it."""
        match = Match.new(setting.game, seats=setting.seats, options=setting.options, seed=setting.seed)
        match.names = tuple(names_of(setting.sitters, ENGLISH))
        began = Began(list(match.written))
        awaits = match.actor if isinstance(match.actor, int) else None
        await ledger.add_table(setting, began, awaits, after=after)
        return cls(ledger, setting, match, History.of([began]), 1)

    @classmethod
    def loaded(cls, ledger: Ledger, setting: Setting) -> Table:
        """Take a table up again where its events leave it; Frozen when they no longer replay."""
        stored = ledger.events(setting.id)
        history = History.of(event for _, event, _ in stored)
        try:
            match = Match.resume(record_of(setting, history), seed=setting.seed, rolled=history.rolled)
        except BadRecord as error:
            raise Frozen(setting, history, error.reason) from None
        table = cls(ledger, setting, match, history, stored[-1][0])
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
    def standing(self) -> Standing:
        """Whether the game goes on."""
        if self.match.actor is None:
            return "over"
        return "closed" if self._history.closed else "live"

    @property
    def resigned(self) -> dict[int, str | None]:
        """The seats that were given up, and the bots that play on in them."""
        return self._history.resigned

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
        bot = self.resigned.get(seat)
        return self.setting.sitters[seat] if bot is None else Sitter(bot=bot)

    def seats_of(self, user: str | None) -> list[int]:
        """Return the seats a user decides for."""
        return [seat for seat in range(self.match.seats) if user is not None and self.sitter(seat).user == user]

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
        return seat is not None and seat == self.actor and bool(plies) and plies[-1][0] == seat

    def names(self, told: Words) -> list[str]:
        """Name the seats in the reader's language."""
        return names_of(self.setting.sitters, told)

    def record(self) -> str:
        """Write the record of the table."""
        return self.match.record(reveal=not self.secret)

    async def settled(self) -> None:
        """Wait until nothing is on its way into the store."""
        async with self._lock:
            return

    async def play(
        self, seat: int, line: str, event: int, request: str | None = None, acknowledge: Acknowledge = nobody_waits
    ) -> None:
        """Play a line for a seat; the event that came of it is acknowledged once it is kept."""
        async with self._lock:
            if request in self._answers:
                acknowledge(self._answers[request])
                return
            self._expect(event)
            if self.actor != seat:
                raise Rejected(Code.NOT_YOUR_TURN)
            before = self.match.length
            try:
                self.match.play(line)
            except IllegalMove as illegal:
                raise Rejected(Code.REFUSED, illegal.refusal) from None
            except BadNotation:
                raise Rejected(Code.MALFORMED) from None
            await self._keep(Played(list(self.match.written[before:])), before, request, acknowledge)

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
            await self._keep(Undone(keep), keep, request, acknowledge)

    async def resign(self, seat: int, bot: str | None) -> None:
        """Give a seat up; a bot plays on in it while other people sit here."""
        async with self._lock:
            self._expect(self.event)
            await self._keep(Resigned(seat, bot), self.match.length)

    async def abandon(self) -> None:
        """Close the table before its end."""
        async with self._lock:
            self._expect(self.event)
            await self._keep(Abandoned(), self.match.length)

    def _expect(self, event: int) -> None:
        if self._spoilt:
            raise Rejected(Code.GONE)
        if self.standing != "live":
            raise Rejected(Code.OVER)
        if event != self.event:
            raise Rejected(Code.STALE)

    async def _keep(
        self, event: Event, since: int, request: str | None = None, acknowledge: Acknowledge = nobody_waits
    ) -> None:
        """Commit an event; then acknowledge it; then tell everybody."""
        number = self.event + 1
        closed = isinstance(event, Abandoned) or (isinstance(event, Resigned) and event.bot is None)
        actor = self.match.actor
        standing: Standing = "closed" if closed else "over" if actor is None else "live"
        awaits = actor if isinstance(actor, int) and not closed else None
        try:
            await self._ledger.append(self.setting.id, number, event, request=request, awaits=awaits, standing=standing)
        except BaseException:
            self._spoilt = True  # the match is ahead of the store; the next who asks gets it from there
            raise
        self.event = number
        self._history.add(event)
        if request is not None:
            self._answers[request] = number
        self.chronicle.cut(since)
        acknowledge(number)
        self.changed(self, since)

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


def record_of(setting: Setting, history: History, *, reveal: bool = False) -> str:
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
