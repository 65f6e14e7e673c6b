"""Rematches: the same people play again, everybody one seat further."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from omnibus.server.errors import TROUBLES, Code, Forbidden, Rejected, TableNotFound
from omnibus.server.store.database import SEATS
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.actions import STILL_GOES_ON, live_table
from omnibus.server.tables.seating import change_seat
from omnibus.server.tables.table import Table

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry


async def ask_for_rematch(registry: TableRegistry, user: User, table_id: str) -> str:
    """Propose the same table again, everybody one seat further, or accept what somebody else has proposed.

    The new game starts when everybody who played has asked for it; with bots only, at once.
    """
    table = await live_table(registry, table_id)
    if user.id not in table.setup.people():
        raise Forbidden(TROUBLES[Code.NOT_YOUR_SEAT])
    if table.standing == "live":
        raise Rejected(Code.REFUSED, why=STILL_GOES_ON)
    sitters = [*table.setup.sitters[1:], table.setup.sitters[0]]
    async with registry.seats_lock:  # others may ask at the same moment
        again = await registry.table_store.rematch(table_id)
        proposed = await registry.table_store.entry(again) if again else None
        if proposed is None:
            with suppress(Conflict):  # another process was quicker
                return await _propose(registry, table, user, sitters)
            again = await registry.table_store.rematch(table_id)
            proposed = await registry.table_store.entry(again) if again else None
            if proposed is None:
                raise TableNotFound
    if user.id not in proposed.setup.people():
        for seat, sitter in enumerate(sitters):
            if sitter.user == user.id:
                with suppress(Rejected):  # somebody else has been given the seat
                    await change_seat(registry, proposed.setup.id, seat, sitter)
        await _show(registry, table)
    return proposed.setup.id


async def _propose(registry: TableRegistry, table: Table, user: User, sitters: list[Sitter]) -> str:
    """Set up the rematch with free seats for the other people, and show them at the old table that they are asked."""
    old = table.setup
    sure = [sitter if sitter.user in (None, user.id) else Sitter() for sitter in sitters]
    asks = sure != sitters
    new = await registry.open(
        user.id,
        old.game,
        old.options,
        sure,
        listed=old.listed and not asks,
        patience=old.patience,
        after=old.id,
        clock=old.clock,
        rated=old.rated,
        random_seats=old.random_seats,
    )
    if asks:
        await _show(registry, table)
    return new.id


async def _show(registry: TableRegistry, table: Table) -> None:
    """Show who has agreed to a rematch at the table that was played."""
    await table.look_for_rematch()
    registry.publisher.publish_names(table)
    registry.database.hint(f"{SEATS}{table.setup.id}")
