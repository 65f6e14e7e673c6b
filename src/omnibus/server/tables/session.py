"""A connection at a live table: it passes requests on to actions and queries, and shows the table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from omnibus.server.errors import Code, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import User
from omnibus.server.tables import actions, chat, messages, proposals, queries
from omnibus.server.tables.messages import Done, Request
from omnibus.server.tables.table import Change, Table
from omnibus.server.tables.viewpoint import Sent, Viewpoint

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry


class TableSession(Connection):
    """A browser or a program at a live table: how it sees the table, and what it has been shown."""

    waits = False

    def __init__(
        self, registry: TableRegistry, table: Table, user: User | None, language: str, *, only: int | None = None
    ) -> None:
        super().__init__(user, language)
        self.table = table
        self.only = only
        self.presence = registry.live.presence_at(table)
        self.viewpoint = Viewpoint(table, self.presence, user, language, only=only)
        self._registry = registry
        self._event = 0
        self._grounds: set[str] = set()
        self._differences = False
        self._sent: Sent | None = None  # None: the next scene has to be whole
        self._answering = False
        self._missed: int | None = None
        self._hint: asyncio.Task[None] | None = None

    def refresh(self, since: int) -> None:
        """Show what has changed: the log from a ply on, everything else as it is now.

        While a request is being carried out this waits, so that its acknowledgement is sent first.
        """
        if self._answering:
            self._missed = since if self._missed is None else min(since, self._missed)
            return
        if self.table.broken:
            self.close()  # the table was loaded again: reconnecting finds the new copy
            return
        if self.viewpoint.update() or self._event != self.table.event - 1:
            since = 0
        if self._event:  # before its first sync it has been shown nothing
            self._show(since)

    async def answer(self, text: str | bytes) -> None:
        """Do what a message asks, and answer it.

        StoreError when the database fails: nothing is answered, so whoever comes back asks again under the same id.
        """
        request = messages.read(text)
        if request is None:
            self.send(queries.trouble(self.viewpoint, Rejected(Code.MALFORMED)))
            return
        try:
            await self._do(request)
        except Rejected as rejected:
            self.send(queries.trouble(self.viewpoint, rejected, request.id))
        except Conflict:  # the table was deleted meanwhile
            self.send(queries.trouble(self.viewpoint, Rejected(Code.GONE), request.id))
            self.close()

    async def _do(self, request: Request) -> None:
        viewpoint = self.viewpoint
        if request.play is not None or request.undo:
            await self._acknowledge(request, self._turn)
        elif request.propose is not None or request.agree is not None or request.hand is not None:
            await self._acknowledge(request, self._agreement, only_by_id=True)
        elif request.sync or request.look is not None:
            await self._look(request)
        elif request.hint:
            seat = await queries.allow_hint(viewpoint)
            self._hint = asyncio.create_task(self._send_hint(seat))
        elif request.why is not None:
            self.send(await queries.explain_part(viewpoint, request.why, request.event, request.picked))
        elif request.preview is not None:
            self.send(await queries.preview(viewpoint, request.preview, request.event))
        else:
            await chat.answer(self._registry, self.presence, self, request)
            if request.id:
                self.send(Done(request.id, self.table.event))

    async def _acknowledge(
        self, request: Request, action: Callable[[Request], Awaitable[Change]], *, only_by_id: bool = False
    ) -> None:
        """Carry a request out, unless it is repeated, and acknowledge it; then show what it has changed."""
        self._answering = True
        try:
            change = await self.viewpoint.answered(request.id) or await action(request)
            if request.id or not only_by_id:
                self.send(Done(request.id, change.event))
        finally:
            self._answering = False
            missed, self._missed = self._missed, None
            if missed is not None and not self.table.broken:
                self.refresh(missed)

    async def _turn(self, request: Request) -> Change:
        """Play a line, or undo the last one."""
        seat, key = self.viewpoint.acting_seat(), self.viewpoint.request_key(request.id)
        if request.play is not None:
            return await actions.play(self._registry, self.table, seat, request.play, request.event, key)
        return await actions.undo(self._registry, self.table, seat, request.event, key)

    async def _agreement(self, request: Request) -> Change:
        """Do what concerns the other people here: propose, agree, decline, hand seats over or resume playing."""
        registry, table, seat = self._registry, self.table, self.viewpoint.speaking_seat()
        key = self.viewpoint.request_key(request.id)
        if request.propose == "undo":
            return await proposals.propose_undo(registry, table, self.viewpoint.acting_seat(), request.event, key)
        if request.propose == "bot":
            return await proposals.propose_bot(registry, table, seat, request.seat, request.event, key)
        if request.agree is not None:
            answer = proposals.agree if request.agree else proposals.decline
            return await answer(registry, table, seat, request.event, key)
        if request.hand:
            return await actions.hand_over(registry, table, self.viewpoint.own, request.hand, key)
        return await actions.resume_seats(registry, table, self.viewpoint.own, key)

    async def _look(self, request: Request) -> None:
        """Send the whole scene, through the seat that is asked for."""
        await self.table.settled()
        await self.table.look_for_rematch()
        if request.look is not None:
            self.viewpoint.look_through(request.look if request.look >= 0 else None)
            self._sent = None
            self._show(0)
            return
        self._grounds, self.viewpoint.wide = {request.ground}, request.wide
        self._differences, self._sent = request.differences, None
        if request.seat in self.viewpoint.own and self.table.hides(self.viewpoint.own):
            self.viewpoint.look_through(request.seat)  # as before the connection broke: no need to hide it again
        self._show(self.table.match.length if request.event == self.table.event else 0)

    async def _send_hint(self, seat: int) -> None:
        hint = await queries.hint(self._registry, self.viewpoint, seat)
        if hint is not None:
            self.send(hint)

    async def hinted(self) -> None:
        """Wait for the hint that was asked for, if any was."""
        if self._hint:
            await self._hint

    def _show(self, since: int) -> None:
        if self.behind and self.outbox.drop_scenes():
            since, self._sent = 0, None  # one whole scene stands for those that were not sent
            self._grounds.clear()
        scene = self.viewpoint.scene(since, self._grounds)
        self._event = scene.event
        if self._differences:
            scene, self._sent = self.viewpoint.as_differences(scene, self._sent)
        else:
            self._grounds.clear()  # a program need not keep a picture that is covered by another one
        self._grounds.add(scene.position.ground)
        self.send(scene, scene=True)
