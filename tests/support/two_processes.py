"""Two server processes on one PostgreSQL: here two table registries that know nothing of each other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from omnibus.server.store.opening import open_postgres
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.other_processes import join_others
from omnibus.server.tables.periodic import resume_clocks
from omnibus.server.tables.registry import TableRegistry

Pair = tuple[TableRegistry, TableRegistry]


async def nothing() -> None:
    """Take nothing over."""


@asynccontextmanager
async def process(address: str) -> AsyncIterator[TableRegistry]:
    """What a server process does at its tables."""
    database, bot_pool = open_postgres(address), BotPool(1)
    await database.connect()
    registry = TableRegistry(database, bot_pool)
    await resume_clocks(registry)
    tasks = await join_others(registry, nothing)
    try:
        yield registry
    finally:
        for task in tasks:
            task.cancel()
        await registry.close()
        await bot_pool.close()
        await database.aclose()


async def until(condition: Any) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)
