"""Kill a server on a file again and again, at random moments, while people play with and without clocks."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
from websockets.exceptions import ConnectionClosed

from omnibus.bots import names as bot_names
from omnibus.server.store.models import TimeControl
from omnibus.server.tables import events
from omnibus.server.tables.clock import Clocks
from support.kills import Acknowledged, Mover, Progress, Tally, nothing
from support.server_process import Guest, Sitting, running_server

TABLES = [("times_square", 2), ("bus", 3), ("metromania", 2)]
WEAK = bot_names()[0]
CLOCK = {"clock": "custom", "minutes": "60", "seconds": "0"}
LITTLE_S = 0.2
DAY = 86_400


class Player(threading.Thread):
    """Plays at a table as fast as it can until the server dies."""

    def __init__(self, sitting: Sitting, mover: Mover) -> None:
        super().__init__(daemon=True)
        self.sitting, self.mover = sitting, mover
        self.before = len(mover.acknowledged)

    @property
    def has_played(self) -> bool:
        """Whether something has been acknowledged."""
        return len(self.mover.acknowledged) > self.before

    def run(self) -> None:
        try:
            self.sitting.sync()
            self.mover.send(self.sitting)
            self.play()
        except (ConnectionClosed, OSError):
            pass
        finally:
            self.sitting.close()

    def play(self) -> None:
        """Play to the end."""
        sitting = self.sitting
        sitting.sync()
        while sitting.until_asked()["live"]:
            self.mover.play(sitting)


class Hesitant(Player):
    """Plays at a table with hardly any time: often too late, and then takes the seat back."""

    def play(self) -> None:
        sitting, random = self.sitting, Random(2)
        sitting.sync()
        while sitting.scene["live"]:
            event = sitting.scene["event"]
            if sitting.scene["handed"]:
                sitting.say(hand="", event=event)
            elif sitting.scene["moves"]:
                time.sleep(random.uniform(0.5, 1.5) * LITTLE_S)
                self.mover.play(sitting)
            while sitting.scene["live"] and sitting.scene["event"] == event:
                sitting.hear()


class Killing:
    """Somebody with a few tables on a server that is killed again and again."""

    def __init__(self, data: Path, guest: Guest) -> None:
        self.data, self.guest = data, guest
        self.file = data / "omnibus.db"
        self.tables: list[str] = []
        self.movers: dict[str, Mover] = {}
        self.random = Random(1)

    @property
    def timed(self) -> str:
        """A table with an hour for each player."""
        return self.tables[-2]

    def kill(self) -> None:
        """Play for a moment, and kill the server."""
        with running_server(self.data) as running:
            self.guest.move_to(running.url)
            self._sit_down()
            players = self._players()
            for player in players:
                player.start()
            _until_something_happened(players)
            time.sleep(self.random.uniform(0.0, 0.6))
            running.kill()
        for player in players:
            player.join(60)
            assert not player.is_alive()
        with closing(sqlite3.connect(self.file)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            for table in self.tables:
                _check_clocks(database, table)
        _let_a_day_pass(self.file, hardly_any_time=self.tables[-1])

    def _sit_down(self) -> None:
        self.tables = [self._next(table) for table in self.tables] or [
            *[self.guest.open(game, "you", *[WEAK] * (seats - 1)) for game, seats in TABLES],
            *[self._open_timed() for _ in range(2)],
        ]

    def _open_timed(self) -> str:
        return self.guest.open("times_square", "you", WEAK, form=CLOCK)

    def _next(self, table: str) -> str:
        """A table whose game is over is played again."""
        with self.guest.sit(table) as sitting:
            if sitting.sync()["live"]:
                return table
        if table in self.tables[-2:]:
            return self._open_timed()  # a rematch would have the other seat, and another clock
        again: str = self.guest.http.post(f"/tables/{table}/rematch").headers["location"].removeprefix("/tables/")
        return again

    def _players(self) -> list[Player]:
        kinds = [*[Player] * (len(self.tables) - 1), Hesitant]
        return [
            kind(self.guest.sit(table), self.movers.setdefault(table, Mover({})))
            for kind, table in zip(kinds, self.tables, strict=True)
        ]

    def acknowledged(self) -> Acknowledged:
        """Return what was acknowledged."""
        return {table: mover.acknowledged for table, mover in self.movers.items()}


def kill_one(data: Path, kills: int, progress: Progress = nothing) -> Tally:
    """Kill a server so many times; then check that play goes on, and count what it has kept.

    No clock runs while the server is down, and no move is both accepted and too late.
    """
    with Guest("http://nowhere") as guest:
        killing = Killing(data, guest)
        for _ in range(kills):
            killing.kill()
            progress()
        with running_server(data) as running:
            guest.move_to(running.url)
            for table, answers in killing.acknowledged().items():
                assert guest.http.get(f"/tables/{table}").status_code == 200
                with guest.sit(table) as sitting:
                    assert sitting.sync()["event"] >= max(answers.values(), default=1)
            with guest.sit(killing.timed) as sitting:
                assert sitting.sync()["clock"]["left"][0] > 600  # of an hour, after days without a server
        return _count(killing.file, killing.acknowledged(), Tally(kills))


def _until_something_happened(players: list[Player]) -> None:
    """Wait until something has been acknowledged since the server started, or nothing is left to play."""
    while any(player.is_alive() for player in players) and not any(player.has_played for player in players):
        time.sleep(0.01)


def _count(file: Path, acknowledged: Acknowledged, tally: Tally) -> Tally:
    with closing(sqlite3.connect(file)) as database:
        for table, answers in acknowledged.items():
            query = "SELECT number, request FROM events WHERE table_id = ? ORDER BY number"
            tally.count(database.execute(query, (table,)), answers)
    return tally


def _check_clocks(database: sqlite3.Connection, table: str) -> None:
    """Check that every move was in time, and that nobody's time was over who had some left."""
    rows = database.execute("SELECT body FROM events WHERE table_id = ? ORDER BY number", (table,))
    before: Clocks | None = None
    for event in (events.read(body) for (body,) in rows):
        if before is not None and event.clock is not None:
            if isinstance(event, events.TimedOut):
                assert before.overrun(event.clock.used)
            elif isinstance(event, events.Played):
                assert not before.overrun(event.clock.used)
        before = event.clock


def _let_a_day_pass(file: Path, hardly_any_time: str) -> None:
    """Make it a day since the server was killed; at one table, decisions have a fraction of a second from now on."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE events SET at = at - ?", (DAY,))
        control = msgspec.json.encode(TimeControl(bank=LITTLE_S, increment=LITTLE_S)).decode()
        database.execute("UPDATE tables SET clock = ? WHERE id = ?", (control, hardly_any_time))
        database.commit()
