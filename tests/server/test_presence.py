"""The people around a table: who is here, what they say, who is awaited, what they are called."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from omnibus.bots import names as bot_names
from omnibus.server.http.connection import Connection
from omnibus.server.people import accounts
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import registry as registry_module
from omnibus.server.tables.registry import TableRegistry
from support.seats import Seat, bus_with, code_of, friends, next_of, play_first

WEAK = bot_names()[0]


class TestTalk:
    """Players talk; spectators neither hear nor speak; who is muted is not heard."""

    async def test_chat_and_mute(self, registry: TableRegistry, user: User) -> None:
        people = await friends(registry, 3)
        table = await bus_with(registry, people)
        seats = [Seat(registry, table, person) for person in [*people, user]]
        await seats[0].say(chat="  hello\n <b>there</b> " + "x" * 600, id="1")
        for seat in seats[:3]:
            (line,) = (await next_of(seat, "chat"))["lines"]
            assert line["text"].startswith("hello <b>there</b> xxx")
            assert len(line["text"]) == 500
        await seats[3].say(chat="I am nobody", id="2")
        assert await code_of(seats[3]) == "not_your_seat"
        await seats[3].say(heard=0)
        assert await code_of(seats[3]) == "not_your_seat"
        await seats[1].say(mute=0, id="3")
        assert (await next_of(seats[1], "chat"))["lines"] == []
        await seats[0].say(chat="again", id="4")
        assert (await next_of(seats[2], "chat"))["lines"][0]["text"] == "again"
        await seats[1].say(heard=0)
        assert (await next_of(seats[1], "chat")) == {"type": "chat", "since": 0, "lines": [], "muted": [0]}
        await seats[1].say(mute=0, id="5")
        assert [line["text"][:5] for line in (await next_of(seats[1], "chat"))["lines"]] == ["hello", "again"]
        await seats[0].say(chat=" \x00 ", id="6")
        assert await code_of(seats[0]) == "malformed"

    async def test_presence(self, registry: TableRegistry, user: User) -> None:
        """Everybody is told who is here, and how many watch."""
        people = await friends(registry, 2)
        table = await bus_with(registry, people, Sitter(bot=WEAK))
        watching, anna = Connection(user, "en"), Connection(people[0], "en")
        presence = registry.presence(table.setting)
        with presence.joined(watching):
            assert await _told(watching) == {
                "type": "people",
                "here": [False, False, None],
                "absent": [],
                "watching": 1,
            }
            with presence.joined(anna):
                assert (await _told(watching))["here"] == [True, False, None]
                assert (await _told(anna))["here"] == [True, False, None]
            assert (await _told(watching))["here"] == [False, False, None]


async def _told(page: Connection) -> dict[str, Any]:
    message = await asyncio.wait_for(page.outbox.get(), 5)
    assert message
    told: dict[str, Any] = json.loads(message)
    return told


class TestAwaited:
    """A user's pages are told which tables wait for the user; who has none open is summoned."""

    async def test_told_and_summoned(self, registry: TableRegistry) -> None:
        people = await friends(registry, 3)
        summoned: list[str] = []
        registry.publisher.notify = lambda user, table: summoned.append(user)
        table = await bus_with(registry, people)
        first = table.actor
        assert first is not None
        page = Connection(people[first], "en")
        registry.online.add(page)
        assert (await _told(page))["tables"] == [table.setting.id]
        while table.actor == first:
            await play_first(registry, table)
        assert (await _told(page))["tables"] == []
        assert table.actor is not None
        assert summoned == [people[first].id, people[table.actor].id]
        registry.online.remove(page)
        while table.actor != first:
            await play_first(registry, table)
        assert summoned[-1] == people[first].id

    async def test_names_change_everywhere(self, registry: TableRegistry) -> None:
        people = await friends(registry, 3)
        table = await bus_with(registry, people)
        setting = await registry.open(
            people[0].id, "bus", {}, [Sitter(user=people[0].id, name="A"), Sitter(), Sitter()]
        )
        await accounts.rename(registry, people[0], "Zoe")
        assert table.match.names[0] == "Zoe"
        assert '"Zoe"' in table.record()
        assert registry.waiting_setup(setting.id).sitters[0].name == "Zoe"
        seat = Seat(registry, table, people[1])
        await seat.say(sync=True)
        assert (await seat.scene())["position"]["panels"][0]["name"] == "Zoe"

    async def test_it_is_remembered_when_somebody_was_here(
        self, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(registry_module, "ROUND_S", 0.01)
        people = await friends(registry, 3)
        table = await bus_with(registry, people, patience=600)
        before = registry.user_store.seen_at(table.setting.id)[people[0].id]
        rounds = asyncio.create_task(registry.run_rounds())
        with registry.presence(table.setting).joined(Connection(people[0], "en")):
            while registry.user_store.seen_at(table.setting.id)[people[0].id] == before:
                await asyncio.sleep(0.01)
        rounds.cancel()
