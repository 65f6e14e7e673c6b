"""Who is at a table: what everybody is told about it, and what is stored."""

from __future__ import annotations

import asyncio

import pytest

from omnibus.bots import names as bot_names
from omnibus.server.http.connection import Connection
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import registry as registry_module
from omnibus.server.tables.registry import TableRegistry
from support.seats import bus_with, friends, told

WEAK = bot_names()[0]


async def test_everybody_is_told_who_is_here(registry: TableRegistry, user: User) -> None:
    """Everybody is told who is here, and how many watch."""
    people = await friends(registry, 2)
    table = await bus_with(registry, people, Sitter(bot=WEAK))
    watching, anna = Connection(user, "en"), Connection(people[0], "en")
    presence = registry.presence(table.setup)
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
    monkeypatch.setattr(registry_module, "ROUND_S", 0.01)
    people = await friends(registry, 3)
    table = await bus_with(registry, people, patience=600)
    before = registry.user_store.seen_at(table.setup.id)[people[0].id]
    rounds = asyncio.create_task(registry.run_rounds())
    with registry.presence(table.setup).joined(Connection(people[0], "en")):
        while registry.user_store.seen_at(table.setup.id)[people[0].id] == before:
            await asyncio.sleep(0.01)
    rounds.cancel()
