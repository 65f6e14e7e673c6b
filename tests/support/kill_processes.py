"""Kill one of two server processes on a PostgreSQL, or PostgreSQL itself, while people play at both processes."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx

from support.kills import Progress, Tally, nothing
from support.postgres import PostgresServer
from support.reconnecting import LONG_S, count, opened, until_more, visitors
from support.server_process import Guest, ServerProcess, running_server


def until_ready(running: list[ServerProcess]) -> None:
    """Wait until all server processes serve."""
    for each in running:
        while httpx.get(f"{each.url}/readyz", timeout=LONG_S).status_code != 200:
            time.sleep(0.05)


class Processes:
    """Two server processes on one database, and somebody who visits both."""

    def __init__(self, stack: ExitStack, data: Path, address: str) -> None:
        self._stack, self._data, self._address = stack, data, address
        self.running = [self._start() for _ in range(2)]
        first = stack.enter_context(Guest(self.running[0].url))
        self.acknowledged = opened(first)
        self.guests = [first, stack.enter_context(first.also_at(self.running[1].url))]

    def _start(self) -> ServerProcess:
        return self._stack.enter_context(running_server(self._data, database=self._address))

    def replace(self, number: int) -> None:
        """Start another process in place of one that was killed."""
        self.running[number] = self._start()
        self.guests[number].move_to(self.running[number].url)


def kill_one_of_two(data: Path, address: str, kills: int, progress: Progress = nothing) -> Tally:
    """Kill one of two processes and then the other; whoever was at the dead one plays on at the other."""
    random = Random(1)
    with ExitStack() as stack:
        two = Processes(stack, data, address)
        with visitors(two.guests, two.acknowledged):
            for kill in range(kills):
                until_more(two.acknowledged)
                time.sleep(random.uniform(0.0, 0.4))
                two.running[kill % 2].kill()
                until_more(two.acknowledged)
                two.replace(kill % 2)
                progress()
        return count(address, two.acknowledged, kills)


def kill_postgres(
    data: Path, address: str, postgres: PostgresServer, kills: int, progress: Progress = nothing
) -> Tally:
    """Kill PostgreSQL under two processes: both wait until it is back."""
    with ExitStack() as stack:
        two = Processes(stack, data, address)
        until_ready(two.running)
        with visitors(two.guests, two.acknowledged):
            for _ in range(kills):
                until_more(two.acknowledged)
                postgres.stop("immediate")
                assert two.guests[0].http.get("/").status_code == 503
                postgres.start()
                until_more(two.acknowledged)
                progress()
        until_ready(two.running)
        return count(address, two.acknowledged, kills)
