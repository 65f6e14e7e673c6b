"""Blocking: two people of whom one has blocked the other do not meet at tables, in lists, in chats or by invitation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.blocks import BlockStore
from omnibus.server.store.models import TableSetup, User

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

KEPT_APART: Final = mark(
    "You cannot sit down here: you have blocked somebody at this table, or somebody has blocked you."
)
NOT_YOURSELF: Final = mark("This is you.")
BLOCKED: Final = mark("You cannot do this: one of you has blocked the other.")


async def expect_welcome(store: BlockStore, setup: TableSetup, user: str) -> None:
    """Reject somebody who sits down at a table where somebody has blocked them, or is blocked by them."""
    others = setup.people() - {user}
    if others and any(other in others for _, other in await store.between([user])):
        raise Rejected(Code.REFUSED, why=KEPT_APART)


async def expect_not_blocked(store: BlockStore, user: str, other: str) -> None:
    """Reject what one user would do with another if one of them has blocked the other."""
    if (user, other) in await store.between([user]):
        raise Rejected(Code.REFUSED, why=BLOCKED)


async def block(registry: TableRegistry, user: User, other: str) -> None:
    """Block another user: they are not shown to each other from now on, and do not sit at the same tables."""
    if user.id == other:
        raise Rejected(Code.REFUSED, why=NOT_YOURSELF)
    await spend(Quota.PEOPLE)
    await registry.block_store.block(user.id, other)
    for concerned in (user.id, other):
        await registry.online.tell_awaited(concerned)


async def unblock(registry: TableRegistry, user: User, other: str) -> None:
    """Undo that a user has blocked another."""
    await registry.block_store.unblock(user.id, other)
