"""Kill tests: a server killed at random moments loses nothing it has acknowledged.

`OMNIBUS_KILLS` says how often; a thousand times in the benchmark.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from pathlib import Path
from random import Random

import msgspec
from websockets.exceptions import ConnectionClosed

from omnibus.bots import names as bot_names
from omnibus.server.store.models import TimeControl
from omnibus.server.tables import events
from omnibus.server.tables.clock import Clocks
from support.server_process import Guest, Sitting, running_server

KILLS = int(os.environ.get("OMNIBUS_KILLS", "6"))
TABLES = [("times_square", 2), ("bus", 3), ("metromania", 2)]
WEAK = bot_names()[0]


CLOCK = {"clock": "custom", "minutes": "60", "seconds": "0"}
LITTLE_S = 0.2
DAY = 86_400


class Player(threading.Thread):
    """Plays at a table as fast as it can until the server dies, and remembers what was acknowledged."""

    def __init__(self, guest: Guest, table: str, acknowledged: dict[str, int]) -> None:
        super().__init__(daemon=True)
        self.sitting = guest.sit(table)
        self.acknowledged = acknowledged
        self.acknowledgements = 0

    def run(self) -> None:
        sitting = self.sitting
        try:
            sitting.sync()
            while sitting.until_asked()["live"]:
                name = f"{id(self)} {sitting.scene['event']}"
                sitting.say(play=_pick(sitting), event=sitting.scene["event"], id=name)
                while name not in sitting.done:
                    sitting.hear()
                self.acknowledged[name] = sitting.done[name]
                self.acknowledgements += 1
                sitting.scene["moves"] = []
        except (ConnectionClosed, OSError):
            pass
        finally:
            sitting.close()


class Hesitant(Player):
    """Plays at a table with hardly any time: often too late, and then takes the seat back."""

    def run(self) -> None:
        sitting, random = self.sitting, Random(2)
        try:
            sitting.sync()
            while sitting.scene["live"]:
                if sitting.scene["handed"]:
                    sitting.say(hand="", event=sitting.scene["event"])
                elif sitting.scene["moves"]:
                    time.sleep(random.uniform(0.5, 1.5) * LITTLE_S)
                    name = f"{id(self)} {sitting.scene['event']}"
                    sitting.say(play=_pick(sitting), event=sitting.scene["event"], id=name)
                event = sitting.scene["event"]
                while sitting.scene["live"] and sitting.scene["event"] == event:
                    sitting.hear()
                self.acknowledged |= sitting.done
        except (ConnectionClosed, OSError):
            self.acknowledged |= sitting.done
        finally:
            sitting.close()


def _until_something_happened(players: list[Player]) -> None:
    """Wait until something has been acknowledged since the server started, or nothing is left to play."""
    while any(player.is_alive() for player in players) and not any(player.acknowledgements for player in players):
        time.sleep(0.01)


def _pick(sitting: Sitting) -> str:
    moves = sitting.scene["moves"]
    line: str = moves[sitting.scene["event"] % len(moves)]["line"]
    return line


def test_kill(tmp_path: Path) -> None:
    """Every acknowledged event is there after each restart, under its number; no table is broken; play goes on.

    No clock runs while the server is down, and no move is both accepted and too late.
    """
    random = Random(1)
    data = tmp_path / "data"
    tables: list[str] = []
    acknowledged: dict[str, dict[str, int]] = {}
    with Guest("http://nowhere") as guest:
        for _ in range(KILLS):
            with running_server(data) as running:
                guest.move_to(running.url)
                tables = [_next(guest, table, timed=table in tables[-2:]) for table in tables] or _first(guest)
                timed = tables[-2]
                kinds = [*[Player] * (len(tables) - 1), Hesitant]
                players = [
                    kind(guest, table, acknowledged.setdefault(table, {}))
                    for kind, table in zip(kinds, tables, strict=True)
                ]
                for player in players:
                    player.start()
                _until_something_happened(players)
                time.sleep(random.uniform(0.0, 0.6))
                running.kill()
            for player in players:
                player.join(60)
                assert not player.is_alive()
            _check(data / "omnibus.db", acknowledged)
            _let_a_day_pass(data / "omnibus.db", hardly_any_time=tables[-1])
        assert sum(map(len, acknowledged.values())) >= KILLS
        with running_server(data) as running:
            guest.move_to(running.url)
            for table, answers in acknowledged.items():
                assert guest.http.get(f"/tables/{table}").status_code == 200
                with guest.sit(table) as sitting:
                    assert sitting.sync()["event"] >= max(answers.values(), default=1)
            with guest.sit(timed) as sitting:
                assert sitting.sync()["clock"]["left"][0] > 600  # of an hour, after days without a server


def _first(guest: Guest) -> list[str]:
    return [
        *[guest.open(game, "you", *[WEAK] * (seats - 1)) for game, seats in TABLES],
        *[_timed(guest) for _ in range(2)],
    ]


def _timed(guest: Guest) -> str:
    return guest.open("times_square", "you", WEAK, form=CLOCK)


def _next(guest: Guest, table: str, *, timed: bool) -> str:
    """A table whose game is over is played again."""
    with guest.sit(table) as sitting:
        if sitting.sync()["live"]:
            return table
    if timed:
        return _timed(guest)  # a rematch would have the other seat, and another clock
    again: str = guest.http.post(f"/tables/{table}/rematch").headers["location"].removeprefix("/tables/")
    return again


def _check(file: Path, acknowledged: dict[str, dict[str, int]]) -> None:
    """Check the file itself: no damage, no gaps between events, every acknowledged one under its number."""
    database = sqlite3.connect(file)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for table, answers in acknowledged.items():
        rows = database.execute("SELECT number, request FROM events WHERE table_id = ? ORDER BY number", (table,))
        stored = dict(rows.fetchall())
        assert list(stored) == list(range(1, len(stored) + 1))
        for name, number in answers.items():
            assert (stored[number] or "").endswith(name)
        _check_clocks(database, table)
    database.close()


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
    database = sqlite3.connect(file)
    database.execute("UPDATE events SET at = at - ?", (DAY,))
    database.execute("UPDATE server_runs SET started = started - ?1, seen = seen - ?1", (DAY,))
    control = msgspec.json.encode(TimeControl(bank=LITTLE_S, increment=LITTLE_S)).decode()
    database.execute("UPDATE tables SET clock = ? WHERE id = ?", (control, hardly_any_time))
    database.commit()
    database.close()


def test_a_clean_end_tells_the_clients(tmp_path: Path) -> None:
    """Asked to stop, the server closes sockets with “service restart”; everything is there afterwards."""
    data = tmp_path / "data"
    with running_server(data) as running, Guest(running.url) as guest:
        table = guest.open("bus", "you", "another", "another")
        with guest.sit(table) as sitting:
            scene = sitting.sync()
            sitting.say(play=scene["moves"][0]["line"], event=1, id="x")
            running.stop()
            assert sitting.closed() == 1012
        with running_server(data) as moved:
            guest.move_to(moved.url)
            with guest.sit(table) as again:
                assert again.sync()["event"] >= sitting.done.get("x", 1)  # kept, if it was acknowledged
                again.say(play=scene["moves"][0]["line"], event=1, id="x")
                while "x" not in again.done:
                    again.hear()
                assert again.done == {"x": 2}  # and done once, whether or not the answer had come through
