"""Quick pairing on both databases: many at once, and whoever has left; what it promises is in tests/traces/pairing."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from support.live import Person, Socket, arrive

pytestmark = pytest.mark.both_databases

NORMAL = {"game": "times_square", "pace": "normal"}


async def find(person: Person, **wish: Any) -> str:
    """Ask for a game, and return the table."""
    return str((await person.ask("POST pairing", NORMAL | wish))["id"])


@pytest.mark.parametrize("number", [2, 4, 5])
async def test_many_ask_at_once(app: FastAPI, client: httpx.AsyncClient, number: int) -> None:
    """Everybody gets a seat and as few as possible wait; tables nobody needs are gone."""
    people = await arrive(app, client, *"ABCDE"[:number])
    found = await asyncio.gather(*map(find, people))
    tables = [await people[0].ask(f"GET tables/{table}") for table in set(found)]
    assert sorted(table["standing"] for table in tables) == ["live"] * (number // 2) + ["open"] * (number % 2)
    named = sorted(seat["name"] for table in tables for seat in table["seats"] if seat["who"] == "person")
    assert named == list("ABCDE"[:number])
    for person, table in zip(people, found, strict=True):
        assert [each["id"] for each in (await person.ask("GET users/me/tables"))["tables"]] == [table]


async def test_asking_twice_at_once(app: FastAPI, client: httpx.AsyncClient) -> None:
    """A double click opens one table."""
    (ann,) = await arrive(app, client, "Ann")
    assert len(set(await asyncio.gather(*(find(ann) for _ in range(3))))) == 1
    assert len((await ann.ask("GET users/me/tables"))["tables"]) == 1


async def test_whoever_has_left_is_not_joined(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a table with a clock somebody must be there; correspondence has time."""
    ann, bo, cy = await arrive(app, client, "Ann", "Bo", "Cy")
    monkeypatch.setattr("omnibus.server.people.pairing.FRESH_S", -1.0)
    waiting, days = await find(ann), await find(ann, pace="days")
    assert await find(bo) != waiting
    assert await find(bo, pace="days") == days
    async with Socket(app, "socket", ann.headers) as page:
        await page.hear("awaited")
        assert await find(cy) == waiting


async def test_the_form_of_the_lobby(client: httpx.AsyncClient) -> None:
    """A stranger finds a game by the form of the lobby."""
    wish = {**NORMAL, "name": "Anna", "language": "fr", "lowest": "1400"}
    path = (await client.post("/pairing", data=wish)).headers["location"]
    assert "Rating from 1400 · Français" in (await client.get(path)).text
    assert 'action="/pairing"' in (await client.get("/")).text
    assert (await client.post("/pairing", data={"game": "chess"})).status_code == 404
    assert (await client.get(f"/api{path}")).json()["seats"][0]["name"] == "Anna"
