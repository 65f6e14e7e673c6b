"""Live tables that are only stored cost nothing: a server that starts and runs reads none of them until asked to."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from stored_tables import store_copies

from omnibus.server.store.database import Database
from omnibus.server.store.models import DAY
from omnibus.server.tables.other_processes import OtherProcesses
from omnibus.server.tables.periodic import run_round
from support.live import arrive, sit

from .conftest import app_at

COPIES = 100
MOST_ROWS = 20  # of any one result, however many tables are stored


def count_rows(monkeypatch: pytest.MonkeyPatch, kind: type[Database]) -> dict[str, int]:
    """Note how many rows each query returns from now on, at most."""
    found: dict[str, int] = {}
    read = kind.read

    async def counted(self: Database, query: str, *values: Any) -> list[Any]:
        rows = await read(self, query, *values)
        found[query] = max(found.get(query, 0), len(rows))
        return rows

    monkeypatch.setattr(kind, "read", counted)
    return found


@pytest.mark.both_databases
async def test_stored_tables_cost_nothing(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start, sweeps, clocks, the lobby and one's own games read what they need, with and without clocks."""
    async with app_at(tmp_path, None, address) as app:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
            *people, reader = await arrive(app, client, "Ann", "Bo", "Cy", "Dan")
            for more in ({}, {"clock": {"bank": 3 * DAY, "turn": DAY}}):
                await store_copies(app.state.registry.database, await sit(people, "bus", **more), COPIES)
            token = reader.headers["authorization"].removeprefix("Bearer ")
        found = count_rows(monkeypatch, type(app.state.registry.database))
    async with app_at(tmp_path, None, address) as app:
        registry = app.state.registry
        transport, cookies = httpx.ASGITransport(app), {"omnibus_user": token}
        async with httpx.AsyncClient(transport=transport, base_url="http://server", cookies=cookies) as client:
            for page in ("/", "/you", "/healthz"):
                assert (await client.get(page)).status_code == 200
        await registry.bot_driver.sweep(registry)
        await run_round(registry)
        if registry.database.shared:
            await OtherProcesses(registry, AsyncMock()).look_everywhere(missed=True)
        assert registry.loaded() == []
        assert registry.clock_keeper.watched == set()
        assert await registry.table_store.count_tables() == 2 * COPIES + 2
    assert {query: number for query, number in found.items() if number > MOST_ROWS} == {}
