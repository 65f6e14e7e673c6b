"""People at tables of the server in this process, through its API and its sockets; nothing here needs a port."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Self

import httpx
from fastapi import FastAPI

from support.api_client import Caller

LONGEST_S = 60
Message = dict[str, Any]


class Socket:
    """A socket of the server, without the network."""

    def __init__(self, app: FastAPI, path: str, headers: dict[str, str]) -> None:
        self.reads = asyncio.Event()
        """Whether the other side takes what it is sent."""
        self.reads.set()
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        self._heard: asyncio.Queue[Message] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "scheme": "ws",
            "path": f"/api/{path}",
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in {"host": "server", **headers}.items()],
            "client": ("127.0.0.1", 123),
            "server": ("server", 80),
            "subprotocols": [],
        }
        self._serving = asyncio.ensure_future(app(scope, self._said.get, self._take))

    async def _take(self, message: Any) -> None:
        await self.reads.wait()
        if message["type"] == "websocket.send":
            self._heard.put_nowait(json.loads(message.get("text") or message["bytes"]))
        elif message["type"] == "websocket.close":
            self._heard.put_nowait({"type": "closed", "code": message["code"]})

    def say(self, **message: Any) -> None:
        """Send a message."""
        self._said.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def hear(self, kind: str) -> Message:
        """Receive messages until one is of this type; `closed` when the server has closed it."""
        async with asyncio.timeout(LONGEST_S):
            while (message := await self._heard.get())["type"] != kind:
                assert message["type"] != "closed", f"closed before any {kind} was heard"
        return message

    def waiting(self) -> list[str]:
        """Take all messages that have arrived, and return their types, but for who is here and what waits."""
        kinds = [self._heard.get_nowait()["type"] for _ in range(self._heard.qsize())]
        return [kind for kind in kinds if kind not in ("people", "awaited")]

    async def synced(self, **more: Any) -> Message:
        """Ask to be shown the table."""
        self.say(sync=True, **more)
        return await self.hear("scene")

    async def cut_off(self) -> None:
        """Wait until the server has let go of it, without a word to a side that does not read."""
        await asyncio.wait_for(asyncio.shield(self._serving), LONGEST_S)

    async def break_off(self) -> None:
        """Leave while the server is still doing what it was asked to."""
        self._serving.cancel()
        await asyncio.wait([self._serving])

    async def close(self) -> None:
        """Leave."""
        self.reads.set()
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._serving

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Person(Caller):
    """A user, and what they do at the tables of a server."""

    def __init__(self, app: FastAPI, client: httpx.AsyncClient, token: str = "", language: str = "en") -> None:
        super().__init__(client, token)
        self.app = app
        self.headers["accept-language"] = language

    def at(self, app: FastAPI, client: httpx.AsyncClient) -> Person:
        """Return the same user at the server as it was started again."""
        return Person(app, client, self.headers.get("authorization", "").removeprefix("Bearer "))

    def open(self, table: str) -> Socket:
        """Open the socket of a table."""
        return Socket(self.app, f"tables/{table}/socket", self.headers)

    async def scene(self, table: str, **query: Any) -> Message:
        """Look at a table."""
        scene: Message = await self.ask(f"GET tables/{table}/scene", **query)
        return scene

    async def play(self, table: str, *, status: int = 200, **more: Any) -> Message:
        """Play the first line there is, or the one that is asked for."""
        scene = await self.scene(table)
        said = {"line": scene["moves"][0]["line"] if scene["moves"] else "?", "event": scene["event"], **more}
        answer: Message = await self.ask(f"POST tables/{table}/play", said, status=status)
        return answer


async def arrive(app: FastAPI, client: httpx.AsyncClient, *names: str) -> list[Person]:
    """Make users."""
    made = [await Caller(client).ask("POST users", {"name": name}, status=201) for name in names]
    return [Person(app, client, user["token"]) for user in made]


async def sit(people: list[Person], game: str, *bots: str, **wishes: Any) -> str:
    """Let people sit down at a table, one in each seat, and perhaps bots in the last ones; return its id."""
    seats = [{"who": "you"}, *[{"who": "free"}] * (len(people) - 1), *({"who": "bot", "bot": bot} for bot in bots)]
    table = str((await people[0].ask("POST tables", {"game": game, "seats": seats, **wishes}, status=201))["id"])
    for person in people[1:]:
        await person.ask(f"POST tables/{table}/join", {})
    return table


async def alone(person: Person, game: str, seats: int, **wishes: Any) -> str:
    """Let one person sit in every seat of a table; return its id."""
    wish = {"game": game, "seats": [{"who": "you"}] * seats, **wishes}
    return str((await person.ask("POST tables", wish, status=201))["id"])


async def whose_turn(table: str, people: list[Person]) -> int:
    """Return which of the people at a table is to decide, once the bots have."""
    async with asyncio.timeout(LONGEST_S):
        while (seat := (await people[0].ask(f"GET tables/{table}"))["awaits"]) is None:
            await asyncio.sleep(0.01)
    return int(seat)


async def play_first(table: str, people: list[Person], times: int = 1) -> None:
    """Let whoever is to decide play the first line, so many times."""
    for _ in range(times):
        await people[await whose_turn(table, people)].play(table)
