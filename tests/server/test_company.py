"""The people around a table: who is here, what they say, who is awaited, what they are called."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from omnibus.bots import names as bot_names
from omnibus.server import hall as hall_room
from omnibus.server.hall import Hall
from omnibus.server.live import _among
from omnibus.server.page import Page
from omnibus.server.rows import Sitter, User
from seating import Seat, bus_with, code_of, friends, next_of, play_first

Run = Callable[[Callable[[Hall, User], Awaitable[None]]], None]
WEAK = bot_names()[0]


class TestTalk:
    """Players talk; spectators neither hear nor speak; who is muted is not heard."""

    def test_chat_and_mute(self, in_hall: Run) -> None:
        async def visit(hall: Hall, user: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            seats = [Seat(table, person) for person in [*people, user]]
            assert table.company
            for seat in seats:
                table.company.enter(seat.watcher)
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

        in_hall(visit)

    def test_presence(self, in_hall: Run) -> None:
        """Everybody is told who is here, and how many watch."""

        async def visit(hall: Hall, user: User) -> None:
            people = await friends(hall, 2)
            table = await bus_with(hall, people, Sitter(bot=WEAK))
            watching, anna = Page(user, "en"), Page(people[0], "en")
            with _among(table.company, watching):
                assert await _told(watching) == {
                    "type": "people",
                    "here": [False, False, None],
                    "absent": [],
                    "watching": 1,
                }
                with _among(table.company, anna):
                    assert (await _told(watching))["here"] == [True, False, None]
                    assert (await _told(anna))["here"] == [True, False, None]
                assert (await _told(watching))["here"] == [False, False, None]

        in_hall(visit)


async def _told(page: Page) -> dict[str, Any]:
    message = await asyncio.wait_for(page.outbox.get(), 5)
    assert message
    told: dict[str, Any] = json.loads(message)
    return told


class TestAwaited:
    """A user's pages are told which tables wait for the user; who has none open is summoned."""

    def test_told_and_summoned(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            summoned: list[str] = []
            hall.summon = lambda user, table: summoned.append(user)
            table = await bus_with(hall, people)
            first = table.actor
            assert first is not None
            page = Page(people[first], "en")
            hall.arrive(page)
            assert (await _told(page))["tables"] == [table.setting.id]
            while table.actor == first:
                await play_first(table)
            assert (await _told(page))["tables"] == []
            assert table.actor is not None
            assert summoned == [people[first].id, people[table.actor].id]
            hall.depart(page)
            while table.actor != first:
                await play_first(table)
            assert summoned[-1] == people[first].id

        in_hall(visit)

    def test_names_change_everywhere(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            setting = await hall.open(
                people[0].id, "bus", {}, [Sitter(user=people[0].id, name="A"), Sitter(), Sitter()]
            )
            await hall.rename(people[0], "Zoe")
            assert table.match.names[0] == "Zoe"
            assert '"Zoe"' in table.record()
            assert hall.gathering(setting.id).sitters[0].name == "Zoe"
            seat = Seat(table, people[1])
            await seat.say(sync=True)
            assert (await seat.scene())["position"]["panels"][0]["name"] == "Zoe"

        in_hall(visit)

    def test_it_is_remembered_when_somebody_was_here(self, in_hall: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        async def visit(hall: Hall, _: User) -> None:
            monkeypatch.setattr(hall_room, "ROUND_S", 0.01)
            people = await friends(hall, 3)
            table = await bus_with(hall, people, patience=600)
            before = hall.register.seen_at(table.setting.id)[people[0].id]
            rounds = asyncio.create_task(hall.look_around())
            with _among(table.company, Page(people[0], "en")):
                while hall.register.seen_at(table.setting.id)[people[0].id] == before:
                    await asyncio.sleep(0.01)
            rounds.cancel()

        in_hall(visit)
