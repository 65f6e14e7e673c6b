"""The one place that tells others what has happened at a table, once it is stored."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server.people.online import OnlineUsers
from omnibus.server.people.ratings import RatingService
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import ChatLine, User
from omnibus.server.store.users import UserStore
from omnibus.server.tables import chat
from omnibus.server.tables.bot_driver import BotDriver
from omnibus.server.tables.clock_keeper import LATER_S, ClockKeeper
from omnibus.server.tables.messages import Changed
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.table import Change, Overtaken, Table

LOG: Final = logging.getLogger("omnibus.tables")
SENT_AWAY: Final = mark("The person who set up this table has cleared your seat.")

Notify = Callable[[str, Table], Awaitable[None]]
"""Called with a user who is not online, and a table that has begun to wait for them."""


class Publisher:
    """Tells connections, users who are online, the notifier, the bots and the clocks."""

    def __init__(
        self,
        presence: Callable[[Table], Presence],
        user_store: UserStore,
        online: OnlineUsers,
        bot_driver: BotDriver,
        clock_keeper: ClockKeeper,
        rating_service: RatingService,
        notify: Notify | None,
    ) -> None:
        self.notify = notify
        self.bot_driver = bot_driver
        self._presence = presence
        self._user_store = user_store
        self._online = online
        self._clock_keeper = clock_keeper
        self._rating_service = rating_service

    async def publish(self, table: Table, committing: Awaitable[Change]) -> Change:
        """Wait until a change is committed, publish and return it; one that is not new is not published.

        Nothing may be awaited between the commit and what is shown: sessions show the table as it is now.
        """
        try:
            change = await committing
        except Overtaken as overtaken:
            self.follow(table, 0)
            if overtaken.answer is None:
                raise
            return overtaken.answer
        except BaseException:
            if table.broken:
                self._send_away(table)
            raise
        if change.new:
            self._show(table, change.since)
            self.bot_driver.take_over(table)
            self._clock_keeper.watch(table)
            await self._tell_others(table, change)
        return change

    async def _tell_others(self, table: Table, change: Change) -> None:
        """Rate the game if it is over, and tell users which tables wait for them.

        Whoever has made the change is not told that it failed if the database fails only now: it is stored.
        """
        try:
            if table.setup.rated and table.standing != "live":
                await self._rating_service.finish(table)
            await self._tell_awaited(table, change)
        except StoreError as error:
            LOG.error("not told", extra={"table": table.setup.id, "event": change.event, "why": str(error)})

    def follow(self, table: Table, since: int) -> None:
        """Show what another process has changed at a table; that process tells everybody else."""
        self._show(table, since)
        self.bot_driver.leave(table)
        self._clock_keeper.watch(table, LATER_S)

    def _show(self, table: Table, since: int) -> None:
        presence = self._presence(table)
        presence.owners = table.owners()
        for connection in list(presence.connections):
            connection.refresh(since)
        presence.tell_people()

    def _send_away(self, table: Table) -> None:
        """Close the connections at a table that has to be loaded again: whoever comes back finds what is stored."""
        for connection in list(self._presence(table).connections):
            connection.refresh(0)

    async def publish_start(self, table: Table) -> None:
        """Publish that the game of a table has started."""
        self.bot_driver.visit(table)
        await self._tell_awaited(table, Change(table.event, since=0, awaited=table.awaited_user))

    def publish_setup(self, presence: Presence, sent_away: str | None = None) -> None:
        """Tell those who wait at a table that somebody has sat down or left, or that the game has started.

        `sent_away` is the user whose seat was cleared by somebody else: they are told so.
        """
        for connection in [each for each in presence.connections if each.waits]:
            removed = connection.user is not None and connection.user.id == sent_away
            text = words(connection.language, COMMON_TEXTS).gettext(SENT_AWAY) if removed else ""
            connection.send(Changed("removed", text) if removed else Changed())
        presence.tell_people()

    def publish_names(self, table: Table) -> None:
        """Show a table again, with the new names of its players, or because a rematch was proposed."""
        for connection in self._presence(table).connections:
            connection.refresh(0)

    async def publish_chat(self, presence: Presence, said: ChatLine) -> None:
        """Send a line of chat to the players who hear its author, unless a later one has been sent."""
        async with presence.chatting:
            if said.number <= presence.said:
                return
            presence.said = said.number
            for connection in list(presence.connections):
                user = _player(connection.user, presence)
                muted = await self._user_store.unheard(user) if user is not None else set()
                if user is not None and said.user not in muted:
                    connection.send(chat.chat_for(muted, presence, user, said.number - 1, [said]))

    async def _tell_awaited(self, table: Table, change: Change) -> None:
        """Tell the users the table waits for now and waited for until now; one who is away is notified."""
        user = change.awaited
        if user == change.awaited_before:
            return
        for concerned in (change.awaited_before, user):
            if concerned is not None:
                await self._online.tell_turn(concerned, table.setup.id, awaited=concerned == user)
        if user is None or self.notify is None or await self._online.is_online(user):
            return
        if user not in self._presence(table).here():
            await self.notify(user, table)


def _player(user: User | None, presence: Presence) -> str | None:
    return user.id if user and user.id in presence.owners else None
