"""Kill tests with two server processes on one PostgreSQL: nothing acknowledged is lost, and nothing is played twice.

Of two servers or processes one is killed, or PostgreSQL itself; `dev.py bench --kills` does it a hundred times.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from support.kill_processes import WORKERS, fail_postgres, helpers_of, kill_one_of_two, kill_worker, workers_of
from support.kills import Tally
from support.postgres import PostgresServer, missing
from support.processes import children_of
from support.reconnecting import LONG_S, check, number_of, opened, rows, until_more, visitors
from support.server_process import Guest, ServerProcess, running_server

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")]


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """A database for server processes."""
    name = postgres.create()
    yield postgres.address(name)
    postgres.drop(name)


def expect_all(tally: Tally) -> None:
    """Check that no move was lost and none played twice."""
    assert tally.acknowledged >= 2 * tally.kills
    assert (tally.lost, tally.twice) == (0, 0)


def test_one_of_two_servers_is_killed(tmp_path: Path, address: str) -> None:
    """The other goes on; whoever was at the dead one plays on there."""
    expect_all(kill_one_of_two(tmp_path / "data", address, 1))


def test_a_process_of_a_server_is_killed(tmp_path: Path, address: str) -> None:
    """It is replaced; whoever was connected to it plays on at the other."""
    expect_all(kill_worker(tmp_path / "data", address, 1))


def test_postgresql_is_killed(tmp_path: Path, address: str, postgres: PostgresServer) -> None:
    """Both server processes wait until it is back, and lose nothing."""
    expect_all(fail_postgres(tmp_path / "data", address, postgres, 1))


def test_rolling_restart(tmp_path: Path, address: str) -> None:
    """Processes behind one address are replaced one after the other; people play on, and the server ends when asked.

    What the old processes have counted stays in the metrics. The server is ready all the time.
    """
    arguments = ("--processes", "2", "--metrics", "127.0.0.1")
    with (
        running_server(tmp_path / "data", *arguments, database=address) as running,
        Guest(running.url) as guest,
    ):
        acknowledged = opened(guest)
        with visitors([guest], acknowledged), asking(running.url) as ready:
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
            assert set(ready) == {200}
        check(address, acknowledged)
        running.stop()
        assert running.process.returncode == 0


def test_processes_share_what_is_loaded(tmp_path: Path, address: str) -> None:
    """All are forked from one that has loaded everything; if it is gone they go on, and the next brings another.

    After SIGHUP it is another one, too: the old one has loaded the version before.
    """
    with running_server(tmp_path / "data", "--processes", "2", database=address) as running:
        (first,) = helpers_of(running)
        before = workers_of(running)
        assert children_of(first) == before
        os.kill(first, signal.SIGKILL)
        os.kill(before[0], signal.SIGKILL)
        second = until_another(running, first)
        os.kill(before[1], signal.SIGKILL)
        while len(children_of(second)) < WORKERS:
            time.sleep(0.05)
        running.process.send_signal(signal.SIGHUP)
        third = until_another(running, second)
        while len(children_of(third)) < WORKERS:
            time.sleep(0.05)
        assert httpx.get(f"{running.url}/readyz").status_code == 200


def until_another(running: ServerProcess, before: int) -> int:
    """Wait until a server has another helper than before, and return it."""
    until = time.monotonic() + LONG_S
    while (found := helpers_of(running)) in ([], [before]):
        assert time.monotonic() < until
        time.sleep(0.05)
    return found[-1]


@pytest.mark.parametrize("more", [(), ("--processes", "2")], ids=["one process", "two processes"])
def test_not_ready_before_it_listens_no_more(tmp_path: Path, address: str, more: tuple[str, ...]) -> None:
    """On SIGTERM a server says that it is not ready, and still serves whoever comes, and then ends as asked."""
    with running_server(tmp_path / "data", *more, database=address) as running:
        assert httpx.get(f"{running.url}/readyz").status_code == 200
        running.process.terminate()
        while (ready := httpx.get(f"{running.url}/readyz")).status_code == 200:
            time.sleep(0.02)
        assert (ready.status_code, ready.json()["why"]) == (503, "the server is about to stop")
        assert httpx.get(f"{running.url}/healthz").status_code == 200
        assert httpx.get(f"{running.url}/").status_code == 200
        running.stop()
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{running.url}/readyz")


@contextmanager
def asking(url: str) -> Iterator[list[int]]:
    """Ask a server again and again whether it is ready; yield what it has answered."""
    answers: list[int] = []
    stopping = threading.Event()

    def ask() -> None:
        while not stopping.wait(0.05):
            try:
                answers.append(httpx.get(f"{url}/readyz", timeout=LONG_S).status_code)
            except httpx.HTTPError:
                answers.append(0)

    asker = threading.Thread(target=ask, daemon=True)
    asker.start()
    yield answers
    stopping.set()
    asker.join(LONG_S)


def processes(address: str) -> set[str]:
    """Return the ids of the server processes on a database."""
    return {str(id_) for (id_,) in asyncio.run(rows(address, "SELECT id FROM processes"))}


def processes_at(address: str, table: str) -> set[str]:
    """Return the ids of the server processes to which somebody at a table is connected."""
    query = "SELECT process FROM presences WHERE place = ?"
    return {str(id_) for (id_,) in asyncio.run(rows(address, query, table))}
