"""Several processes on one PostgreSQL: here two registries in one process that know nothing of each other."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.ratings.log import RatedGame, Ratings, pool_of
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.http.connection import Connection
from omnibus.server.http.rate_limits import Caller, Quota, RateLimited, RateLimiter, Throttle
from omnibus.server.notices import turn_notifier
from omnibus.server.notices.message_sender import MessageSender
from omnibus.server.notices.turn_notifier import Timing, TurnNotifier
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.people import accounts, ratings
from omnibus.server.store.hint_channel import HintChannel
from omnibus.server.store.models import DAY, Sitter, TimeControl, User
from omnibus.server.store.opening import open_postgres
from omnibus.server.store.presences import PresenceStore
from omnibus.server.tables import actions, bot_driver, chat, events
from omnibus.server.tables.analyses import Subject, place_of
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.other_processes import AT_ONCE, OtherProcesses, join_others
from omnibus.server.tables.periodic import resume_clocks
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.shared_presence import DEAD_S, SharedPresence
from omnibus.server.tables.table import Table
from omnibus.server.tables.team_matches import TeamMatches
from omnibus.server.tables.waiting_session import WaitingSession
from support.postgres import missing
from support.receivers import listener
from support.seats import Seat, bus_with, friends, next_of, opened, play_first, received, told
from support.wall_clock import WallClock

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

WEAK = bot_names()[0]
Pair = tuple[TableRegistry, TableRegistry]


@pytest.fixture
def kind() -> str:
    """All of this is about PostgreSQL."""
    return "postgres"


async def nothing() -> None:
    """Take nothing over."""


@asynccontextmanager
async def process(address: str) -> AsyncIterator[TableRegistry]:
    """What a server process does at its tables."""
    database, bot_pool = open_postgres(address), BotPool(1)
    await database.connect()
    registry = TableRegistry(database, bot_pool)
    await resume_clocks(registry)
    tasks = await join_others(registry, nothing)
    try:
        yield registry
    finally:
        for task in tasks:
            task.cancel()
        await registry.close()
        await bot_pool.close()
        await database.aclose()


@pytest.fixture
async def pair(address: str) -> AsyncIterator[Pair]:
    """Two processes on one database."""
    async with process(address) as one, process(address) as other:
        yield one, other


async def until(condition: Any) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("game", games.names())
async def test_both_play_the_same_game(pair: Pair, game: str) -> None:
    """Every move is made at one of them at random, by whoever asked for the table there; the dice stay the same."""
    (ann,) = await friends(pair[0], 1)
    seats = games.find(game).seats[0]
    setup = await pair[0].open(ann.id, game, {}, [Sitter(user=ann.id)] * seats)
    random = Random(1)
    for _ in range(40):
        registry = random.choice(pair)
        table = await registry.table(setup.id)
        if table.actor is None:
            break
        await actions.play(registry, table, table.actor, random.choice(table.match.lines()), table.event)
        if random.random() < 0.2 and table.can_undo(table.actor):
            await actions.undo(registry, table, table.actor or 0, table.event)
    one, other = [await registry.table(setup.id) for registry in pair]
    assert one.event == other.event
    assert one.match.written() == other.match.written()
    assert one.match.position() == other.match.position()
    again = await Table.loaded(pair[0].table_store, setup)
    assert again.match.written() == one.match.written()


async def test_pages_of_the_other_process_are_shown_every_move(pair: Pair) -> None:
    """Also what happens besides moves: somebody leaves a seat to a bot, comes back, and resigns."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    seat = Seat(pair[1], await pair[1].visit(table.setup.id), people[1])
    await seat.say(sync=True)
    assert (await seat.scene())["event"] == 1
    await play_first(pair[0], table)
    assert (await seat.scene())["event"] == 2
    await actions.hand_over(pair[0], table, [1], WEAK)
    while (await seat.scene())["event"] < 3:
        pass
    assert seat.session.table.handed_over(1)
    await actions.resign(pair[0], people[2], table.setup.id)
    await until(lambda: 2 in seat.session.table.resigned)


async def test_of_two_moves_one_is_stale(pair: Pair) -> None:
    """Whoever appends first wins; the other is told so, is shown what was played, and can go on."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    tables = [table, await pair[1].visit(table.setup.id)]
    for _ in range(10):
        event, actor = tables[0].event, tables[0].actor
        assert actor is not None
        lines = tables[0].match.lines()
        results = await asyncio.gather(
            *(
                actions.play(registry, one, actor, line, event)
                for registry, one, line in zip(pair, tables, (lines[0], lines[-1]), strict=True)
            ),
            return_exceptions=True,
        )
        (lost,) = [result for result in results if isinstance(result, BaseException)]
        assert isinstance(lost, Rejected)
        assert lost.code is Code.STALE
        for one in tables:
            await one.read_on()
        assert tables[0].event == tables[1].event == event + 1
        assert tables[0].match.written() == tables[1].match.written()
    assert not any(one.broken for one in tables)


async def test_a_repeated_request_is_answered_by_the_other_process(pair: Pair) -> None:
    """Whoever reconnects elsewhere and sends a move again gets the first answer, even before hints arrive."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    other, line, actor = await pair[1].visit(table.setup.id), table.match.lines()[0], table.actor
    assert actor is not None
    results = await asyncio.gather(
        actions.play(pair[0], table, actor, line, 1, "same"), actions.play(pair[1], other, actor, line, 1, "same")
    )
    assert [change.event for change in results] == [2, 2]
    assert Counter(change.new for change in results) == {True: 1, False: 1}


async def test_the_socket_of_whoever_was_slower_stays_open(pair: Pair) -> None:
    """It is told that the move is stale, and shown the table as it is."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    assert table.actor is not None
    seat = Seat(pair[1], await pair[1].visit(table.setup.id), people[table.actor])
    await seat.say(sync=True)
    line = (await seat.scene())["moves"][0]["line"]
    seat.session.table.read_on = lambda: asyncio.sleep(0)  # type: ignore[method-assign]  # hints come too late
    await play_first(pair[0], table)
    await seat.say(play=line, event=1, id="x")
    heard = {message["type"]: message for message in [await seat.hear(), await seat.hear()]}
    assert heard["error"]["code"] == "stale"
    assert heard["scene"]["event"] == 2
    assert not seat.session.closed


async def test_a_lost_listener_is_renewed(pair: Pair) -> None:
    """What happened meanwhile is found out, and hints arrive again."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    seat = Seat(pair[1], await pair[1].visit(table.setup.id), people[0])
    await seat.say(sync=True)
    await seat.scene()
    for _ in range(2):
        ended = await pair[0].database.read(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'omnibus hints' AND datname = current_database()"
        )
        assert ended
        await play_first(pair[0], table)
        while (await seat.scene())["event"] < table.event:
            pass


async def test_looking_everywhere_finds_what_no_hint_said(pair: Pair) -> None:
    """Moves, chat, seats and deleted tables, even if every hint was lost."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    pair[0].database.hint = lambda subject: None  # type: ignore[method-assign]
    one, other = pair[1], OtherProcesses(pair[1], nothing)
    seat = Seat(one, await one.visit(table.setup.id), people[1])
    await seat.say(sync=True)
    await seat.scene()
    open_table = await pair[0].open(people[0].id, "bus", {}, [Sitter(user=people[0].id), Sitter(), Sitter()])
    waiting = WaitingSession(one, await one.presence(open_table), people[1], "en")
    waiting.presence.enter(waiting)
    received(waiting)
    await play_first(pair[0], table)
    await chat.say(pair[0], pair[0].live.presence_at(table), people[0], "hello")
    await actions.fill(pair[0], people[0], open_table.id, 1, WEAK)
    await actions.fill(pair[0], people[0], open_table.id, 2, WEAK)
    await other.look_everywhere(missed=True)
    assert (await seat.scene())["event"] == 2
    assert [line["text"] for line in (await next_of(seat, "chat"))["lines"]] == ["hello"]
    while (await told(waiting))["type"] != "changed":
        pass


async def test_chat_reaches_everybody_in_order(pair: Pair) -> None:
    """However quickly people answer each other in different processes."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    seats = [
        Seat(registry, await registry.visit(table.setup.id), user)
        for registry, user in zip(pair, people[:2], strict=True)
    ]
    for number in range(6):
        for seat in seats:
            await seat.say(chat=f"{number}", id=f"{number}")
    for seat in seats:
        numbers: list[int] = []
        while len(numbers) < 12:
            numbers += [line["number"] for line in (await next_of(seat, "chat"))["lines"]]
        assert numbers == list(range(1, 13))


async def test_the_last_free_seat_is_taken_once(pair: Pair) -> None:
    """Two people sit down at once in different processes; the game starts with one of them, and both know it."""
    ann, *others = await friends(pair[0], 3)
    for _ in range(5):
        sitters = [Sitter(user=ann.id), Sitter(), Sitter(bot=WEAK)]
        setup = await pair[0].open(ann.id, "bus", {}, sitters, listed=True)
        results = await asyncio.gather(
            *(actions.sit(registry, user, setup.id, 1) for registry, user in zip(pair, others, strict=True)),
            return_exceptions=True,
        )
        (lost,) = [result for result in results if result is not None]
        assert isinstance(lost, Rejected)
        winner = others[results.index(None)]
        for registry in pair:
            assert (await registry.table(setup.id)).owners() == [ann.id, winner.id, None]


async def test_two_free_seats_are_both_taken(pair: Pair) -> None:
    """Nobody unseats anybody, and names that change at the same moment are kept."""
    ann, bo, cleo = await friends(pair[0], 3)
    for number in range(5):
        setup = await pair[0].open(ann.id, "bus", {}, [Sitter(user=ann.id), *[Sitter()] * 2], listed=True)
        await asyncio.gather(
            actions.sit(pair[0], bo, setup.id, 1),
            actions.sit(pair[1], cleo, setup.id, 2),
            accounts.rename(pair[number % 2], ann, f"Ann {number}"),
        )
        assert (await pair[1].table(setup.id)).owners() == [ann.id, bo.id, cleo.id]
        ann = User(ann.id, f"Ann {number}")


async def test_one_rematch(pair: Pair) -> None:
    """Two who ask for it at once in different processes get the same table."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people[:2], Sitter(bot=WEAK))
    await actions.resign(pair[0], people[0], table.setup.id)
    await actions.resign(pair[0], people[1], table.setup.id)
    found = await asyncio.gather(
        *(ask_for_rematch(registry, user, table.setup.id) for registry, user in zip(pair, people[:2], strict=True))
    )
    assert found[0] == found[1]


async def test_a_deleted_table_is_gone_everywhere(pair: Pair) -> None:
    """Also for those who have it open in another process."""
    (ann,) = await friends(pair[0], 1)
    setup = await pair[0].open(ann.id, "bus", {}, [Sitter(user=ann.id)] * 3)
    session = TableSession(pair[1], await pair[1].visit(setup.id), ann, "en")
    session.presence.enter(session)
    await actions.delete(pair[0], ann, setup.id)
    with pytest.raises(TableNotFound):
        await pair[1].table(setup.id)
    await until(lambda: session.closed)


async def test_presence_is_shared(pair: Pair) -> None:
    """Who is at a table in one process is here for all; whoever leaves is away for all, but only just."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people, patience=0.001)
    other = await pair[1].visit(table.setup.id)
    presence, there = pair[0].live.presence_at(table), pair[1].live.presence_at(other)
    ann, spectator = Connection(people[0], "en"), Connection(None, "en")
    for connection in (ann, spectator):
        presence.enter(connection)
    await pair[0].online.add(ann)
    await until(lambda: there.people().here == [True, False, False] and there.people().watching == 1)
    assert there.absent() == [1, 2]
    while not await pair[1].online.is_online(people[0].id):
        await asyncio.sleep(0.01)
    presence.leave(ann)
    pair[0].online.remove(ann)
    await until(lambda: there.people().here == [False, False, False])
    assert there.away_for(people[0].id) < 30
    while await pair[1].online.is_online(people[0].id):
        await asyncio.sleep(0.01)


async def test_those_a_dead_process_served_are_gone(pair: Pair) -> None:
    """It does not say goodbye, but its count stands still; if it was only asleep, it says again who is there."""
    store, now = PresenceStore(pair[0].database), 0.0
    there = {"t": {"ann": 1}}
    asleep = SharedPresence(store, lambda place: there.get(place, {}), clock=lambda: now)
    alive = SharedPresence(store, lambda place: {}, clock=lambda: now)
    asleep.mark("t")
    for one in (asleep, alive):
        await one.beat()
        await one.write()
    assert await alive.elsewhere(["t"]) == there
    now = DEAD_S + 1
    await alive.beat()
    assert await alive.elsewhere(["t"]) == {}
    asleep.mark("t")
    await asleep.write()
    await alive.beat()
    assert await alive.elsewhere(["t"]) == there


async def test_signing_out_closes_sockets_everywhere(pair: Pair) -> None:
    """Those of the user and of programs in their seats; nobody else's."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    other = await pair[1].visit(table.setup.id)
    program = TableSession(pair[1], other, people[0], "en", only=0)
    page, friend = TableSession(pair[1], other, people[0], "en"), TableSession(pair[1], other, people[1], "en")
    for session in (program, page, friend):
        session.presence.enter(session)
    for session in (page, friend):
        await pair[1].online.add(session)
    await actions.withdraw(pair[0], people[0], table.setup.id, 0)
    await until(lambda: program.closed)
    assert not page.closed
    pair[0].interrupt(people[0].id)
    await until(lambda: page.closed)
    assert not friend.closed


async def test_users_are_told_everywhere_which_tables_wait(pair: Pair) -> None:
    """Wherever they have a page open."""
    people = await friends(pair[0], 3)
    page = Connection(people[1], "en")
    await pair[1].online.add(page)
    assert (await told(page))["tables"] == []
    table = await bus_with(pair[0], people)
    while table.awaited_user != people[1].id:
        await play_first(pair[0], table)
    while (await told(page))["tables"] != [table.setup.id]:
        pass


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


async def test_rate_limits_are_counted_together(pair: Pair) -> None:
    """For a person and for an address; what is rare to the last one, what is frequent roughly."""
    for quota, most in ((Quota.TABLE, 30), (Quota.SOCKET, 60)):
        callers = [Caller(RateLimiter(), "ann", "192.0.2.1", registry.counter_store) for registry in pair]
        for number in range(most):
            await callers[number % 2].spend(quota)
        for caller in callers:
            with pytest.raises(RateLimited):
                await caller.spend(quota)
    throttles = [Throttle("3 per 1 minute", "test", registry.counter_store) for registry in pair]
    assert [await throttles[number % 2].allows("ann") for number in range(4)] == [True, True, True, False]


async def test_a_repeated_mute_is_carried_out_once(pair: Pair) -> None:
    """Though it changes back and forth, and the other process knows nothing of the first time."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    for registry in pair:
        found = await registry.table(table.setup.id)
        await chat.toggle_mute(registry, registry.live.presence_at(found), people[0], 1, request="x")
    assert await pair[1].user_store.muted(people[0].id) == {people[1].id}


async def test_a_message_is_sent_once(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whichever process is quicker; what a process that has died had planned, another one sends."""
    monkeypatch.setattr(turn_notifier, "TAKE_OVER_S", -DAY)
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    timing = Timing(wait=0.1, wait_live=0.1, rest=DAY, retry=0.01)
    async with listener() as listening:
        one, other = [
            TurnNotifier(
                MessageSender(at.user_store, WebhookSender(private=True), None, str), at.table_store, at.online, timing
            )
            for at in pair
        ]
        for user in people:
            await pair[0].user_store.keep_webhook(user.id, listening.url)
        first = table.awaited_user or ""
        await one.notify_later(first, table)
        await planned(pair[1], first)
        await other.resume()
        await listening.until(1)
        await until(lambda: not any(each.sending or each.due(first) for each in (one, other)))
        assert len(listening.heard) == 1
        while table.awaited_user == first:
            await play_first(pair[0], table)
        second = table.awaited_user or ""
        await one.notify_later(second, table)
        await planned(pair[1], second)
        await one.close()
        await other.take_over()
        await listening.until(2)
        await other.close()


async def planned(registry: TableRegistry, user: str) -> None:
    """Wait until it is stored that a user is to get a message."""
    while not await registry.database.read("SELECT 1 FROM notices WHERE user = ? AND sent IS NULL", user):
        await asyncio.sleep(0.01)


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


async def test_a_name_is_claimed_by_one(pair: Pair) -> None:
    """Two people claim it at once in different processes."""
    people = await friends(pair[0], 2)
    for name in ("ada", "bea", "cora"):
        results = await asyncio.gather(
            *(
                registry.rating_service.claims.claim(user.id, name, name)
                for registry, user in zip(pair, people, strict=True)
            )
        )
        assert sorted(results) == [False, True]


async def test_nobody_plays_at_both_tables_of_a_team_match(pair: Pair) -> None:
    """Not even whoever sits down at both at the same moment in different processes."""
    ann, bo = await friends(pair[0], 2)
    one, other = map(TeamMatches, pair)
    for _ in range(3):
        match = await one.open(ann, "times_square", 2, {})
        results = await asyncio.gather(one.sit(bo, match, 0, 1), other.sit(bo, match, 1, 0), return_exceptions=True)
        (lost,) = [result for result in results if result is not None]
        assert isinstance(lost, Rejected)


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
