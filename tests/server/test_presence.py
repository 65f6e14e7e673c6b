"""Who is at a table and who is away, as the server remembers it, and bots for those who are away too long.

That people are told who is here is in tests/traces/tables, what they may propose in tests/traces/proposals.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from omnibus.server.store.models import DAY
from support.live import Person, arrive, sit
from support.wall_clock import WallClock

from .conftest import app_at

pytestmark = pytest.mark.both_databases

PATIENCE = 600


class Bus:
    """Three people at a table of Bus, on a server that is stopped and started again."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        self.people: list[Person] = []
        self.table = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[list[Person]]:
        """Run the server; the first time the people sit down."""
        async with app_at(self.folder, None, self.address) as app:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
                if self.people:
                    self.people = [person.at(app, client) for person in self.people]
                else:
                    self.people = await arrive(app, client, "Ann", "Bo", "Cy")
                    self.table = await sit(self.people, "bus", patience=PATIENCE)
                yield self.people

    async def absent(self) -> list[int]:
        """Return the seats whose owners have been away for too long."""
        spectator = Person(self.people[0].app, self.people[0].client)
        return list((await spectator.ask(f"GET tables/{self.table}/people"))["absent"])

    async def propose(self, person: Person, away: int, *, status: int = 200) -> None:
        """Propose a bot for a seat."""
        asked = {"what": "bot", "away": away, "event": (await person.scene(self.table))["event"]}
        await person.ask(f"POST tables/{self.table}/proposal", asked, status=status)

    async def agree(self, person: Person, *, status: int = 200) -> None:
        """Agree to what is proposed."""
        asked = {"agree": True, "event": (await person.scene(self.table))["event"]}
        await person.ask(f"POST tables/{self.table}/proposal/verdict", asked, status=status)


@pytest.fixture
async def bus(tmp_path: Path, address: str, wall: WallClock, monkeypatch: pytest.MonkeyPatch) -> Bus:
    """A table that nobody has looked at for longer than its patience; bots play nothing there."""
    monkeypatch.setattr("omnibus.server.tables.bot_driver.BotDriver.drive", lambda driver, table: None)
    bus = Bus(tmp_path, address)
    async with bus.running():
        assert await bus.absent() == []
    wall.seconds += PATIENCE + 1
    return bus


async def test_a_bot_for_who_is_away(bus: Bus) -> None:
    """When all others who are here agree, until the owner is back."""
    async with bus.running() as (ann, bo, cy):
        assert await bus.absent() == [0, 1, 2]
        await ann.scene(bus.table)
        await bo.scene(bus.table)
        assert await bus.absent() == [2]
        await bus.propose(ann, 2)
        await bus.propose(bo, 2, status=409)
        await bus.agree(bo)
        sitters = [panel["sitter"] for panel in (await ann.scene(bus.table))["position"]["panels"]]
        assert sitters[:2] == ["", ""]
        assert sitters[2].endswith("bot, until they are back")
        await cy.ask(f"DELETE tables/{bus.table}/stand-in")
        assert (await cy.scene(bus.table))["handed"] is False


async def test_two_are_away(bus: Bus) -> None:
    """They are not asked about each other."""
    async with bus.running() as (ann, *_):
        for away in (1, 2):
            await bus.propose(ann, away)
        panels = (await ann.scene(bus.table))["position"]["panels"]
        assert ["until they are back" in panel["sitter"] for panel in panels] == [False, True, True]


async def test_who_comes_back_is_not_replaced(bus: Bus) -> None:
    """Nobody can agree to a bot for them while they are here; they may decline it themselves."""
    async with bus.running() as (ann, bo, cy):
        await bo.scene(bus.table)
        await bus.propose(ann, 2)
        async with cy.open(bus.table) as socket:
            await socket.synced()
            await bus.agree(bo, status=409)
            socket.say(agree=False, event=2, id="d")
            assert await socket.hear("done") == {"type": "done", "id": "d", "event": 3}
        assert (await ann.scene(bus.table))["proposal"] is None


async def test_when_somebody_was_last_here_is_stored(bus: Bus, wall: WallClock) -> None:
    """Whoever looked shortly before the server was stopped is not away when it starts again."""
    async with bus.running() as (ann, *_):
        await ann.scene(bus.table)
    wall.seconds += PATIENCE - 1
    async with bus.running():
        assert await bus.absent() == [1, 2]


@pytest.mark.parametrize("jump", [-DAY, DAY])
async def test_a_clock_that_is_set_sends_nobody_away(bus: Bus, wall: WallClock, jump: float) -> None:
    """While the server runs nobody is away for it; after a restart a time to come counts as now."""
    async with bus.running() as (ann, bo, cy):
        for person in (ann, bo, cy):
            await person.scene(bus.table)
        wall.jumped += jump
        assert await bus.absent() == []
        await ann.scene(bus.table)
    async with bus.running():
        assert await bus.absent() == []


async def test_a_crowd_is_counted_now_and_then(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Whoever comes is told who is here; the others are told the new number together, after a while."""
    (ann,) = await arrive(app, client, "Ann")
    table = await sit([ann], "times_square", "random")
    crowd = [Person(app, client).open(table) for _ in range(30)]
    first = await crowd[0].hear("people")
    while first["watching"] < len(crowd):
        first = await crowd[0].hear("people")
    for socket in crowd[1:]:
        assert (await socket.hear("people"))["here"] == [False, None]
    assert sum(socket._heard.qsize() for socket in crowd) <= 2 * len(crowd)
    await asyncio.gather(*(socket.close() for socket in crowd))
