"""How bots are asked at tables: whoever is due, again if need be, never about what has passed."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from anyio import fail_after
from fastapi import FastAPI

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.server.store.errors import StoreError
from omnibus.server.tables import actions
from omnibus.server.tables.bot_driver import MOST_PLAYING_ON, MOVES_AFTER_S, QUICK_S, WATCHED_S, BotDriver
from omnibus.server.tables.bot_pool import BotPool, NoAnswer, Reply
from omnibus.server.tables.bot_worker import Answer, Question
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.live import Person, alone, arrive, sit


class Clock:
    """A clock that stands still until it is told otherwise, and those who sleep by it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock has gone on by so much."""
        if seconds > 0:
            done = asyncio.get_running_loop().create_future()
            self._sleepers.append((self.now + seconds, done))
            await done

    async def go_on(self, seconds: float) -> None:
        """Let time pass, and everybody do what they do then."""
        self.now += seconds
        for until, done in self._sleepers:
            if until <= self.now + 1e-9 and not done.done():
                done.set_result(None)
        await settle()


class ScriptedPool(BotPool):
    """A pool in which nobody thinks: a test gives the answers."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(0, clock=clock)
        self.asked: list[tuple[Question, str, asyncio.Future[Reply]]] = []

    async def ask(self, question: Question, user: str = "") -> Reply:
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.asked.append((question, user, reply))
        return await reply

    def waiting(self) -> list[asyncio.Future[Reply]]:
        """Return the questions nobody has answered, and nobody has dropped."""
        return [reply for _, _, reply in self.asked if not reply.done()]


async def settle() -> None:
    """Let everybody do what can be done without waiting for anything."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
def prompt_bots() -> None:
    """Bots take their time here, by the clock below."""


@pytest.fixture
def clock() -> Clock:
    """A clock of the test's own."""
    return Clock()


@pytest.fixture
async def pool(app: FastAPI, clock: Clock) -> ScriptedPool:
    """Let the bots of the server be asked by the test's clock, and answered by the test."""
    registry: TableRegistry = app.state.registry
    pool = ScriptedPool(clock)

    async def play(table: Table, seat: int, line: str, event: int) -> None:
        await actions.play(registry, table, seat, line, event, by_bot=True)

    def is_watched(table: Table) -> bool:
        return bool(registry.live.presence_at(table).connections)

    await registry.bot_driver.close()
    registry.publisher.bot_driver = BotDriver(pool, play, is_watched, clock=clock, sleep=clock.sleep)
    return pool


@pytest.fixture
async def ann(app: FastAPI, client: httpx.AsyncClient) -> Person:
    """Somebody who plays against bots."""
    return (await arrive(app, client, "Ann"))[0]


def answer(pool: ScriptedPool, clock: Clock, began: float | None = None) -> None:
    """Answer the question that waits with a legal line."""
    question, _, reply = next(asked for asked in pool.asked if not asked[2].done())
    game = games.find(question.game)
    state = game.redeal(question.view, Random(1).randrange)
    line = game.write(state, game.legal(state)[0])
    reply.set_result(Reply(Answer(line), clock() if began is None else began))


def event(app: FastAPI, table: str) -> int:
    """Return the last event of a table, without looking at it: bots would notice."""
    found = app.state.registry.live.at_hand(table)
    assert found is not None
    return int(found.event)


async def played(app: FastAPI, table: str, number: int) -> None:
    """Wait for an event of a table."""
    with fail_after(20):
        while event(app, table) < number:
            await asyncio.sleep(0.01)


async def against_bots(ann: Person, app: FastAPI) -> str:
    """A table of Bus at which a bot is due, and a person sits too."""
    while True:
        table = await sit([ann], "bus", "easy", "easy")
        await settle()
        if (await ann.ask(f"GET tables/{table}"))["awaits"] is None:
            return table


async def only_bots(ann: Person, game: str = "bus", bot: str = "easy") -> str:
    """A table at which a person has left all seats to bots."""
    table = await alone(ann, game, games.find(game).seats[0])
    await ann.ask(f"PUT tables/{table}/stand-in", {"bot": bot})
    await settle()
    return table


async def test_the_bot_that_is_due_is_asked_once(app: FastAPI, ann: Person, pool: ScriptedPool, clock: Clock) -> None:
    """However often the table is looked at and whatever bots take over; what it answers is played."""
    table = await against_bots(ann, app)
    for number in range(4):
        assert (await ann.scene(table))["moves"] == []
        await app.state.registry.bot_driver.sweep(app.state.registry)
        await ann.ask(f"PUT tables/{table}/stand-in", {"bot": bot_names()[number % 2]})
        await ann.ask(f"DELETE tables/{table}/stand-in")
    await settle()
    assert len(pool.waiting()) == 1
    question, user, _ = pool.asked[-1]
    assert (question.game, user) == ("bus", (await ann.ask("GET users/me"))["id"])
    before = event(app, table)
    answer(pool, clock)
    await played(app, table, before + 1)


async def test_while_a_bot_plays_the_owner_does_not(ann: Person, pool: ScriptedPool) -> None:
    """Who has handed over the seats is not awaited, is offered no moves, and plays none until they are back."""
    table = await alone(ann, "bus", 3)
    line = (await ann.scene(table))["moves"][0]["line"]
    await ann.ask(f"PUT tables/{table}/stand-in", {"bot": "easy"})
    event = (await ann.scene(table))["event"]
    assert (await ann.ask("GET users/me/awaited"))["tables"] == (await ann.scene(table))["moves"] == []
    for seat in range(3):
        said = {"line": line, "event": event, "seat": seat}
        assert (await ann.ask(f"POST tables/{table}/play", said, status=409))["code"] == "not_your_turn"
    await ann.ask(f"DELETE tables/{table}/stand-in")
    assert (await ann.ask("GET users/me/awaited"))["tables"] == [table]


@pytest.mark.parametrize("way", ["a sweep", "a visit", "a sweep after one that failed"])
async def test_whoever_could_not_be_asked_is_asked_again(
    app: FastAPI, ann: Person, pool: ScriptedPool, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """By the next sweep, also when the table could not be read at the one before, or when somebody comes to it."""
    table, registry = await against_bots(ann, app), app.state.registry
    pool.waiting()[0].set_exception(NoAnswer("all workers are gone"))
    await settle()
    assert not pool.waiting()
    if way == "a sweep after one that failed":
        registry.live.unload_all()
        with monkeypatch.context() as failing:
            failing.setattr(registry, "find", AsyncMock(side_effect=StoreError))
            with pytest.raises(StoreError):
                await registry.bot_driver.sweep(registry)
        await registry.database.execute("UPDATE tables SET updated = 0")  # no other process has done anything for long
    if way == "a visit":
        await ann.scene(table)
    else:
        await registry.bot_driver.sweep(registry)
    await settle()
    assert len(pool.waiting()) == 1


@pytest.mark.parametrize("open_page", [False, True])
async def test_tables_of_bots_alone_stop_when_nobody_looks(
    app: FastAPI, ann: Person, pool: ScriptedPool, clock: Clock, open_page: bool
) -> None:
    """They go on as soon as somebody does, and while a page is open, however long nobody does anything."""
    table = await only_bots(ann)
    async with AsyncExitStack() as stack:
        if open_page:
            await (await stack.enter_async_context(ann.open(table))).synced()
        await clock.go_on(WATCHED_S)
        before = event(app, table)
        answer(pool, clock)
        await played(app, table, before + 1)
        await app.state.registry.bot_driver.sweep(app.state.registry)
        await settle()
        assert len(pool.waiting()) == open_page
        await ann.scene(table)
        await settle()
        assert len(pool.waiting()) == 1


async def test_those_of_one_address_take_turns(
    app: FastAPI, client: httpx.AsyncClient, ann: Person, pool: ScriptedPool, clock: Clock
) -> None:
    """Only some think at the same time, all play on in the end; tables elsewhere, or with people, do not wait."""
    (bo,) = await arrive(app, client, "Bo")
    for number, person in enumerate((ann, bo)):
        pool.addresses.note((await person.ask("GET users/me"))["id"], f"192.0.2.{number}")
    tables = [await only_bots(ann) for _ in range(MOST_PLAYING_ON + 2)]
    begun = {table: event(app, table) for table in tables}
    assert len(pool.waiting()) == MOST_PLAYING_ON
    await against_bots(ann, app)
    await only_bots(bo)
    assert len(pool.waiting()) == MOST_PLAYING_ON + 2
    with fail_after(20):
        while not all(event(app, table) > begun[table] for table in tables):
            if pool.waiting():
                answer(pool, clock)
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("bot", bot_names())
@pytest.mark.parametrize(
    ("part", "waiting", "periods"), [(0.0, 0.0, 1), (0.01, 7.3, 1), (0.6, 0.0, 1), (0.9, 7.3, 1), (1.3, 0.0, 2)]
)
async def test_the_time_of_a_move_tells_nothing_about_a_hand(
    app: FastAPI, ann: Person, pool: ScriptedPool, clock: Clock, bot: str, part: float, waiting: float, periods: int
) -> None:
    """A bot moves a fixed time after a worker was free for it, however large a part of it the bot has thought.

    A late move waits for the next period: by how much it was late is not told either.
    """
    period = MOVES_AFTER_S.get(bot, QUICK_S)
    table = await only_bots(ann, "times_square", bot)
    await clock.go_on(waiting)
    began, before = clock(), event(app, table)
    await clock.go_on(part * period)
    answer(pool, clock, began)
    await settle()
    await clock.go_on((periods - part) * period - 0.001)
    assert event(app, table) == before
    await clock.go_on(0.001)
    await played(app, table, before + 1)


async def test_a_bot_is_told_what_its_seat_may_see(ann: Person, pool: ScriptedPool) -> None:
    """The view of its seat and nothing else, and which seat that is, so that it can go on with what it has searched."""
    table = await only_bots(ann, "times_square", "hard")
    question: Any = pool.asked[-1][0]
    seat = (await ann.scene(table))["actor"]
    assert question.view == (await ann.ask(f"GET tables/{table}/view", seat=seat))["view"]
    assert question.seat_at == f"{table} {seat}"
