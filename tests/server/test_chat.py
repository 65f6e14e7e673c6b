"""The chat of a table: who may speak, who reads it, and muting."""

from __future__ import annotations

from omnibus.server.store.models import User
from omnibus.server.tables.registry import TableRegistry
from support.seats import Seat, bus_with, code_of, friends, next_of


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
