"""What one of several processes does for all: bots, analyses, clocks and ratings."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("asyncpg")

from omnibus.bots import names as bot_names
from omnibus.ratings.log import RatedGame, Ratings, pool_of
from omnibus.server.people import ratings
from omnibus.server.store.models import Sitter, TimeControl
from omnibus.server.tables import actions, bot_driver, events
from omnibus.server.tables.analyses import Subject, place_of
from omnibus.server.tables.other_processes import OtherProcesses
from omnibus.server.tables.periodic import resume_clocks
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.postgres import missing
from support.seats import bus_with, friends, opened, play_first
from support.two_processes import Pair, nothing, until
from support.wall_clock import WallClock

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

WEAK = bot_names()[0]


async def with_a_bot(pair: Pair) -> Table:
    """A table of Ann's and a bot's; the first process, which has it, asks no bots, as if it had died."""
    (ann,) = await friends(pair[0], 1)
    await pair[0].bot_driver.close()
    pair[0].bot_driver.drive = lambda table: None  # type: ignore[method-assign]
    return await opened(pair[0], ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter(bot=WEAK)])


async def test_one_process_asks_the_bots(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that stored the last event; when it has died, the other does after a while."""
    here = await with_a_bot(pair)
    while here.awaits is not None:
        await play_first(pair[0], here)
    there = await pair[1].table(here.setup.id)
    assert there.awaits is None
    await pair[1].bot_driver.sweep(pair[1])
    assert there.event == here.event
    assert not pair[1].bot_pool.queued
    monkeypatch.setattr(bot_driver, "TAKE_OVER_S", 0.0)
    pair[1].bot_driver.leave(there)
    await until(lambda: there.event > here.event)


async def test_a_bot_nobody_hinted_at_is_asked_in_time(pair: Pair) -> None:
    """A process that has missed the last moves counts from when they were stored, not from when it reads them."""
    here = await with_a_bot(pair)
    pair[0].database.hint = lambda subject: None  # type: ignore[method-assign]
    while here.awaits is None:
        await actions.play(pair[0], here, here.actor or 0, here.match.lines()[0], here.event, by_bot=True)
    there = await pair[1].visit(here.setup.id)
    while here.awaits is not None:
        await play_first(pair[0], here)
    assert there.awaits is not None
    for change in ("UPDATE tables SET updated = updated - 60", "UPDATE events SET at = at - 60"):
        await pair[0].database.execute(change)
    await OtherProcesses(pair[1], nothing).look_everywhere(missed=False)
    await pair[1].bot_driver.sweep(pair[1])
    await until(lambda: there.event > here.event)


async def test_an_analysis_is_made_by_one_process(pair: Pair) -> None:
    """The other one says that it is being made, and does not begin it again."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    await play_first(pair[0], table, 3)
    subject, match = Subject("table", table.setup.id), table.match
    assert (await pair[1].analyses.progress(subject, match)).state == "none"
    judged: asyncio.Event = asyncio.Event()
    pair[0].analyses.judge_decision = lambda *_: judged.wait()  # type: ignore[assignment, method-assign]
    await pair[0].analyses.start(subject, match, people[0].id)
    while (await pair[1].analyses.progress(subject, match)).state == "none":
        await asyncio.sleep(0.01)
    assert (await pair[1].analyses.start(subject, match, people[0].id)).state == "running"
    assert not pair[1].analyses.users_at(place_of(subject))


async def clocked(registry: TableRegistry) -> Table:
    """Two people at a table with a clock."""
    sitters = [Sitter(user=user.id) for user in await friends(registry, 2)]
    control = TimeControl(bank=100, increment=100)
    return await opened(registry, sitters[0].user, "times_square", {}, sitters, clock=control)


async def test_clocks_agree_and_time_is_over_once(wall: WallClock, pair: Pair) -> None:
    """Whatever is played where, both processes have the same clocks; of two that end the time, one stores it."""
    here = await clocked(pair[0])
    there = await pair[1].visit(here.setup.id)
    assert here.clock is not None
    assert there.clock is not None
    wall.seconds += 30
    assert here.clock.left == there.clock.left == 70
    await play_first(pair[0], here)
    wall.seconds += 40
    await there.read_on()
    assert here.clock.clocks == there.clock.clocks
    assert here.clock.left == there.clock.left == 60
    wall.seconds += 60
    await asyncio.gather(actions.time_out(pair[0], here), actions.time_out(pair[1], there))
    stored = [events.read(body) for _, body, _ in await pair[0].table_store.events(here.setup.id)]
    assert [isinstance(event, events.TimedOut) for event in stored].count(True) == 1
    for registry in pair:
        assert len((await registry.table(here.setup.id)).timed_out) == 1


async def test_any_process_ends_the_time(wall: WallClock, pair: Pair) -> None:
    """One that has never seen a table watches its clock without loading it, and looks again when somebody has moved."""
    here = await clocked(pair[0])
    id_ = here.setup.id
    await resume_clocks(pair[1])
    assert pair[1].clock_keeper.watched == {id_}
    wall.seconds += 99
    await play_first(pair[0], here)
    wall.seconds += 99
    pair[1].clock_keeper.forget(id_)
    await pair[1].time_out(id_)
    assert pair[1].clock_keeper.watched == {id_}
    assert pair[1].live.at_hand(id_) is None
    wall.seconds += 1
    await pair[1].time_out(id_)
    await here.read_on()
    assert here.timed_out


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    """A clock that only the test moves, and a server's clock that is late when it is not confirmed."""
    return WallClock(monkeypatch, late=True)


async def test_time_counts_while_any_process_can_store_moves(late: WallClock, pair: Pair) -> None:
    """One of two stands still for a minute, the other goes on: moves could be stored, so both know that it counts."""
    here = await clocked(pair[0])
    there = await pair[1].visit(here.setup.id)
    for _ in range(30):
        late.seconds += 2
        await pair[1].table_store.server_clock.confirm()
    await pair[0].table_store.server_clock.confirm()
    assert here.clock is not None
    assert there.clock is not None
    assert here.clock.left == there.clock.left == 40
    late.seconds += 60  # both stand still
    for registry in pair:
        await registry.table_store.server_clock.confirm()
    assert here.clock.left == there.clock.left == 40


async def test_rated_games_are_added_one_after_the_other(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each once, however many processes want to; the ratings follow from the order everywhere."""
    monkeypatch.setattr(ratings, "rated_game", lambda game: game)
    services: list[Any] = [registry.rating_service for registry in pair]
    rated = [RatedGame(f"t{number}", float(number), "bus", ("ann", "bo"), (1, 2)) for number in range(6)]
    await asyncio.gather(*(service.finish(game) for service in services for game in rated))
    stored = await services[0].store.log()
    assert [logged.number for logged in stored] == list(range(1, 7))
    assert {logged.id for logged in stored} == {game.id for game in rated}
    pool = pool_of("bus", 2)
    expected = Ratings.after(await services[0].store.games()).rating(pool, "ann")
    assert [(await service.ratings()).rating(pool, "ann") for service in services] == [expected] * 2
    changes = await services[0].store.changes("ann")
    assert max(changes, key=lambda change: change.games).after == expected
