"""Kill tests with two server processes on one PostgreSQL: nothing acknowledged is lost, and nothing is played twice.

Of two processes one is killed, or PostgreSQL itself; `OMNIBUS_KILLS` says how often, a hundred times in the benchmark.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from omnibus.bots import names as bot_names
from omnibus.server.store.opening import open_postgres
from support.postgres import PostgresServer, missing
from support.server_process import Guest, ServerProcess, Sitting, running_server

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

KILLS = max(1, int(os.environ.get("OMNIBUS_KILLS", "0")) // 10)
TABLES = [("times_square", 2), ("bus", 3)]
WEAK = bot_names()[0]
LONG_S = 180.0  # a bot whose process was killed is asked by another one after half a minute

Acknowledged = dict[str, dict[str, int]]
"""The requests that were acknowledged at each table, with the events they were stored as."""


class Visitor(threading.Thread):
    """Plays at one process or another as fast as it can, reconnects, and remembers what was acknowledged."""

    def __init__(self, guests: list[Guest], table: str, acknowledged: Acknowledged, seed: int) -> None:
        super().__init__(daemon=True)
        self.guests, self.table, self.acknowledged = guests, table, acknowledged
        self.random = Random(seed)
        self.stopping = threading.Event()
        self.sitting: Sitting | None = None
        self.failures: list[BaseException] = []

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                with self.random.choice(self.guests).sit(self.table) as sitting:
                    self.sitting = sitting
                    sitting.sync()
                    self._play(sitting)
                if not self.stopping.is_set():
                    self._open_another()
            except (WebSocketException, OSError, TimeoutError, httpx.HTTPError):
                time.sleep(0.05)
            except BaseException as error:
                self.failures.append(error)
                return

    def stop(self) -> None:
        """Play no more, and wait for nothing any more: it may be the turn of a bot that died with its process."""
        self.stopping.set()
        if self.sitting is not None:
            self.sitting.socket.close()

    def _open_another(self) -> None:
        """Go on at another table when the game is over; that can fail, too."""
        game, seats = self.random.choice(TABLES)
        answer = self.random.choice(self.guests).ask_for_table(game, "you", *[WEAK] * (seats - 1))
        if answer.status_code == 303:
            self.table = answer.headers["location"].removeprefix("/tables/")
            self.acknowledged[self.table] = {}

    def _play(self, sitting: Sitting) -> None:
        while not self.stopping.is_set() and sitting.until_asked()["live"]:
            event, moves = sitting.scene["event"], sitting.scene["moves"]
            name = f"{id(self)} {event} {self.random.random()}"
            sitting.say(play=moves[event % len(moves)]["line"], event=event, id=name)
            while name not in sitting.done and not any(error["id"] == name for error in sitting.errors):
                sitting.hear()
            if name in sitting.done:
                self.acknowledged[self.table][name] = sitting.done[name]
            sitting.scene["moves"] = []
            while sitting.scene["event"] <= event and not self.stopping.is_set():
                sitting.hear()


@contextmanager
def visitors(guests: list[Guest], acknowledged: Acknowledged) -> Iterator[None]:
    """Two at each table, as one user with two windows: they race for every move."""
    several = [Visitor(guests, table, acknowledged, seed) for seed, table in enumerate(list(acknowledged) * 2)]
    for one in several:
        one.start()
    try:
        yield
    finally:
        for one in several:
            one.stop()
        for one in several:
            one.join(LONG_S)
    assert not any(one.is_alive() for one in several)
    assert [failure for one in several for failure in one.failures] == []


def until_ready(running: list[ServerProcess]) -> None:
    """Wait until all server processes serve."""
    for each in running:
        while httpx.get(f"{each.url}/readyz", timeout=LONG_S).status_code != 200:
            time.sleep(0.05)


def until_more(acknowledged: Acknowledged, moves: int = 1) -> None:
    """Wait until so many more moves have been acknowledged."""
    until, before = time.monotonic() + LONG_S, number_of(acknowledged)
    while number_of(acknowledged) < before + moves:
        assert time.monotonic() < until
        time.sleep(0.01)


def number_of(acknowledged: Acknowledged) -> int:
    """Return how many moves have been acknowledged."""
    return sum(len(moves) for moves in list(acknowledged.values()))


async def rows(address: str, query: str, *values: str) -> list[tuple[Any, ...]]:
    """Read something from a database that servers use."""
    database = open_postgres(address, migrates=False)
    await database.connect()
    found = [tuple(row) for row in await database.read(query, *values)]
    await database.aclose()
    return found


def check(address: str, acknowledged: Acknowledged) -> None:
    """No gaps between events; every acknowledged one under its number, and once."""
    query = "SELECT number, request FROM events WHERE table_id = ? ORDER BY number"
    for table, answers in acknowledged.items():
        stored = asyncio.run(rows(address, query, table))
        assert [number for number, _ in stored] == list(range(1, len(stored) + 1))
        found = {(request or "").partition(" ")[2]: number for number, request in stored}
        assert {name: found.get(name) for name in answers} == answers


def opened(guest: Guest) -> Acknowledged:
    return {guest.open(game, "you", *[WEAK] * (seats - 1)): {} for game, seats in TABLES}


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """A database for server processes."""
    name = postgres.create()
    yield postgres.address(name)
    postgres.drop(name)


def test_one_of_two_processes_is_killed(tmp_path: Path, address: str) -> None:
    """The other goes on; whoever was at the dead one plays on there."""
    random = Random(1)
    with ExitStack() as stack:
        running = [stack.enter_context(running_server(tmp_path / "data", database=address)) for _ in range(2)]
        guests = [stack.enter_context(Guest(running[0].url))]
        acknowledged = opened(guests[0])
        guests.append(stack.enter_context(guests[0].also_at(running[1].url)))
        with visitors(guests, acknowledged):
            for kill in range(KILLS):
                until_more(acknowledged)
                time.sleep(random.uniform(0.0, 0.4))
                running[kill % 2].kill()
                until_more(acknowledged)
                new = stack.enter_context(running_server(tmp_path / "data", database=address))
                running[kill % 2] = new
                guests[kill % 2].move_to(new.url)
        check(address, acknowledged)


def test_postgresql_is_killed(tmp_path: Path, address: str, postgres: PostgresServer) -> None:
    """Both server processes wait until it is back, and lose nothing."""
    with ExitStack() as stack:
        running = [stack.enter_context(running_server(tmp_path / "data", database=address)) for _ in range(2)]
        guests = [stack.enter_context(Guest(running[0].url))]
        acknowledged = opened(guests[0])
        guests.append(stack.enter_context(guests[0].also_at(running[1].url)))
        until_ready(running)
        with visitors(guests, acknowledged):
            for _ in range(KILLS):
                until_more(acknowledged)
                postgres.stop("immediate")
                assert guests[0].http.get("/").status_code == 503
                postgres.start()
                until_more(acknowledged)
        check(address, acknowledged)
        until_ready(running)


def test_rolling_restart(tmp_path: Path, address: str) -> None:
    """Processes behind one address are replaced one after the other; people play on, and the server ends when asked."""
    with (
        running_server(tmp_path / "data", "--processes", "2", database=address) as running,
        Guest(running.url) as guest,
    ):
        acknowledged = opened(guest)
        with visitors([guest], acknowledged):
            until_more(acknowledged, 2)
            before = processes(address)
            assert len(before) == 2
            for table in list(acknowledged):
                assert len(processes_at(address, table)) <= 1  # whichever process has accepted the connections
            running.process.send_signal(signal.SIGHUP)
            while before & processes(address):
                time.sleep(0.05)
            until_more(acknowledged)
        check(address, acknowledged)
        running.stop()
        assert running.process.returncode == 0


def processes(address: str) -> set[str]:
    """Return the ids of the server processes on a database."""
    return {str(id_) for (id_,) in asyncio.run(rows(address, "SELECT id FROM processes"))}


def processes_at(address: str, table: str) -> set[str]:
    """Return the ids of the server processes to which somebody at a table is connected."""
    query = "SELECT process FROM presences WHERE place = ?"
    return {str(id_) for (id_,) in asyncio.run(rows(address, query, table))}
