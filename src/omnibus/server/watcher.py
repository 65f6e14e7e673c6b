"""One page that is open on a table: what it asks, and what it is told."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from typing import Final

from msgspec import Struct

from omnibus.kernel.words import mark
from omnibus.server import messages
from omnibus.server.messages import Done, Hint, Idea, Preview, Reason, Request, Trouble
from omnibus.server.position import Reader, told_in
from omnibus.server.rows import User
from omnibus.server.scene import Scene, moves, preview, scene, why_not
from omnibus.server.table import Acknowledge, Code, Rejected, Table
from omnibus.server.worker import Thought

LOG: Final = logging.getLogger("omnibus.watcher")
MOST_WAITING: Final = 200  # messages; who is further behind is cut off, and syncs when back

TROUBLES: Final = {
    Code.MALFORMED: mark("This is no move of the game."),
    Code.NOT_YOUR_SEAT: mark("You do not sit in this seat."),
    Code.NOT_YOUR_TURN: mark("It is not your turn."),
    Code.STALE: mark("Something has happened in the meantime; look again."),
    Code.REFUSED: mark("The rules do not allow this."),
    Code.OVER: mark("This table has come to its end."),
    Code.GONE: mark("This table could not be read; please load the page again."),
    Code.TOO_FAST: mark("That was too fast."),
}


class Watcher:
    """A page's connection: its reader, and the messages on their way to it."""

    def __init__(self, table: Table, user: User | None, language: str) -> None:
        self.table = table
        self.user = user
        self.language = language
        self.own = table.seats_of(user.id if user else None)
        self.seat = self._first_seat()
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._event = 0
        self._ground = ""
        self._advice: asyncio.Task[None] | None = None

    def _first_seat(self) -> int | None:
        """Look through the own seat; of several with secrets from each other through none, until one is named."""
        if not self.own:
            return None
        if len(self.own) > 1 and self.table.hides(self.own):
            return None
        return self.table.actor if self.table.actor in self.own else self.own[0]

    @property
    def reader(self) -> Reader:
        """For whom this page is told what happens."""
        return Reader(self.seat, self.language)

    def tell(self, since: int) -> None:
        """Tell what has changed: the log from a ply on, everything else as it is now."""
        self.own = self.table.seats_of(self.user.id if self.user else None)
        actor = self.table.actor
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
            self._send(self._trouble(Rejected(Code.MALFORMED), ""))
            return
        try:
            await self._do(request)
        except Rejected as rejected:
            self._send(self._trouble(rejected, request.id))
        except sqlite3.Error:
            LOG.exception("not kept", extra={"table": self.table.setting.id, "event": request.event})
            self._send(self._trouble(Rejected(Code.GONE), request.id))
            self.close()

    async def _do(self, request: Request) -> None:
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
            self._ask_for_hint()
        else:
            self._inform(request)

    def _acting_seat(self) -> int:
        if self.seat is None or self.seat not in self.own:
            raise Rejected(Code.NOT_YOUR_SEAT)
        return self.seat

    def _done(self, request: Request) -> Acknowledge:
        return lambda event: self._send(Done(request.id, event))

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

    def _may_ask(self) -> bool:
        user = self.user.id if self.user else None
        return self.seat is not None and self.seat == self.table.actor and self.table.may_ask(user)

    async def _hint(self, seat: int, event: int) -> None:
        """Pass on what it thinks, unless something has happened in the meantime."""
        thoughts = await self.table.advise(self.table, seat)
        if event == self.table.event:
            self._send(Hint(event, [self._idea(seat, thought) for thought in thoughts]))

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
                self._send(Reason(request.why, self.table.game.explain(refusal, told), refusal.section))
            return
        line = request.preview or ""
        if line not in [move.line for move in moves(self.table, self.reader, told)]:
            raise Rejected(Code.REFUSED)
        self._send(Preview(line, preview(self.table, self.reader, line)))

    def shown(self, since: int = 0) -> Scene:
        """Return what this page is to show now."""
        actor = self.table.actor
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
        self._send(shown)

    def _trouble(self, rejected: Rejected, id_: str) -> Trouble:
        told = told_in(self.table.match, self.language)
        if rejected.refusal is None:
            return Trouble(rejected.code, id_, told.gettext(TROUBLES[rejected.code]))
        text = self.table.game.explain(rejected.refusal, told)
        return Trouble(rejected.code, id_, text, rejected.refusal.section)

    def _send(self, message: Struct) -> None:
        if self.outbox.qsize() >= MOST_WAITING:
            self.close()
            return
        self.outbox.put_nowait(messages.write(message))

    def close(self) -> None:
        """Ask for the connection to end."""
        self.outbox.put_nowait(None)
