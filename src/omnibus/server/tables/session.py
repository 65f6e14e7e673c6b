"""One page that is open on a table: what it asks, and what it is told."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from omnibus.bots import names as bot_names
from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import User
from omnibus.server.tables import messages, proposals
from omnibus.server.tables.board_view import Reader, told_in
from omnibus.server.tables.bot_worker import Thought
from omnibus.server.tables.messages import Done, Hint, Idea, Preview, Reason, Request, Trouble
from omnibus.server.tables.presence import Presence, converse
from omnibus.server.tables.scene import Scene, moves, preview, scene, why_not
from omnibus.server.tables.table import Acknowledge, Table

LOG: Final = logging.getLogger("omnibus.watcher")
NOT_AWAY: Final = mark("They have not been away long enough.")


class TableSession(Connection):
    """A page at a live table: through whose eyes it looks, and what it has seen."""

    def __init__(self, table: Table, user: User | None, language: str, *, only: int | None = None) -> None:
        super().__init__(user, language)
        self.table = table
        self.table_id = table.setting.id
        self.only = only
        self.own = self._own()
        self.seat = self._first_seat()
        self._event = 0
        self._ground = ""
        self._advice: asyncio.Task[None] | None = None

    def _own(self) -> list[int]:
        """Return the user's seats, or the only one this page may decide for."""
        seats = self.table.seats_of(self.user.id if self.user else None)
        return seats if self.only is None else [seat for seat in seats if seat == self.only]

    def _first_seat(self) -> int | None:
        """Look through the own seat; of several with secrets from each other through none, until one is named."""
        if not self.own:
            return None
        if len(self.own) > 1 and self.table.hides(self.own):
            return None
        return self.table.awaits if self.table.awaits in self.own else self.own[0]

    @property
    def reader(self) -> Reader:
        """For whom this page is told what happens."""
        return Reader(self.seat, self.language)

    def tell(self, since: int) -> None:
        """Tell what has changed: the log from a ply on, everything else as it is now."""
        self.own = self._own()
        if self.seat is not None and self.seat not in self.own:
            self.seat, since = None, 0  # who has given a seat up sees what everybody sees
        actor = self.table.awaits
        if actor in self.own and actor != self.seat and not self.table.hides(self.own):
            self.seat, since = actor, 0
        if self._event != self.table.event - 1:
            since = 0
        if self._event:  # who has not synced yet gets all of it with the sync
            self._send_scene(since)

    async def answer(self, text: str | bytes) -> None:
        """Do what a message asks, and say how it went."""
        request = messages.read(text)
        if request is None:
            self.send(self.trouble(Rejected(Code.MALFORMED), ""))
            return
        try:
            await self.do(request)
        except Rejected as rejected:
            self.send(self.trouble(rejected, request.id))
        except StoreError:
            LOG.exception("not kept", extra={"table": self.table.setting.id, "event": request.event})
            self.send(self.trouble(Rejected(Code.GONE), request.id))
            self.close()

    async def do(self, request: Request) -> None:
        """Do what is asked; Rejected says why not."""
        if request.play is not None:
            seat, known_as = self._acting_seat(), self._known_as(request)
            await self.table.play(seat, request.play, request.event, known_as, self._done(request))
        elif request.undo:
            seat, known_as = self._acting_seat(), self._known_as(request)
            await self.table.undo(seat, request.event, known_as, self._done(request))
        elif request.sync:
            await self.table.settled()
            self._ground = request.ground
            if request.seat in self.own and self.table.hides(self.own):
                self.seat = request.seat  # who sat there still sits there: nothing is covered again
            self._send_scene(self.table.match.length if request.event == self.table.event else 0)
        elif request.look is not None:
            self._look(request.look)
        elif request.hint:
            await spend(Quota.HINT)
            self._ask_for_hint()
        elif request.why is not None or request.preview is not None:
            self._inform(request)
        else:
            await self._talk(request)

    async def _talk(self, request: Request) -> None:
        """Do what concerns the other people here."""
        presence = self.table.presence
        if presence is None or self.user is None or not self.own:
            raise Rejected(Code.NOT_YOUR_SEAT)
        seat = self.own[0] if self.seat is None else self.seat
        if request.propose == "undo":
            await proposals.propose_undo(self.table, self._acting_seat(), request.event)
        elif request.propose == "bot":
            if request.seat is None or request.seat not in presence.absent():
                raise Rejected(Code.REFUSED, why=NOT_AWAY)
            await proposals.propose_bot(self.table, seat, request.seat, request.event)
        elif request.agree is not None:
            if request.agree and _has_come_back(self.table, presence):
                raise Rejected(Code.REFUSED, why=NOT_AWAY)
            await (proposals.agree if request.agree else proposals.decline)(self.table, seat, request.event)
        elif request.hand is not None:
            await self._hand(request.hand)
        else:
            await converse(presence, self, request)
        if request.id:
            self._done(request)(self.table.event)

    async def _hand(self, bot: str) -> None:
        """Let a bot play in the own seats, or take them back."""
        if bot and bot not in bot_names():
            raise Rejected(Code.MALFORMED)
        for seat in self.own:
            if bot:
                await self.table.hand(seat, bot)
            else:
                await self.table.take_back(seat)

    def _acting_seat(self) -> int:
        if self.seat is None or self.seat not in self.own:
            raise Rejected(Code.NOT_YOUR_SEAT)
        return self.seat

    def _done(self, request: Request) -> Acknowledge:
        return lambda event: self.send(Done(request.id, event))

    def _known_as(self, request: Request) -> str | None:
        return f"{self.user.id} {request.id}" if self.user and request.id else None

    def _look(self, seat: int) -> None:
        if seat >= 0 and seat not in self.own:
            raise Rejected(Code.NOT_YOUR_SEAT)
        self.seat = seat if seat >= 0 else None
        self._send_scene(0)

    def _ask_for_hint(self) -> None:
        """Let a strong bot think, while everything else goes on."""
        if not self._may_ask():
            raise Rejected(Code.NOT_YOUR_TURN)
        self._advice = asyncio.create_task(self._hint(self._acting_seat(), self.table.event))

    async def advised(self) -> None:
        """Wait for the advice that was asked for, if any was."""
        if self._advice:
            await self._advice

    def _may_ask(self) -> bool:
        user = self.user.id if self.user else None
        return self.seat is not None and self.seat == self.table.awaits and self.table.may_ask(user)

    async def _hint(self, seat: int, event: int) -> None:
        """Pass on what it thinks, unless something has happened in the meantime."""
        thoughts = await self.table.advise(self.table, seat)
        if event == self.table.event:
            self.send(Hint(event, [self._idea(seat, thought) for thought in thoughts]))

    def _idea(self, seat: int, thought: Thought) -> Idea:
        told = told_in(self.table.match, self.language)
        label = self.table.game.label(self.table.game.view(self.table.match.state, seat), thought.line, told)
        reasons = [told.gettext(reason) for reason in thought.reasons]
        doubts = [told.gettext(doubt) for doubt in thought.doubts]
        return Idea(thought.line, label, thought.shares[seat], reasons, doubts)

    def _inform(self, request: Request) -> None:
        """Answer what changes nothing: why not, and what if."""
        if request.event != self.table.event:
            raise Rejected(Code.STALE)
        told = told_in(self.table.match, self.language)
        if request.why is not None:
            refusal = why_not(self.table, self.reader, request.why)
            if refusal is not None:
                self.send(Reason(request.why, self.table.game.explain(refusal, told), refusal.section))
            return
        line = request.preview or ""
        if line not in [move.line for move in moves(self.table, self.reader, told)]:
            raise Rejected(Code.REFUSED)
        self.send(Preview(line, preview(self.table, self.reader, line)))

    def shown(self, since: int = 0) -> Scene:
        """Return what this page is to show now."""
        actor = self.table.awaits
        handover = actor if actor in self.own and actor != self.seat else None
        return scene(
            self.table,
            self.reader,
            since=since,
            ground=self._ground,
            own=self.own,
            handover=handover,
            hint=self._may_ask(),
        )

    def _send_scene(self, since: int) -> None:
        shown = self.shown(since)
        self._event, self._ground = shown.event, shown.position.ground
        self.send(shown)

    def trouble(self, rejected: Rejected, id_: str) -> Trouble:
        """Say why something was not done."""
        told = told_in(self.table.match, self.language)
        if rejected.refusal is None:
            return Trouble(rejected.code, id_, told.gettext(rejected.why))
        text = self.table.game.explain(rejected.refusal, told)
        return Trouble(rejected.code, id_, text, rejected.refusal.section)


def _has_come_back(table: Table, presence: Presence) -> bool:
    """Tell whether the one for whom a bot is to play, as is proposed, is away no longer."""
    away = table.proposed.away if table.proposed else None
    return away is not None and away not in presence.absent()
