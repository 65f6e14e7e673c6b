"""Users: their names, and their open connections."""

from __future__ import annotations

import json

from omnibus.server.http.connection import Connection
from omnibus.server.people import accounts
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.registry import TableRegistry
from support.seats import Seat, bus_with, friends, play_first, received, told


async def test_names_change_everywhere(registry: TableRegistry) -> None:
    """At live tables and at those with free seats, in records and on every page that is open."""
    people = await friends(registry, 3)
    table = await bus_with(registry, people)
    setup = await registry.open(people[0].id, "bus", {}, [Sitter(user=people[0].id, name="A"), Sitter(), Sitter()])
    await accounts.rename(registry, people[0], "Zoe")
    assert table.match.names[0] == "Zoe"
    assert '"Zoe"' in table.record()
    assert (await registry.waiting_setup(setup.id)).sitters[0].name == "Zoe"
    seat = Seat(registry, table, people[1])
    await seat.say(sync=True)
    assert (await seat.scene())["position"]["panels"][0]["name"] == "Zoe"


async def test_the_first_name_stays(registry: TableRegistry, user: User) -> None:
    """A name given on the way is kept if the user had none; nothing else changes it."""
    await accounts.introduce(registry, user, "")
    await accounts.introduce(registry, user, "Ann")
    named = await registry.user_store.find(user.id)
    assert named
    assert named.name == "Ann"
    await accounts.introduce(registry, named, "Bo")
    assert await registry.user_store.find(user.id) == named


async def test_all_connections_of_a_user_are_closed(registry: TableRegistry, user: User) -> None:
    """And nobody else's; who has none left is not online."""
    (friend,) = await friends(registry, 1)
    own, other = [Connection(user, "en"), Connection(user, "it")], Connection(friend, "en")
    for connection in (*own, other):
        await registry.online.add(connection)
        assert await told(connection) == {"type": "awaited", "tables": []}
    registry.online.interrupt(user.id)
    assert [received(connection) for connection in (*own, other)] == [[None], [None], []]
    for connection in own:
        assert await registry.online.is_online(user.id)
        registry.online.remove(connection)
    assert not await registry.online.is_online(user.id)
    assert await registry.online.is_online(friend.id)


async def test_turns_are_told_as_they_are_stored(registry: TableRegistry) -> None:
    """Which tables wait for whom is remembered from move to move, and read again after a table was deleted."""
    people = await friends(registry, 3)
    tables = [await bus_with(registry, people) for _ in range(3)]
    pages = [Connection(person, "en") for person in people]
    shown: dict[str, list[str]] = {}

    async def look() -> None:
        for person, page in zip(people, pages, strict=True):
            for message in received(page):
                shown[person.id] = json.loads(message or b"")["tables"]
            assert sorted(shown[person.id]) == sorted(await registry.table_store.awaited(person.id))

    for page in pages:
        await registry.online.add(page)
    await look()
    for table in tables * 3:
        await play_first(registry, table)
        await look()
    await registry.remove(tables[0].setup)
    await play_first(registry, tables[1], 6)  # everybody plays at least once
    await look()
