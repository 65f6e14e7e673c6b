"""A program that plays at a table of a house: it watches through a socket, and plays when it is its turn.

Against a bot, at a table of its own:

    python3 examples/client.py http://127.0.0.1:8000 --game times_square

In a seat somebody has lent it (`POST /api/tables/ID/seats/SEAT/token`, see docs/api.md):

    python3 examples/client.py http://127.0.0.1:8000 --table ID --token TOKEN

It needs the package `websockets` and nothing of Omnibus, unless it is to think like one of its bots (`--bot easy`).
Left to itself it plays at random: put your own idea into `at_random`.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Scene = dict[str, Any]
Choose = Callable[[Scene], str]


class House:
    """A house on the net, as the holder of a token sees it."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, verb: str, path: str, body: Any = None) -> Any:
        """Ask for something, and return the answer; an answer that is a problem is raised."""
        content = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/api/{path}", content, headers, method=verb)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def socket(self, table: str) -> AbstractContextManager[ClientConnection]:
        """Open the socket of a table."""
        address = self.address.replace("http", "ws", 1)
        return connect(f"{address}/api/tables/{table}/socket", additional_headers=self.headers, max_size=None)


def at_random(scene: Scene) -> str:
    """Choose any of the lines that can be played. A scene also tells what each of them does (`label`)."""
    line: str = random.choice(scene["moves"])["line"]
    return line


def like_a_bot(house: House, table: str, level: str) -> Choose:
    """Choose as a bot of Omnibus would, from what the seat may see."""
    from omnibus import games
    from omnibus.bots import bot

    game = house.ask("GET", f"tables/{table}")["game"]
    think = bot(level, games.find(game), seed=random.getrandbits(32))
    return lambda scene: think(house.ask("GET", f"tables/{table}/view")["view"])


def play(house: House, table: str, choose: Choose) -> str:
    """Play at a table until its game is over, through as many sockets as it takes; return how it ended."""
    while True:
        try:
            with house.socket(table) as socket:
                return follow(socket, choose)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == 4404:
                raise SystemExit("there is no such table any more") from None
            time.sleep(1)


def follow(socket: ClientConnection, choose: Choose) -> str:
    """Ask how things stand; then take in what happens, and play whenever there is something to play."""
    socket.send(json.dumps({"sync": True}))
    for text in socket:
        message = json.loads(text)
        if message["type"] == "error" and message["code"] != "stale":  # stale: a newer scene is on its way
            raise SystemExit(message["text"])
        if message["type"] != "scene":
            continue
        for _, sentence in message["log"]:
            print(sentence, flush=True)
        if not message["live"]:
            return str(message["position"]["status"])
        if message["moves"]:
            # Under this id the line is played once, also if the answer is lost and it has to be said again.
            request = {"play": choose(message), "event": message["event"], "id": f"event {message['event']}"}
            socket.send(json.dumps(request))
    raise ConnectionClosed(None, None)


def lent_seat(house: House, game: str) -> tuple[str, str]:
    """Become somebody, set up a table with bots in the other seats, and lend the own one to a program."""
    house = House(house.address, house.ask("POST", "users", {"name": "Client"})["token"])
    (offer,) = [offer for offer in house.ask("GET", "games")["games"] if offer["name"] == game]
    seats = [{"who": "you"}, *[{"who": "bot", "bot": "easy"}] * (offer["seats"][0] - 1)]
    table = house.ask("POST", "tables", {"game": game, "seats": seats})
    print(f"Watch at {table['link']}", flush=True)
    return table["id"], house.ask("POST", f"tables/{table['id']}/seats/0/token")["token"]


def main() -> None:
    """Play, as the command line says."""
    parser = argparse.ArgumentParser(description="Play at a table of a house.")
    parser.add_argument("address", help="of the house, such as http://127.0.0.1:8000")
    parser.add_argument("--game", default="times_square", help="which to play, if no table is given")
    parser.add_argument("--table", help="the id of a table")
    parser.add_argument("--token", help="of a seat at that table")
    parser.add_argument("--bot", help="think like this bot of Omnibus, instead of playing at random")
    given = parser.parse_args()
    house = House(given.address)
    table, token = (given.table, given.token) if given.table else lent_seat(house, given.game)
    house = House(given.address, token)
    choose = like_a_bot(house, table, given.bot) if given.bot else at_random
    print(play(house, table, choose))


if __name__ == "__main__":
    main()
