"""Who is at a table: what everybody is told about it, and what is stored."""

from __future__ import annotations

import asyncio
import time

import pytest

from omnibus.bots import names as bot_names
from omnibus.server.http.connection import Connection
from omnibus.server.store.models import DAY, Sitter, User
from omnibus.server.tables import periodic
from omnibus.server.tables import presence as presence_module
from omnibus.server.tables.periodic import run_rounds
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.registry import TableRegistry
from support.seats import bus_with, friends, received, told

pytestmark = pytest.mark.both_databases

WEAK = bot_names()[0]


async def test_everybody_is_told_who_is_here(registry: TableRegistry, user: User) -> None:
    """Everybody is told who is here, and how many watch."""
    people = await friends(registry, 2)
    table = await bus_with(registry, people, Sitter(bot=WEAK))
    watching, anna = Connection(user, "en"), Connection(people[0], "en")
    presence = registry.live.presence_at(table)
    with presence.joined(watching):
        assert await told(watching) == {
            "type": "people",
            "here": [False, False, None],
            "absent": [],
            "watching": 1,
        }
        with presence.joined(anna):
            assert (await told(watching))["here"] == [True, False, None]
            assert (await told(anna))["here"] == [True, False, None]
        assert (await told(watching))["here"] == [False, False, None]


async def test_it_is_stored_when_a_player_was_last_here(
    registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periodic, "ROUND_S", 0.01)
    people = await friends(registry, 3)
    table = await bus_with(registry, people, patience=600)
    before = (await registry.user_store.seen_at(table.setup.id))[people[0].id]
    rounds = asyncio.create_task(run_rounds(registry))
    with registry.live.presence_at(table).joined(Connection(people[0], "en")):
        while (await registry.user_store.seen_at(table.setup.id))[people[0].id] == before:
            await asyncio.sleep(0.01)
    rounds.cancel()


async def test_a_crowd_is_counted_now_and_then(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes is told who is here; the others are told the new number together, after a while."""
    monkeypatch.setattr(presence_module, "TELL_S", 0.01)
    table = await bus_with(registry, await friends(registry, 3))
    presence = registry.live.presence_at(table)
    crowd = [Connection(None, "en") for _ in range(100)]
    for connection in crowd:
        presence.enter(connection)
    assert [connection.outbox.qsize() for connection in crowd] == [1] * 100
    received(crowd[0])  # before anything is awaited: the others may be told then
    assert (await told(crowd[-1]))["watching"] == 100
    assert (await told(crowd[0]))["watching"] == 100
    for connection in crowd[1:]:
        presence.leave(connection)
    assert (await told(crowd[0]))["watching"] == 1


@pytest.mark.parametrize("jump", [-DAY, DAY])
async def test_presence_survives_a_clock_that_is_set(
    registry: TableRegistry, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    """Nobody is away because the clock was set, and what is stored goes by the clock of then."""
    people = await friends(registry, 3)
    table = await bus_with(registry, people, patience=600)
    presence, now = registry.live.presence_at(table), time.time()
    monkeypatch.setattr(time, "time", lambda: now + jump)
    assert presence.absent() == []
    presence.saw(people[0].id)
    presence.saw(people[1].id, ago=601)
    assert presence.absent() == [1]
    ((at, user, _),) = presence.sightings()
    assert user == people[0].id
    assert at == pytest.approx(now + jump, abs=60)


async def test_a_stored_time_to_come_counts_as_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart with a clock that was set back, players are away from then on."""
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    presence = Presence("t", 600, ["a"], {"a": time.time() + DAY})
    now += 599
    assert presence.absent() == []
    now += 2
    assert presence.absent() == [0]
