"""PostgreSQL hangs, and a server process stands still: what neither closes connections nor answers.

Nothing acknowledged is lost, nothing is stored twice, nobody loses time, and whoever asks is told how things are.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from omnibus.server.http.middleware import TRY_LATER
from omnibus.server.tables import events
from support.postgres import PostgresServer, missing
from support.reconnecting import rows
from support.server_process import Guest, Sitting, running_server

pytestmark = pytest.mark.nightly

BANK_S = 10
FROZEN_S = BANK_S + 1.0
CLOCK = {"clock": "custom", "minutes": str(BANK_S / 60), "seconds": "0"}


@pytest.fixture
def frozen_address(postgres: PostgresServer) -> Iterator[str]:
    """A database for server processes, in a server that a test halts."""
    name = postgres.create()
    yield postgres.address(name)
    postgres.drop(name)


def came_back(guest: Guest, table: str) -> Sitting:
    """Open the socket of a table again and again, as a page does, until it is shown the table."""
    while True:
        sitting = guest.sit(table)
        sitting.say(sync=True)
        try:
            while not sitting.scene:
                sitting.hear()
        except Exception:
            sitting.close()
            time.sleep(0.1)
        else:
            return sitting


@pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")
def test_postgresql_hangs(tmp_path: Path, frozen_address: str, postgres: PostgresServer) -> None:
    """Sockets are closed with the code that says to come back, also new ones, and probes are answered.

    A move that was sent meanwhile is stored once, whatever became of the first try, and nobody is timed out.
    """
    with (
        running_server(tmp_path / "data", "--metrics", "127.0.0.1", database=frozen_address) as running,
        Guest(running.url) as guest,
    ):
        table = guest.open("bus", "you", "another", "another", form=CLOCK)
        with guest.sit(table) as sitting:
            scene = sitting.sync()
            move = {"play": scene["moves"][0]["line"], "event": scene["event"], "id": "once"}
            with postgres.frozen():
                thawed = time.monotonic() + FROZEN_S
                sitting.say(**move)
                for path in ("/healthz", "/readyz"):
                    answer = httpx.get(running.url + path)
                    assert (answer.status_code, "does not answer" in answer.text) == (503, True)
                told = httpx.get(running.url + "/metrics").text
                assert "omnibus_database_up 0" in told
                assert sitting.closed() == TRY_LATER
                with guest.sit(table) as other:
                    assert other.closed() == TRY_LATER
                time.sleep(max(0.0, thawed - time.monotonic()))
        with came_back(guest, table) as sitting:
            sitting.say(**move)
            while "once" not in sitting.done:
                sitting.hear()
            assert sitting.done["once"] == scene["event"] + 1
            assert not sitting.errors
        assert "omnibus_database_up 1" in httpx.get(running.url + "/metrics").text
        assert httpx.get(running.url + "/healthz").status_code == 200
    query = "SELECT body, request FROM events WHERE table_id = ? ORDER BY number"
    stored = asyncio.run(rows(frozen_address, query, table))
    assert [bool(request) for _, request in stored[:3]] == [False, True][: len(stored)]
    assert not any(isinstance(events.read(body), events.TimedOut) for body, _ in stored)


def test_a_server_stands_still(tmp_path: Path) -> None:
    """Longer than anybody has time: it goes on where it was, and shows so."""
    with (
        running_server(tmp_path / "data") as running,
        Guest(running.url) as guest,
        guest.sit(guest.open("bus", "you", "another", "another", form=CLOCK)) as sitting,
    ):
        scene = sitting.sync()
        os.kill(running.process.pid, signal.SIGSTOP)
        try:
            time.sleep(FROZEN_S)
        finally:
            os.kill(running.process.pid, signal.SIGCONT)
        while (shown := sitting.hear())["type"] != "scene":  # without being asked
            pass
        assert not shown["handed"]
        assert shown["clock"]["left"][scene["clock"]["running"]] > 0
        sitting.say(play=scene["moves"][0]["line"], event=scene["event"], id="once")
        while "once" not in sitting.done:
            sitting.hear()
        assert not sitting.errors
