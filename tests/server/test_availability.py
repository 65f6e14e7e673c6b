"""Nobody can hold the server up for others: each test is an attack, or a mishap, that once did."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import time

import httpx
import pytest
from anyio import fail_after
from fastapi import FastAPI

from omnibus.games.bus import cities
from omnibus.server.config import ServerConfig
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions, live_tables
from omnibus.server.tables import registry as tables_registry
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.bot_worker import Question
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.table import Table
from support.api_client import known
from support.seats import opened, play_first

EVENT_LOOPS = [
    pytest.param(("asyncio", {"use_uvloop": uvloop}), id="uvloop" if uvloop else "asyncio") for uvloop in (False, True)
]

SLOW_WORKER = """
import sys, time
print("ready", flush=True)
for asked in sys.stdin:
    time.sleep(0.02)
    print('{"line": "pass"}', flush=True)
"""


async def decided(table: Table, event: int) -> None:
    """Wait until something has happened at a table after an event."""
    with fail_after(30):
        while table.event == event:
            await asyncio.sleep(0.01)


def kill_idle_workers(registry: TableRegistry) -> None:
    """Kill the workers that wait for a question, before the event loop can notice."""
    assert registry.bot_pool.idle
    for process in registry.bot_pool.idle:
        os.kill(process, signal.SIGKILL)
    time.sleep(0.05)


@pytest.mark.parametrize("anyio_backend", EVENT_LOOPS)
async def test_a_worker_killed_while_idle_leaves_no_table_stuck(registry: TableRegistry, user: User) -> None:
    """The bot whose turn comes next plays, and a hint is given."""
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    await registry.bot_pool.warm(2)
    kill_idle_workers(registry)
    assert table.actor is not None
    assert await registry.bot_driver.hint(table, table.actor, "en")
    kill_idle_workers(registry)
    event = table.event + 1
    await actions.hand_over(registry, table, [table.actor], "easy")
    await decided(table, event)


@pytest.mark.parametrize("crowd", [["flood"] * 16, [f"user {number}" for number in range(20)]])
async def test_a_flood_of_long_thoughts_does_not_keep_others_waiting(crowd: list[str]) -> None:
    """Questions of somebody elsewhere are answered after one or two of a user's, or of many users' at one address."""
    pool = BotPool(1, [sys.executable, "-c", SLOW_WORKER])
    answered: list[str] = []

    async def ask(user: str, bot: str, address: str) -> None:
        pool.addresses.note(user, address)
        await pool.ask(Question("bus", bot, {}, 1), user)
        answered.append(user)

    flood = [asyncio.create_task(ask(user, "hard", "192.0.2.1")) for user in crowd]
    await asyncio.sleep(0)
    await asyncio.gather(ask("ann", "easy", "192.0.2.2"), ask("bob", "hard", "192.0.2.3"))
    assert answered.index("ann") <= 1
    assert answered.index("bob") <= 3
    await asyncio.gather(*flood)
    assert len(answered) == len(crowd) + 2
    await pool.close()


@pytest.mark.server_config(ServerConfig(limits=True))
async def test_users_are_known_by_their_addresses(app: FastAPI) -> None:
    """What bots do for them counts for the address they come from, of IPv6 for the block of a household."""
    for home, block in (("192.0.2.7", "192.0.2.7"), ("2001:db8::7", "2001:db8::/64")):
        transport = httpx.ASGITransport(app, client=(home, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
            ann = await known(client, "Ann")
            user = (await ann.ask("GET users/me"))["id"]
        assert app.state.registry.bot_pool.addresses.asker(user).address == block


async def test_tables_of_a_flood_wait_and_are_all_played_at(registry: TableRegistry, user: User) -> None:
    """Of tables beyond what one user may have waiting none is forgotten."""
    tables = [await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3) for _ in range(20)]
    events = [table.event + 1 for table in tables]
    for table in tables:
        assert table.actor is not None
        await actions.hand_over(registry, table, [table.actor], "random")
    for table, event in zip(tables, events, strict=True):
        await registry.bot_driver.sweep(registry)
        await decided(table, event)


async def test_maps_of_ones_own_are_laid_out_in_the_background(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When their table is opened, and when it is loaded: a dense one takes long."""
    drawn: list[bool] = []
    monkeypatch.setattr(
        tables_registry, "draw_ahead", lambda _: drawn.append(threading.current_thread() is threading.main_thread())
    )
    city = cities.find(cities.DEFAULT).document | {"name": "Mine"}
    table = (await registry.open(user.id, "bus", {"city": city}, [Sitter(user=user.id)] * 3)).id
    await registry.open(user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    assert drawn == [False]
    registry.live.unload_all()
    await registry.table(table)
    assert drawn == [False, False]


async def test_tables_nobody_uses_do_not_stay_in_memory(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longest unused go first, and after a while all at which nobody is; whoever asks finds them as they were."""
    monkeypatch.setattr(live_tables, "KEPT_PLIES", 25)
    first, *others = [(await registry.open(user.id, "bus", {}, [Sitter(user=user.id)] * 3)).id for _ in range(4)]
    page = TableSession(registry, await registry.table(others[0]), user, "en")
    with page.presence.joined(page):
        for id_ in (*others, first):
            await play_first(registry, await registry.table(id_), 10)

        def loaded() -> set[str]:
            registry.live.trim()
            gc.collect()
            return {table.setup.id for table in registry.loaded()}

        assert loaded() == {others[0], others[2], first}
        monkeypatch.setattr(live_tables, "KEPT_S", 0.0)
        for id_ in (*others, first):
            await registry.table(id_)
        assert loaded() == {others[0], first}
        assert (await registry.table(others[1])).match.length > 10


async def test_of_several_who_come_at_once_one_loads_the_table(registry: TableRegistry, user: User) -> None:
    """After a restart everybody at a table is back at the same moment; one who leaves meanwhile takes nobody along."""
    table = (await registry.open(user.id, "bus", {}, [Sitter(user=user.id)] * 3)).id
    registry.live.unload_all()
    visits = [asyncio.create_task(registry.visit(table)) for _ in range(4)]
    await asyncio.sleep(0)
    visits[0].cancel()
    found = await asyncio.gather(*visits[1:])
    assert len({id(each) for each in found}) == 1
    assert found[0].event == 1
