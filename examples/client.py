"""A client that plays at a table of a server: it follows the game through a WebSocket and plays when it is its turn.

Play against bots at a new table:

    python3 examples/client.py http://127.0.0.1:8787 --game times_square

Play a seat with a token that somebody has made for it (`POST /api/tables/ID/seats/SEAT/token`, see docs/api.md):

    python3 examples/client.py http://127.0.0.1:8787 --table ID --token TOKEN

It needs the package `websockets`, and Omnibus itself only to play like one of its bots (`--level easy`). By default it
plays at random; put your own idea into `at_random`.
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
PATIENCE_S = 60  # with a server that is busy


class Server:
    """A server, as seen by the holder of a token."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, verb: str, path: str, body: Any = None) -> Any:
        """Send a request and return the answer; errors are raised."""
        content = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/api/{path}", content, headers, method=verb)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def socket(self, table: str) -> AbstractContextManager[ClientConnection]:
        """Open the WebSocket of a table."""
        address = self.address.replace("http", "ws", 1)
        address = f"{address}/api/tables/{table}/socket"
        return connect(address, additional_headers=self.headers, max_size=None, open_timeout=PATIENCE_S)


def at_random(scene: Scene) -> str:
    """Choose a random legal line. A scene also says what each of them does (`label`)."""
    line: str = random.choice(scene["moves"])["line"]
    return line


def like_a_bot(server: Server, table: str, level: str) -> Choose:
    """Choose like a bot of Omnibus, from the view of the seat."""
    from omnibus import games
    from omnibus.bots import bot

    game = server.ask("GET", f"tables/{table}")["game"]
    think = bot(level, games.find(game), seed=random.getrandbits(32))
    return lambda scene: think(server.ask("GET", f"tables/{table}/view")["view"])


def play(server: Server, table: str, choose: Choose) -> str:
    """Play until the game is over, reconnecting as often as needed; return how it ended."""
    while True:
        try:
            with server.socket(table) as socket:
                return follow(socket, choose)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == 4404:
                raise SystemExit("the table does not exist any more") from None
            time.sleep(1)


def follow(socket: ClientConnection, choose: Choose) -> str:
    """Request the current scene, then follow the game and play whenever there are legal moves."""
    socket.send(json.dumps({"sync": True}))
    for text in socket:
        message = json.loads(text)
        if message["type"] == "error" and message["code"] != "stale":  # stale: a newer scene is coming
            raise SystemExit(message["text"])
        if message["type"] != "scene":
            continue
        for _, sentence in message["log"]:
            print(sentence, flush=True)
        if not message["live"]:
            return str(message["position"]["status"])
        if message["moves"]:
            # With the same id the line is played only once, even if the answer is lost and the request is repeated.
            request = {"play": choose(message), "event": message["event"], "id": f"event {message['event']}"}
            socket.send(json.dumps(request))
    raise ConnectionClosed(None, None)


def new_table(server: Server, game: str) -> tuple[str, str]:
    """Create a user and a table with bots in the other seats; return the table and a token for the first seat."""
    server = Server(server.address, server.ask("POST", "users", {"name": "Client"})["token"])
    (offer,) = [offer for offer in server.ask("GET", "games")["games"] if offer["name"] == game]
    seats = [{"who": "you"}, *[{"who": "bot", "bot": "easy"}] * (offer["seats"][0] - 1)]
    table = server.ask("POST", "tables", {"game": game, "seats": seats})
    print(f"Watch at {table['link']}", flush=True)
    return table["id"], server.ask("POST", f"tables/{table['id']}/seats/0/token")["token"]


def main() -> None:
    """Parse the arguments and play."""
    parser = argparse.ArgumentParser(description="Play at a table of a server.")
    parser.add_argument("address", help="the server, such as http://127.0.0.1:8787")
    parser.add_argument("--game", default="times_square", help="the game of a new table")
    parser.add_argument("--table", help="the id of an existing table")
    parser.add_argument("--token", help="the token of a seat at that table")
    parser.add_argument("--level", help="play like this bot of Omnibus, instead of at random")
    given = parser.parse_args()
    server = Server(given.address)
    table, token = (given.table, given.token) if given.table else new_table(server, given.game)
    server = Server(given.address, token)
    choose = like_a_bot(server, table, given.level) if given.level else at_random
    print(play(server, table, choose))


if __name__ == "__main__":
    main()
