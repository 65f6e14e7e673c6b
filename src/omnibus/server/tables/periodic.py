"""What the server does at its tables now and then, and after a restart."""

from __future__ import annotations

import asyncio
import logging
from math import inf
from typing import Final

from msgspec.structs import replace

from omnibus.server.store.server_clock import CONFIRM_S
from omnibus.server.tables.clock_keeper import LATER_S
from omnibus.server.tables.registry import TableRegistry

LOG: Final = logging.getLogger("omnibus.tables")
ROUND_S: Final = 60.0


async def run_rounds(registry: TableRegistry) -> None:
    """Every minute: save memory, tell tables who is away too long, store who is here, and read names and clocks."""
    while True:
        await asyncio.sleep(ROUND_S)
        try:
            await run_round(registry)
        except Exception:
            LOG.exception("round failed")  # the next one may do better


async def run_round(registry: TableRegistry) -> None:
    """Do once what is done every minute."""
    registry.live.trim()
    for table in registry.loaded():
        table.rest()
    for presence in registry.live.presences():
        presence.tell_people()
    await registry.store_sightings()
    await reload_names(registry)
    await resume_clocks(registry)
    await registry.counter_store.sweep()


async def reload_names(registry: TableRegistry) -> None:
    """Read names from the database again: the command `omnibus admin` may have erased some."""
    for table_id, sitters in (await registry.table_store.sitters(registry.live.ids())).items():
        table = registry.live.at_hand(table_id)
        if table is not None and table.setup.sitters != sitters:
            registry.show_names(table, replace(table.setup, sitters=sitters))


async def resume_clocks(registry: TableRegistry) -> None:
    """Watch the clocks whose time may be over soon.

    They have run on while another process was running, and stood still while none was.
    """
    shared = registry.database.shared
    await registry.table_store.server_clock.confirm(CONFIRM_S)
    await registry.clock_keeper.look_ahead(LATER_S if shared else 0.0)


async def rate_missing(registry: TableRegistry, since: float = 0.0, until: float = inf) -> None:
    """Rate the games that ended between two times, but were not rated because a server was stopped too soon."""
    for table_id in await registry.rating_service.store.unrated(since, until):
        table = await registry.find(table_id)
        if table is not None:
            await registry.rating_service.finish(table)
