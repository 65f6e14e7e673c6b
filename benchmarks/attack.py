"""Attack the server while tables play on, one attack after the other, and measure what the players notice.

Every attacker stays within what anybody can do: it comes from an address of its own on this machine, without any
privilege, and takes all that the published limits allow. Meanwhile people play Bus at a steady pace, two play alone
against bots, and one steps through a record. Reported for each attack: how soon moves were told to everybody, how long
an easy and a hard bot took for a decision, and a step of the record, the memory the server held at most, and the memory
30 s after the end. At the end every route is called (see routes.py).
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import platform
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

import httpx
import routes
from solo_player import SoloPlayer

from load import GAME, HEADS, LoadedServer, Row, Stretch, aligned, loaded_server, percentile, say
from omnibus import Match

TEXT, CONTINUATION, PING, PONG = 0x1, 0x0, 0x9, 0xA
LIMITED: Final = ("--proxy", "192.0.2.1")  # with a proxy in front a server has its limits in force
PER_ADDRESS: Final = 20  # connections an attacker holds at once
MOST_OPEN: Final = 800  # connections an attacker holds where it is about their number
CHUNK: Final = 64 * 1024
BUDGET_S, BUDGET_MIB = 1.0, 600.0  # what the players may notice at most
BOTS_S: Final = 5.0  # an easy bot answers within this time, whatever others ask of theirs
SLOWEST: Final = {"easy bot": BOTS_S, "hard bot": 10.0, "replay": BUDGET_S}
"""How long others wait at most: for a decision, and for 99 of 100 steps of a record."""
USERS: Final = 20  # whom an attacker may make in an hour without having been anybody before
ROUTES: Final = "every route"
FINISHED: Final = 300  # games of the one who downloads them


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """Write a masked frame, as clients send them (masked with zeros)."""
    length = len(payload)
    size = struct.pack("!B", 0x80 | length) if length < 126 else struct.pack("!BH", 0x80 | 126, length)
    return bytes([(0x80 if fin else 0) | opcode]) + size + b"\0\0\0\0" + payload


def upgrade(raw: socket.socket, port: int, path: str = "/socket", cookie: str = "") -> socket.socket:
    """Turn a plain connection into a WebSocket by hand; ConnectionError when the server refuses."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: Upgrade", "Upgrade: websocket"]
    lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
    lines += [f"Cookie: omnibus_user={cookie}"] if cookie else []
    raw.sendall("\r\n".join([*lines, "", ""]).encode())
    if b" 101 " not in raw.recv(4096):
        raw.close()
        raise ConnectionError("refused")
    return raw


class Attacker:
    """Somebody at an address of this machine who means harm, until a moment of the monotonic clock."""

    def __init__(self, port: int, number: int, until: float, token: str = "") -> None:
        self.port = port
        self.token = token  # of somebody who has played for long
        self.home = (f"127.66.{number // 250}.{1 + number % 250}", 0)
        self.until = until

    def going_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until

    def connect(self) -> socket.socket:
        """Open a plain connection."""
        return socket.create_connection(("127.0.0.1", self.port), 5, self.home)

    def upgrade(self, path: str = "/socket", cookie: str = "") -> socket.socket:
        """Open a WebSocket."""
        return upgrade(self.connect(), self.port, path, cookie)

    def pour(self, open_: Callable[[], socket.socket], data: bytes, first: bytes = b"") -> None:
        """Send the same again and again without ever reading, and come back whenever one is cut off."""
        while self.going_on():
            try:
                with open_() as raw:
                    raw.sendall(first)
                    while self.going_on():
                        raw.sendall(data)
            except OSError:
                time.sleep(0.05)

    @contextlib.contextmanager
    def http(self, token: str = "") -> Iterator[httpx.Client]:
        """Be a user, a new one unless there is a token, and call the API."""
        transport = httpx.HTTPTransport(local_address=self.home[0])
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}/api/", transport=transport, timeout=60) as client:
            token = token or client.post("users", json={"name": "Mallory"}).json()["token"]
            client.headers["authorization"] = f"Bearer {token}"
            client.cookies.set("omnibus_user", token)
            yield client


def _many(attacker: Attacker, what: Callable[[], None], times: int = PER_ADDRESS) -> None:
    """Do something in several threads at once."""
    threads = [threading.Thread(target=what, daemon=True) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, attacker.until - time.monotonic()) + 10)


def fragments(attacker: Attacker) -> None:
    """One message in empty fragments that never ends."""
    data = frame(CONTINUATION, fin=False) * (CHUNK // 6)
    _many(attacker, lambda: attacker.pour(attacker.upgrade, data, frame(TEXT, fin=False)), 4)


def pongs(attacker: Attacker) -> None:
    """Pongs nobody asked for."""
    _many(attacker, lambda: attacker.pour(attacker.upgrade, frame(PONG) * (CHUNK // 6)), 4)


def pings(attacker: Attacker) -> None:
    """Pings whose answers are never read."""
    _many(attacker, lambda: attacker.pour(attacker.upgrade, frame(PING, b"x" * 125) * (CHUNK // 131)), 4)


def heads(attacker: Attacker) -> None:
    """Requests whose headers never end."""
    line = b"x-header: " + b"x" * 1000 + b"\r\n"
    first = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    _many(attacker, lambda: attacker.pour(attacker.connect, line * 60, first))


def pipelined(attacker: Attacker) -> None:
    """Requests one after the other on a connection, for a page, a file and another host; no answer is ever read."""
    asked = (("/api/games", "127.0.0.1"), ("/static/board.js", "127.0.0.1"), ("/", "example.com"))
    data = "".join(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n" for path, host in asked).encode()
    _many(attacker, lambda: attacker.pour(attacker.connect, data * (CHUNK // len(data))), 4)


def trailers(attacker: Attacker) -> None:
    """Bodies that are followed by a header that never ends."""
    first = b"POST /api/users HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Header: "
    _many(attacker, lambda: attacker.pour(attacker.connect, b"x" * CHUNK, first), 4)


def half_bodies(attacker: Attacker) -> None:
    """As many connections as there can be, each with a large body that is never sent to its end."""
    head = (
        b"POST /api/records HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 262144\r\n\r\n"
    )
    open_: list[socket.socket] = []
    while attacker.going_on():
        try:
            open_.append(attacker.connect())
            open_[-1].sendall(head + b"x" * 200_000)
        except OSError:
            time.sleep(0.05)
        if len(open_) >= MOST_OPEN:
            open_.pop(0).close()
    for raw in open_:
        raw.close()


def bots(attacker: Attacker) -> None:
    """As many tables of the strongest bots as can be opened, every seat handed over, watched by nobody."""
    with attacker.http() as client:
        while attacker.going_on():
            seats = [{"who": "you"}, {"who": "bot", "bot": "hard"}, {"who": "bot", "bot": "hard"}]
            answer = client.post("tables", json={"game": "bus", "seats": seats})
            if answer.status_code == 201:
                client.put(f"tables/{answer.json()['id']}/stand-in", json={"bot": "hard"})
            else:
                time.sleep(1)


def crowd(attacker: Attacker) -> None:
    """Many users of one address, each with a table of the strongest bots that is watched."""

    def watch() -> None:
        with attacker.http() as client:
            seats = [{"who": "you"}, *[{"who": "bot", "bot": "hard"}] * 4]
            table = client.post("tables", json={"game": "bus", "seats": seats}).json()["id"]
            client.put(f"tables/{table}/stand-in", json={"bot": "hard"})
            while attacker.going_on():
                with contextlib.suppress(OSError), attacker.upgrade(f"/tables/{table}/socket") as raw:
                    raw.sendall(frame(TEXT, b'{"sync": true}'))
                    while attacker.going_on() and raw.recv(CHUNK):
                        pass

    _many(attacker, watch, USERS)


def drafts(attacker: Attacker) -> None:
    """Many users of one address who have records checked, over and over."""
    draft = json.dumps({"game": "bus", "text": _record()})

    def check() -> None:
        with attacker.http() as client:
            page = str(client.base_url.copy_with(path="/analysis/check"))
            ask = lambda: _until_over(attacker, lambda: client.post(page, content=draft))  # noqa: E731
            _many(attacker, ask, 4)

    _many(attacker, check, USERS // 2)


def downloads(attacker: Attacker) -> None:
    """Somebody with many finished games downloads all of it, many times at once."""
    with attacker.http(attacker.token) as client:
        _many(attacker, lambda: _until_over(attacker, lambda: client.get("users/me/data")), 30)


def _until_over(attacker: Attacker, ask: Callable[[], httpx.Response]) -> None:
    """Ask again and again, and more slowly while that is refused."""
    while attacker.going_on():
        with contextlib.suppress(httpx.HTTPError):
            if ask().is_error:
                time.sleep(0.2)


def _record() -> str:
    match, random = Match.new("bus", seats=3, seed=1), Random(1)
    while match.actor is not None:
        match.play(random.choice(match.lines()))
    return match.record()


def unread(attacker: Attacker) -> None:
    """Sockets at a table that ask for the whole scene again and again, and never read."""
    with attacker.http() as client:
        seats = [{"who": "you"}, {"who": "bot", "bot": "easy"}, {"who": "bot", "bot": "easy"}]
        table = client.post("tables", json={"game": "bus", "seats": seats}).json()["id"]
        token = str(client.headers["authorization"]).removeprefix("Bearer ")
        path = f"/tables/{table}/socket"
        data = frame(TEXT, b'{"sync": true}') * 20

        def ask() -> None:
            while attacker.going_on():
                with contextlib.suppress(OSError), attacker.upgrade(path, token) as raw:
                    while attacker.going_on():
                        raw.sendall(data)
                        time.sleep(0.5)
                time.sleep(0.2)

        _many(attacker, ask)


def maps(attacker: Attacker) -> None:
    """Records on the densest map there can be, uploaded and looked at."""
    crossings = [{"id": n, "xy": [n % 10, n // 10], "plots": ["A"]} for n in range(1, 101)]
    streets = [[a, b] for a in range(1, 101) for b in range(a + 1, 101)]
    city = {"name": "dense", "stations": [1, 2], "centre": [3, 4, 5, 6], "crossings": crossings, "streets": streets}
    head = {"game": "bus", "rules": 1, "seats": 3, "options": {"city": city}}
    text = "\n".join(f"{key}: {json.dumps(value)}" for key, value in head.items()) + "\n\n"
    with attacker.http() as client:
        while attacker.going_on():
            answer = client.post("records", content=text, headers={"content-type": "text/plain"})
            if answer.status_code == 201:
                client.get(f"records/{answer.json()['id']}/positions/0", params={"pictures": True})
            elif answer.status_code == 429:
                time.sleep(1)


def spectators(attacker: Attacker) -> None:
    """Somebody's friends come to watch one table, all at once, again and again."""
    with attacker.http() as client:
        seats = [{"who": "you"}, {"who": "bot", "bot": "easy"}]
        table = client.post("tables", json={"game": "times_square", "seats": seats}).json()["id"]
        path = f"/tables/{table}/socket"
        open_: list[socket.socket] = []
        while attacker.going_on():
            try:
                open_.append(attacker.upgrade(path))
            except OSError:
                time.sleep(0.05)
            if len(open_) >= 500:
                while open_:
                    open_.pop().close()
        for raw in open_:
            raw.close()


ATTACKS: Final[dict[str, Callable[[Attacker], None]]] = {
    "empty fragments": fragments,
    "pongs": pongs,
    "unread pings": pings,
    "endless headers": heads,
    "pipelined requests": pipelined,
    "endless trailers": trailers,
    "half-sent bodies": half_bodies,
    "bots": bots,
    "many users' bots": crowd,
    "drafts": drafts,
    "downloads": downloads,
    "unread scenes": unread,
    "dense maps": maps,
    "spectators": spectators,
}


def run(name: str, port: int, number: int, seconds: float, token: str) -> None:
    """Attack from this process."""
    with contextlib.suppress(KeyboardInterrupt):
        ATTACKS[name](Attacker(port, number, time.monotonic() + seconds, token))


class Reader(threading.Thread):
    """Somebody who steps through a record, and notes how long each step takes."""

    def __init__(self, port: int, address: str) -> None:
        super().__init__(daemon=True)
        self.waits: list[float] = []
        self._port, self._address = port, address
        self._over = threading.Event()

    def stop(self) -> None:
        """Stop reading."""
        self._over.set()
        self.join(30)

    def run(self) -> None:
        """Step through the record, about three times a second."""
        transport = httpx.HTTPTransport(local_address=self._address)
        with httpx.Client(base_url=f"http://127.0.0.1:{self._port}", transport=transport, timeout=60) as client:
            token = client.post("/api/users", json={"name": "Bea"}).json()["token"]
            headers = {"authorization": f"Bearer {token}", "content-type": "text/plain"}
            record = client.post("/api/records", content=_record(), headers=headers).json()["id"]
            ply, ground = 0, ""
            while not self._over.wait(0.3):
                began = time.monotonic()
                answer = client.get(f"/records/{record}/at/{ply}", params={"ground": ground}, headers=headers)
                self.waits.append(time.monotonic() - began if answer.is_success else 60.0)
                ply, ground = (ply + 1) % 100, answer.json()["ground"] if answer.is_success else ""


class Watch(threading.Thread):
    """Looks at the memory of the server while it is attacked."""

    def __init__(self, server: LoadedServer) -> None:
        super().__init__(daemon=True)
        self._server = server
        self._over = threading.Event()
        self.most = 0.0

    def run(self) -> None:
        """Look ten times a second."""
        while not self._over.wait(0.1):
            self.most = max(self.most, self._server.memory())

    def end(self) -> float:
        """Stop looking, and return the most memory that was seen."""
        self._over.set()
        self.join()
        return self.most


def attacked(server: LoadedServer, name: str, arguments: argparse.Namespace, number: int, token: str) -> Row:
    """Let people play while somebody attacks."""
    context = get_context("spawn")
    watch = Watch(server)
    watch.start()
    process = context.Process(target=run, args=(name, server.port, number, arguments.seconds + 2, token), daemon=True)
    process.start()
    stretch, waits = played(server, arguments, number)
    process.join(30)
    failed = process.exitcode not in (0, None)
    process.terminate()
    most = watch.end()
    time.sleep(arguments.rest)
    soon = all(_soon(what, each) for what, each in waits.items())
    held = stretch.p(99) < BUDGET_S and most < BUDGET_MIB and not stretch.lost and soon
    verdict = "NO ATTACK" if failed else "yes" if held else "NO"
    return (name, *stretch.row(), *waits_row(waits), f"{most:.0f}", f"{server.memory():.0f}", verdict)


def _soon(what: str, waits: list[float]) -> bool:
    return bool(waits) and (percentile(waits, 99) if what == "replay" else max(waits)) < SLOWEST[what]


def played(server: LoadedServer, arguments: argparse.Namespace, number: int) -> tuple[Stretch, dict[str, list[float]]]:
    """Let all tables play, two people alone against bots, and one read a record; return also how long those waited."""
    homes = [f"127.77.{group}.{1 + number}" for group in range(3)]
    easy = SoloPlayer(server.port, homes[0], GAME, "easy", arguments.seed)
    hard = SoloPlayer(server.port, homes[1], GAME, "hard", arguments.seed)
    reader = Reader(server.port, homes[2])
    for each in (easy, hard, reader):
        each.start()
    stretch = server.play(arguments.tables / arguments.every, arguments.seconds)
    for each in (easy, hard, reader):
        each.stop()
    bots = {name: [wait.seconds for wait in player.waits] for name, player in (("easy bot", easy), ("hard bot", hard))}
    return stretch, bots | {"replay": reader.waits}


def waits_row(waits: dict[str, list[float]]) -> Row:
    """Return how long others waited for the report, in milliseconds: 99 of 100 at most, and the longest."""
    return tuple(
        f"{1000 * each:.0f}" for all_ in waits.values() for each in (percentile(all_, 99), max(all_, default=0))
    )


def main() -> None:
    """Run the attacks the command line names."""
    parser = argparse.ArgumentParser(prog="dev.py bench --attack", description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="tables that play on (default: 50)")
    parser.add_argument("--every", type=float, default=5.0, help="seconds from a table's move to its next (5)")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds of each attack (default: 60)")
    parser.add_argument("--rest", type=float, default=30.0, help="seconds after each attack (default: 30)")
    parser.add_argument("--only", choices=[*ATTACKS, ROUTES], action="append", help="this attack (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: 1)")
    arguments = parser.parse_args()
    core = os.environ.get("OMNIBUS_CORE", "interpreted")
    print(f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores, {core}; times in ms")
    print(f"{arguments.tables} tables, each attack {arguments.seconds:.0f} s, then {arguments.rest:.0f} s of peace")
    only = arguments.only or [*ATTACKS, ROUTES]
    held = attacks([name for name in only if name in ATTACKS], arguments) if {*only} & {*ATTACKS} else True
    if ROUTES in only:
        held = routes.tell() and held
    sys.exit(not held)


def attacks(names: list[str], arguments: argparse.Namespace) -> bool:
    """Attack, and print what others noticed; False when it was too much."""
    heads = [f"{what} {each}" for what in SLOWEST for each in ("p99", "max")]
    rows: list[Row] = [("attack", *HEADS, *heads, "most MiB", "MiB after", "held")]
    token = ""

    def one_with_games(folder: Path) -> None:
        nonlocal token
        token = asyncio.run(routes.one_with_games(folder, FINISHED))

    with loaded_server(arguments.tables, arguments.seed, *LIMITED, more=one_with_games) as server:
        quiet, waits = played(server, arguments, len(ATTACKS))
        memory = f"{server.memory():.0f}"
        rows.append(("none", *quiet.row(), *waits_row(waits), memory, memory, "yes"))
        for number, name in enumerate(names):
            say(f"attack: {name}")
            rows.append(attacked(server, name, arguments, number, token))
    say()
    print(aligned(rows), flush=True)
    return not any(row[-1].startswith("NO") for row in rows)


if __name__ == "__main__":
    main()
