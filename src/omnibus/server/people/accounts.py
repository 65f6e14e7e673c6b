"""What users do with their accounts: take a name, claim it for themselves alone, change it; recovery links; devices."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.people.name_folding import folded
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import User
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.seating import SEATING_TRIES

SHORTEST: Final = 3  # letters of a claimed name
NAME_TAKEN: Final = mark("This name, or one that looks like it, belongs to somebody else. Please choose another.")
NAME_REMOVED: Final = mark("This name cannot be used on this server. Please choose another.")
NAME_TOO_SHORT: Final = mark("A claimed name needs at least three letters or digits.")


async def introduce(registry: TableRegistry, user: User, name: str) -> None:
    """Keep the first name that a user gives."""
    if name and not user.name:
        await rename(registry, user, name)


async def rename(registry: TableRegistry, user: User, name: str) -> None:
    """Rename a user, also at tables where they sit under the old name and the game is not over.

    Rejected when the name is somebody else's. Whoever has claimed a name has claimed the new one then.
    """
    claims = registry.rating_service.claims
    if await claims.is_removed(folded(name)):
        raise Rejected(Code.REFUSED, why=NAME_REMOVED)
    if await claims.of(user.id) is not None:
        await _claim(registry, user, name)
        return
    other = await claims.find(folded(name))
    if other is not None and other.user != user.id:
        raise Rejected(Code.REFUSED, why=NAME_TAKEN)
    await _rename(registry, user, name)


async def claim(registry: TableRegistry, user: User, name: str) -> str | None:
    """Claim a name: nobody else can have it, or one that looks like it; Rejected when that is not possible.

    Without a recovery link the name would be lost with the device: return the token of a new one if there was none.
    """
    await _claim(registry, user, name)
    return None if await registry.user_store.recovery_link(user.id) else await create_link(registry, user)


async def create_link(registry: TableRegistry, user: User) -> str:
    """Create a recovery link and return its token; an earlier one stops working."""
    await spend(Quota.TOKEN)
    return await registry.user_store.add_token("recovery", user=user.id)


async def sign_out_others(registry: TableRegistry, user: User, device: str) -> None:
    """Sign out all devices of a user but one, and the programs in their seats, and close what they have open.

    The recovery link is revoked with them, and first: whoever has it could come back.
    """
    await registry.user_store.drop_tokens(user.id, "recovery")
    await registry.user_store.drop_tokens(user.id, "device", keep=device)
    await registry.user_store.drop_tokens(user.id, "seat")
    registry.interrupt(user.id)


async def _claim(registry: TableRegistry, user: User, name: str) -> None:
    key = folded(name)
    if len(key) < SHORTEST:
        raise Rejected(Code.REFUSED, why=NAME_TOO_SHORT)
    if await registry.rating_service.claims.is_removed(key):
        raise Rejected(Code.REFUSED, why=NAME_REMOVED)
    if not await registry.rating_service.claims.claim(user.id, name, key):
        raise Rejected(Code.REFUSED, why=NAME_TAKEN)
    await _rename(registry, user, name)


async def _rename(registry: TableRegistry, user: User, name: str) -> None:
    await registry.user_store.rename(user.id, name)
    for entry in await registry.table_store.entries(user.id):
        async with registry.seats_lock:
            for _ in range(SEATING_TRIES):
                with suppress(Conflict):  # another process has changed the seats meanwhile
                    await _rename_at(registry, entry.setup.id, user, name)
                    break


async def _rename_at(registry: TableRegistry, table_id: str, user: User, name: str) -> None:
    entry = await registry.table_store.entry(table_id)
    if entry is None or entry.standing not in ("open", "live"):
        return
    old = entry.setup.sitters
    new = [replace(at, name=name) if (at.user, at.name) == (user.id, user.name) else at for at in old]
    if new != old:
        await registry.rename_sitters(replace(entry.setup, sitters=new), old)
