"""Users of several processes: presence, limits, messages and names are shared."""

from __future__ import annotations

import asyncio

import pytest

from omnibus.server.errors import Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.http.rate_limits import Caller, Quota, RateLimited, RateLimiter, Throttle
from omnibus.server.notices import turn_notifier
from omnibus.server.notices.message_sender import MessageSender
from omnibus.server.notices.turn_notifier import Timing, TurnNotifier
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.store.models import DAY
from omnibus.server.store.presences import PresenceStore
from omnibus.server.store.users import hashed
from omnibus.server.tables import actions, chat
from omnibus.server.tables.other_processes import OtherProcesses
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.shared_presence import DEAD_S, SharedPresence
from omnibus.server.tables.team_matches import TeamMatches
from support.postgres import missing
from support.receivers import listener
from support.seats import bus_with, friends, play_first, told
from support.two_processes import Pair, nothing, until

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")


async def test_presence_is_shared(pair: Pair) -> None:
    """Who is at a table in one process is here for all; whoever leaves is away for all, but only just."""
    people = await friends(pair[0], 3)
    table = await bus_with(pair[0], people, patience=0.001)
    other = await pair[1].visit(table.setup.id)
    presence, there = pair[0].live.presence_at(table), pair[1].live.presence_at(other)
    there.enter(Connection(None, "en"))  # where nobody looks on, a lost hint need not be made up for
    ann, spectator = Connection(people[0], "en"), Connection(None, "en")
    for connection in (ann, spectator):
        presence.enter(connection)
    await pair[0].online.add(ann)
    await until(lambda: there.people().here == [True, False, False] and there.people().watching == 2)
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
    async with asyncio.timeout(60):
        while not program.closed:  # a hint is lost as long as the other process does not listen yet
            await actions.withdraw(pair[0], people[0], table.setup.id, 0)
            await asyncio.sleep(0.05)
    assert not page.closed
    pair[0].interrupt(people[0].id)
    await until(lambda: page.closed)
    assert not friend.closed


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
