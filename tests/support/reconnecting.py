"""People who play on through restarts, and a check that nothing they were told is stored was lost or stored twice."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

import httpx
from websockets.exceptions import WebSocketException

from omnibus.bots import names as bot_names
from omnibus.server.http.visitor import TOKEN
from omnibus.server.store.opening import open_postgres
from omnibus.server.tables import events
from support.kills import Acknowledged, Mover, Tally
from support.server_process import Guest, Sitting

WEAK = bot_names()[0]
LONG_S = 180.0
CLOCK = {"bank": 10.0, "increment": 5.0}
"""Enough for whoever decides at once, and over soon when nothing can be stored."""


class Wish(NamedTuple):
    """A game, and who sits beside the visitor: where no bot does, nobody waits for one that died with its process."""

    game: str
    others: tuple[str, ...]
    clock: Mapping[str, float] | None = None
    pause: float = 0.0
    """Seconds between two decisions."""

    def open(self, guest: Guest) -> str:
        """Set such a table up, and return its id; an empty text when it was not possible."""
        if self.clock is None:
            answer = guest.ask_for_table(self.game, "you", *self.others)
            return answer.headers["location"].removeprefix("/tables/") if answer.status_code == 303 else ""
        others = [{"who": "bot", "bot": who} if who == WEAK else {"who": "you"} for who in self.others]
        asked = {"game": self.game, "seats": [{"who": "you"}, *others], "clock": self.clock}
        token = {"authorization": f"Bearer {guest.http.cookies[TOKEN]}"}
        answer = guest.http.post("/api/tables", json=asked, headers=token)
        return str(answer.json()["id"]) if answer.status_code == 201 else ""


TABLES = [
    Wish("bus", ("another", "another")),
    Wish("bus", ("another", "another")),
    Wish("times_square", (WEAK,)),
    Wish("bus", ("another", "another"), CLOCK),
    Wish("metromania", ("another",), CLOCK),
]


class Visitor(threading.Thread):
    """Plays at one address or another as fast as it can, reconnects, and remembers what was acknowledged."""

    def __init__(self, guests: list[Guest], wish: Wish, table: str, acknowledged: Acknowledged, seed: int) -> None:
        super().__init__(daemon=True)
        self.guests, self.wish, self.table, self.acknowledged = guests, wish, table, acknowledged
        self.random = Random(seed)
        self.mover = Mover(acknowledged[table], seed)
        self.stopping = threading.Event()
        self.sitting: Sitting | None = None
        self.failures: list[BaseException] = []

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                with self.random.choice(self.guests).sit(self.table) as sitting:
                    self.sitting = sitting
                    sitting.sync()
                    self.mover.send(sitting)
                    sitting.sync()
                    self._play(sitting)
                if not self.stopping.is_set():
                    self._open_another()
            except (WebSocketException, OSError, TimeoutError, httpx.HTTPError):
                time.sleep(max(0.05, self.wish.pause))
            except BaseException as error:
                self.failures.append(error)
                return

    def stop(self) -> None:
        """Play no more, and wait for nothing any more: it may be the turn of a bot that died with its process."""
        self.stopping.set()
        if self.sitting is not None:
            self.sitting.socket.close()

    def _open_another(self) -> None:
        """Go on at another table of the same kind when the game is over; that can fail, too."""
        table = self.wish.open(self.random.choice(self.guests))
        if table:
            self.table = table
            self.mover = Mover(self.acknowledged.setdefault(self.table, {}), self.random.getrandbits(32))

    def _play(self, sitting: Sitting) -> None:
        while not self.stopping.is_set() and self._asked(sitting)["live"]:
            event = sitting.scene["event"]
            self.mover.play(sitting)
            while sitting.scene["event"] <= event and not self.stopping.is_set():
                sitting.hear()
            self.stopping.wait(self.wish.pause)

    def _asked(self, sitting: Sitting) -> dict[str, Any]:
        """Listen until there is something to decide, and take seats back whose time was over."""
        while sitting.scene["live"] and not sitting.scene["moves"]:
            if sitting.scene["handed"]:
                sitting.say(hand="", event=sitting.scene["event"])
            sitting.hear()
        return sitting.scene


@contextmanager
def visitors(
    guests: list[Guest], acknowledged: Acknowledged, pause: float = 0.0, wishes: Sequence[Wish] = TABLES
) -> Iterator[None]:
    """Two at each table, as one user with two windows: they race for every move."""
    wishes = [wish._replace(pause=pause or wish.pause) for wish in wishes]
    tables = list(zip(wishes, acknowledged, strict=True)) * 2
    several = [Visitor(guests, wish, table, acknowledged, seed) for seed, (wish, table) in enumerate(tables)]
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


def opened(guest: Guest, wishes: Sequence[Wish] = TABLES) -> Acknowledged:
    """Set tables up."""
    return {wish.open(guest): {} for wish in wishes}


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


def count(address: str, acknowledged: Acknowledged, tally: Tally) -> Tally:
    """Count what became of the moves."""
    query = "SELECT number, request FROM events WHERE table_id = ? ORDER BY number"
    for table, answers in acknowledged.items():
        tally.count([(number, request) for number, request in asyncio.run(rows(address, query, table))], answers)
    return tally


def timed_out(address: str, acknowledged: Acknowledged) -> int:
    """Count the players whose time was over; to be asked before the visitors stop, since nobody plays on then."""
    query = "SELECT body FROM events WHERE table_id = ?"
    bodies = [body for table in list(acknowledged) for (body,) in asyncio.run(rows(address, query, table))]
    return sum(isinstance(events.read(body), events.TimedOut) for body in bodies)


def check(address: str, acknowledged: Acknowledged) -> None:
    """Check that no move was lost, and none played twice."""
    tally = count(address, acknowledged, Tally(0))
    assert (tally.lost, tally.twice) == (0, 0)
