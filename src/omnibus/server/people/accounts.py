"""What users do with their accounts: take a name, and change it."""

from __future__ import annotations

from msgspec.structs import replace

from omnibus.server.store.models import User
from omnibus.server.tables.registry import TableRegistry


async def introduce(registry: TableRegistry, user: User, name: str) -> None:
    """Keep the first name that a user gives."""
    if name and not user.name:
        await rename(registry, user, name)


async def rename(registry: TableRegistry, user: User, name: str) -> None:
    """Rename a user, also at tables where they sit under the old name and the game is not over."""
    await registry.user_store.rename(user.id, name)
    for entry in await registry.table_store.entries(user.id):
        async with registry.seating:
            await _rename_at(registry, entry.setup.id, user, name)


async def _rename_at(registry: TableRegistry, table_id: str, user: User, name: str) -> None:
    entry = await registry.table_store.entry(table_id)
    if entry is None or entry.standing not in ("open", "live"):
        return
    old = entry.setup.sitters
    new = [replace(at, name=name) if (at.user, at.name) == (user.id, user.name) else at for at in old]
    if new != old:
        await registry.rename_sitters(replace(entry.setup, sitters=new))
