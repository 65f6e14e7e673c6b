"""Kill a server on a file again and again, at random moments, while people play with and without clocks."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random

from omnibus.server.store.models import DAY
from omnibus.server.tables import events
from omnibus.server.tables.clock import Clocks
from support.kills import Acknowledged, Progress, Tally, nothing
from support.reconnecting import WEAK, Wish, opened, until_more, visitors
from support.server_process import Guest, running_server

HOUR = {"bank": 3600.0}
LITTLE_S = 0.2
HARDLY_ANY = {"bank": 77.0, "increment": 77.0}
"""Once the server was killed, decisions at such a table have a fraction of a second."""
TABLES = [
    Wish("times_square", (WEAK,)),
    Wish("bus", ("another", "another")),
    Wish("metromania", (WEAK,)),
    Wish("times_square", (WEAK,), HOUR),
    Wish("times_square", (WEAK,), HARDLY_ANY, pause=LITTLE_S),
]


def kill_one(data: Path, kills: int, progress: Progress = nothing) -> Tally:
    """Kill a server so many times; then check that play goes on, and count what it has kept.

    No clock runs while the server is down, and no move is both accepted and too late.
    """
    random, file = Random(1), data / "omnibus.db"
    with running_server(data) as running, Guest(running.url) as guest:
        acknowledged = opened(guest, TABLES)
        with visitors([guest], acknowledged, wishes=TABLES):
            for _ in range(kills):
                until_more(acknowledged)
                time.sleep(random.uniform(0.0, 0.6))
                running.kill()
                _check_and_let_a_day_pass(file, acknowledged)
                running.start_again(kill=True)
                guest.move_to(running.url)
                progress()
            until_more(acknowledged)
        for table, answers in acknowledged.items():
            assert guest.http.get(f"/tables/{table}").status_code == 200
            scene = guest.http.get(f"/api/tables/{table}/scene").json()
            assert scene["event"] >= max(answers.values(), default=1)
            if scene["live"] and scene["clock"] and scene["clock"]["bank"] == HOUR["bank"]:
                assert scene["clock"]["left"][0] > 600  # of an hour, after days without a server
        running.stop()
        tally = Tally(kills)
        with closing(sqlite3.connect(file)) as database:
            for table, answers in acknowledged.items():
                query = "SELECT number, request FROM events WHERE table_id = ? ORDER BY number"
                tally.count(database.execute(query, (table,)), answers)
        return tally


def _check_and_let_a_day_pass(file: Path, acknowledged: Acknowledged) -> None:
    """Look at what a killed server has left, and make it a day since."""
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for table in list(acknowledged):
            _check_clocks(database, table)
        database.execute("UPDATE events SET at = at - ?", (DAY,))
        database.execute("UPDATE tables SET clock = replace(clock, ?, ?)", (str(HARDLY_ANY["bank"]), str(LITTLE_S)))
        database.commit()


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
