"""Several people at a table: they come by invitation or from the lobby, talk, agree, go away and come back."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from omnibus.bots import names as bot_names
from omnibus.kernel.dice import Dice
from omnibus.server import consent
from omnibus.server import hall as hall_room
from omnibus.server.hall import Hall, Open
from omnibus.server.live import _among
from omnibus.server.page import Page
from omnibus.server.refusals import Code, Rejected
from omnibus.server.rows import Sitter, User
from omnibus.server.table import Table
from seating import Seat, opened

Run = Callable[[Callable[[Hall, User], Awaitable[None]]], None]
Visit = Callable[[Callable[[httpx.AsyncClient, Hall], Awaitable[None]]], None]
WEAK = bot_names()[0]


async def friends(hall: Hall, number: int) -> list[User]:
    """Make users with names of one letter."""
    return [(await hall.register.add_user(name=letter))[0] for letter in "ABCDE"[:number]]


async def bus_with(hall: Hall, people: list[User], *more: Sitter, **wishes: Any) -> Table:
    sitters = [Sitter(user=person.id, name=person.name) for person in people]
    return await opened(hall, people[0].id, "bus", {}, [*sitters, *more], **wishes)


async def play_first(table: Table, times: int = 1) -> None:
    """Let whoever is to decide decide, in the first way there is."""
    for _ in range(times):
        assert table.actor is not None
        await table.play(table.actor, table.match.lines()[0], table.event)


class TestOpenTables:
    """A table with free seats waits; the game begins with the last one who sits down."""

    def test_the_game_begins_when_nobody_is_missing(self, in_hall: Run) -> None:
        async def visit(hall: Hall, user: User) -> None:
            anna, bert = await friends(hall, 2)
            setting = await hall.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()])
            with pytest.raises(Open):
                hall.table(setting.id)
            await hall.seat(setting.id, 1, Sitter(user=anna.id, name="Anna"))
            with pytest.raises(Rejected) as late:
                await hall.seat(setting.id, 1, Sitter(user=bert.id))
            assert late.value.code == Code.STALE
            assert not hall.ledger.events(setting.id)
            await hall.seat(setting.id, 2, Sitter(user=bert.id, name="Bert"))
            table = hall.table(setting.id)
            assert (table.event, table.standing, table.people()) == (1, "live", {user.id, anna.id, bert.id})
            with pytest.raises(Rejected):
                await hall.seat(setting.id, 2, Sitter())
            assert [entry.setting.id for entry in hall.ledger.entries(bert.id)] == [setting.id]

        in_hall(visit)

    def test_who_stands_up_is_gone(self, in_hall: Run) -> None:
        async def visit(hall: Hall, user: User) -> None:
            (anna,) = await friends(hall, 1)
            setting = await hall.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()], listed=True)
            await hall.seat(setting.id, 1, Sitter(user=anna.id))
            await hall.seat(setting.id, 1, Sitter())
            assert not hall.ledger.entries(anna.id)
            assert hall.gathering(setting.id).free() == [1, 2]
            assert [entry.setting.id for entry in hall.ledger.open_entries()] == [setting.id]

        in_hall(visit)

    def test_chance_does_nothing_before(self, in_hall: Run) -> None:
        """The seal of the dice can be seen before the first roll, and is that of the record."""

        async def visit(hall: Hall, user: User) -> None:
            setting = await hall.open(user.id, "times_square", {}, [Sitter(user=user.id), Sitter()])
            seal = Dice(hall.gathering(setting.id).seed).commitment
            await hall.seat(setting.id, 1, Sitter(bot=WEAK))
            assert f'commitment: "{seal}"' in hall.table(setting.id).record()

        in_hall(visit)

    def test_the_last_two_chairs_at_the_same_time(self, in_hall: Run) -> None:
        """However many come at once, each seat is taken once and the game begins once."""

        async def visit(hall: Hall, user: User) -> None:
            people = await friends(hall, 5)
            setting = await hall.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()])
            tries = [hall.seat(setting.id, seat, Sitter(user=one.id)) for one in people for seat in (1, 2)]
            came = await asyncio.gather(*tries, return_exceptions=True)
            assert sum(result is None for result in came) == 2
            assert len(hall.ledger.events(setting.id)) == 1

        in_hall(visit)


class TestPages:
    """The same with forms and links."""

    def test_invited_by_link(self, in_house: Visit) -> None:
        """A link made once brings somebody to a seat, once."""

        async def visit(client: httpx.AsyncClient, hall: Hall) -> None:
            form = {"seat-0": "you", "seat-1": "friend", "seat-2": WEAK, "name-0": "Anna"}
            path = (await client.post("/games/bus/tables", data=form)).headers["location"]
            waiting = await client.get(path)
            assert "Waiting for players" in waiting.text
            assert Dice(hall.gathering(path.rsplit("/", 1)[1]).seed).commitment in waiting.text
            made = (await client.post(f"{path}/seats/1/invite")).text
            link = made.split('value="http://house', 1)[1].split('"', 1)[0]
            assert link.startswith("/join/")
            mine = dict(client.cookies)
            client.cookies.clear()
            assert "Anna" in (await client.get(link)).text
            assert not client.cookies, "who only looks is nobody yet"
            assert (await client.post(link, data={"name": "<b>Bert</b>"})).headers["location"] == path
            page = (await client.get(path)).text
            assert "<b>Bert" not in page
            assert "&lt;b&gt;Bert" in page or "\\u003cb>Bert" in page
            assert (await client.get(link)).status_code == 404
            assert (await client.post(link)).status_code == 404
            client.cookies.update(mine)
            assert hall.table(path.rsplit("/", 1)[1]).standing == "live"

        in_house(visit)

    def test_from_the_lobby(self, in_house: Visit) -> None:
        """A listed table is there for everybody; one that is not for nobody, not even by its address."""

        async def visit(client: httpx.AsyncClient, hall: Hall) -> None:
            paths = []
            for more in ({"listed": "yes", "patience": "600"}, {}):
                form = {"seat-0": "you", "seat-1": "friend", "seat-2": "friend", **more}
                paths.append((await client.post("/games/bus/tables", data=form)).headers["location"])
            client.cookies.clear()
            lobby = (await client.get("/")).text
            assert paths[0] in lobby
            assert paths[1] not in lobby
            assert (await client.post(f"{paths[1]}/seats/1/sit")).status_code == 403
            assert (await client.post(f"{paths[0]}/seats/1/sit")).headers["location"] == paths[0]
            assert (await client.post(f"{paths[0]}/seats/0/stand")).status_code == 403
            assert (await client.post(f"{paths[0]}/seats/2/invite")).status_code == 403
            assert (await client.post(f"{paths[0]}/seats/2/fill", data={"bot": WEAK})).status_code == 403
            setting = hall.gathering(paths[0].rsplit("/", 1)[1])
            assert (setting.patience, setting.free()) == (600, [2])
            assert (await client.post(f"{paths[0]}/seats/1/stand")).status_code == 303
            assert hall.gathering(setting.id).free() == [1, 2]

        in_house(visit)

    def test_the_lobby_offers_only_what_can_be_done(self, in_house: Visit) -> None:
        """Bots keep the letter of their seat, nobody sits down twice, and what others play is not to be deleted."""

        async def visit(client: httpx.AsyncClient, hall: Hall) -> None:
            form = {"seat-0": "you", "seat-1": "friend", "seat-2": WEAK, "name-0": "Anna", "listed": "yes"}
            path = (await client.post("/games/bus/tables", data=form)).headers["location"]
            own = (await client.get("/")).text
            assert "Anna, Bot C" in own
            assert (f"{path}/delete" in own, f"{path}/seats/1/sit" in own) == (True, False)
            mine = dict(client.cookies)
            client.cookies.clear()
            assert f"{path}/seats/1/sit" in (await client.get("/")).text
            await client.post(f"{path}/seats/1/sit", data={"name": "Bert"})
            assert hall.table(path.rsplit("/", 1)[1]).match.names == ("Anna", "Bert", "Bot C")
            client.cookies.clear()
            client.cookies.update(mine)
            assert f"{path}/delete" not in (await client.get("/")).text

        in_house(visit)

    def test_the_first_name_is_kept(self, in_house: Visit) -> None:
        """Who gives a name at a table is known by it from then on; another one, given later, is for that table."""

        async def visit(client: httpx.AsyncClient, hall: Hall) -> None:
            form = {"seat-0": "you", "seat-1": "friend", "name-0": "Anna"}
            await client.post("/games/times_square/tables", data=form)
            path = (await client.post("/games/times_square/tables", data={**form, "name-0": "A."})).headers["location"]
            assert hall.gathering(path.rsplit("/", 1)[1]).sitters[0].name == "A."
            assert "You: Anna" in (await client.get("/")).text

        in_house(visit)

    def test_a_link_to_this_machine_only(self, in_house: Visit) -> None:
        """An invitation that no other device can open says so."""

        async def visit(client: httpx.AsyncClient, _: Hall) -> None:
            form = {"seat-0": "you", "seat-1": "friend", "seat-2": WEAK}
            path = (await client.post("/games/bus/tables", data=form)).headers["location"]
            assert "this machine only" not in (await client.post(f"{path}/seats/1/invite")).text
            here = {"host": "localhost:8765"}
            assert "this machine only" in (await client.post(f"{path}/seats/1/invite", headers=here)).text

        in_house(visit)


class TestConsent:
    """What needs everybody's consent happens when the last one has agreed, and not before."""

    def test_undo_across_turns(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            mover = table.actor
            await play_first(table, 3)
            assert mover is not None
            others = [seat for seat in range(3) if seat != mover]
            keep, now = table.last_decision(mover), table.match.plies
            assert keep is not None
            await consent.propose_undo(table, mover, table.event)
            assert table.match.plies == now
            with pytest.raises(Rejected):
                await consent.agree(table, mover, table.event)
            await consent.agree(table, others[0], table.event)
            assert table.match.plies == now
            again = Hall(hall.ledger.store, hall.workers).table(table.setting.id)
            assert consent.asked(again) == {people[others[1]].id}
            await consent.agree(table, others[1], table.event)
            assert (table.match.plies, table.proposed, table.actor) == (now[:keep], None, mover)
            reloaded = Hall(hall.ledger.store, hall.workers).table(table.setting.id)
            assert (reloaded.match.plies, reloaded.event) == (now[:keep], table.event)

        in_hall(visit)

    def test_one_is_against_it(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            table = await bus_with(hall, await friends(hall, 3))
            seat = table.actor
            await play_first(table, 2)
            assert seat is not None
            now = table.match.plies
            await consent.propose_undo(table, seat, table.event)
            with pytest.raises(Rejected):
                await consent.propose_undo(table, seat, table.event)
            await consent.decline(table, (seat + 1) % 3, table.event)
            assert table.proposed is None
            assert table.match.plies == now
            with pytest.raises(Rejected):
                await consent.agree(table, (seat + 2) % 3, table.event)

        in_hall(visit)

    def test_play_goes_on_while_people_think_about_it(self, in_hall: Run) -> None:
        """What others play in the meantime is taken back as well."""

        async def visit(hall: Hall, _: User) -> None:
            table = await bus_with(hall, await friends(hall, 3))
            first = table.actor
            assert first is not None
            while table.actor == first:
                await play_first(table)
            keep = table.last_decision(first)
            await consent.propose_undo(table, first, table.event)
            while table.actor != first:
                await play_first(table)
            for seat in range(3):
                if seat != first:
                    await consent.agree(table, seat, table.event)
            assert table.match.length == keep

        in_hall(visit)

    def test_nobody_else_to_ask(self, in_hall: Run) -> None:
        """Against bots one agrees with oneself; dice that were rolled are not rolled again."""

        async def visit(hall: Hall, user: User) -> None:
            table = await opened(hall, user.id, "times_square", {}, [Sitter(user=user.id)] * 2)
            while table.last_decision(0) is None or table.actor != 1:
                assert table.actor is not None
                await play_first(table)
            rolled = max(int(line.rsplit("#", 1)[1]) for line in table.match.written if "#" in line)
            await consent.propose_undo(table, 0, table.event)
            assert table.actor == 0
            while not any("#" in line for line in table.match.written[table.last_decision(0) or 0 :]):
                await play_first(table)
            fresh = [line for line in table.match.written if "#" in line][-1]
            assert int(fresh.rsplit("#", 1)[1]) > rolled

        in_hall(visit)

    def test_not_after_the_end(self, in_hall: Run) -> None:
        """The seed is known by then."""

        async def visit(hall: Hall, user: User) -> None:
            table = await opened(hall, user.id, "times_square", {}, [Sitter(user=user.id)] * 2)
            while table.actor is not None:
                await play_first(table)
            with pytest.raises(Rejected) as refused:
                await consent.propose_undo(table, 0, table.event)
            assert refused.value.code == Code.OVER

        in_hall(visit)


class TestBotsForPeople:
    """A seat is handed to a bot and taken back."""

    def test_by_its_owner(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            actor = table.actor
            assert actor is not None
            seat = Seat(table, people[actor])
            await seat.say(sync=True)
            await seat.say(hand=WEAK, id="h")
            while table.actor == actor:
                await seat.hear()
            assert hall.ledger.awaited(people[actor].id) == []
            assert table.handed(actor)
            await seat.say(hand="", id="b")
            assert not table.handed(actor)
            while table.actor != actor:
                await play_first(table)
            assert hall.ledger.awaited(people[actor].id) == [table.setting.id]
            assert (await seat.asked())["moves"]

        in_hall(visit)

    def test_while_a_bot_plays_its_owner_does_not(self, in_hall: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        async def visit(hall: Hall, _: User) -> None:
            monkeypatch.setattr(hall, "_drive", lambda table: None)
            people = await friends(hall, 3)
            table = await bus_with(hall, people)
            actor = table.actor
            assert actor is not None
            await table.hand(actor, WEAK)
            seat = Seat(table, people[actor])
            await seat.say(sync=True)
            assert (await seat.scene())["moves"] == []
            await seat.say(play=table.match.lines()[0], event=table.event, id="x")
            assert (await seat.hear())["code"] == "not_your_turn"

        in_hall(visit)

    def test_by_the_others_when_away_too_long(self, in_hall: Run) -> None:
        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people, patience=600)
            seats = [Seat(table, person) for person in people[:2]]
            assert table.company
            for seat in seats:
                table.company.enter(seat.watcher)
            await seats[0].say(propose="bot", seat=2, event=table.event, id="p")
            assert await _code(seats[0]) == "refused"
            table.company._seen[people[2].id] = time.time() - 601
            assert table.company.absent() == [2]
            await seats[0].say(propose="bot", seat=2, event=table.event, id="p")
            assert not table.handed(2)
            await seats[1].say(agree=True, event=table.event, id="a")
            assert table.handed(2)
            back = Seat(table, people[2])
            await back.say(hand="", id="b")
            assert not table.handed(2)

        in_hall(visit)

    def test_two_are_away(self, in_hall: Run) -> None:
        """They need not agree about each other."""

        async def visit(hall: Hall, _: User) -> None:
            people = await friends(hall, 3)
            table = await bus_with(hall, people, patience=600)
            assert table.company
            seat = Seat(table, people[0])
            table.company.enter(seat.watcher)
            for person in people[1:]:
                table.company._seen[person.id] = time.time() - 601
            for away in (1, 2):
                await seat.say(propose="bot", seat=away, event=table.event, id=str(away))
                assert table.handed(away)

        in_hall(visit)


async def _code(seat: Seat) -> str:
    while (message := await seat.hear())["type"] != "error":
        pass
    return str(message["code"])


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
                (line,) = (await _next(seat, "chat"))["lines"]
                assert line["text"].startswith("hello <b>there</b> xxx")
                assert len(line["text"]) == 500
            await seats[3].say(chat="I am nobody", id="2")
            assert await _code(seats[3]) == "not_your_seat"
            await seats[3].say(heard=0)
            assert await _code(seats[3]) == "not_your_seat"
            await seats[1].say(mute=0, id="3")
            assert (await _next(seats[1], "chat"))["lines"] == []
            await seats[0].say(chat="again", id="4")
            assert (await _next(seats[2], "chat"))["lines"][0]["text"] == "again"
            await seats[1].say(heard=0)
            assert (await _next(seats[1], "chat")) == {"type": "chat", "since": 0, "lines": [], "muted": [0]}
            await seats[1].say(mute=0, id="5")
            assert [line["text"][:5] for line in (await _next(seats[1], "chat"))["lines"]] == ["hello", "again"]
            await seats[0].say(chat=" \x00 ", id="6")
            assert await _code(seats[0]) == "malformed"

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


async def _next(seat: Seat, kind: str) -> dict[str, Any]:
    while (message := await seat.hear())["type"] != kind:
        pass
    return message


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
