"""A database written by an earlier version opens, and its tables go on.

`first-version.db` was written by a real server of the first version: finished, live, open and closed tables of every
game, chat, a proposal, a seat handed to a bot, an uploaded record. `first-version.json` names what is in it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs

from omnibus import Match, games
from omnibus.kernel.i18n import words
from omnibus.server.app import create_app
from omnibus.server.store.models import Sitter
from omnibus.server.store.sqlite import SqliteDatabase
from omnibus.server.store.tables import TableStore
from omnibus.server.tables.events import Began, History
from omnibus.server.tables.record_of_table import record_of
from omnibus.server.tables.setup import changed_options
from omnibus.server.tables.table import Table

DATA = Path(__file__).parent / "data"
CONTENTS: dict[str, Any] = json.loads((DATA / "first-version.json").read_text("utf-8"))
TABLES: dict[str, str] = CONTENTS["tables"]
LIVE = [name for name in TABLES if "-live-" in name]
OVER = [name for name in TABLES if name.endswith("-over")]


@asynccontextmanager
async def api_on_copy(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Serve a copy of the old database, and call its API as one of its users."""
    shutil.copy(DATA / "first-version.db", folder / "omnibus.db")
    app = create_app(SqliteDatabase(folder / "omnibus.db"), workers=1)
    async with app.router.lifespan_context(app):
        headers = {"authorization": f"Bearer {CONTENTS['users']['Ada']['token']}"}
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://server/api/", headers=headers) as client:
            yield client


async def answer(client: httpx.AsyncClient, verb: str, path: str, **more: Any) -> Any:
    found = await client.request(verb, path, **more)
    assert found.status_code == 200, found.text
    return found.json()


@pytest.mark.parametrize("name", LIVE)
async def test_a_live_table_goes_on(tmp_path: Path, name: str) -> None:
    """Whoever's turn it is decides, and the event is kept."""
    async with api_on_copy(tmp_path) as client:
        path = f"tables/{TABLES[name]}"
        table = await answer(client, "GET", path)
        assert table["standing"] == "live"
        owner = CONTENTS["users"]["Ada" if table["seats"][table["awaits"]]["yours"] else "Blaise"]
        client.headers["authorization"] = f"Bearer {owner['token']}"
        view = await answer(client, "GET", f"{path}/view", params={"seat": table["awaits"]})
        wish = {"line": view["legal"][0], "event": view["event"], "seat": table["awaits"]}
        done = await answer(client, "POST", f"{path}/play", json=wish)
        assert done["event"] == view["event"] + 1


@pytest.mark.parametrize("name", OVER)
async def test_a_finished_table_is_shown(tmp_path: Path, name: str) -> None:
    """Its record replays and its dice verify."""
    async with api_on_copy(tmp_path) as client:
        scene = await answer(client, "GET", f"tables/{TABLES[name]}/scene")
        assert not scene["live"]
        assert (await answer(client, "GET", f"tables/{TABLES[name]}/dice"))["verified"] is True


@pytest.mark.parametrize("options", [{}, {"sticks": 25}, {"sticks": "unlimited", "clock_back": True}])
async def test_an_open_table_starts_by_its_own_rules(tmp_path: Path, options: dict[str, Any]) -> None:
    """What is played when the last seat is taken is what its record says afterwards."""
    shutil.copy(DATA / "first-version.db", tmp_path / "omnibus.db")
    store = TableStore(SqliteDatabase(tmp_path / "omnibus.db"))
    entry = await store.entry(TABLES["open"])
    assert entry
    setup = structs.replace(entry.setup, options=options, sitters=[Sitter(bot="easy")] * entry.setup.seats)
    table, _ = await Table.started(store, setup)
    record = record_of(setup, History.of([Began(table.match.written())]))
    assert table.match.options == Match.read(record).options
    assert table.match.options["edition"] == "reprint"
    assert ("Edition", "reprint (2019)") in [
        (text[:23], choice) for text, choice in changed_options(setup, words("en", games.find("bus").folder))
    ]


async def test_everything_else_is_there(tmp_path: Path) -> None:
    """Chat, a proposal, a seat played by a bot, an open and a closed table, an uploaded record."""
    async with api_on_copy(tmp_path) as client:
        chat = await answer(client, "GET", f"tables/{TABLES['bus-live-3-plain']}/chat")
        assert [line["text"] for line in chat["lines"]] == ["Good luck!", "And to you."]
        proposal = (await answer(client, "GET", f"tables/{TABLES['metromania-live-3-plain']}/scene"))["proposal"]
        assert proposal["mine"]
        for name, standing in (("open", "open"), ("closed", "closed")):
            assert (await answer(client, "GET", f"tables/{TABLES[name]}"))["standing"] == standing
        assert (await client.get(f"records/{TABLES['record']}")).text.startswith("game:")
