"""How bots are asked at tables: whoever is due, again if need be, never about what has passed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest
from anyio import fail_after

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions
from omnibus.server.tables.bot_driver import MOST_PLAYING_ON, MOVES_AFTER_S, QUICK_S, WATCHED_S, BotDriver
from omnibus.server.tables.bot_pool import BotPool, NoAnswer, Reply
from omnibus.server.tables.bot_worker import Answer, Question
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.seats import Seat, opened

EASY = Sitter(bot="easy")


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


async def until(true: Callable[[], bool]) -> None:
    with fail_after(20):
        while not true():
            await asyncio.sleep(0.01)


@pytest.fixture
def prompt_bots() -> None:
    """Bots take their time here, by the clock below."""


@pytest.fixture
def clock() -> Clock:
    """A clock of the test's own."""
    return Clock()


@pytest.fixture
async def pool(registry: TableRegistry, clock: Clock) -> ScriptedPool:
    """A registry whose bots are asked by the test's clock, and answered by the test."""
    pool = ScriptedPool(clock)

    async def play(table: Table, seat: int, line: str, event: int) -> None:
        await actions.play(registry, table, seat, line, event, by_bot=True)

    def is_watched(table: Table) -> bool:
        return bool(registry.live.presence_at(table).connections)

    await registry.bot_driver.close()
    registry.publisher.bot_driver = BotDriver(pool, play, is_watched, clock=clock, sleep=clock.sleep)
    return pool


def first_line(table: Table, clock: Clock) -> Reply:
    return Reply(Answer(table.match.lines()[0]), clock())


async def person_and_bots(registry: TableRegistry, user: User, game: str = "bus") -> Table:
    """A table at which a bot is due, and a person sits too."""
    while True:
        table = await opened(registry, user.id, game, {}, [Sitter(user=user.id), EASY, EASY])
        if table.actor == 0:
            await actions.play(registry, table, 0, table.match.lines()[0], table.event)
        if table.actor != 0:
            await asyncio.sleep(0)
            return table


async def test_the_bot_that_is_due_is_asked_once(registry: TableRegistry, user: User, pool: ScriptedPool) -> None:
    """On behalf of the table's owner, however often the table is looked at."""
    table = await person_and_bots(registry, user)
    asked = len(pool.waiting())
    for _ in range(3):
        await registry.visit(table.setup.id)
        await registry.bot_driver.sweep(registry)
    await asyncio.sleep(0)
    assert len(pool.waiting()) == asked == 1
    assert pool.asked[-1][:2] == (pool.asked[-1][0], user.id)


async def test_its_answer_is_played(registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock) -> None:
    table = await person_and_bots(registry, user)
    event = table.event
    pool.asked[-1][2].set_result(first_line(table, clock))
    await until(lambda: table.event > event)


async def test_stale_thoughts_are_cancelled(registry: TableRegistry, user: User, pool: ScriptedPool) -> None:
    """Handing seats over a hundred times leaves one question waiting, about the last event."""
    table = await person_and_bots(registry, user)
    for number in range(20):
        await actions.hand_over(registry, table, [0], bot_names()[number % 2])
        await actions.resume_seats(registry, table, [0])
    await asyncio.sleep(0)
    assert len(pool.waiting()) == 1


async def test_whoever_could_not_be_asked_is_asked_again(
    registry: TableRegistry, user: User, pool: ScriptedPool
) -> None:
    """By the next sweep, or when somebody comes to the table."""
    table = await person_and_bots(registry, user)
    ways: list[Callable[[], Awaitable[object]]]
    ways = [lambda: registry.bot_driver.sweep(registry), lambda: registry.visit(table.setup.id)]
    for again in ways:
        pool.waiting()[0].set_exception(NoAnswer("all workers are gone"))
        await settle()
        assert not pool.waiting()
        await again()
        await asyncio.sleep(0)
        assert len(pool.waiting()) == 1


async def test_bots_that_were_due_when_the_server_stopped_go_on(
    registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock
) -> None:
    """Without anybody coming to the table: who waits for their turn would wait for ever."""
    table = await person_and_bots(registry, user)
    id_ = table.setup.id
    again = TableRegistry(registry.table_store.database, pool)
    due = await again.table_store.bots_due()
    assert due == [id_]
    sweeping = asyncio.create_task(again.bot_driver.keep_sweeping(again, due))
    await until(lambda: len(pool.waiting()) == 2)
    sweeping.cancel()
    await again.close()


async def test_a_table_that_could_not_be_read_is_not_forgotten(
    registry: TableRegistry, user: User, pool: ScriptedPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next sweep tries it again."""
    table = await person_and_bots(registry, user)
    pool.waiting()[0].set_exception(NoAnswer("all workers are gone"))
    await settle()
    find = registry.find

    async def unreadable(id_: str) -> Table | None:
        raise StoreError("the disk fails")

    registry.live.unload_all()
    monkeypatch.setattr(registry, "find", unreadable)
    with pytest.raises(StoreError):
        await registry.bot_driver.sweep(registry)
    monkeypatch.setattr(registry, "find", find)
    await registry.database.execute("UPDATE tables SET updated = 0")  # no other process has done anything for long
    await registry.bot_driver.sweep(registry)
    await settle()
    assert len(pool.waiting()) == 1
    assert registry.live.at_hand(table.setup.id)


class TestPaused:
    """Tables where only bots sit."""

    async def test_they_stop_when_nobody_looks(
        self, registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock
    ) -> None:
        """And go on as soon as somebody does."""
        table = await opened(registry, user.id, "bus", {}, [EASY] * 3)
        await asyncio.sleep(0)
        await clock.go_on(WATCHED_S)
        event = table.event
        pool.waiting()[0].set_result(first_line(table, clock))
        await until(lambda: table.event > event)
        await registry.bot_driver.sweep(registry)
        await settle()
        assert not pool.waiting()
        await registry.visit(table.setup.id)
        await settle()
        assert len(pool.waiting()) == 1

    @pytest.mark.parametrize("why", ["a page is open", "it keeps going"])
    async def test_they_go_on(
        self, registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock, why: str
    ) -> None:
        """While a page is open, or where they are to go on anyway."""
        table = await opened(registry, user.id, "bus", {}, [EASY] * 3)
        if why == "it keeps going":
            table.keeps_going = True
        else:
            Seat(registry, table, None)
        await clock.go_on(WATCHED_S)
        event = table.event
        pool.waiting()[0].set_result(first_line(table, clock))
        await until(lambda: table.event > event)
        await settle()
        assert len(pool.waiting()) == 1

    async def test_those_of_one_address_take_turns(
        self, registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock
    ) -> None:
        """Only some think at the same time, all play on in the end; tables elsewhere, or with people, do not wait."""
        bus, other = games.find("bus"), (await registry.user_store.add_user())[0]
        pool.addresses.note(user.id, "192.0.2.1")
        pool.addresses.note(other.id, "192.0.2.2")
        tables = [await opened(registry, user.id, "bus", {}, [EASY] * 3) for _ in range(MOST_PLAYING_ON + 2)]
        await settle()
        assert len(pool.waiting()) == MOST_PLAYING_ON
        await opened(registry, other.id, "bus", {}, [EASY] * 3)
        await person_and_bots(registry, user)
        await settle()
        assert len(pool.waiting()) == MOST_PLAYING_ON + 2
        while not all(table.event > 1 for table in tables):
            for question, _, reply in pool.asked:
                if not reply.done():
                    state = bus.redeal(question.view, Random(1).randrange)
                    reply.set_result(Reply(Answer(bus.write(state, bus.legal(state)[0])), clock()))
            await asyncio.sleep(0.01)

    async def test_also_where_people_have_left_their_seats_to_bots(
        self, registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock
    ) -> None:
        """Nobody waits for them there."""
        table = await person_and_bots(registry, user)
        await actions.hand_over(registry, table, [0], "easy")
        await clock.go_on(WATCHED_S)
        assert registry.bot_driver.is_paused(table)
        await actions.resume_seats(registry, table, [0])
        assert not registry.bot_driver.is_paused(table)


class TestWhenABotMoves:
    """In a game with hidden hands the time of a move tells nothing about the hand."""

    @pytest.mark.parametrize("bot", bot_names())
    @pytest.mark.parametrize("part", [0.0, 0.01, 0.6, 0.9])
    @pytest.mark.parametrize("waiting", [0.0, 7.3])
    async def test_it_moves_after_a_fixed_time(
        self,
        registry: TableRegistry,
        user: User,
        pool: ScriptedPool,
        clock: Clock,
        bot: str,
        part: float,
        waiting: float,
    ) -> None:
        """Counted from when a worker was free for it, however large a part of it the bot thought."""
        period = MOVES_AFTER_S.get(bot, QUICK_S)
        table = await opened(registry, user.id, "times_square", {}, [Sitter(bot=bot)] * 2)
        await clock.go_on(waiting)
        began, event = clock(), table.event
        await clock.go_on(part * period)
        pool.waiting()[0].set_result(Reply(Answer(table.match.lines()[0]), began))
        await settle()
        await clock.go_on((1 - part) * period - 0.001)
        assert table.event == event
        await clock.go_on(0.001)
        await until(lambda: table.event > event)

    async def test_a_late_move_waits_for_the_next_period(
        self, registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock
    ) -> None:
        """By how much it was late is not told either."""
        table = await opened(registry, user.id, "times_square", {}, [EASY] * 2)
        await settle()
        began, event = clock(), table.event
        await clock.go_on(QUICK_S * 1.3)
        pool.waiting()[0].set_result(Reply(Answer(table.match.lines()[0]), began))
        await settle()
        await clock.go_on(QUICK_S * 0.6)
        assert table.event == event
        await clock.go_on(QUICK_S * 0.1)
        await until(lambda: table.event > event)

    async def test_in_an_open_game_it_moves_at_once(
        self, registry: TableRegistry, user: User, pool: ScriptedPool, clock: Clock
    ) -> None:
        """There is nothing to hide."""
        table = await person_and_bots(registry, user)
        event = table.event
        pool.waiting()[0].set_result(first_line(table, clock))
        await until(lambda: table.event > event)


async def test_a_bot_that_searches_is_told_the_record(registry: TableRegistry, user: User, pool: ScriptedPool) -> None:
    """As its seat read it, and which seat that is, so that it can go on with what it has searched before."""
    table = await opened(registry, user.id, "times_square", {}, [Sitter(bot="hard")] * 2)
    await settle()
    question, _, _ = pool.asked[-1]
    assert table.actor is not None
    assert question.view == table.match.view(table.actor)
    assert question.seat_at == f"{table.setup.id} {table.actor}"
