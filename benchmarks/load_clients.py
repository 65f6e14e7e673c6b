"""The clients of `load.py`, many per process: each holds the socket of a page, plays on time, and measures.

All clients of a table are in the same process, so one clock measures from a move to the last scene it caused. They send
what a page sends: a sync when the socket opens, with what is on the screen already, then lines with their event. A
client whose socket is closed comes back after a moment, as a page does, and sends again what was not answered. One
whose move is rejected comes back, too, and plays another one.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

OPENING_AT_ONCE = 20  # sockets a process opens side by side
PATIENCE_S = 60  # a scene that has not arrived by then counts as lost
SPARE_FILES = 200
BACK_S = 0.25  # the mean time after which a client comes back whose socket was closed, longer with every failure
LONGEST_S = 8.0


class Line(Struct):
    """A legal move of a scene."""

    line: str


class BoardShown(Struct, frozen=True):
    """What a client remembers of the board of a scene: the background it is drawn on."""

    ground: str = ""


class Message(Struct):
    """A message of a table: a scene has moves, everything else is ignored."""

    type: str
    event: int = 0
    position: BoardShown = BoardShown()
    moves: list[Line] = []
    live: bool = True
    code: str = ""


class Place(Struct, frozen=True):
    """A table and the cookies of its players, seat by seat."""

    table: str
    tokens: list[str]


@dataclass(frozen=True)
class Pace:
    """How fast to play: one move per table every so many seconds, from a moment of the monotonic clock, for so long."""

    every: float
    start: float
    seconds: float
    seed: int


@dataclass(frozen=True)
class Measurements:
    """The measurements of some time of play: in seconds, one entry per move."""

    told: list[float]
    """From sending a move until all clients of its table had the scene."""
    kept: list[float]
    """From sending a move until it was acknowledged."""
    late: list[float]
    """From when a move was due until it was sent: the clients' own delay."""
    missed: int
    """Moves that were due before the previous one had arrived everywhere."""
    lost: int
    """Moves that did not arrive everywhere."""
    ended: int
    """Tables whose game is over."""
    cpu: float
    """Processor time of this process."""
    stuck: int = 0
    """Tables at which somebody did not come back, or nobody was asked to decide though the game goes on."""
    rejected: Counter[str] = field(default_factory=Counter)
    """How many moves were rejected, by the code that was answered."""
    back: list[float] = field(default_factory=list)
    """From the closing of a socket until its client had the table on the screen again."""


class MoveRejected(Exception):
    """A move that a table has not accepted, with the code that it answered."""


class Client:
    """A client with a socket."""

    def __init__(self, number: int, token: str) -> None:
        self.number = number
        self.token = token
        self.socket: ClientConnection | None = None  # None until it is open, and while it is closed
        self.unanswered = ""
        self.lines: list[str] = []
        self.event = 0
        self.ground = ""
        self.live = True


class TableClients:
    """The clients of one table."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.clients: list[Client] = []
        self.port = 0
        self.sent = 0.0
        self.awaited = 0
        self.untold: set[Client] = set()
        self.told: asyncio.Event = asyncio.Event()
        self.rejected = ""
        self.kept = 0.0
        self.back: list[float] = []

    async def connect_all(self, port: int, number: int, opening: asyncio.Semaphore) -> None:
        """Open a socket for every seat and receive the first scene."""
        self.port = port
        for seat, token in enumerate(self.place.tokens):
            async with opening:
                client = Client(number * len(self.place.tokens) + seat, token)
                self.clients.append(client)
                async with asyncio.timeout(PATIENCE_S):
                    await self._open_again(client, 0.0)

    async def _open(self, client: Client) -> None:
        """Open the socket of a client, and receive the table as it is."""
        socket = await connect(
            f"ws://127.0.0.1:{self.port}/tables/{self.place.table}/socket",
            additional_headers={"Cookie": f"omnibus_user={client.token}"},
            local_addr=local_address(client.number),
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE_S,
        )
        sync = {"sync": True, "differences": True, "event": client.event, "ground": client.ground}
        await socket.send(msgspec.json.encode(sync).decode())
        while (message := _DECODER.decode(await socket.recv(decode=False))).type != "scene":
            pass
        self.take_in(client, message, time.monotonic())
        if client.unanswered:
            await socket.send(client.unanswered)
        client.socket = socket

    async def listen(self, client: Client) -> None:
        """Receive messages; when the socket is closed, come back."""
        while True:
            try:
                while client.socket is not None:
                    text = await client.socket.recv(decode=False)
                    self.take_in(client, _DECODER.decode(text), time.monotonic())
            except ConnectionClosed:
                client.socket = None
            closed = time.monotonic()
            await self._open_again(client, BACK_S)
            self.back.append(time.monotonic() - closed)

    async def _open_again(self, client: Client, wait: float) -> None:
        """Open the socket of a client after a while, and try until it is open."""
        while client.socket is None:
            await asyncio.sleep(wait * (0.5 + Random().random()))
            wait = min(max(2 * wait, BACK_S), LONGEST_S)
            with suppress(OSError, TimeoutError, WebSocketException):
                await self._open(client)

    def take_in(self, client: Client, message: Message, now: float) -> None:
        """Take in a message that has arrived now."""
        self.update(client, message)
        if message.type == "scene" and message.event >= self.awaited:
            self._scene_arrived(client, now)
        elif message.type == "done":
            self.kept, client.unanswered = now, ""
        elif message.type == "error":
            self._reject(client, message.code)

    def update(self, client: Client, message: Message) -> None:
        """Remember the current scene."""
        if message.type == "scene":
            client.event, client.live, client.ground = message.event, message.live, message.position.ground
            client.lines = [move.line for move in message.moves]

    def _reject(self, client: Client, code: str) -> None:
        """Give the move of a client up, and have the client come back to see the table as it is."""
        self.rejected, client.unanswered = code, ""
        self.told.set()
        if client.socket is not None:
            client.socket.transport.abort()

    def _scene_arrived(self, client: Client, now: float) -> None:
        if client in self.untold:
            self.untold.discard(client)
            if not self.untold:
                self.finished = now
                self.told.set()

    async def asked(self) -> Client | None:
        """Return the client that is to act, when everybody is there; None when the game is over.

        TimeoutError when somebody does not come back, or nobody is asked.
        """
        async with asyncio.timeout(PATIENCE_S):
            while True:
                if all(client.socket is not None for client in self.clients):
                    if not any(client.live for client in self.clients):
                        return None
                    if asked := next((client for client in self.clients if client.live and client.lines), None):
                        return asked
                await asyncio.sleep(BACK_S / 10)

    async def move(self, client: Client, random: Random) -> tuple[float, float]:
        """Play a random line; return the seconds until it was acknowledged and until it arrived everywhere.

        MoveRejected when the table does not accept it.
        """
        self.awaited, self.untold, self.rejected = client.event + 1, set(self.clients), ""
        self.told.clear()
        request = {"play": random.choice(client.lines), "event": client.event, "id": f"{client.event}"}
        client.lines, client.unanswered = [], msgspec.json.encode(request).decode()
        self.sent = time.monotonic()
        with suppress(ConnectionClosed):  # it is sent again when the client is back
            if client.socket is not None:
                await client.socket.send(client.unanswered)
        async with asyncio.timeout(PATIENCE_S):
            await self.told.wait()
        if self.rejected:
            self.untold.clear()
            raise MoveRejected(self.rejected)
        return self.kept - self.sent, self.finished - self.sent


class Clients:
    """All clients of one process."""

    def __init__(self, places: list[Place], number: int) -> None:
        self.tables = [TableClients(place) for place in places]
        self._first = number
        self._listening: list[asyncio.Task[None]] = []

    async def connect_all(self, port: int, ready: Any) -> None:
        """Open all sockets; `ready` is called with the number of tables connected."""
        opening = asyncio.Semaphore(OPENING_AT_ONCE)
        coming = [table.connect_all(port, self._first + number, opening) for number, table in enumerate(self.tables)]
        for count, come in enumerate(asyncio.as_completed(coming), 1):
            await come
            ready(count)
        for table in self.tables:
            self._listening += [asyncio.create_task(table.listen(client)) for client in table.clients]

    async def play(self, pace: Pace) -> Measurements:
        """Play for some time; every table has its own moment within the interval."""
        random = Random(pace.seed)
        measured = Measurements([], [], [], 0, 0, 0, 0.0)
        counts: Counter[str] = Counter(missed=0, lost=0, ended=0, stuck=0)
        began = time.process_time()
        moments = [random.random() * pace.every for _ in self.tables]
        await asyncio.gather(
            *(
                self._keep_pace(table, pace, moment, random, measured, counts)
                for table, moment in zip(self.tables, moments, strict=True)
            )
        )
        cpu, back = time.process_time() - began, [second for table in self.tables for second in table.back]
        for table in self.tables:
            table.back = []
        return Measurements(
            measured.told, measured.kept, measured.late, **counts, cpu=cpu, rejected=measured.rejected, back=back
        )

    async def _keep_pace(
        self,
        table: TableClients,
        pace: Pace,
        moment: float,
        random: Random,
        measured: Measurements,
        counts: Counter[str],
    ) -> None:
        due = pace.start + moment
        while due < pace.start + pace.seconds:
            await asyncio.sleep(due - time.monotonic())
            try:
                client = await table.asked()
            except TimeoutError:
                counts["stuck"] += 1
                return
            if client is None:
                counts["ended"] += 1
                return
            measured.late.append(time.monotonic() - due)
            try:
                kept, told = await table.move(client, random)
            except TimeoutError:
                counts["lost"] += 1
                return
            except MoveRejected as rejected:
                measured.rejected[str(rejected)] += 1
            else:
                measured.kept.append(kept)
                measured.told.append(told)
            due += pace.every
            while due < time.monotonic():
                counts["missed"] += 1
                due += pace.every

    async def close(self) -> None:
        """Close all sockets."""
        for task in self._listening:
            task.cancel()
        sockets = [client.socket for table in self.tables for client in table.clients if client.socket is not None]
        await asyncio.gather(*(socket.close() for socket in sockets))


_DECODER = msgspec.json.Decoder(Message)


def local_address(number: int) -> tuple[str, int] | None:
    """Return a separate local address for a client, if the system has several loopback addresses."""
    if not sys.platform.startswith("linux"):
        return None
    return f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}", 0


def allow_files(wanted: int) -> None:
    """Allow this process to open so many files; ValueError if the system does not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_FILES
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise ValueError(f"this needs {needed} open files and the system allows {hard}; `ulimit -Hn` can be raised")
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def run_clients(orders: Connection, places: list[Place], port: int, number: int) -> None:
    """Run clients in this process; their paces come through a pipe, None ends them."""
    try:
        asyncio.run(_run_clients(orders, places, port, number))
    except KeyboardInterrupt:
        sys.exit(130)


async def _run_clients(orders: Connection, places: list[Place], port: int, number: int) -> None:
    clients = Clients(places, number)
    await clients.connect_all(port, orders.send)
    orders.send("ready")
    while (pace := await asyncio.to_thread(orders.recv)) is not None:
        orders.send(await clients.play(pace))
    await clients.close()
