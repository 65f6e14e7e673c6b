"""Tables with free seats: people come by invitation or from the lobby, and the game begins with the last of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from omnibus.bots import names as bot_names
from omnibus.kernel.dice import Dice
from omnibus.server.hall import Hall, Open
from omnibus.server.refusals import Code, Rejected
from omnibus.server.rows import Sitter, User
from seating import friends

Run = Callable[[Callable[[Hall, User], Awaitable[None]]], None]
Visit = Callable[[Callable[[httpx.AsyncClient, Hall], Awaitable[None]]], None]
WEAK = bot_names()[0]


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
