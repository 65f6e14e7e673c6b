"""Clocks of tables, with a clock on the wall that the tests set: who has how much time, and what happens at zero.

What does not depend on the time of day is in tests/traces/clocks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from fastapi import FastAPI

from omnibus.server.people import vacations
from omnibus.server.store.database import Database
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import DAY
from omnibus.server.store.server_clock import CONFIRM_S, LATE_S, ServerClock
from omnibus.server.tables import clock_keeper
from omnibus.server.tables.periodic import resume_clocks, run_round
from support.live import Message, Person, arrive, sit, whose_turn
from support.wall_clock import WallClock

from .conftest import app_at

pytestmark = pytest.mark.both_databases

CLOCK = {"bank": 100, "increment": 10}
BY_DAYS = {"bank": DAY, "turn": DAY}


@pytest.fixture(autouse=True)
def idle_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots take over seats, but play nothing: so everything here happens when a test says so."""
    monkeypatch.setattr("omnibus.server.tables.bot_driver.BotDriver.drive", lambda driver, table: None)


async def two(app: FastAPI, client: httpx.AsyncClient, clock: dict[str, Any] = CLOCK) -> tuple[str, Person, Person]:
    """Two people at a table with a clock: the table, who is to decide, and the other one."""
    people = await arrive(app, client, "Ann", "Bo")
    table = await sit(people, "times_square", clock=clock)
    seat = await whose_turn(table, people)
    return table, people[seat], people[1 - seat]


async def clock(person: Person, table: str) -> Message:
    """Return the clocks, with what the person and the other one have left."""
    scene = await person.scene(table)
    (own,) = scene["own"]
    shown: Message = scene["clock"]
    return {**shown, "mine": shown["left"][own], "other": shown["left"][1 - own], "runs": shown["running"] == own}


async def timers(app: FastAPI) -> None:
    """Let the timers of all tables fire whose time is over by now."""
    keeper = app.state.registry.clock_keeper
    for table in keeper.watched:
        keeper.forget(table)
    await resume_clocks(app.state.registry)
    await asyncio.sleep(5 * clock_keeper.SOON_S)
    await asyncio.gather(*keeper._tasks)


async def handed(person: Person, table: str) -> Message:
    """Wait until a bot has taken over for somebody, as they see it."""
    async with asyncio.timeout(60):
        while not (scene := await person.scene(table))["handed"]:
            await asyncio.sleep(0.01)
    return scene


async def test_thinking_takes_time_and_deciding_adds_some(
    app: FastAPI, client: httpx.AsyncClient, wall: WallClock
) -> None:
    """The bank of whoever decides goes down and the increment comes back, up to the start; others keep theirs.

    Whoever undoes a decision and makes it again has the increment once, and the thinking counts for the new one.
    """
    table, first, second = await two(app, client)
    assert (await clock(first, table))["left"] == [100, 100]
    wall.seconds += 50
    assert (await clock(second, table))["other"] == 50
    await first.play(table)
    now = await clock(first, table)
    assert (now["mine"], now["other"], now["runs"]) == (60, 100, True)
    assert [time[2:] for time in now["times"]] == [[50, 60]]
    wall.seconds += 5
    await first.ask(f"POST tables/{table}/undo", {"event": 2})
    now = await clock(first, table)
    assert (now["mine"], now["times"]) == (55, [])
    wall.seconds += 2
    await first.play(table)
    now = await clock(first, table)
    assert now["mine"] == 53
    assert [time[2:] for time in now["times"]] == [[57, 53]]
    wall.seconds += 1
    await first.play(table)
    assert (await clock(first, table))["mine"] == 62


@pytest.mark.parametrize(("used", "in_time"), [(99.9, True), (99.96, False), (100.0, False), (100.001, False)])
@pytest.mark.parametrize("move_first", [True, False])
async def test_a_move_is_in_time_or_too_late(
    app: FastAPI, client: httpx.AsyncClient, wall: WallClock, used: float, in_time: bool, move_first: bool
) -> None:
    """Around zero, whoever asks first: either the move is made or the time is up, never both, never neither.

    What is shown as nothing is nothing: with a few hundredths of a second left everybody reads 0.0.
    """
    table, first, _ = await two(app, client)
    line = (await first.scene(table))["moves"][0]["line"]
    wall.seconds += used
    assert ((await clock(first, table))["mine"] > 0) == in_time
    tries = [first.ask(f"POST tables/{table}/play", {"line": line, "event": 1}, status=200 if in_time else 409)]
    tries.insert(move_first, timers(app))
    answer = (await asyncio.gather(*tries))[not move_first]
    scene = await first.scene(table) if in_time else await handed(first, table)
    assert (scene["event"], scene["handed"]) == (2, not in_time)
    assert in_time or answer == {"code": "refused", "text": "Your time is up."}


class Restarted:
    """A server that can be stopped and started again, and two people at a table of it."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        self.people: list[Person] = []

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FastAPI]:
        """Run the server, and let the people come (back)."""
        async with app_at(self.folder, None, self.address) as app:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
                self.people = [person.at(app, client) for person in self.people] or await arrive(
                    app, client, "Ann", "Bo"
                )
                yield app

    async def left(self, table: str) -> float:
        """Return what the player to decide has left."""
        scene = await self.people[0].scene(table)
        return float(scene["clock"]["left"][scene["actor"]])


@pytest.mark.parametrize("bank", [100, 1000])
async def test_a_restart_takes_no_time_and_gives_none(
    tmp_path: Path, address: str, wall: WallClock, bank: float
) -> None:
    """What somebody had used before counts, the time the server was down does not, and the timer is set again.

    That of a clock with much time is set when its time is nearly over.
    """
    server = Restarted(tmp_path, address)
    async with server.running() as app:
        table = await sit(server.people, "times_square", clock={"bank": bank})
        seat = await whose_turn(table, server.people)
        wall.seconds += 30
        await app.state.registry.table_store.server_clock.confirm()
        wall.seconds += 2
        app.state.registry.table_store.server_clock.confirm = AsyncMock()  # it is killed
    wall.seconds += DAY
    async with server.running() as app:
        await run_round(app.state.registry)
        assert await server.left(table) == bank - 30
        wall.seconds += bank - 31
        await timers(app)
        assert await server.left(table) == 1
        wall.seconds += 1
        await timers(app)
        await handed(server.people[seat], table)


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    """A clock that only the test moves, and a server's clock that is late when it is not confirmed."""
    return WallClock(monkeypatch, late=True)


async def serve(app: FastAPI, wall: WallClock, seconds: int) -> None:
    """Let time pass while a server runs as it should."""
    for _ in range(seconds):
        wall.seconds += 1
        await app.state.registry.table_store.server_clock.confirm()


@pytest.mark.parametrize("why", ["nothing can be stored", "the process stands still"])
async def test_time_in_which_no_move_can_be_made_does_not_count(
    app: FastAPI, client: httpx.AsyncClient, late: WallClock, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    """A database that is away, or a machine that is stopped: nobody's time is over meanwhile, and then it goes on."""
    table, first, _ = await two(app, client, {"bank": 15})
    await serve(app, late, 4)
    with monkeypatch.context() as failing:
        if why == "nothing can be stored":
            for name in ("write", "append"):
                failing.setattr(app.state.registry.database, name, AsyncMock(side_effect=StoreError))
            late.seconds += 1
            await first.play(table, status=503)
        late.seconds += 3600
    await timers(app)
    assert not (await first.scene(table))["handed"]
    assert (await clock(first, table))["mine"] == 11
    await serve(app, late, 10)
    assert (await clock(first, table))["mine"] == 1
    late.seconds += 2
    await timers(app)
    await handed(first, table)


@pytest.mark.parametrize("jump", [3600, -3600, 365 * DAY])
@pytest.mark.parametrize("control", [{"bank": 600}, BY_DAYS])
async def test_a_jump_of_the_time_of_day_changes_no_clock(
    tmp_path: Path, address: str, late: WallClock, jump: float, control: dict[str, float]
) -> None:
    """Neither at once nor after a restart."""
    server, whole = Restarted(tmp_path, address), sum(control.values())
    async with server.running() as app:
        table = await sit(server.people, "times_square", clock=control)
        await serve(app, late, 10)
        late.jumped += jump
        await serve(app, late, 8)
        assert await server.left(table) == whole - 18
    async with server.running() as app:
        assert await server.left(table) == whole - 18
        await serve(app, late, 2)
        assert await server.left(table) == whole - 20


async def test_a_vacation_stops_the_clock(tmp_path: Path, address: str, wall: WallClock) -> None:
    """Its owner is neither timed out nor replaced by a bot meanwhile, also after a restart; then the clock goes on."""
    server = Restarted(tmp_path, address)
    async with server.running() as app:
        table = await sit(server.people, "times_square", clock=BY_DAYS, patience=60)
        seat = await whose_turn(table, server.people)
        wall.seconds += DAY / 2
        until = (await server.people[seat].ask("PUT users/me/vacation", {"days": 7}))["until"]
        assert until == wall.seconds + 7 * DAY
        shown = await clock(server.people[1 - seat], table)
        assert shown["away"] == [until if each == seat else None for each in range(2)]
        wall.seconds += 6 * DAY
        await timers(app)
        assert await server.left(table) == 1.5 * DAY
    wall.seconds += 120
    async with server.running() as app:
        first, second = server.people[seat], server.people[1 - seat]
        assert (await clock(second, table))["other"] == 1.5 * DAY
        asked = {"what": "bot", "away": seat, "event": 2}
        answer = await second.ask(f"POST tables/{table}/proposal", asked, status=409)
        assert answer["text"] == "They are on vacation."
        await first.ask("DELETE users/me/vacation")
        assert (await first.ask("GET users/me/vacation"))["days_left"] == 24
        wall.seconds += DAY
        assert await server.left(table) == DAY / 2
        wall.seconds += DAY / 2
        await timers(app)
        await handed(first, table)


async def test_a_vacation_that_no_table_was_told_of(
    tmp_path: Path, address: str, wall: WallClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the server ends before it has told the tables of a vacation it does so at its next start, once."""
    server = Restarted(tmp_path, address)
    async with server.running():
        table = await sit(server.people, "times_square", clock=BY_DAYS)
        with monkeypatch.context() as failing:
            failing.setattr(vacations, "_tell_tables", AsyncMock())
            until = (await server.people[0].ask("PUT users/me/vacation", {"days": 1}))["until"]
        assert (await clock(server.people[1], table))["away"] == [None, None]
    for _ in range(2):
        async with server.running():
            scene = await server.people[1].scene(table)
            assert (scene["clock"]["away"], scene["event"]) == ([until, None], 2)


async def stored(database: Database) -> float:
    """Return what the database knows."""
    clock = ServerClock(database)
    await clock.read()
    return clock.now


async def test_it_never_counts_more_than_has_passed(database: Database, late: WallClock) -> None:
    """However many processes there are, and whatever happens to them; as long as one does well, no second is lost."""
    random, began = Random(1), late.seconds
    clocks = [ServerClock(database) for _ in range(3)]
    before = 0.0
    late.seconds += 100
    assert await stored(database) == 0  # nobody confirms it
    for _ in range(150):
        late.seconds += random.choice([0, 0.5, CONFIRM_S, 2 * LATE_S])
        number = random.randrange(3)
        what = random.choice(["confirm"] * 4 + ["fail", "replace"])
        if what == "replace":
            clocks[number] = ServerClock(database)
        elif what == "fail":
            clocks[number].fail()
        else:
            await clocks[number].confirm()
        assert before <= (before := await stored(database)) <= late.seconds - began
    await asyncio.gather(*(clock.confirm() for clock in clocks))
    since, already = late.seconds, await stored(database)
    for _ in range(10):
        late.seconds += CONFIRM_S
        await asyncio.gather(*(clock.confirm() for clock in clocks[:2]))
    assert await stored(database) - already == late.seconds - since
