"""Bans: what a banned account may not do."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Forbidden
from omnibus.server.store.moderation import BanStore

BANNED: Final = mark(
    "This account is banned: you can finish your games, but not sit down at other tables, enter tournaments or chat."
)


async def expect_not_banned(store: BanStore, user: str) -> None:
    """Forbid what a banned account may not do."""
    if await store.is_banned(user):
        raise Forbidden(BANNED)
