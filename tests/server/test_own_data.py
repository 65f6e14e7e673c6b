"""One's own data: a profile that others see, an archive of everything, and erasing the account."""

from __future__ import annotations

import asyncio
import io
import json
from html import unescape
from typing import Any
from zipfile import ZipFile

import httpx
import pytest

from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.kernel.match import Match
from omnibus.server.http.visitor import LANGUAGE, TOKEN
from omnibus.server.people import accounts, own_data
from omnibus.server.store import personal_data
from omnibus.server.store.models import Sitter, User
from omnibus.server.store.personal_data import PersonalData
from omnibus.server.tables import actions
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.api_client import Caller
from support.seats import opened, play_first

pytestmark = pytest.mark.both_databases

SAID = "see you next Tuesday"


async def person(registry: TableRegistry, name: str) -> tuple[User, str]:
    """Make somebody who has claimed a name; return them with the token of their device."""
    user, token = await registry.user_store.add_user(name)
    await registry.user_store.add_token("recovery", user=user.id)
    await accounts.claim(registry, user, name)
    return user, token


async def table_of(registry: TableRegistry, *people: User, **more: Any) -> Table:
    sitters = [Sitter(user=each.id, name=each.name) for each in people]
    return await opened(registry, people[0].id, "times_square", {}, sitters, **more)


async def test_a_profile_tells_analysed_games_and_hides_others(
    client: httpx.AsyncClient, registry: TableRegistry
) -> None:
    """The latest analysis of each; of games in progress only those that others may know of (tests/traces/people)."""
    (ann, _), (bob, _) = await person(registry, "Annabel"), await person(registry, "Bobby")
    over = await table_of(registry, ann, bob)
    await actions.resign(registry, bob, over.setup.id)
    for accuracy in (81.5, 82.4):
        await registry.analyses.store.keep_results(over.setup.id, [(accuracy, 0.125), (None, -0.125)])
    hidden, listed = await table_of(registry, ann, bob), await table_of(registry, ann, bob, listed=True)
    (analysed,) = (await Caller(client).ask("GET players/annabel"))["analysed"]
    assert (analysed["table"], analysed["accuracy"], analysed["luck"]) == (over.setup.id, 82.4, 0.125)
    page = (await client.get("/players/annabel")).text
    assert [f"/tables/{table.setup.id}" in page for table in (hidden, listed)] == [False, True]
    assert "82%" in page
    assert "+12" in page


async def test_an_archive_of_everything(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every row once that names the user, the records of finished games, no secrets, nobody else's ids.

    It is made piece by piece: others have their turn between any two games.
    """
    monkeypatch.setattr(personal_data, "ROWS", 2)  # so many are read at once
    (ann, token), (bob, _) = await person(registry, "Annabel"), await person(registry, "Bobby")
    live, *over = [await table_of(registry, ann, bob) for _ in range(4)]
    await play_first(registry, over[0], 2)
    for table in over:
        await actions.resign(registry, bob, table.setup.id)
    lines = [f"{SAID} {number}" for number in range(7)]
    for number, line in enumerate(lines):
        await registry.table_store.say(over[number % 2].setup.id, ann.id, 0, line)
    await registry.table_store.say(over[0].setup.id, bob.id, 1, "I said this")
    await registry.user_store.mute(ann.id, bob.id, muted=True)
    turns, games_read, read = [0], list[int](), registry.table_store.events

    async def others() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    async def events(table: str) -> Any:
        games_read.append(turns[0])
        return await read(table)

    monkeypatch.setattr(registry.table_store, "events", events)
    playing = asyncio.create_task(others())
    answer = await client.get("/api/users/me/data", headers={"authorization": f"Bearer {token}"})
    playing.cancel()
    assert len(set(games_read)) == len(games_read) == len(over)
    assert answer.headers["content-type"] == "application/zip"
    with ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert len(set(archive.namelist())) == len(archive.namelist())
        everything = {name: archive.read(name).decode() for name in archive.namelist()}
    games = {f"games/times_square-{table.setup.id}.game": table.match.plies for table in over}
    assert {name: Match.read(everything[name]).plies for name in everything if name.startswith("games/")} == games
    assert json.loads(everything["data/mutes.json"]) == [{"user": ann.id, "muted": "Bobby"}]
    sat = [row["id"] for row in json.loads(everything["data/tables.json"])]
    assert sorted(sat) == sorted(table.setup.id for table in (live, *over))
    assert sorted(row["text"] for row in json.loads(everything["data/chat.json"])) == lines
    whole = "".join(everything.values())
    for secret in (bob.id, f"{live.setup.seed:064x}", '"hash"'):
        assert secret not in whole
    client.cookies.set(TOKEN, token)
    page = await client.get("/you/data")
    assert page.headers["cache-control"] == "no-store"
    assert page.content[:2] == b"PK"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_one_download_at_a_time(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """A second one is refused in the reader's language, until the first is finished, or nobody reads it any more."""
    ann, token = await person(registry, "Annabel")
    client.cookies.set(TOKEN, token)
    client.cookies.set(LANGUAGE, language)
    first = await own_data.archive(registry, ann)
    await anext(first)
    second = await client.get("/you/data")
    assert second.status_code == 409
    assert words(language, COMMON_TEXTS).gettext(own_data.DOWNLOADING) in unescape(second.text)
    assert len([piece async for piece in first]) > 1
    assert (await client.get("/you/data")).status_code == 200
    unread = await own_data.archive(registry, ann)
    await anext(unread)
    monkeypatch.setattr(own_data, "GIVEN_UP_S", 0.0)
    assert (await client.get("/you/data")).status_code == 200
    assert [piece async for piece in unread] == []


async def test_erasing_an_account(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Only when it is confirmed; then nothing stored names the user; tests/traces/account tells what others see."""
    (ann, token), (bob, _) = await person(registry, "Annabel"), await person(registry, "Bobby")
    over = await table_of(registry, ann, bob)
    await actions.resign(registry, bob, over.setup.id)
    await registry.table_store.say(over.setup.id, ann.id, 0, SAID)
    await registry.vacation_store.begin(ann.id, 1, 1.0)
    client.cookies.set(TOKEN, token)
    assert "cannot be undone" in (await client.get("/you/erase")).text
    assert (await client.post("/you/erase", data={"sure": "no"})).status_code == 400
    assert await registry.user_store.user(token)
    answer = await client.post("/you/erase", data={"sure": "yes"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert await registry.user_store.user(token) is None
    data = json.dumps([page async for page in PersonalData(registry.table_store.database).pages(ann.id)])
    assert "Annabel" not in data
    assert SAID not in data
    assert "Annabel" not in (await client.get(f"/tables/{over.setup.id}")).text
