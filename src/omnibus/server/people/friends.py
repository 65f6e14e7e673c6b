"""Friends: people with claimed names ask each other, see who of their friends is online, and part again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.people.bans import expect_not_banned
from omnibus.server.people.blocks import NOT_YOURSELF, expect_not_blocked
from omnibus.server.store.friends import FriendStore
from omnibus.server.store.models import User

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

MOST_FRIENDS: Final = 200

NEEDS_NAME: Final = mark("Claim your name first, on your account page, so that others know who is asking.")
THEY_NEED_NAME: Final = mark("This player has not claimed a name yet.")
TOO_MANY: Final = mark("Your list of friends is full.")


class Friend(Struct, frozen=True):
    """A friend, as a user sees them."""

    name: str
    online: bool
    """Whether they have a page of this server open."""


class FriendList(Struct, frozen=True):
    """The friends of a user, and who has asked whom."""

    friends: list[Friend]
    asking: list[str]
    """The names of those who ask to be your friend."""
    asked: list[str]
    """The names of those you have asked, and who have not answered yet."""


class Friends:
    """The friends of the users of a server."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self.store = FriendStore(registry.user_store.database)

    async def ask(self, user: User, other: str) -> None:
        """Ask somebody to be a friend, or accept when they have asked; Rejected when that is not possible."""
        if other == user.id:
            raise Rejected(Code.REFUSED, why=NOT_YOURSELF)
        claims = await self._registry.rating_service.claims.names([user.id, other])
        if len(claims) < 2:
            raise Rejected(Code.REFUSED, why=THEY_NEED_NAME if user.id in claims else NEEDS_NAME)
        await expect_not_banned(self._registry.ban_store, user.id)
        await expect_not_blocked(self._registry.block_store, user.id, other)
        await spend(Quota.PEOPLE)
        if not await self.store.add(user.id, other, MOST_FRIENDS):
            raise Rejected(Code.REFUSED, why=TOO_MANY)
        await self._tell(user.id, other)

    async def part(self, user: User, other: str) -> None:
        """Decline a request, withdraw one's own, or end a friendship."""
        await self.store.remove(user.id, other)
        await self._tell(user.id, other)

    async def of(self, user: str) -> FriendList:
        """Return the friends of a user; those who are online come first."""
        rows = await self.store.listed(user)
        names = await self._registry.rating_service.claims.names([row.user for row in rows])
        known = [(row, names[row.user]) for row in rows if row.user in names]
        friends = [
            Friend(name, await self._registry.online.is_online(row.user))
            for row, name in known
            if row.wanted and row.wants
        ]
        return FriendList(
            friends=sorted(friends, key=lambda friend: not friend.online),
            asking=[name for row, name in known if not row.wanted],
            asked=[name for row, name in known if not row.wants],
        )

    async def _tell(self, *users: str) -> None:
        """Tell the pages of users how many requests wait for them."""
        for user in users:
            await self._registry.online.tell_awaited(user)
