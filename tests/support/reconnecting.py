"""People who play on through restarts, and a check that nothing they were told is stored was lost or stored twice."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from omnibus.bots import names as bot_names
from omnibus.server.store.opening import open_postgres
from support.server_process import Guest, Sitting

TABLES = [("times_square", 2), ("bus", 3)]
WEAK = bot_names()[0]
LONG_S = 180.0  # a bot whose process was killed is asked by another one after half a minute

Acknowledged = dict[str, dict[str, int]]
"""The requests that were acknowledged at each table, with the events they were stored as."""


class Visitor(threading.Thread):
    """Plays at one address or another as fast as it can, reconnects, and remembers what was acknowledged."""

    def __init__(
        self, guests: list[Guest], table: str, acknowledged: Acknowledged, seed: int, pause: float = 0.0
    ) -> None:
        super().__init__(daemon=True)
        self.guests, self.table, self.acknowledged = guests, table, acknowledged
        self.random = Random(seed)
        self.pause = pause
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
                time.sleep(max(0.05, self.pause))
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
            self.stopping.wait(self.pause)


@contextmanager
def visitors(guests: list[Guest], acknowledged: Acknowledged, pause: float = 0.0) -> Iterator[None]:
    """Two at each table, as one user with two windows: they race for every move."""
    several = [Visitor(guests, table, acknowledged, seed, pause) for seed, table in enumerate(list(acknowledged) * 2)]
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


def opened(guest: Guest) -> Acknowledged:
    """Open a table of each kind."""
    return {guest.open(game, "you", *[WEAK] * (seats - 1)): {} for game, seats in TABLES}


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
