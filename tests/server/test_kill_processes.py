"""Kill tests with two server processes on one PostgreSQL: nothing acknowledged is lost, and nothing is played twice.

Of two processes one is killed, or PostgreSQL itself; `OMNIBUS_KILLS` says how often, a hundred times in the benchmark.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from support.postgres import PostgresServer, missing
from support.reconnecting import LONG_S, check, opened, rows, until_more, visitors
from support.server_process import Guest, ServerProcess, running_server

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

KILLS = max(1, int(os.environ.get("OMNIBUS_KILLS", "0")) // 10)


def until_ready(running: list[ServerProcess]) -> None:
    """Wait until all server processes serve."""
    for each in running:
        while httpx.get(f"{each.url}/readyz", timeout=LONG_S).status_code != 200:
            time.sleep(0.05)


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
