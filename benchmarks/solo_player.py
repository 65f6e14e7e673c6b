"""Somebody who plays alone against bots over the API, and notes how long each decision of a bot takes."""

from __future__ import annotations

import json
import threading
import time
from random import Random
from typing import Any, NamedTuple

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from omnibus import games

Scene = dict[str, Any]
AGAIN_S = 0.5  # until the next try after a refusal


class Wait(NamedTuple):
    """How long a bot took for the decision after so many plies of a table, and whether it ended its turn."""

    table: str
    plies: int
    seconds: float
    ended: bool


class SoloPlayer(threading.Thread):
    """Plays game after game at random against bots of a level, from an address of its own, until told to stop."""

    def __init__(self, port: int, address: str, game: str, level: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.waits: list[Wait] = []
        self.finished: dict[str, str] = {}
        """The records of the games that were played to their end, by table."""
        self._port, self._game, self._level = port, game, level
        self._source = (address, 0)
        self._random = Random(seed)
        self._over = threading.Event()

    def stop(self) -> None:
        """End the game at hand, and wait until that is done."""
        self._over.set()
        self.join(30)

    def run(self) -> None:
        """Play."""
        transport = httpx.HTTPTransport(local_address=self._source[0])
        with httpx.Client(base_url=f"http://127.0.0.1:{self._port}/api/", transport=transport, timeout=60) as client:
            token = client.post("users", json={"name": "Ann"}).json()["token"]
            client.headers["authorization"] = f"Bearer {token}"
            while not self._over.is_set():
                table = self._open_table(client)
                if table and self._play(table, token):
                    self.finished[table] = client.get(f"tables/{table}/record").text

    def _open_table(self, client: httpx.Client) -> str:
        bots = [{"who": "bot", "bot": self._level}] * (games.find(self._game).seats[0] - 1)
        answer = client.post("tables", json={"game": self._game, "seats": [{"who": "you"}, *bots]})
        if answer.status_code == 201:
            return str(answer.json()["id"])
        self._over.wait(AGAIN_S)
        return ""

    def _play(self, table: str, token: str) -> bool:
        """Play a game; False when it was not played to its end."""
        headers = {"authorization": f"Bearer {token}"}
        at = f"ws://127.0.0.1:{self._port}/api/tables/{table}/socket"
        try:
            with connect(at, additional_headers=headers, source_address=self._source, max_size=None) as socket:
                return self._follow(table, socket)
        except (OSError, ConnectionClosed):
            return False

    def _follow(self, table: str, socket: ClientConnection) -> bool:
        before, since = None, time.monotonic()
        socket.send(json.dumps({"sync": True}))
        while not self._over.is_set():
            scene = _next_scene(socket)
            now = time.monotonic()
            if before and before["actor"] not in (None, *before["own"]) and scene["event"] > before["event"]:
                self.waits.append(Wait(table, before["position"]["plies"], now - since, bool(scene["moves"])))
            if not scene["live"]:
                return True
            if scene["moves"]:
                line = self._random.choice(scene["moves"])["line"]
                socket.send(json.dumps({"play": line, "event": scene["event"]}))
            before, since = scene, now
        return False


def _next_scene(socket: ClientConnection) -> Scene:
    while True:
        message: Scene = json.loads(socket.recv())
        if message["type"] == "scene":
            return message
