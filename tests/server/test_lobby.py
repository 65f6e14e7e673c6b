"""The lobby: whom a listed table is meant for, and the list that updates by itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from omnibus.server.errors import Rejected
from omnibus.server.http.connection import Connection
from omnibus.server.pages import lobby_feed, templates
from omnibus.server.pages.lobby_feed import LobbyFeed, listing_facts
from omnibus.server.people.ratings import OUT_OF_RANGE
from omnibus.server.store.models import Listing, Sitter, TableSetup, User
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from support.api_client import known
from support.seats import friends, received

LISTED = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}], "listed": True}


async def listed(registry: TableRegistry, owner: User, listing: Listing | None = None) -> TableSetup:
    """Set up a table that the lobby shows."""
    sitters = [Sitter(user=owner.id, name=owner.name), Sitter()]
    return await registry.open(owner.id, "times_square", {}, sitters, listed=True, listing=listing)


@pytest.mark.both_databases
async def test_a_range_of_ratings(registry: TableRegistry) -> None:
    """Whoever is outside it may not join; an invitation by name or being the owner is enough."""
    ann, bo = await friends(registry, 2)
    for listing in (Listing(lowest=1501), Listing(highest=1499)):
        setup = await listed(registry, ann, listing)
        with pytest.raises(Rejected) as refused:
            await actions.sit(registry, bo, setup.id, 1)
        assert refused.value.why == OUT_OF_RANGE
        await actions.join(registry, bo, setup.id, invited=True)
    setup = await listed(registry, ann, Listing("it", 1500, 1500))
    await actions.sit(registry, bo, setup.id, 1)
    entry = await registry.table_store.entry(setup.id)
    assert entry is not None
    assert (entry.standing, entry.setup.listing) == ("live", Listing("it", 1500, 1500))
    own = await listed(registry, ann, Listing(lowest=4000))
    await actions.sit(registry, ann, own.id, 1, name="Somebody beside me")


def test_whom_a_table_is_meant_for() -> None:
    """The range in the reader's language, the language of the table in its own."""
    assert listing_facts(None, "en") == listing_facts(Listing(), "en") == []
    assert listing_facts(Listing("it", 1400, 1600), "en") == ["Rating 1400–1600", "Italiano"]
    assert listing_facts(Listing(lowest=1400), "de") == ["Wertung ab 1400"]
    assert listing_facts(Listing(highest=1600), "it") == ["Valutazione fino a 1600"]


async def test_it_is_said_in_the_lobby(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """On the page of the lobby and of the table, and in the API; what is not a number means any rating."""
    form = {"seat-0": "you", "seat-1": "friend", "listed": "yes", "clock": "blitz"}
    wish = {"lowest": "1200", "highest": "x", "language": "fr"}
    path = (await client.post("/games/times_square/tables", data=form | wish)).headers["location"]
    for page in ("/", path):
        assert "Rating from 1200 · Français" in (await client.get(page)).text
    assert "2 minutes, plus 5 seconds per decision" in (await client.get("/")).text
    ann = await known(client, "Ann")
    asked = {"listing": {"language": "de", "lowest": None, "highest": 1600}}
    made = await ann.ask("POST tables", LISTED | asked, status=201)
    assert made["listing"] == {"language": "de", "highest": 1600}
    assert [table["listing"] for table in (await ann.ask("GET lobby"))["tables"]] == [
        {"language": "de", "highest": 1600},
        {"language": "fr", "lowest": 1200},
    ]
    await ann.ask("POST tables", LISTED | {"listing": {"language": "xx"}}, status=400)
    unlisted = await ann.ask("POST tables", LISTED | asked | {"listed": False}, status=201)
    assert unlisted["listing"] is None


async def heard(viewer: Connection) -> str:
    """Receive the next list of open tables."""
    message = await asyncio.wait_for(viewer.outbox.get(), 60)
    assert message is not None
    told: dict[str, Any] = json.loads(message)
    assert told["type"] == "open_tables"
    return str(told["html"])


@pytest.mark.both_databases
async def test_the_list_updates_by_itself(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks is told at once what there is, and again when it changes; it is drawn once for all of them."""
    monkeypatch.setattr(lobby_feed, "EVERY_S", 0.01)
    drawings = []

    def draw(*args: Any, **more: Any) -> str:
        drawings.append(args)
        return templates.drawn(*args, **more)

    monkeypatch.setattr(lobby_feed, "drawn", draw)
    ann, bo, cy = await friends(registry, 3)
    feed, viewers = LobbyFeed(registry), [Connection(user, language) for user in (bo, cy) for language in ("en", "it")]
    async with feed.watched(viewers[0]), feed.watched(viewers[1]), feed.watched(viewers[2]), feed.watched(viewers[3]):
        assert [await heard(viewer) for viewer in viewers] == [""] * 4
        setup = await listed(registry, ann)
        told = [await heard(viewer) for viewer in viewers]
        assert told[0] == told[2] != told[1] == told[3]
        assert f"/tables/{setup.id}/join" in told[0]
        assert len(drawings) == 2, "once for each language"
        await actions.sit(registry, bo, setup.id, 1)
        assert [await heard(viewer) for viewer in viewers] == [""] * 4
    assert [received(viewer) for viewer in viewers] == [[]] * 4
    await feed.close()


async def test_what_each_visitor_may_do_there(registry: TableRegistry) -> None:
    """Whoever sits at a table cannot join it; whoever has no name yet can give one."""
    (ann,) = await friends(registry, 1)
    await listed(registry, ann)
    feed = LobbyFeed(registry)
    nameless, _ = await registry.user_store.add_user()
    lists = [await feed.html(user, "en") for user in (ann, nameless, None)]
    assert [("/join" in html, 'name="name"' in html) for html in lists] == [(False, False), (True, True), (True, True)]
    (bo,) = await friends(registry, 1)
    assert 'name="name"' not in await feed.html(bo, "en")


async def test_a_reader_who_is_behind_gets_the_newest_list(registry: TableRegistry, user: User) -> None:
    """An earlier list that was not read yet is replaced."""
    feed, viewer = LobbyFeed(registry), Connection(user, "en")
    async with feed.watched(viewer):
        setup = await listed(registry, user)
    async with feed.watched(viewer):
        assert setup.id in await heard(viewer)
        assert not received(viewer)
    await feed.close()
