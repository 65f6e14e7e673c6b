"""What tests of the API do: call it as programs do."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.server.errors import Code

WEAK = bot_names()[0]


class Caller:
    """A program with a token."""

    def __init__(self, client: httpx.AsyncClient, token: str = "") -> None:
        self.client = client
        self.headers = {"authorization": f"Bearer {token}"} if token else {}

    async def ask(self, what: str, body: Any = None, *, status: int = 200, **query: Any) -> Any:
        """Ask for something (`POST tables`, say), and expect a status; problems have their shape."""
        verb, path = what.split(" ")
        await asyncio.sleep(0)  # nothing else here may wait for anything, and bots would never have their turn
        answer = await self.client.request(verb, f"/api/{path}", json=body, params=query, headers=self.headers)
        assert answer.status_code == status, answer.text
        if status >= 400:
            assert answer.json()["code"] in list(Code)
            assert set(answer.json()) <= {"code", "text", "section"}
            assert answer.json()["text"]
        return answer.json() if "json" in answer.headers.get("content-type", "") else answer.text


async def known(client: httpx.AsyncClient, name: str) -> Caller:
    return Caller(client, (await Caller(client).ask("POST users", {"name": name}, status=201))["token"])


async def alone(caller: Caller, game: str = "times_square") -> str:
    """Set up a table against a weak bot."""
    others = [{"who": "bot", "bot": WEAK}] * (games.find(game).seats[0] - 1)
    table = await caller.ask("POST tables", {"game": game, "seats": [{"who": "you"}, *others]}, status=201)
    return str(table["id"])


async def together(client: httpx.AsyncClient) -> tuple[str, Caller, Caller]:
    """Set up a table for two people."""
    ann, bo = await known(client, "Ann"), await known(client, "Bo")
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}], "options": {"edition": "royal_visit"}}
    table = (await ann.ask("POST tables", wish, status=201))["id"]
    await bo.ask(f"POST tables/{table}/join", {"name": "Bobby"})
    return table, ann, bo


async def decide(table: str, *players: Caller) -> dict[str, Any]:
    """Let whose turn it is play the first line; return the scene before."""
    for player in players:
        scene: dict[str, Any] = await player.ask(f"GET tables/{table}/scene")
        if scene["moves"]:
            await player.ask(f"POST tables/{table}/play", {"line": scene["moves"][0]["line"], "event": scene["event"]})
            return scene
    raise AssertionError("nobody can do anything")
