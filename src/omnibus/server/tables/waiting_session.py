"""A page at an open table, where people wait for others: they can talk, and are told when something changes."""

from __future__ import annotations

from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import User
from omnibus.server.tables import messages
from omnibus.server.tables.messages import Done, Request, Trouble
from omnibus.server.tables.presence import Presence, converse


class WaitingSession(Connection):
    """Somebody who waits for the game to begin."""

    def __init__(self, presence: Presence, user: User | None, language: str, *, only: int | None = None) -> None:
        super().__init__(user, language)
        self.presence = presence
        self.only = only

    async def answer(self, text: str | bytes) -> None:
        """Do what a message asks, and say how it went."""
        request = messages.read(text)
        try:
            if request is None:
                raise Rejected(Code.MALFORMED)
            await self.do(request)
        except Rejected as rejected:
            self._refuse(request, rejected)
        except Conflict:  # the table has been deleted meanwhile
            self._refuse(request, Rejected(Code.GONE))
        else:
            if request.id:
                self.send(Done(request.id, 0))

    def _refuse(self, request: Request | None, rejected: Rejected) -> None:
        """Say why something was not done."""
        why = words(self.language, COMMON_TEXTS).gettext(rejected.why)
        self.send(Trouble(rejected.code, request.id if request else "", why))

    async def do(self, request: Request) -> None:
        """Let who sits here talk; nothing else can be done yet."""
        if not self._sits():
            raise Rejected(Code.NOT_YOUR_SEAT)
        if request.chat is None and request.heard is None and request.mute is None:
            raise Rejected(Code.NOT_YOUR_TURN)
        await converse(self.presence, self, request)

    def _sits(self) -> bool:
        """Tell whether who waits sits here: in any seat, or in the only one in question."""
        owners = self.presence.owners
        seats = range(len(owners)) if self.only is None else range(len(owners))[self.only : self.only + 1]
        return self.user is not None and any(owners[seat] == self.user.id for seat in seats)
