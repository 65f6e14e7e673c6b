"""Invitations by name: whoever sets up a table asks people who have claimed a name to join it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.people.blocks import expect_not_blocked
from omnibus.server.people.friends import NEEDS_NAME
from omnibus.server.people.persons import named
from omnibus.server.store.invitations import InvitationStore
from omnibus.server.store.models import TableSetup, User
from omnibus.server.tables import actions

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

MOST_INVITED: Final = 20  # to one table
QUIET_S: Final = 600.0  # whoever was invited so recently gets no other message

INVITED_TITLE: Final = mark("Invitation: {game}")
INVITED: Final = mark("{name} invites you to a game of {game}.")
INVITED_ALREADY: Final = mark("This player is already at the table.")
TOO_MANY: Final = mark("Too many people are invited to this table.")

Notify = Callable[[str, str, TableSetup], Awaitable[None]]
"""Called with a user who is not online, the name of whoever invites them, and the table."""


class TableInvitation(Struct, frozen=True):
    """An invitation to a table, as its guest sees it."""

    table: str
    game: str
    host: str
    """The name of whoever invites."""
    at: float


class Invitations:
    """Invitations by name to the tables of a server."""

    def __init__(self, registry: TableRegistry, notify: Notify | None = None) -> None:
        self._registry = registry
        self._notify = notify
        self.store = InvitationStore(registry.user_store.database)

    async def invite(self, host: User, table_id: str, name: str) -> None:
        """Invite somebody to one's own table; asked again, nothing happens. Rejected when that is not possible."""
        setup = await self._registry.waiting_setup(table_id)
        actions.expect_invitable(setup, host)
        claim = await self._registry.rating_service.claims.of(host.id)
        if claim is None:
            raise Rejected(Code.REFUSED, why=NEEDS_NAME)
        guest = await named(self._registry, name)
        if guest in setup.people():
            raise Rejected(Code.REFUSED, why=INVITED_ALREADY)
        await expect_not_banned(self._registry.ban_store, host.id)
        await expect_not_blocked(self._registry.block_store, host.id, guest)
        await spend(Quota.PEOPLE)
        before = await self.store.latest(guest)
        new = await self.store.add(table_id, guest, host.id, MOST_INVITED)
        if new is None:
            raise Rejected(Code.REFUSED, why=TOO_MANY)
        if new:
            await self._tell(guest, claim.name, setup, quietly=time.time() - before < QUIET_S)

    async def _tell(self, guest: str, host: str, setup: TableSetup, *, quietly: bool) -> None:
        """Tell somebody that they are invited: on the pages they have open, else by a message."""
        await self._registry.online.tell_awaited(guest)
        if self._notify is not None and not quietly and not await self._registry.online.is_online(guest):
            await self._notify(guest, host, setup)

    async def accept(self, user: User, table_id: str) -> None:
        """Take a free seat at a table one is invited to; TableNotFound when one is not, or no longer."""
        if not await self.store.exists(table_id, user.id):
            raise TableNotFound
        await actions.join(self._registry, user, table_id, invited=True)
        await self.decline(user, table_id)

    async def decline(self, user: User, table_id: str) -> None:
        """Remove an invitation of a user; one that does not exist is none."""
        if await self.store.remove(table_id, user.id):
            await self._registry.online.tell_awaited(user.id)

    async def withdraw(self, host: User, table_id: str, name: str) -> None:
        """Take back an invitation to one's own table."""
        actions.expect_invitable(await self._registry.waiting_setup(table_id), host)
        guest = await named(self._registry, name)
        if await self.store.remove(table_id, guest):
            await self._registry.online.tell_awaited(guest)

    async def of(self, user: str) -> list[TableInvitation]:
        """Return the invitations that wait for the answer of a user, the latest first."""
        rows = await self.store.of_guest(user)
        names = await self._registry.rating_service.claims.names([row.host for row in rows])
        found = []
        for row in rows:
            with suppress(TableNotFound, Rejected):  # it was deleted or has started meanwhile
                setup = await self._registry.waiting_setup(row.table)
                found.append(TableInvitation(row.table, setup.game, names.get(row.host, ""), row.at))
        return found

    async def invited(self, table_id: str) -> list[str]:
        """Return the names of those who are invited to a table and have not answered yet."""
        rows = await self.store.of_table(table_id)
        names = await self._registry.rating_service.claims.names([row.guest for row in rows])
        return [names[row.guest] for row in rows if row.guest in names]
