"""Kill tests with two server processes on one PostgreSQL: nothing acknowledged is lost, and nothing is played twice.

Of two servers or processes one is killed, or PostgreSQL itself; `dev.py bench --kills` does it a hundred times.
"""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.kill_processes import kill_one_of_two, kill_postgres, kill_worker
from support.kills import Tally
from support.postgres import PostgresServer, missing
from support.reconnecting import check, number_of, opened, rows, until_more, visitors
from support.server_process import Guest, running_server

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """A database for server processes."""
    name = postgres.create()
    yield postgres.address(name)
    postgres.drop(name)


def expect_all(tally: Tally) -> None:
    """Check that no move was lost and none played twice, and that nobody ran out of time."""
    assert tally.acknowledged >= 2 * tally.kills
    assert (tally.lost, tally.twice, tally.timed_out) == (0, 0, 0)


def test_one_of_two_servers_is_killed(tmp_path: Path, address: str) -> None:
    """The other goes on; whoever was at the dead one plays on there."""
    expect_all(kill_one_of_two(tmp_path / "data", address, 1))


def test_a_process_of_a_server_is_killed(tmp_path: Path, address: str) -> None:
    """It is replaced; whoever was connected to it plays on at the other."""
    expect_all(kill_worker(tmp_path / "data", address, 1))


def test_postgresql_is_killed(tmp_path: Path, address: str, postgres: PostgresServer) -> None:
    """Both server processes wait until it is back, and lose nothing."""
    expect_all(kill_postgres(tmp_path / "data", address, postgres, 1))


def test_rolling_restart(tmp_path: Path, address: str) -> None:
    """Processes behind one address are replaced one after the other; people play on, and the server ends when asked.

    What the old processes have counted stays in the metrics.
    """
    arguments = ("--processes", "2", "--metrics", "127.0.0.1")
    with (
        running_server(tmp_path / "data", *arguments, database=address) as running,
        Guest(running.url) as guest,
    ):
        acknowledged = opened(guest)
        with visitors([guest], acknowledged):
            until_more(acknowledged, 2)
            before = processes(address)
            assert len(before) == 2
            for table in list(acknowledged):
                assert len(processes_at(address, table)) <= 1  # whichever process has accepted the connections
            moves = number_of(acknowledged)
            running.process.send_signal(signal.SIGHUP)
            while before & processes(address):
                time.sleep(0.05)
            until_more(acknowledged)
            counted = re.search(r'omnibus_moves_total{by="person"} (\d+)', guest.http.get("/metrics").text)
            assert counted
            assert int(counted[1]) > moves
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
