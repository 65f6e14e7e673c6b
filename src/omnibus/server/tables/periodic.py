"""What the server does at its tables now and then, and after a restart."""

from __future__ import annotations

import asyncio
from math import inf
from typing import Final

from msgspec.structs import replace

from omnibus.server.tables.clock_keeper import LATER_S
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table_clock import due_times

ROUND_S: Final = 60.0


async def run_rounds(registry: TableRegistry) -> None:
    """Every minute: store who is here, read names again, save memory, and tell tables who is away too long."""
    while True:
        await asyncio.sleep(ROUND_S)
        await registry.store_sightings()
        await reload_names(registry)
        await registry.counter_store.sweep()
        registry.live.trim()
        for table in registry.loaded():
            table.rest()
        for presence in registry.live.presences():
            presence.tell_people()


async def reload_names(registry: TableRegistry) -> None:
    """Read names from the database again: the command `omnibus admin` may have erased some."""
    for table_id, sitters in (await registry.table_store.sitters(registry.live.ids())).items():
        table = registry.live.at_hand(table_id)
        if table is not None and table.setup.sitters != sitters:
            registry.show_names(table, replace(table.setup, sitters=sitters))


async def resume_clocks(registry: TableRegistry, since: float = 0.0) -> None:
    """Watch all clocks that run, or those of tables at which something has happened since a time.

    They have run on while another process was running, and stood still while none was.
    """
    shared = registry.database.shared
    if shared:
        await registry.table_store.runs.note()
    watched = registry.clock_keeper.watched
    new = [id_ for id_ in await registry.table_store.clocked(since) if id_ not in watched]
    registry.clock_keeper.resume(await due_times(registry.table_store, new), LATER_S if shared else 0.0)


async def rate_missing(registry: TableRegistry, since: float = 0.0, until: float = inf) -> None:
    """Rate the games that ended between two times, but were not rated because a server was stopped too soon."""
    for table_id in await registry.rating_service.store.unrated(since, until):
        table = await registry.find(table_id)
        if table is not None:
            await registry.rating_service.finish(table)
