"""A connection at a table whose game has not started: players can chat, and are told when something changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import User
from omnibus.server.tables import chat, messages
from omnibus.server.tables.messages import Done, Request, Trouble
from omnibus.server.tables.presence import Presence

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry


class WaitingSession(Connection):
    """A browser or a program that waits for the game to start."""

    def __init__(
        self, registry: TableRegistry, presence: Presence, user: User | None, language: str, *, only: int | None = None
    ) -> None:
        super().__init__(user, language)
        self.only = only
        self.presence = presence
        self._registry = registry

    async def answer(self, text: str | bytes) -> None:
        """Do what a message asks, and answer it."""
        request = messages.read(text)
        try:
            if request is None:
                raise Rejected(Code.MALFORMED)
            await self._do(request)
        except Rejected as rejected:
            self._reject(request, rejected)
        except Conflict:  # the table was deleted meanwhile
            self._reject(request, Rejected(Code.GONE))
        else:
            if request.id:
                self.send(Done(request.id, 0))

    def _reject(self, request: Request | None, rejected: Rejected) -> None:
        why = words(self.language, COMMON_TEXTS).gettext(rejected.why)
        self.send(Trouble(rejected.code, request.id if request else "", why))

    async def _do(self, request: Request) -> None:
        """Chat is all that can be done before the game."""
        chat.player(self.presence, self.user, self.only)
        if request.chat is None and request.heard is None and request.mute is None:
            raise Rejected(Code.NOT_YOUR_TURN)
        await chat.answer(self._registry, self.presence, self, request)
