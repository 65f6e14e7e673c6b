"""Quick pairing: whoever wants the same comes together, at once or one after the other, and nobody else does."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from omnibus import games
from omnibus.server.errors import Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.people import blocks, pairing
from omnibus.server.people.pairing import QuickPairing, Wish
from omnibus.server.people.ratings import NEEDS_CLAIM
from omnibus.server.store.models import Listing, Sitter, User
from omnibus.server.tables.clock import time_control
from omnibus.server.tables.registry import TableRegistry
from support.api_client import known
from support.people import claimed
from support.seats import friends

pytestmark = pytest.mark.both_databases

NORMAL = Wish("times_square", "normal")


async def people_at(registry: TableRegistry, table: str) -> set[str]:
    entry = await registry.table_store.entry(table)
    assert entry is not None
    return entry.setup.people()


async def test_the_second_one_joins_the_first(registry: TableRegistry) -> None:
    """The first one's table is listed with its clock; asking again changes nothing; the second one starts the game."""
    ann, bo = await friends(registry, 2)
    finder = QuickPairing(registry)
    waiting = await finder.find(ann, NORMAL)
    assert await finder.find(ann, NORMAL) == waiting
    (entry,) = await registry.table_store.open_entries()
    assert (entry.setup.id, entry.setup.seats) == (waiting, 2)
    assert entry.setup.clock == time_control(games.find("times_square"), "normal")
    assert await finder.find(bo, NORMAL) == waiting
    assert (await registry.table(waiting)).people() == {ann.id, bo.id}
    assert await registry.table_store.count_tables() == 1


@pytest.mark.parametrize("number", [2, 4, 5])
async def test_many_ask_at_once(registry: TableRegistry, number: int) -> None:
    """Everybody gets a seat and as few as possible wait, even in several processes."""
    people = await friends(registry, number)
    found = await asyncio.gather(*(QuickPairing(registry).find(user, NORMAL) for user in people))
    tables = {table: await people_at(registry, table) for table in found}
    assert sorted(len(people) for people in tables.values()) == [1] * (number % 2) + [2] * (number // 2)
    for user, table in zip(people, found, strict=True):
        assert user.id in tables[table]
    assert await registry.table_store.count_tables() == len(tables), "tables nobody needs are gone"


async def test_asking_twice_at_once(registry: TableRegistry, user: User) -> None:
    """A double click opens one table."""
    finder = QuickPairing(registry)
    found = await asyncio.gather(*(finder.find(user, NORMAL) for _ in range(3)))
    assert len(set(found)) == await registry.table_store.count_tables() == 1


@pytest.mark.parametrize(
    "wish",
    [
        Wish("times_square", "blitz"),
        Wish("times_square"),
        Wish("metromania", "normal", seats=2),
        Wish("times_square", "normal", rated=True),
        Wish("times_square", "normal", opponents=Listing(lowest=1600)),
    ],
)
async def test_who_wants_something_else(registry: TableRegistry, wish: Wish) -> None:
    """Another game, another pace, rated or not, other ratings: two tables."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    assert await QuickPairing(registry).find(ann, NORMAL) != await QuickPairing(registry).find(bert, wish)


async def test_a_range_keeps_others_off(registry: TableRegistry) -> None:
    """Whoever waits may name a range too; whoever is in it joins."""
    ann, bo, cy = await friends(registry, 3)
    finder = QuickPairing(registry)
    choosy = await finder.find(ann, Wish("times_square", "normal", opponents=Listing("it", 1600, 1800)))
    second = await finder.find(bo, NORMAL)
    assert second != choosy
    assert await finder.find(cy, Wish("times_square", "normal", opponents=Listing(lowest=1400))) == second
    assert await people_at(registry, choosy) == {ann.id}


async def test_tables_set_up_by_hand(registry: TableRegistry) -> None:
    """They are joined too if they are what is wanted: listed, with the usual options and the number of seats."""
    ann, bo = await friends(registry, 2)
    seats = [Sitter(user=ann.id), Sitter(), Sitter()]
    await registry.open(ann.id, "bus", {}, seats)
    await registry.open(ann.id, "bus", {"clock_back": True}, seats, listed=True)
    four = await registry.open(ann.id, "bus", {}, [*seats, Sitter()], listed=True)
    three = await registry.open(ann.id, "bus", {}, seats, listed=True)
    assert await QuickPairing(registry).find(bo, Wish("bus", seats=3)) == three.id
    await registry.remove(await registry.waiting_setup(three.id))
    assert await QuickPairing(registry).find(bo, Wish("bus")) == four.id


async def test_whoever_has_left_is_not_joined(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table with a clock somebody must be there; correspondence has time."""
    ann, bo, cy = await friends(registry, 3)
    monkeypatch.setattr(pairing, "FRESH_S", -1.0)
    finder, slow = QuickPairing(registry), Wish("times_square", "days")
    waiting, days = await finder.find(ann, NORMAL), await finder.find(ann, slow)
    second = await finder.find(bo, NORMAL)
    assert second != waiting
    assert await finder.find(bo, slow) == days
    await registry.online.add(Connection(ann, "en"))
    assert await finder.find(cy, NORMAL) == waiting


async def test_blocked_players_are_not_paired(registry: TableRegistry) -> None:
    """They wait at two tables; the next one joins the first."""
    ann, bo, cy = await friends(registry, 3)
    await blocks.block(registry, ann, bo.id)
    finder = QuickPairing(registry)
    tables = [await finder.find(user, NORMAL) for user in (ann, bo)]
    assert tables[0] != tables[1]
    assert await finder.find(cy, NORMAL) == tables[0]


async def test_what_cannot_be_found(registry: TableRegistry, user: User) -> None:
    """Rated games need a claimed name; a game has only so many seats. Nothing is left behind."""
    with pytest.raises(Rejected) as refused:
        await QuickPairing(registry).find(user, Wish("times_square", "normal", rated=True))
    assert refused.value.why == NEEDS_CLAIM
    with pytest.raises(ValueError, match="seats"):
        await QuickPairing(registry).find(user, Wish("bus", seats=2))
    assert await registry.table_store.count_tables() == 0


async def test_page_and_api(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A stranger finds a game by the form of the lobby, a program by the API."""
    wish = {"game": "times_square", "pace": "normal", "name": "Anna", "language": "fr", "lowest": "1400"}
    path = (await client.post("/pairing", data=wish)).headers["location"]
    assert "Rating from 1400 · Français" in (await client.get(path)).text
    assert 'action="/pairing"' in (await client.get("/")).text
    assert (await client.post("/pairing", data={"game": "chess"})).status_code == 404
    bo = await known(client, "Bo")
    found = await bo.ask("POST pairing", {"game": "times_square", "pace": "normal", "highest": 1500})
    assert (found["standing"], path.endswith(found["id"])) == ("live", True)
    assert {seat["name"] for seat in found["seats"]} == {"Anna", "Bo"}
    await bo.ask("POST pairing", {"game": "chess"}, status=404)
    await bo.ask("POST pairing", {"game": "bus", "seats": 2}, status=400)
    await bo.ask("POST pairing", {"game": "bus", "pace": "hasty"}, status=400)
