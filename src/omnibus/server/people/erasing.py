"""Erases an account at its owner's request: the games stay, the name and everything else goes."""

from __future__ import annotations

from contextlib import suppress

from omnibus.server.errors import Forbidden, Rejected, TableNotFound
from omnibus.server.store.erasing import remove_texts
from omnibus.server.store.models import TableRow, User
from omnibus.server.tables import actions
from omnibus.server.tables.periodic import reload_names
from omnibus.server.tables.registry import TableRegistry


async def erase(registry: TableRegistry, user: User) -> None:
    """Erase an account; whoever used it is a stranger then.

    Games in progress are given up, as by resigning, and tables that wait for players are left or deleted. Nobody can
    sign in any more. Of finished games and rated games everything stays but the name.
    """
    for entry in await registry.table_store.unfinished_entries(user.id):
        with suppress(Rejected, Forbidden, TableNotFound):  # it ended meanwhile, or does not replay any more
            await _leave(registry, user, entry)
    await remove_texts(registry.database, user.id)
    await registry.user_store.forget(user.id)
    await reload_names(registry)
    registry.interrupt(user.id)
    await registry.table_store.database.clean_up()


async def _leave(registry: TableRegistry, user: User, entry: TableRow) -> None:
    if entry.standing == "live":
        await actions.resign(registry, user, entry.setup.id)
    elif entry.setup.owner == user.id:
        await actions.delete(registry, user, entry.setup.id)
    else:
        for seat in entry.setup.seats_of(user.id):
            await actions.stand_up(registry, user, entry.setup.id, seat)
