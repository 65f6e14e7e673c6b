"""Friends and invitations by name: who may ask whom, what they see of each other, and how they are told."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from omnibus.server.errors import Forbidden, Rejected, TableNotFound
from omnibus.server.http.connection import Connection
from omnibus.server.people import friends as friends_module
from omnibus.server.people import invitations as invitations_module
from omnibus.server.people.blocks import NOT_YOURSELF
from omnibus.server.people.friends import NEEDS_NAME, THEY_NEED_NAME, TOO_MANY, Friend, FriendList, Friends
from omnibus.server.people.invitations import INVITED_ALREADY, Invitations
from omnibus.server.people.persons import NO_SUCH_NAME
from omnibus.server.store.erasing import remove_texts
from omnibus.server.store.models import Listing, Sitter, TableSetup, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from support.people import claimed, claimed_caller
from support.seats import told

pytestmark = pytest.mark.both_databases

EMPTY = FriendList([], [], [])
HIDDEN = re.compile(r'<a id="inbox"[^>]* hidden>')


async def private_table(registry: TableRegistry, owner: User, seats: int = 2) -> TableSetup:
    sitters = [Sitter(user=owner.id, name=owner.name), *[Sitter()] * (seats - 1)]
    return await registry.open(owner.id, "times_square" if seats == 2 else "bus", {}, sitters)


async def test_becoming_friends(registry: TableRegistry) -> None:
    """One asks and the other accepts; both see who is online then, and before that neither does."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    friends, page = Friends(registry), Connection(bert, "en")
    await registry.online.add(page)
    assert await told(page) == {"type": "awaited", "tables": []}
    await friends.ask(ann, bert.id)
    await friends.ask(ann, bert.id)
    assert (await told(page))["inbox"] == 1
    assert await friends.of(ann.id) == FriendList([], [], ["Bert"])
    assert await friends.of(bert.id) == FriendList([], ["Anna"], [])
    await friends.ask(bert, ann.id)
    assert await friends.of(ann.id) == FriendList([Friend("Bert", online=True)], [], [])
    assert await friends.of(bert.id) == FriendList([Friend("Anna", online=False)], [], [])
    assert await registry.online.inbox(bert.id) == 0
    await friends.part(ann, bert.id)
    assert await friends.of(ann.id) == await friends.of(bert.id) == EMPTY


async def test_both_ask_at_once(registry: TableRegistry) -> None:
    """Then they are friends."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    friends = Friends(registry)
    await asyncio.gather(friends.ask(ann, bert.id), friends.ask(bert, ann.id), friends.ask(ann, bert.id))
    assert await friends.store.are_friends(ann.id, bert.id)


async def test_who_may_ask_whom(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only people with claimed names, not oneself, and not too many."""
    ann, bert, cleo = [await claimed(registry, name) for name in ("Anna", "Bert", "Cleo")]
    stranger, _ = await registry.user_store.add_user("Dora")
    friends = Friends(registry)
    monkeypatch.setattr(friends_module, "MOST_FRIENDS", 1)
    await friends.ask(ann, bert.id)
    for attempt, why in (
        (friends.ask(ann, ann.id), NOT_YOURSELF),
        (friends.ask(stranger, ann.id), NEEDS_NAME),
        (friends.ask(ann, stranger.id), THEY_NEED_NAME),
        (friends.ask(ann, cleo.id), TOO_MANY),
    ):
        with pytest.raises(Rejected) as refused:
            await attempt
        assert refused.value.why == why
    await remove_texts(registry.database, bert.id)
    assert await friends.of(ann.id) == EMPTY


async def test_an_invitation_by_name(registry: TableRegistry) -> None:
    """The guest is told, takes a seat of a table that is not listed, and the invitation is gone."""
    ann, bert = await claimed(registry, "Anna"), await claimed(registry, "Bert")
    setup, messages = await private_table(registry, ann, 3), []

    async def notify(user: str, host: str, table: TableSetup) -> None:
        messages.append((user, host, table.id))

    invitations, page = Invitations(registry, notify), Connection(bert, "en")
    await invitations.invite(ann, setup.id, "bert")
    await invitations.invite(ann, setup.id, "Bert")
    assert messages == [(bert.id, "Anna", setup.id)], "once"
    assert await invitations.invited(setup.id) == ["Bert"]
    await registry.online.add(page)
    assert (await told(page))["inbox"] == 1
    (found,) = await invitations.of(bert.id)
    assert (found.table, found.game, found.host) == (setup.id, "bus", "Anna")
    await invitations.accept(bert, setup.id)
    assert await told(page) == {"type": "awaited", "tables": []}
    assert (await registry.waiting_setup(setup.id)).people() == {ann.id, bert.id}
    assert await invitations.invited(setup.id) == []
    second = await private_table(registry, ann, 3)
    await invitations.invite(ann, second.id, "Bert")
    assert len(messages) == 1, "whoever is online sees it on the page"


async def test_whom_one_may_not_invite(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only to one's own table, under a claimed name, people who have one and are not there; and not everybody."""
    ann, bert, cleo = [await claimed(registry, name) for name in ("Anna", "Bert", "Cleo")]
    dora, _ = await registry.user_store.add_user("Dora")
    setup, other = await private_table(registry, ann), await private_table(registry, dora)
    invitations = Invitations(registry)
    monkeypatch.setattr(invitations_module, "MOST_INVITED", 1)
    for attempt, why in (
        (invitations.invite(bert, setup.id, "Cleo"), actions.NOT_SET_UP),
        (invitations.invite(dora, other.id, "Cleo"), NEEDS_NAME),
        (invitations.invite(ann, setup.id, "Dora"), NO_SUCH_NAME),
        (invitations.invite(ann, setup.id, "Anna"), INVITED_ALREADY),
    ):
        with pytest.raises(Rejected) as refused:
            await attempt
        assert refused.value.why == why
    await invitations.invite(ann, setup.id, "Bert")
    with pytest.raises(Rejected) as refused:
        await invitations.invite(ann, setup.id, "Cleo")
    assert refused.value.why == invitations_module.TOO_MANY
    with pytest.raises(TableNotFound):
        await invitations.accept(cleo, setup.id)
    with pytest.raises(Forbidden):
        await invitations.withdraw(bert, setup.id, "Bert")
    await invitations.withdraw(ann, setup.id, "Bert")
    with pytest.raises(TableNotFound):
        await invitations.accept(bert, setup.id)


async def test_the_end_of_an_invitation(registry: TableRegistry) -> None:
    """It ends when it is declined, when the game starts and when the table is deleted; a range of ratings is no bar."""
    ann, bert, cleo = [await claimed(registry, name) for name in ("Anna", "Bert", "Cleo")]
    invitations = Invitations(registry)
    sitters = [Sitter(user=ann.id), Sitter()]
    setups = [
        await registry.open(ann.id, "times_square", {}, sitters, listed=True, listing=Listing(lowest=4000))
        for _ in range(3)
    ]
    for setup in setups:
        await invitations.invite(ann, setup.id, "Bert")
    await invitations.invite(ann, setups[0].id, "Cleo")
    await invitations.decline(bert, setups[1].id)
    await actions.delete(registry, ann, setups[2].id)
    assert [each.table for each in await invitations.of(bert.id)] == [setups[0].id]
    await invitations.accept(cleo, setups[0].id)
    assert await invitations.of(bert.id) == []
    assert await registry.online.inbox(bert.id) == 0
    with pytest.raises(Rejected):
        await invitations.accept(bert, setups[0].id)


async def test_many_are_invited_to_the_last_seats(registry: TableRegistry) -> None:
    """However many accept at once, each seat is taken once, and the others are told that they are too late."""
    people = [await claimed(registry, name) for name in ("Anna", "Bert", "Cleo", "Dora", "Emil")]
    setup, invitations = await private_table(registry, people[0], 3), Invitations(registry)
    for guest in people[1:]:
        await invitations.invite(people[0], setup.id, guest.name)
    came = await asyncio.gather(*(invitations.accept(guest, setup.id) for guest in people[1:]), return_exceptions=True)
    assert sorted(type(result).__name__ for result in came) == ["NoneType", "NoneType", "Rejected", "Rejected"]
    assert (await registry.table(setup.id)).standing == "live"


async def test_pages(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Every page shows that something waits; the page of friends and the page of the table let one answer."""
    (ann, _), (bert, program) = [await claimed_caller(client, registry, name) for name in ("Anna", "Bert")]
    setup = await private_table(registry, ann)
    client.cookies.set("omnibus_user", await registry.user_store.add_token("device", user=ann.id))
    assert "Friend" in (await client.get(f"/tables/{setup.id}/players")).text
    assert (await client.post(f"/tables/{setup.id}/invited", data={"name": "Bert"})).status_code == 303
    assert (await client.post("/friends/ask", data={"name": "Bert"})).status_code == 303
    assert "Invited: Bert" in (await client.get(f"/tables/{setup.id}")).text
    assert "asked, no answer yet" in (await client.get("/friends")).text
    assert HIDDEN.search((await client.get("/credits")).text)
    client.cookies.clear()
    client.cookies.set("omnibus_user", program.headers["authorization"].split(" ")[1])
    assert not HIDDEN.search((await client.get("/credits")).text)
    page = (await client.get("/friends")).text
    assert "Anna invites you to a game of Times Square." in page
    assert "Anna would like to be your friend." in page
    assert "You are invited to this table." in (await client.get(f"/tables/{setup.id}")).text
    assert (await client.post("/friends/ask", data={"name": "Nobody"})).status_code == 409
    await client.post("/friends/ask", data={"name": "Anna"})
    assert (await client.post(f"/tables/{setup.id}/invited/accept")).status_code == 303
    assert (await registry.table(setup.id)).people() == {ann.id, bert.id}
    assert "offline" in (await client.get("/friends")).text
    await client.post("/friends/part", data={"name": "Anna"})
    assert "Your list is empty." in (await client.get("/friends")).text
    assert "Block" in (await client.get("/players/Anna")).text


async def test_the_api(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The same with the API."""
    (ann, one), (_, two) = [await claimed_caller(client, registry, name) for name in ("Anna", "Bert")]
    assert (await one.ask("PUT users/me/friends/Bert"))["asked"] == ["Bert"]
    assert (await two.ask("GET users/me/friends"))["asking"] == ["Anna"]
    assert (await two.ask("PUT users/me/friends/anna"))["friends"] == [{"name": "Anna", "online": False}]
    assert (await one.ask("DELETE users/me/friends/Bert"))["friends"] == []
    await one.ask("PUT users/me/friends/Nobody", status=409)
    setups = [await private_table(registry, ann) for _ in range(2)]
    for setup in setups:
        assert (await one.ask(f"PUT tables/{setup.id}/invited/Bert"))["names"] == ["Bert"]
    await two.ask(f"PUT tables/{setups[0].id}/invited/Anna", status=403)
    assert {each["table"] for each in (await two.ask("GET users/me/invitations"))["invitations"]} == {
        setup.id for setup in setups
    }
    assert (await one.ask(f"DELETE tables/{setups[1].id}/invited/Bert"))["names"] == []
    await two.ask(f"DELETE users/me/invitations/{setups[1].id}", status=204)
    await two.ask(f"POST users/me/invitations/{setups[1].id}", status=404)
    assert (await two.ask(f"POST users/me/invitations/{setups[0].id}"))["standing"] == "live"
