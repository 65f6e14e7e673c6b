"""What one of several processes does for all: bots, analyses, clocks and ratings; and what that costs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("asyncpg")

from omnibus.bots import names as bot_names
from omnibus.ratings.log import RatedGame, Ratings, pool_of
from omnibus.server.errors import Rejected
from omnibus.server.people import ratings
from omnibus.server.store.hint_channel import HintChannel
from omnibus.server.store.models import Sitter, TimeControl
from omnibus.server.tables import actions, bot_driver, events
from omnibus.server.tables.analyses import Subject, place_of
from omnibus.server.tables.other_processes import AT_ONCE, OtherProcesses
from omnibus.server.tables.periodic import resume_clocks
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.postgres import missing
from support.seats import Seat, bus_with, friends, opened, play_first
from support.two_processes import Pair, nothing, until
from support.wall_clock import WallClock

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

WEAK = bot_names()[0]


async def test_one_process_asks_the_bots(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that stored the last event; when it has died, the other does after a while."""
    (ann,) = await friends(pair[0], 1)
    setup = await pair[0].open(ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter(bot=WEAK)])
    here, there = await pair[0].table(setup.id), await pair[1].visit(setup.id)
    await pair[0].bot_driver.close()  # as if it had died
    pair[0].bot_driver.drive = lambda table: None  # type: ignore[method-assign]
    while here.awaits is not None:
        await play_first(pair[0], here)
    there = await pair[1].table(setup.id)
    assert there.awaits is None
    await pair[1].bot_driver.sweep(pair[1])
    assert there.event == here.event
    assert not pair[1].bot_pool.queued
    monkeypatch.setattr(bot_driver, "TAKE_OVER_S", 0.0)
    pair[1].bot_driver.leave(there)
    await until(lambda: there.event > here.event)


async def test_a_bot_nobody_hinted_at_is_asked_in_time(pair: Pair) -> None:
    """A process that has missed the last moves counts from when they were stored, not from when it reads them."""
    (ann,) = await friends(pair[0], 1)
    setup = await pair[0].open(ann.id, "times_square", {}, [Sitter(user=ann.id), Sitter(bot=WEAK)])
    here = await pair[0].table(setup.id)
    await pair[0].bot_driver.close()  # as if it had died
    pair[0].bot_driver.drive = lambda table: None  # type: ignore[method-assign]
    pair[0].database.hint = lambda subject: None  # type: ignore[method-assign]
    while here.awaits is None:
        await actions.play(pair[0], here, here.actor or 0, here.match.lines()[0], here.event, by_bot=True)
    there = await pair[1].visit(setup.id)
    while here.awaits is not None:
        await play_first(pair[0], here)
    assert there.awaits is not None
    for change in ("UPDATE tables SET updated = updated - 60", "UPDATE events SET at = at - 60"):
        await pair[0].database.execute(change)
    await OtherProcesses(pair[1], nothing).look_everywhere(missed=False)
    await pair[1].bot_driver.sweep(pair[1])
    await until(lambda: there.event > here.event)


async def test_of_a_table_that_is_loaded_again_there_is_one_copy(pair: Pair) -> None:
    """Whoever comes while a process finds out that another was first waits for that: two copies would not agree."""
    people = await friends(pair[0], 3)
    here = await bus_with(pair[0], people)
    there, store = await pair[1].visit(here.setup.id), pair[1].table_store
    read, loading, loaded = store.events, asyncio.Event(), asyncio.Event()

    async def slowly(table: str, since: int = 1) -> list[tuple[int, bytes, str | None]]:
        found = await read(table, since)
        if since == 1:
            loading.set()
            await loaded.wait()
        return found

    line = there.match.lines()[-1]
    await play_first(pair[0], here)
    store.events = slowly  # type: ignore[method-assign]
    lost = asyncio.create_task(actions.play(pair[1], there, there.actor or 0, line, 1))
    await loading.wait()
    found = asyncio.create_task(pair[1].table(here.setup.id))
    for _ in range(5):
        await asyncio.sleep(0)
    loaded.set()
    with pytest.raises(Rejected):
        await lost
    assert await found is there
    assert pair[1].live.at_hand(here.setup.id) is there


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


@pytest.mark.parametrize("later", range(4))
async def test_a_channel_can_be_closed_right_after_a_hint(address: str, later: int) -> None:
    """Whatever its task is doing at this moment: it must not lose the cancellation."""
    channel, heard = HintChannel(address), asyncio.Event()
    channel.listen(lambda _: heard.set())
    await heard.wait()  # now it waits for something to send
    channel.send("something")
    for _ in range(later):
        await asyncio.sleep(0)
    closing = asyncio.create_task(channel.close())
    done, _ = await asyncio.wait([closing], timeout=60)
    assert closing in done


async def test_what_coming_to_a_table_reads(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored meanwhile, and what waits for the user: all pages of a process come at once when it restarts."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    await pair[1].visit(table.setup.id)
    asked: list[asyncio.Task[Any] | None] = []
    read = pair[1].database.read

    async def counted(query: str, *values: Any) -> list[Any]:
        asked.append(asyncio.current_task())
        return await read(query, *values)

    monkeypatch.setattr(pair[1].database, "read", counted)
    seat = Seat(pair[1], await pair[1].visit(table.setup.id), people[0])
    await pair[1].online.add(seat.session)
    await seat.synced()
    assert asked.count(asyncio.current_task()) == 2


async def test_many_hints_leave_connections_for_others(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is where is read for all tables together; everything else for a few at once."""
    people = await friends(pair[0], 3)
    tables = [await bus_with(pair[0], people) for _ in range(2)]
    other, busy, most = OtherProcesses(pair[0], nothing), 0, 0
    asked: list[set[str]] = []

    async def elsewhere(places: Any) -> dict[str, Any]:
        asked.append(set(places))
        return {}

    async def tell_here(user: str) -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0)
        busy -= 1

    assert pair[0].shared_presence is not None
    monkeypatch.setattr(pair[0].shared_presence, "elsewhere", elsewhere)
    monkeypatch.setattr(pair[0].online, "tell_here", tell_here)
    ids = [table.setup.id for table in tables]
    await other.look_at_all([f"people:{id_}" for id_ in ids] + [f"awaited:{number}" for number in range(50)])
    assert asked == [set(ids)]
    assert 0 < most < AT_ONCE
