"""The pages about friends and invitations, messages to guests, and how many there may be.

Who may ask or invite whom is in tests/traces/friends and tests/traces/invitations.
"""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from omnibus.server.config import ServerConfig
from omnibus.server.http.visitor import TOKEN
from support.live import Person, Socket, arrive
from support.receivers import listener

from .conftest import app_at

pytestmark = pytest.mark.both_databases

HIDDEN = re.compile(r'<a id="inbox"[^>]* hidden>')
TABLE = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}]}


async def claimed(app: FastAPI, client: httpx.AsyncClient, *names: str) -> list[Person]:
    """Make users who have claimed their names."""
    people = await arrive(app, client, *names)
    for person, name in zip(people, names, strict=True):
        await person.ask("POST users/me/claim", {"name": name})
    return people


async def test_how_many_there_may_be(app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of friends can be full, and so can the invitations to a table."""
    monkeypatch.setattr("omnibus.server.people.friends.MOST_FRIENDS", 1)
    monkeypatch.setattr("omnibus.server.people.invitations.MOST_INVITED", 1)
    ann, *_ = await claimed(app, client, "Anna", "Bert", "Cleo")
    table = (await ann.ask("POST tables", TABLE, status=201))["id"]
    for path, full in (
        ("users/me/friends", "Your list of friends is full."),
        (f"tables/{table}/invited", "Too many people are invited to this table."),
    ):
        await ann.ask(f"PUT {path}/Bert")
        assert (await ann.ask(f"PUT {path}/Cleo", status=409))["text"] == full
        await ann.ask(f"DELETE {path}/Bert")
        await ann.ask(f"PUT {path}/Cleo")


async def test_a_message_to_a_guest(tmp_path: Path, address: str) -> None:
    """Whoever is invited while not online gets one message for a while; whoever is online sees it on the page."""
    config = ServerConfig(local_url="http://server", private_webhooks=True)
    async with (
        app_at(tmp_path, config, address) as app,
        listener() as listening,
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://server") as client,
    ):
        ann, bert, cleo = await claimed(app, client, "Anna", "Bert", "Cleo")
        for guest in (bert, cleo):
            cookie = f"{TOKEN}={guest.headers['authorization'].split(' ')[1]}"
            await client.post("/you/webhook", data={"webhook": listening.url}, headers={"cookie": cookie})
        tables = [(await ann.ask("POST tables", TABLE, status=201))["id"] for _ in range(2)]
        async with Socket(app, "socket", cleo.headers) as page:
            await page.hear("awaited")
            for table in tables:
                for name in ("Bert", "bert", "Cleo"):
                    await ann.ask(f"PUT tables/{table}/invited/{name}")
            assert (await page.hear("awaited"))["inbox"] == 1
        await listening.until(1)
    assert len(listening.heard) == 1
    assert b"Anna invites you to a game of Times Square." in listening.heard[0][1]


async def test_every_page_shows_that_something_waits(app: FastAPI, client: httpx.AsyncClient) -> None:
    """To whoever was asked or invited, nobody else; what the pages say is in tests/traces/friends/pages."""
    people = await claimed(app, client, "Anna", "Bert", "Cleo")
    await people[0].ask("PUT users/me/friends/Bert")
    for person, hidden in zip(people, (True, False, True), strict=True):
        client.cookies.set(TOKEN, person.headers["authorization"].split(" ")[1])
        assert bool(HIDDEN.search((await client.get("/credits")).text)) == hidden
