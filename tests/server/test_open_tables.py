"""Tables with free seats: people come by invitation or from the lobby, and the game starts with the last of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from omnibus.bots import names as bot_names
from omnibus.bots.nicknames import nickname
from omnibus.kernel.dice import Dice
from omnibus.kernel.i18n import ENGLISH
from omnibus.server.errors import Code, NotReplayable, NotStarted, Rejected
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.seating import change_seat
from support.people import claimed
from support.seats import friends

Visit = Callable[[Callable[[httpx.AsyncClient, TableRegistry], Awaitable[None]]], None]
WEAK = bot_names()[0]


class TestOpenTables:
    """A table with free seats waits; the game starts when the last one is taken."""

    async def test_the_game_starts_when_all_seats_are_taken(self, registry: TableRegistry, user: User) -> None:
        anna, bert = await friends(registry, 2)
        setup = await registry.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()])
        with pytest.raises(NotStarted):
            await registry.table(setup.id)
        await change_seat(registry, setup.id, 1, Sitter(user=anna.id, name="Anna"))
        with pytest.raises(Rejected) as late:
            await change_seat(registry, setup.id, 1, Sitter(user=bert.id))
        assert late.value.code == Code.STALE
        assert not await registry.table_store.events(setup.id)
        await change_seat(registry, setup.id, 2, Sitter(user=bert.id, name="Bert"))
        table = await registry.table(setup.id)
        assert (table.event, table.standing, table.people()) == (1, "live", {user.id, anna.id, bert.id})
        with pytest.raises(Rejected):
            await change_seat(registry, setup.id, 2, Sitter())
        assert [entry.setup.id for entry in await registry.table_store.entries(bert.id)] == [setup.id]

    async def test_leaving_a_seat(self, registry: TableRegistry, user: User) -> None:
        (anna,) = await friends(registry, 1)
        setup = await registry.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()], listed=True)
        await change_seat(registry, setup.id, 1, Sitter(user=anna.id))
        await change_seat(registry, setup.id, 1, Sitter())
        assert not await registry.table_store.entries(anna.id)
        assert (await registry.waiting_setup(setup.id)).free() == [1, 2]
        assert [entry.setup.id for entry in await registry.table_store.open_entries()] == [setup.id]

    async def test_no_dice_are_rolled_before(self, registry: TableRegistry, user: User) -> None:
        """The commitment of the dice is public before the first roll, and the same in the record."""
        setup = await registry.open(user.id, "times_square", {}, [Sitter(user=user.id), Sitter()])
        commitment = Dice((await registry.waiting_setup(setup.id)).seed).commitment
        await change_seat(registry, setup.id, 1, Sitter(bot=WEAK))
        assert f'commitment: "{commitment}"' in (await registry.table(setup.id)).record()

    async def test_a_table_for_other_rules(
        self, client: httpx.AsyncClient, registry: TableRegistry, user: User
    ) -> None:
        """Nobody sits down where the game would be another one; what it needs is said."""
        setup = await registry.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()], listed=True)
        await registry.table_store.database.execute("UPDATE tables SET rules = 99 WHERE id = ?", setup.id)
        with pytest.raises(NotReplayable, match="needs version 99 of the rules of Bus"):
            await registry.table(setup.id)
        page = await client.get(f"/tables/{setup.id}")
        assert (page.status_code, "no longer matches the rules" in page.text) == (200, True)
        assert (await client.post(f"/tables/{setup.id}/join", data={"name": "Anna"})).status_code == 404
        assert (await client.get(f"/tables/{setup.id}/record")).status_code == 409, "it would reveal the dice"
        entry = await registry.table_store.entry(setup.id)
        assert entry is not None
        assert (entry.standing, entry.setup.free()) == ("open", [1, 2])
        assert (await client.get("/")).status_code == 200
        await registry.remove(entry.setup)

    async def test_many_people_for_the_last_two_seats(self, registry: TableRegistry, user: User) -> None:
        """However many come at once, each seat is taken once and the game starts once."""
        people = await friends(registry, 5)
        setup = await registry.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()])
        tries = [change_seat(registry, setup.id, seat, Sitter(user=one.id)) for one in people for seat in (1, 2)]
        came = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(result is None for result in came) == 2
        assert len(await registry.table_store.events(setup.id)) == 1


class TestPages:
    """The same with pages, forms and links."""

    async def test_one_link_for_all(self, client: httpx.AsyncClient, registry: TableRegistry) -> None:
        """The address of a table is the invitation: whoever opens it can take a free seat, as long as there is one."""
        form = {"seat-0": "you", "seat-1": "friend", "seat-2": "friend", "name-0": "Anna"}
        path = (await client.post("/games/bus/tables", data=form)).headers["location"]
        waiting = (await client.get(path)).text
        assert "Waiting for players" in waiting
        assert Dice((await registry.waiting_setup(path.rsplit("/", 1)[1])).seed).commitment in waiting
        link = waiting.split('value="http://server', 1)[1].split('"', 1)[0]
        assert link == path
        for name, told in (("Anna", "Anna (2)"), ("<b>Bert</b>", "&lt;b&gt;Bert")):
            client.cookies.clear()
            page = (await client.get(link)).text
            assert "Anna invites you to a game of Bus." in page
            assert f'action="{path}/join"' in page
            assert not client.cookies, "who only looks is nobody yet"
            assert (await client.post(f"{path}/join", data={"name": name})).headers["location"] == path
            page = (await client.get(path)).text
            assert told in page or "\\u003cb>Bert" in page
            assert "<b>Bert" not in page
        assert (await registry.table(path.rsplit("/", 1)[1])).standing == "live"
        client.cookies.clear()
        late = await client.post(f"{path}/join", data={"name": "Cy"})
        assert (late.status_code, "You can watch it." in late.text, f'href="{path}"' in late.text) == (409, True, True)

    async def test_a_mistake_is_answered_where_it_was_made(
        self, client: httpx.AsyncClient, registry: TableRegistry
    ) -> None:
        """Somebody else's name, a second seat, a guest without a claimed name: said on the page of the table."""
        form = {"seat-0": "you", "seat-1": "friend", "seat-2": "friend", "name-0": "Anna"}
        path = (await client.post("/games/bus/tables", data=form)).headers["location"]
        for action, data in (("join", {}), ("invited", {"name": "Nobody"})):
            answer = await client.post(f"{path}/{action}", data=data)
            assert (answer.status_code, 'role="alert"' in answer.text) == (409, True)
            assert "Waiting for players" in answer.text
        await claimed(registry, "Bert")
        client.cookies.clear()
        taken = await client.post(f"{path}/join", data={"name": "Bert"})
        assert (taken.status_code, 'value="Bert"' in taken.text) == (409, True)
        assert (await client.post("/friends/ask", data={"name": "Nobody"})).text.count('role="alert"') == 1
        elsewhere = {"referer": "http://server/players/Somebody"}
        refused = await client.post("/tables/nowhere/seats/0/stand", headers=elsewhere)
        assert refused.status_code == 404

    async def test_from_the_lobby(self, client: httpx.AsyncClient, registry: TableRegistry) -> None:
        """A listed table is in the lobby, another one is not; what its owner may do nobody else may."""
        paths = []
        for more in ({"listed": "yes", "patience": "600"}, {}):
            form = {"seat-0": "you", "seat-1": "friend", "seat-2": "friend", **more}
            paths.append((await client.post("/games/bus/tables", data=form)).headers["location"])
        client.cookies.clear()
        lobby = (await client.get("/")).text
        assert paths[0] in lobby
        assert paths[1] not in lobby
        assert (await client.post(f"{paths[0]}/join")).headers["location"] == paths[0]
        assert (await client.post(f"{paths[0]}/seats/0/stand")).status_code == 403
        assert (await client.post(f"{paths[0]}/seats/2/fill", data={"bot": WEAK})).status_code == 403
        setup = await registry.waiting_setup(paths[0].rsplit("/", 1)[1])
        assert (setup.patience, setup.free()) == (600, [2])
        assert (await client.post(f"{paths[0]}/seats/1/stand")).status_code == 303
        assert (await registry.waiting_setup(setup.id)).free() == [1, 2]

    async def test_the_lobby_offers_only_what_can_be_done(
        self, client: httpx.AsyncClient, registry: TableRegistry
    ) -> None:
        """Bots have a name at once and keep it, nobody sits twice, and tables of others cannot be deleted."""
        form = {"seat-0": "you", "seat-1": "friend", "seat-2": WEAK, "name-0": "Anna", "listed": "yes"}
        path = (await client.post("/games/bus/tables", data=form)).headers["location"]
        own = (await client.get("/")).text
        bot = nickname(path.rsplit("/", 1)[1], 2, ["Anna"], ENGLISH)
        assert f"Anna, {bot}" in own
        assert (f"{path}/delete" in own, f"{path}/join" in own) == (True, False)
        mine = dict(client.cookies)
        client.cookies.clear()
        assert f"{path}/join" in (await client.get("/")).text
        await client.post(f"{path}/join", data={"name": "Bert"})
        assert (await registry.table(path.rsplit("/", 1)[1])).match.names == ("Anna", "Bert", bot)
        client.cookies.clear()
        client.cookies.update(mine)
        assert f"{path}/delete" not in (await client.get("/")).text

    async def test_the_first_name_is_kept(self, client: httpx.AsyncClient, registry: TableRegistry) -> None:
        """The first name a user gives becomes theirs; a later one is for that table only."""
        form = {"seat-0": "you", "seat-1": "friend", "name-0": "Anna"}
        await client.post("/games/times_square/tables", data=form)
        path = (await client.post("/games/times_square/tables", data={**form, "name-0": "A."})).headers["location"]
        assert (await registry.waiting_setup(path.rsplit("/", 1)[1])).sitters[0].name == "A."
        assert "You: Anna" in (await client.get("/")).text

    async def test_a_link_to_this_machine_only(self, client: httpx.AsyncClient) -> None:
        """An invitation that no other device can open says so."""
        form = {"seat-0": "you", "seat-1": "friend", "seat-2": WEAK}
        path = (await client.post("/games/bus/tables", data=form)).headers["location"]
        assert "only works on this computer" not in (await client.get(path)).text
        here = {"host": "localhost:8765"}
        assert "only works on this computer" in (await client.get(path, headers=here)).text
