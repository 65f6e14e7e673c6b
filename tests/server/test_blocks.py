"""Blocked players: kept apart at tables, in the lobby, in chats, by invitation and among friends."""

from __future__ import annotations

import httpx
import pytest

from omnibus.server.errors import Rejected
from omnibus.server.pages.lobby_feed import LobbyFeed
from omnibus.server.people import blocks
from omnibus.server.people.blocks import BLOCKED, KEPT_APART, NOT_YOURSELF
from omnibus.server.people.friends import Friends
from omnibus.server.people.invitations import Invitations
from omnibus.server.store.models import Sitter, TableSetup, User
from omnibus.server.tables import actions, chat
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.rematches import ask_for_rematch
from support.api_client import Caller
from support.people import claimed, claimed_caller
from support.seats import Seat, bus_with, friends

pytestmark = pytest.mark.both_databases


async def listed(registry: TableRegistry, owner: User, seats: int = 2) -> TableSetup:
    sitters = [Sitter(user=owner.id, name=owner.name), *[Sitter()] * (seats - 1)]
    return await registry.open(owner.id, "times_square" if seats == 2 else "bus", {}, sitters, listed=True)


async def test_they_do_not_sit_at_the_same_table(registry: TableRegistry) -> None:
    """Whoever blocked whom: not from the lobby, not by a link, not at somebody else's table, not for a rematch."""
    ann, bo, cy = await friends(registry, 3)
    await blocks.block(registry, ann, bo.id)
    for owner, guest in ((ann, bo), (bo, ann)):
        setup = await listed(registry, owner)
        for attempt in (actions.sit(registry, guest, setup.id, 1), actions.join(registry, guest, setup.id)):
            with pytest.raises(Rejected) as refused:
                await attempt
            assert refused.value.why == KEPT_APART
        await actions.sit(registry, cy, setup.id, 1)
    third = await listed(registry, cy, seats=3)
    await actions.sit(registry, bo, third.id, 1)
    with pytest.raises(Rejected):
        await actions.sit(registry, ann, third.id, 2)
    await blocks.unblock(registry, ann, bo.id)
    await actions.sit(registry, ann, third.id, 2)


async def test_a_rematch_is_refused(registry: TableRegistry) -> None:
    """Whoever has blocked the other since does not come to the table of their rematch."""
    ann, bo = await friends(registry, 2)
    setup = await listed(registry, ann)
    await actions.sit(registry, bo, setup.id, 1)
    await actions.resign(registry, bo, setup.id)
    again = await ask_for_rematch(registry, ann, setup.id)
    await blocks.block(registry, bo, ann.id)
    await ask_for_rematch(registry, bo, setup.id)
    assert (await registry.waiting_setup(again)).people() == {ann.id}


async def test_their_tables_are_not_listed(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """In the lobby, on the page and in the API, neither sees the tables of the other; everybody else does."""
    (ann, caller), bo, cy = await claimed_caller(client, registry, "Anna"), *(await friends(registry, 2))
    tables = {user.id: (await listed(registry, user)).id for user in (ann, bo)}
    await blocks.block(registry, bo, ann.id)
    feed = LobbyFeed(registry)
    for viewer, shown in ((ann, [ann]), (bo, [bo]), (cy, [ann, bo])):
        html = await feed.html(viewer, "en")
        assert [tables[user.id] in html for user in (ann, bo)] == [user in shown for user in (ann, bo)]
    assert [table["id"] for table in (await caller.ask("GET lobby"))["tables"]] == [tables[ann.id]]


async def test_they_are_not_heard(registry: TableRegistry) -> None:
    """What somebody blocked says at a table is not shown to whoever has blocked them, at once or later."""
    ann, bo, cy = await friends(registry, 3)
    table = await bus_with(registry, [ann, bo, cy])
    reader, other, presence = Seat(registry, table, ann), Seat(registry, table, cy), registry.live.presence_at(table)
    await blocks.block(registry, ann, bo.id)
    await chat.say(registry, presence, bo, "psst")
    assert reader.waiting() == []
    assert other.waiting() == ["chat"]
    assert (await chat.lines_after(registry, presence, ann, 0)).lines == []
    assert (await chat.lines_after(registry, presence, ann, 0)).muted == [1]
    assert [line.text for line in (await chat.lines_after(registry, presence, cy, 0)).lines] == ["psst"]
    await blocks.unblock(registry, ann, bo.id)
    assert [line.text for line in (await chat.lines_after(registry, presence, ann, 0)).lines] == ["psst"]


async def test_they_do_not_ask_each_other(registry: TableRegistry) -> None:
    """A block ends friendship and invitations; new ones are refused to both."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    people, invitations, setup = Friends(registry), Invitations(registry), await listed(registry, bert)
    await people.ask(ann, bert.id)
    await people.ask(bert, ann.id)
    await invitations.invite(bert, setup.id, "Anna")
    await blocks.block(registry, ann, bert.id)
    assert not await people.store.are_friends(ann.id, bert.id)
    assert await invitations.of(ann.id) == []
    for attempt in (people.ask(ann, bert.id), people.ask(bert, ann.id), invitations.invite(bert, setup.id, "Anna")):
        with pytest.raises(Rejected) as refused:
            await attempt
        assert refused.value.why == BLOCKED
    with pytest.raises(Rejected) as refused:
        await blocks.block(registry, ann, ann.id)
    assert refused.value.why == NOT_YOURSELF


async def test_pages_and_api(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Somebody is blocked by name or by seat, and is listed until they are unblocked; a program may not block."""
    (ann, caller), (bert, other) = [await claimed_caller(client, registry, name) for name in ("Anna", "Bert")]
    setup = await listed(registry, bert)
    blocked = (await caller.ask("POST users/me/blocks", {"table": setup.id, "seat": 0}))["blocked"]
    assert blocked == (await caller.ask("POST users/me/blocks", {"name": "bert"}))["blocked"]
    assert [each["name"] for each in blocked] == ["Bert"]
    assert (await other.ask("GET users/me/blocks"))["blocked"] == []
    for wrong in ({"table": setup.id, "seat": 1}, {"name": "Nobody"}, {"name": "Anna"}):
        await caller.ask("POST users/me/blocks", wrong, status=409)
    await caller.ask("POST users/me/blocks", {"table": "nowhere", "seat": 1}, status=404)
    program = Caller(client, (await other.ask(f"POST tables/{setup.id}/seats/0/token", status=201))["token"])
    await program.ask("POST users/me/blocks", {"name": "Anna"}, status=403)
    client.cookies.set("omnibus_user", caller.headers["authorization"].split(" ")[1])
    assert "Unblock: Bert" in (await client.get("/friends")).text
    await client.post("/friends/unblock", data={"whom": blocked[0]["key"]})
    assert not await registry.block_store.blocked(ann.id)
    assert "Block: Bert" in (await client.get(f"/tables/{setup.id}/players")).text
    await client.post("/friends/block", data={"table": setup.id, "seat": "0"})
    assert await registry.block_store.blocked(ann.id) == {bert.id}
    assert (await caller.ask(f"DELETE users/me/blocks/{blocked[0]['key']}"))["blocked"] == []
