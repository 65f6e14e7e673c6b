"""The chat of a table: who may speak, who reads it, and muting."""

from __future__ import annotations

import pytest

from omnibus.server.store.models import Sitter, User
from omnibus.server.tables import actions, chat
from omnibus.server.tables.registry import TableRegistry
from support.seats import Seat, bus_with, code_of, friends, next_of

pytestmark = pytest.mark.both_databases


async def test_chat_and_mute(registry: TableRegistry, user: User) -> None:
    """Players read each other, but for those they have muted; spectators neither read nor speak."""
    people = await friends(registry, 3)
    table = await bus_with(registry, people)
    seats = [Seat(registry, table, person) for person in [*people, user]]
    await seats[0].say(chat="  hello\n <b>there</b> " + "x" * 600, id="1")
    for seat in seats[:3]:
        (line,) = (await next_of(seat, "chat"))["lines"]
        assert line["text"].startswith("hello <b>there</b> xxx")
        assert len(line["text"]) == 500
    await seats[3].say(chat="I am nobody", id="2")
    assert await code_of(seats[3]) == "not_your_seat"
    await seats[3].say(heard=0)
    assert await code_of(seats[3]) == "not_your_seat"
    await seats[1].say(mute=0, id="3")
    assert (await next_of(seats[1], "chat"))["lines"] == []
    await seats[0].say(chat="again", id="4")
    assert (await next_of(seats[2], "chat"))["lines"][0]["text"] == "again"
    await seats[1].say(heard=0)
    assert (await next_of(seats[1], "chat")) == {"type": "chat", "since": 0, "lines": [], "muted": [0]}
    await seats[1].say(mute=0, id="5")
    assert [line["text"][:5] for line in (await next_of(seats[1], "chat"))["lines"]] == ["hello", "again"]
    await seats[0].say(chat=" \x00 ", id="6")
    assert await code_of(seats[0]) == "malformed"


async def test_a_repeated_request_says_it_once(registry: TableRegistry) -> None:
    """A page repeats what was not acknowledged; it is said, muted and handed over once, and acknowledged again."""
    table = await bus_with(registry, await friends(registry, 3))
    people = [await registry.user_store.find(user) for user in table.owners() if user]
    ann, bob = Seat(registry, table, people[0]), Seat(registry, table, people[1])
    for seat in (ann, Seat(registry, table, people[0])):
        await seat.say(chat="hello", id="1")
        assert (await next_of(seat, "done"))["id"] == "1"
    await bob.say(chat="me too", id="1")
    assert [line.text for line in await registry.table_store.said(table.setup.id)] == ["hello", "me too"]
    for _ in range(2):
        await ann.say(mute=1, id="2")
        await next_of(ann, "done")
    await ann.say(heard=0)
    while (heard := await next_of(ann, "chat"))["since"] != 0:
        pass
    assert heard["muted"] == [1]
    events = []
    for _ in range(2):
        await ann.say(hand="easy", id="3")
        events.append((await next_of(ann, "done"))["event"])
    assert events[0] == events[1]
    handed = [event for _, event, _ in await registry.table_store.events(table.setup.id) if b'"handed"' in event]
    assert len(handed) == 1


async def test_what_was_said_stays_with_who_said_it(registry: TableRegistry, user: User) -> None:
    """Whoever takes the seat afterwards has not said it."""
    (friend, other) = await friends(registry, 2)
    setup = await registry.open(user.id, "bus", {}, [Sitter(user=user.id, name="U"), Sitter(), Sitter()], listed=True)
    await actions.sit(registry, friend, setup.id, 1)
    presence = await registry.presence(await registry.waiting_setup(setup.id))
    await chat.say(registry, presence, friend, "mine")
    assert [line.name for line in (await chat.lines_after(registry, presence, user, 0)).lines] == [None]
    await actions.stand_up(registry, friend, setup.id, 1)
    await actions.sit(registry, other, setup.id, 1)
    assert [line.name for line in (await chat.lines_after(registry, presence, user, 0)).lines] == [friend.name]
