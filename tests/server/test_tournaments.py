"""Tournaments by the clock, on both databases and on pages; all else is in tests/traces/tournaments."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from fastapi import FastAPI

from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.config import ServerConfig
from omnibus.server.store.errors import StoreError
from omnibus.server.tournaments.service import TABLE_OPEN, TournamentService
from support.live import Message, Person, arrive
from support.receivers import listener
from support.wall_clock import WallClock

NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fritz")
HOUR = 3600


async def claimed(app: FastAPI, client: httpx.AsyncClient, number: int) -> list[Person]:
    """Make people who have claimed their names."""
    people = await arrive(app, client, *NAMES[:number])
    for person, name in zip(people, NAMES, strict=False):
        await person.ask("POST users/me/claim", {"name": name})
    return people


async def entered(players: list[Person], **wish: Any) -> str:
    """Set up a tournament that these players enter, and return its path."""
    cup = await players[0].ask("POST tournaments", {"game": "times_square", "name": "Cup", **wish}, status=201)
    path = f"tournaments/{cup['summary']['id']}"
    for player in players:
        await player.ask(f"POST {path}/join")
    return path


async def started(app: FastAPI, players: list[Person], **wish: Any) -> str:
    """Start a tournament of these players, and let its first tables open."""
    path = await entered(players, **wish)
    await players[0].ask(f"POST {path}/start")
    await app.state.tournaments.runner.sweep()
    return path


async def end(players: list[Person], path: str) -> Message:
    """Let every table end, and return how the tournament was before: of two players the first in the list wins."""
    cup: Message = await players[0].ask(f"GET {path}")
    for table in cup["tables"]:
        if table["ranks"] is None:
            loser = max(table["names"], key=NAMES.index)
            await players[NAMES.index(loser)].ask(f"POST tables/{table['table']}/resign")
    return cup


async def look(app: FastAPI, player: Person, path: str) -> Message:
    """Take the tournament on as far as possible, and look at it."""
    await app.state.tournaments.runner.sweep()
    cup: Message = await player.ask(f"GET {path}")
    return cup


@pytest.mark.both_databases
async def test_two_processes(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Two that run tournaments at once pair every round once and open every table once; nobody meets anybody twice."""
    players = await claimed(app, client, 6)
    path = await entered(players, rounds=3)
    runners = [TournamentService(app.state.registry).runner for _ in range(2)]
    await players[0].ask(f"POST {path}/start")
    met = set()
    for number in range(1, 4):
        await asyncio.gather(*(runner.sweep() for runner in runners))
        cup = await end(players, path)
        assert (cup["played"], len(cup["tables"])) == (number, 3)
        met |= {frozenset(table["names"]) for table in cup["tables"]}
    await asyncio.gather(*(runner.sweep() for runner in runners))
    cup = await players[0].ask(f"GET {path}")
    assert (cup["summary"]["status"], cup["standings"][0]["name"]) == ("over", "Anna")
    assert len(met) == (await client.get("/healthz")).json()["tables"] == 9


@pytest.mark.both_databases
async def test_a_scheduled_start(app: FastAPI, client: httpx.AsyncClient, wall: WallClock) -> None:
    """It starts once when its time has come, and is cancelled with too few players; its host may start it before."""
    players = await claimed(app, client, 3)
    starts = time.time() + HOUR
    paths = [await entered(some, starts=starts) for some in (players, players[:1], players)]
    await players[0].ask(f"POST {paths[2]}/start")
    cups = [await look(app, players[0], path) for path in paths]
    assert [cup["summary"]["status"] for cup in cups] == ["open", "open", "live"]
    assert cups[0]["summary"]["starts"] == starts
    page = (await client.get(f"/{paths[0]}")).text
    assert " UTC</time>" in page
    wall.jumped += HOUR
    await asyncio.gather(*(TournamentService(app.state.registry).runner.sweep() for _ in range(2)))
    cups = [await look(app, players[0], path) for path in paths]
    assert [cup["summary"]["status"] for cup in cups] == ["live", "cancelled", "live"]
    assert [(cup["played"], len(cup["tables"])) for cup in cups] == [(1, 1), (0, 0), (1, 1)]


async def test_stopped_between_pairing_and_opening(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables that were paired are opened later."""
    players = await claimed(app, client, 4)
    with monkeypatch.context() as patched:
        patched.setattr(app.state.registry, "set_up", AsyncMock(side_effect=StoreError))
        path = await started(app, players)
        paired = await players[0].ask(f"GET {path}")
        assert (len(paired["tables"]), paired["your_table"]) == (2, None)
    opened = await look(app, players[0], path)
    assert [table["table"] for table in opened["tables"]] == [table["table"] for table in paired["tables"]]
    assert (await players[0].ask(f"GET tables/{opened['your_table']}"))["standing"] == "live"


@pytest.mark.parametrize("wish", [{"game": "times_square"}, {"game": "bus", "size": 3}])
async def test_a_round_ends_by_the_clock(
    app: FastAPI, client: httpx.AsyncClient, wall: WallClock, wish: dict[str, Any]
) -> None:
    """Games that are not over are closed, and whoever is to move is last; a server that is down takes no time."""
    players = await claimed(app, client, wish.get("size", 2))
    path = await started(app, players, rounds=1, time_limit=HOUR, **wish)
    wall.jumped += 2 * HOUR
    (table,) = (await look(app, players[0], path))["tables"]
    assert table["ranks"] is None
    actor = (await players[0].ask(f"GET tables/{table['table']}"))["awaits"]
    wall.seconds += HOUR
    cup = await look(app, players[0], path)
    ranks = cup["tables"][0]["ranks"]
    assert (cup["summary"]["status"], ranks[actor], sorted(ranks)) == (
        "over",
        len(players),
        [*[1] * (len(players) - 1), len(players)],
    )
    assert (await players[0].ask(f"GET tables/{table['table']}"))["standing"] == "closed"


async def test_an_arena(app: FastAPI, client: httpx.AsyncClient, wall: WallClock) -> None:
    """Nobody meets the same opponent again while others play; after its time no table opens and nobody enters."""
    *players, late = await claimed(app, client, 5)
    path = await started(app, players, format="arena", clock={"pace": "blitz"})
    first, _ = (await look(app, players[0], path))["tables"]
    await players[NAMES.index(first["names"][0])].ask(f"POST tables/{first['table']}/resign")
    assert len(playing(await look(app, players[0], path))) == 1  # they have just met
    wall.seconds += HOUR
    await late.ask(f"POST {path}/join", status=409)
    await end(players, path)
    cup = await look(app, players[0], path)
    assert (cup["summary"]["status"], playing(cup), len(cup["tables"])) == ("over", [], 2)
    assert sum(each["points"] for each in cup["standings"]) == 2


def playing(cup: Message) -> list[Message]:
    """Return the tables that are not over."""
    return [table for table in cup["tables"] if table["ranks"] is None]


async def test_tables_that_are_gone(app: FastAPI, client: httpx.AsyncClient) -> None:
    """A table that was deleted counts as a tie."""
    registry, players = app.state.registry, await claimed(app, client, 2)
    path = await started(app, players, rounds=1)
    (table,) = (await players[0].ask(f"GET {path}"))["tables"]
    await registry.remove((await registry.table(table["table"])).setup)
    cup = await look(app, players[0], path)
    assert (cup["summary"]["status"], cup["tables"][0]["ranks"]) == ("over", [1, 1])


@pytest.mark.server_config(ServerConfig(private_webhooks=True))
async def test_players_who_are_away_are_told(app: FastAPI, client: httpx.AsyncClient) -> None:
    """They get a message at once when their table opens, unless they get the one that it is their turn."""
    players = await claimed(app, client, 2)
    async with listener() as listening:
        for player in players:
            user = (await player.ask("GET users/me"))["id"]
            await app.state.registry.user_store.keep_webhook(user, listening.url)
        path = await started(app, players)
        await listening.until(1)
        table = (await players[0].ask(f"GET {path}"))["your_table"]
        (message,) = [json.loads(body) for _, body in listening.heard]
        assert message["text"].startswith(TABLE_OPEN.format(tournament="Cup"))
        assert message["text"].endswith(f"/tables/{table}")
        assert message["name"] == NAMES[1 - (await players[0].ask(f"GET tables/{table}"))["awaits"]]


@pytest.mark.server_config(ServerConfig(tournament_hosts=("Anna",)))
async def test_the_pages(app: FastAPI, client: httpx.AsyncClient) -> None:
    """The list, the form and a tournament in every language; only those who may set one up see the way to the form."""
    players = await claimed(app, client, 3)
    path = await entered(players, game="bus", size=3, bots="easy", clock={"pace": "blitz"})
    for language in LANGUAGES:
        for page in ("/tournaments", "/tournaments/new", "/tournaments/new?game=bus", f"/{path}", f"/{path}?round=1"):
            answer = await client.get(page, headers={"accept-language": language})
            assert answer.status_code == 200, page
            assert ("Cup" in answer.text) == ("new" not in page)
    for person, sees in zip(players[:2], (True, False), strict=True):
        client.cookies.set("omnibus_user", person.headers["authorization"].removeprefix("Bearer "))
        assert ("/tournaments/new" in (await client.get("/tournaments")).text) is sees
