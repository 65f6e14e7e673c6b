"""The people around a table, open or live: who is here, who has been away for how long, what they say to each other."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.server import text_input
from omnibus.server.errors import ONE_SEAT, Code, Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.models import ChatLine
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import Sighting, UserStore
from omnibus.server.tables.messages import Chat, People, Request, Said

LONGEST_SAYING: Final = 500  # characters
NOTHING_SAID: Final = mark("The message is empty.")


class Presence:
    """Those who are at one table. `owners` are the users to whom its seats belong."""

    def __init__(self, user_store: UserStore, table_store: TableStore, table_id: str, patience: float) -> None:
        self.owners: Sequence[str | None] = ()
        self.pages: set[Connection] = set()
        self._user_store = user_store
        self._table_store = table_store
        self._table_id = table_id
        self._patience = patience
        self._seen = user_store.seen_at(table_id)
        self._kept = dict(self._seen)
        self._told: People | None = None

    def enter(self, page: Connection) -> None:
        """Let a page in, and tell everybody."""
        self.pages.add(page)
        self.saw(page)
        if not self.tell_people():
            page.send(self.people())

    def leave(self, page: Connection) -> None:
        """Let a page go, and tell everybody."""
        self.pages.discard(page)
        self.saw(page)
        self.tell_people()

    def saw(self, page: Connection) -> None:
        """Remember that a player was here just now."""
        if page.user and page.user.id in self.owners:
            self._seen[page.user.id] = time.time()

    def here(self) -> set[str]:
        """Return the users who are here."""
        return {page.user.id for page in self.pages if page.user}

    def absent(self) -> list[int]:
        """Return the seats whose owners have been away for longer than the table's patience."""
        here, since = self.here(), time.time() - self._patience
        return [
            seat
            for seat, user in enumerate(self.owners)
            if user is not None and user not in here and self._seen.get(user, 0) < since
        ]

    def people(self) -> People:
        """Say who is here."""
        here = self.here()
        seated = {user for user in self.owners if user is not None}
        watching = sum(1 for page in self.pages if page.user is None or page.user.id not in seated)
        return People([None if user is None else user in here for user in self.owners], self.absent(), watching)

    def tell_people(self) -> bool:
        """Tell everybody who is here, unless that is what they know; return whether it was told."""
        people = self.people()
        if people == self._told:
            return False
        self._told = people
        for page in self.pages:
            page.send(people)
        return True

    def sightings(self) -> list[Sighting]:
        """Return when players were last here, as far as it has not been written down yet."""
        self._seen.update(dict.fromkeys(self.here() & set(self.owners), time.time()))
        news = [(at, user, self._table_id) for user, at in self._seen.items() if at > self._kept.get(user, 0)]
        self._kept.update(self._seen)
        return news

    async def say(self, user: str, text: str) -> None:
        """Write down what a player says, and tell the players."""
        await spend(Quota.CHAT)
        said = await self._table_store.say(self._table_id, user, self.owners.index(user), text)
        for page in self.pages:
            if page.user and page.user.id in self.owners and user not in self._user_store.muted(page.user.id):
                page.send(Chat(said.number - 1, [_line(said, page.user.id)], self.muted(page.user.id)))

    def said(self, user: str, since: int) -> Chat:
        """Tell a player what was said after a line, but for those the player has muted."""
        muted = self._user_store.muted(user)
        lines = [_line(said, user) for said in self._table_store.said(self._table_id, since) if said.user not in muted]
        return Chat(since, lines, self.muted(user))

    def muted(self, user: str) -> list[int]:
        """Return the seats whose owners a player has muted."""
        muted = self._user_store.muted(user)
        return [seat for seat, owner in enumerate(self.owners) if owner in muted]

    async def mute(self, user: str, seat: int) -> None:
        """Let a player hear another no longer, or again."""
        other = self.owners[seat] if 0 <= seat < len(self.owners) else None
        if other is not None and other != user:
            await self._user_store.mute(user, other, muted=other not in self._user_store.muted(user))


async def converse(presence: Presence, page: Connection, request: Request) -> None:
    """Do what a player asks about talking: say something, hear what was said, hear somebody no longer."""
    assert page.user
    if request.chat is not None:
        text = text_input.clean_line(request.chat, LONGEST_SAYING)
        if not text:
            raise Rejected(Code.MALFORMED, why=NOTHING_SAID)
        await presence.say(page.user.id, text)
    elif request.heard is not None:
        page.send(presence.said(page.user.id, request.heard))
    elif request.mute is not None:
        if page.only is not None:
            raise Rejected(Code.NOT_YOUR_SEAT, why=ONE_SEAT)  # whom a user hears concerns all their tables
        await presence.mute(page.user.id, request.mute)
        page.send(presence.said(page.user.id, 0))


def _line(said: ChatLine, reader: str) -> Said:
    return Said(said.number, said.seat, said.text, said.at, own=said.user == reader)
