"""Commit, then acknowledge, then broadcast; and who is told what."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from omnibus.bots import names as bot_names
from omnibus.server.http.connection import Connection
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions, proposals
from omnibus.server.tables.events import Declined
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.seats import Seat, bus_with, friends, opened, play_first, told

pytestmark = pytest.mark.both_databases

WEAK = bot_names()[0]


async def alone(registry: TableRegistry, user: User) -> Table:
    """A table of Bus at which one user has all seats."""
    return await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)


async def synced(registry: TableRegistry, table: Table, user: User) -> Seat:
    """A session that has been shown the table."""
    seat = Seat(registry, table, user)
    await seat.say(sync=True)
    await seat.scene()
    return seat


@pytest.mark.parametrize("asked", ["play", "undo", "propose", "decline", "hand", "resume"])
async def test_acknowledged_before_it_is_shown(
    registry: TableRegistry, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks receives `done` and then the scene; the others receive the scene; by then it is stored."""
    monkeypatch.setattr(registry.bot_driver, "drive", lambda table: None)
    people = await friends(registry, 3)
    table = await bus_with(registry, people)
    actor = table.actor
    assert actor is not None
    await prepared(registry, table, actor, asked)
    seats = [await synced(registry, table, person) for person in people]
    event = table.event
    await seats[actor].say(event=event, id="x", **request(table, asked))
    assert await seats[actor].hear() == {"type": "done", "id": "x", "event": event + 1}
    assert [number for number, _, _ in await registry.table_store.events(table.setup.id)][event:] == [event + 1]
    for seat in seats:
        scene = await seat.hear()
        assert (scene["type"], scene["event"]) == ("scene", event + 1)


async def prepared(registry: TableRegistry, table: Table, seat: int, asked: str) -> None:
    """Bring a table to where a seat can ask for this."""
    if asked == "undo":
        while not table.can_undo(seat):
            await play_first(registry, table)
    if asked in ("propose", "decline"):
        while table.actor == seat:
            await play_first(registry, table)
    if asked == "decline":
        await proposals.propose_undo(registry, table, seat, table.event)
    if asked == "resume":
        await actions.hand_over(registry, table, [seat], WEAK)


def request(table: Table, asked: str) -> dict[str, Any]:
    """Return what a client sends to ask for something."""
    requests: dict[str, dict[str, Any]] = {
        "play": {"play": table.match.lines()[0]},
        "undo": {"undo": True},
        "propose": {"propose": "undo"},
        "decline": {"agree": False},
        "hand": {"hand": WEAK},
        "resume": {"hand": ""},
    }
    return requests[asked]


async def test_a_repeated_request_is_acknowledged_and_shows_nothing(registry: TableRegistry, user: User) -> None:
    """Everybody has been shown it before."""
    table = await alone(registry, user)
    seat, other = await synced(registry, table, user), await synced(registry, table, user)
    again = {"play": table.match.lines()[0], "event": table.event, "id": "x"}
    await seat.say(**again)
    await seat.say(**again)
    assert seat.waiting() == ["done", "scene", "done"]
    assert other.waiting() == ["scene"]


async def test_what_others_do_meanwhile_is_shown_before_the_error(registry: TableRegistry, user: User) -> None:
    """A request that comes too late is answered after the scene that says why."""
    table = await alone(registry, user)
    seat = await synced(registry, table, user)
    line, event = table.match.lines()[0], table.event
    async with table.writing():
        late = asyncio.create_task(seat.say(play=line, event=event, id="x"))
        await asyncio.sleep(0)
        await registry.publisher.publish(table, table.commit(Declined(0)))
    await late
    assert seat.waiting() == ["scene", "error"]


async def full(*_: Any, **__: Any) -> None:
    """Fail as the database does."""
    raise StoreError("disk is full")


async def test_nothing_is_shown_that_was_not_stored(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the database fails nobody is shown the move; all are sent away, and whoever comes back plays on."""
    table = await alone(registry, user)
    player, reader = await synced(registry, table, user), await synced(registry, table, user)
    play = {"play": table.match.lines()[0], "event": 1, "id": "x"}
    with monkeypatch.context() as failing:
        failing.setattr(registry.table_store, "append", full)
        with pytest.raises(StoreError):
            await player.say(**play)
        assert (player.waiting(), reader.waiting()) == ([], [None])
        with pytest.raises(StoreError):  # nobody is told that the table or the move is gone
            await table.play(table.actor or 0, "pass", 1)
    again = await registry.table(table.setup.id)
    assert (again.event, again is table) == (1, False)
    seat = await synced(registry, again, user)
    await seat.say(**play)
    assert seat.waiting() == ["done", "scene"]


async def test_what_is_stored_is_acknowledged(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the database fails when others are to be told which tables wait for them."""
    table = await alone(registry, user)
    seat = await synced(registry, table, user)
    monkeypatch.setattr(registry.online, "tell_turn", full)
    monkeypatch.setattr(table, "_awaited", "somebody else")
    await seat.say(play=table.match.lines()[0], event=1, id="x")
    assert seat.waiting() == ["done", "scene"]


async def test_users_are_told_which_tables_wait_for_them(registry: TableRegistry) -> None:
    """On all their connections; a user who has none is notified."""
    people = await friends(registry, 3)
    notified: list[str] = []

    async def notify(user: str, _: Table) -> None:
        notified.append(user)

    registry.publisher.notify = notify
    table = await bus_with(registry, people)
    first = table.actor
    assert first is not None
    page = Connection(people[first], "en")
    await registry.online.add(page)
    assert (await told(page))["tables"] == [table.setup.id]
    while table.actor == first:
        await play_first(registry, table)
    assert (await told(page))["tables"] == []
    assert table.actor is not None
    assert notified == [people[first].id, people[table.actor].id]
    registry.online.remove(page)
    while table.actor != first:
        await play_first(registry, table)
    assert notified[-1] == people[first].id
