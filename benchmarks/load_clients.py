"""The people of `load.py`, many to a process: each keeps a page's socket open, plays when it is time, and notes when.

Everybody at a table is in the same process, so one clock tells when a move was sent and when the last of them was told
of it. What is sent is what the page sends: a sync when the socket opens, then lines with their event.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

OPENING_AT_ONCE = 20  # sockets a process opens side by side
PATIENCE_S = 60  # who has not been told by then is counted as never told
SPARE_FILES = 200


class Line(Struct):
    """A legal move, as far as the crowd cares."""

    line: str


class Message(Struct):
    """What a table says: a scene has moves, everything else only passes by."""

    type: str
    event: int = 0
    moves: list[Line] = []
    live: bool = True
    code: str = ""


class Place(Struct, frozen=True):
    """A table and the cookies of those who sit there, seat by seat."""

    table: str
    tokens: list[str]


@dataclass(frozen=True)
class Pace:
    """How fast to play: every table once in so many seconds, from a moment of the monotonic clock on, for so long."""

    every: float
    start: float
    seconds: float
    seed: int


@dataclass(frozen=True)
class Noted:
    """What came of a stretch of play: seconds each, one entry a move."""

    told: list[float]
    """From a move sent until everybody at its table was told."""
    kept: list[float]
    """From a move sent until it was acknowledged."""
    late: list[float]
    """From when a move was due until it was sent: the crowd's own fault."""
    missed: int
    """Moves that were due before the one before had been told to everybody."""
    lost: int
    """Moves of which somebody was not told at all."""
    ended: int
    """Tables whose game is over."""
    cpu: float
    """Processor time of this process."""


class Person:
    """Somebody with a page open."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.lines: list[str] = []
        self.event = 0
        self.live = True


class Party:
    """Those who sit at one table."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.people: list[Person] = []
        self.sent = 0.0
        self.awaited = 0
        self.left_to_tell = 0
        self.told: asyncio.Event = asyncio.Event()
        self.kept = 0.0

    async def come(self, port: int, number: int, door: asyncio.Semaphore) -> None:
        """Open a socket for everybody, and hear how things stand."""
        for seat, token in enumerate(self.place.tokens):
            async with door:
                address = f"ws://127.0.0.1:{port}/tables/{self.place.table}/socket"
                socket = await connect(
                    address,
                    additional_headers={"Cookie": f"omnibus_user={token}"},
                    local_addr=home(number * len(self.place.tokens) + seat),
                    max_size=None,
                    ping_interval=None,
                    open_timeout=PATIENCE_S,
                )
                await socket.send('{"sync": true}')
                person = Person(socket)
                self.people.append(person)
                self.hear(person, _DECODER.decode(await socket.recv(decode=False)))

    async def listen(self, person: Person) -> None:
        """Take in what is said, until the connection ends."""
        try:
            while True:
                text = await person.socket.recv(decode=False)
                now = time.monotonic()
                message = _DECODER.decode(text)
                self.hear(person, message)
                if message.type == "scene" and message.event == self.awaited:
                    self._one_more(now)
                elif message.type == "done":
                    self.kept = now
                elif message.type == "error":
                    sys.exit(f"a table answered {message.code!r}")
        except ConnectionClosed:
            person.live = False

    def hear(self, person: Person, message: Message) -> None:
        """Remember how things stand."""
        if message.type == "scene":
            person.event, person.live = message.event, message.live
            person.lines = [move.line for move in message.moves]

    def _one_more(self, now: float) -> None:
        self.left_to_tell -= 1
        if self.left_to_tell == 0:
            self.finished = now
            self.told.set()

    def asked(self) -> Person | None:
        """Return who has something to decide."""
        return next((person for person in self.people if person.live and person.lines), None)

    async def move(self, person: Person, random: Random) -> tuple[float, float]:
        """Play any line; return how long until it was kept, and until everybody was told. TimeoutError if never."""
        self.awaited, self.left_to_tell = person.event + 1, len(self.people)
        self.told.clear()
        request = {"play": random.choice(person.lines), "event": person.event, "id": f"{person.event}"}
        person.lines = []
        self.sent = time.monotonic()
        await person.socket.send(msgspec.json.encode(request).decode())
        async with asyncio.timeout(PATIENCE_S):
            await self.told.wait()
        return self.kept - self.sent, self.finished - self.sent


class Crowd:
    """All parties of one process."""

    def __init__(self, places: list[Place], number: int) -> None:
        self.parties = [Party(place) for place in places]
        self._first = number
        self._listening: list[asyncio.Task[None]] = []

    async def come(self, port: int, ready: Any) -> None:
        """Open all sockets; `ready` is called with how many parties are there."""
        door = asyncio.Semaphore(OPENING_AT_ONCE)
        coming = [party.come(port, self._first + number, door) for number, party in enumerate(self.parties)]
        for count, come in enumerate(asyncio.as_completed(coming), 1):
            await come
            ready(count)
        for party in self.parties:
            self._listening += [asyncio.create_task(party.listen(person)) for person in party.people]

    async def play(self, pace: Pace) -> Noted:
        """Play for a while; every table has its own moment within the interval."""
        random = Random(pace.seed)
        noted = Noted([], [], [], 0, 0, 0, 0.0)
        counts = dict.fromkeys(("missed", "lost", "ended"), 0)
        began = time.process_time()
        moments = [random.random() * pace.every for _ in self.parties]
        await asyncio.gather(
            *(
                self._keep_pace(party, pace, moment, random, noted, counts)
                for party, moment in zip(self.parties, moments, strict=True)
            )
        )
        return Noted(noted.told, noted.kept, noted.late, **counts, cpu=time.process_time() - began)

    async def _keep_pace(
        self, party: Party, pace: Pace, moment: float, random: Random, noted: Noted, counts: dict[str, int]
    ) -> None:
        due = pace.start + moment
        while due < pace.start + pace.seconds:
            await asyncio.sleep(due - time.monotonic())
            person = party.asked()
            if person is None:
                counts["ended"] += 1
                return
            noted.late.append(time.monotonic() - due)
            try:
                kept, told = await party.move(person, random)
            except TimeoutError:
                counts["lost"] += 1
                return
            noted.kept.append(kept)
            noted.told.append(told)
            due += pace.every
            while due < time.monotonic():
                counts["missed"] += 1
                due += pace.every

    async def go(self) -> None:
        """Close everything."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*(person.socket.close() for party in self.parties for person in party.people))


_DECODER = msgspec.json.Decoder(Message)


def home(number: int) -> tuple[str, int] | None:
    """Return an address of one's own to come from, where the system has more than one for itself."""
    if not sys.platform.startswith("linux"):
        return None
    return f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}", 0


def allow_files(wanted: int) -> None:
    """See to it that this process may open so many files; ValueError when it may not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_FILES
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise ValueError(f"this needs {needed} open files and the system allows {hard}; `ulimit -Hn` can be raised")
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def attend(orders: Connection, places: list[Place], port: int, number: int) -> None:
    """Run a crowd in this process, as it is told through a pipe: paces until None."""
    try:
        asyncio.run(_attend(orders, places, port, number))
    except KeyboardInterrupt:
        sys.exit(130)


async def _attend(orders: Connection, places: list[Place], port: int, number: int) -> None:
    crowd = Crowd(places, number)
    await crowd.come(port, orders.send)
    orders.send("ready")
    while (pace := await asyncio.to_thread(orders.recv)) is not None:
        orders.send(await crowd.play(pace))
    await crowd.go()
