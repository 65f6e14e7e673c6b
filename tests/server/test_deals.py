"""Same deal and team matches: their pages, and what cannot be arranged over HTTP.

All else about them is in tests/traces/deals and teams.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import httpx
import pytest
from fastapi import FastAPI

from omnibus.bots import names as bot_names
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.errors import Rejected
from omnibus.server.store import deals as store
from omnibus.server.tables.table import Table
from support.live import Person, arrive, sit

WEAK = bot_names()[0]


async def play_out(app: FastAPI, id_: str, until: Callable[[Table], bool] = lambda _: False) -> Table:
    """Play a game to its end, or until something is so, also for its bots, which may be quicker now and then."""
    table: Table = await app.state.registry.table(id_)
    random = Random(1)
    while table.actor is not None and not until(table):
        by_bot = table.awaits is None
        try:
            await table.play(table.actor, random.choice(table.match.lines()), table.event, by_bot=by_bot)
        except Rejected:
            continue
    return table


async def challenged(app: FastAPI, client: httpx.AsyncClient, ann: Person) -> tuple[str, str]:
    """Let Ann play a game of Times Square against a bot to its end; return it, and the deal she makes of it."""
    table = await sit([ann], "times_square", WEAK)
    await play_out(app, table)
    return table, (await ann.ask(f"POST tables/{table}/deal"))["id"]


def drawn_for(table: Table) -> bool:
    """Tell whether chance has decided something after the last decision of a seat."""
    actors = [actor for actor, _ in table.match.plies]
    return set(actors) != {"chance"} and actors[-1] == "chance"


async def test_names(app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players without a name are numbered and may say one before they play; so many games make a deal full."""
    (ann,) = await arrive(app, client, "")
    _, deal = await challenged(app, client, ann)
    page = (await client.get(f"/deals/{deal}")).text
    assert ("Player 1 played this deal" in page, 'name="name"' in page) == (True, True)
    for name in ("", "Bo"):
        client.cookies.clear()
        assert (await client.post(f"/deals/{deal}/play", data={"name": name})).status_code == 303
    page = (await client.get(f"/deals/{deal}")).text
    assert re.findall(r'<th scope="row">([^<(]*)', page) == ["Player 1", "Player 2", "Bo "]
    assert 'name="name"' not in page
    client.cookies.clear()
    monkeypatch.setattr(store, "MOST_GAMES", 3)
    assert (await client.post(f"/deals/{deal}/play", data={"name": "Cy"})).status_code == 409
    assert (await client.get("/healthz")).json()["tables"] == 3


async def test_the_profile_keeps_the_dice(app: FastAPI, client: httpx.AsyncClient) -> None:
    """An analysed game would show the dice of a deal: others find it in the profile once the deal is over."""
    ann, bo = await arrive(app, client, "Ann", "Bo")
    await ann.ask("POST users/me/claim", {"name": "Ann"})
    table, deal = await challenged(app, client, ann)
    await app.state.registry.analyses.store.keep_results(table, [(81.5, -0.125), (None, 0.125)])

    async def found(reader: Person) -> list[str]:
        return [game["table"] for game in (await reader.ask("GET players/Ann"))["analysed"]]

    assert (await found(bo), await found(ann)) == ([], [table])
    second = (await bo.ask(f"POST deals/{deal}/play", status=201))["id"]
    await ann.ask(f"POST deals/{deal}/close")
    assert await found(bo) == []
    await play_out(app, second)
    assert await found(bo) == [table]


async def test_no_deal_where_dice_were_rolled_again(app: FastAPI, client: httpx.AsyncClient) -> None:
    """In a game in which a turn was undone after chance had decided others could not have the same dice."""
    (ann,) = await arrive(app, client, "Ann")
    undone = await sit([ann], "times_square", WEAK)
    table = await play_out(app, undone, until=drawn_for)
    async with table.writing():
        await table.undo_to(max(ply for ply, (actor, _) in enumerate(table.match.plies) if actor != "chance"))
    await play_out(app, undone)
    assert "undone" in (await ann.ask(f"POST tables/{undone}/deal", status=409))["text"]


async def test_the_pages_of_team_matches(client: httpx.AsyncClient) -> None:
    """The form and the match in every language; who has a seat in it is offered no other one."""
    made = await client.post("/team-matches", data={"match": "times_square 2 teams", "name": "Ann"})
    path = made.headers["location"]
    for language in LANGUAGES:
        said = {"accept-language": language}
        assert (await client.get("/team-matches/new?game=metromania", headers=said)).text.count("<option ") == 5
        page = (await client.get(path, headers=said)).text
        assert ("<strong>Ann</strong>" in page, page.count("/sit/")) == (True, 0)
