"""People at tables of several processes: whatever becomes of a hint, all know of what happened, and count alike."""

from __future__ import annotations

import asyncio

import pytest

from omnibus.bots import names as bot_names
from omnibus.server.http.connection import Connection
from omnibus.server.http.rate_limits import Caller, Quota, RateLimited, RateLimiter, Throttle
from omnibus.server.notices import turn_notifier
from omnibus.server.notices.message_sender import MessageSender
from omnibus.server.notices.turn_notifier import Timing, TurnNotifier
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.store.models import DAY, Sitter
from omnibus.server.store.presences import PresenceStore
from omnibus.server.store.users import hashed
from omnibus.server.tables import actions, chat
from omnibus.server.tables.other_processes import OtherProcesses
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.shared_presence import DEAD_S, SharedPresence
from omnibus.server.tables.waiting_session import WaitingSession
from support.postgres import missing
from support.receivers import listener
from support.seats import Seat, bus_with, friends, next_of, play_first, received, told
from support.two_processes import Pair, nothing, until

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")


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


async def test_revoked_tokens_close_sockets_though_the_hint_is_lost(pair: Pair) -> None:
    """The next look everywhere finds them: whoever was signed out is out, whatever happens to a hint."""
    users, people = pair[0].user_store, await friends(pair[0], 3)
    table = await bus_with(pair[0], people)
    other = await pair[1].visit(table.setup.id)
    seat_token = await users.add_token("seat", user=people[0].id, table=table.setup.id, seat=0)
    program = TableSession(pair[1], other, people[0], "en", only=0)
    program.token = hashed(seat_token)
    page, friend = (Connection(user, "en") for user in people[:2])
    for connection, user in ((page, people[0]), (friend, people[1])):
        connection.token = hashed(await users.add_token("device", user=user.id))
        await pair[1].online.add(connection)
    stranger = Connection(None, "en")
    for each in (program, stranger):
        program.presence.enter(each)
    look = OtherProcesses(pair[1], nothing).look_everywhere
    await look(missed=False)
    assert not any(each.closed for each in (program, page, friend, stranger))
    await users.drop_seat_tokens(table.setup.id, 0)
    await look(missed=False)
    assert program.closed
    assert not page.closed
    await users.drop_tokens(people[0].id, "device")
    await look(missed=False)
    assert page.closed
    assert not friend.closed
    assert not stranger.closed


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
    for number in (1, 2):
        await actions.fill(pair[0], people[0], open_table.id, number, bot_names()[0])
    await other.look_everywhere(missed=True)
    assert (await seat.scene())["event"] == 2
    assert [line["text"] for line in (await next_of(seat, "chat"))["lines"]] == ["hello"]
    while (await told(waiting))["type"] != "changed":
        pass
