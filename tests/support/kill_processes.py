"""Kill one of two server processes on a PostgreSQL, or kill or freeze PostgreSQL itself, while people play at both."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from random import Random

import httpx

from support.kills import Acknowledged, Progress, Tally, nothing
from support.postgres import PostgresServer
from support.processes import children_of
from support.reconnecting import LONG_S, count, opened, timed_out, until_more, visitors
from support.server_process import Guest, ServerProcess, running_server

WORKERS = 2  # of a server with several processes
APART_S = 6.0  # at most, between two kills of its processes: often the one before is still being replaced
PLAYED_S = 3.0  # between two failures of PostgreSQL: long enough for what went wrong to show


def until_ready(running: list[ServerProcess]) -> None:
    """Wait until all server processes serve."""
    for each in running:
        while httpx.get(f"{each.url}/readyz", timeout=LONG_S).status_code != 200:
            time.sleep(0.05)


Watching = Callable[[Acknowledged, Sequence[str]], AbstractContextManager[None]]
"""Watches servers at their addresses, and those who play there, while they are killed."""


def unwatched(_acknowledged: Acknowledged, _addresses: Sequence[str]) -> AbstractContextManager[None]:
    """Watch nothing."""
    return nullcontext()


class Processes:
    """Two servers on one database, and somebody who visits both."""

    def __init__(self, stack: ExitStack, data: Path, address: str, watching: Watching) -> None:
        self._stack, self._data, self._address, self._watching = stack, data, address, watching
        self.running = [self._start() for _ in range(2)]
        self.addresses = [each.url for each in self.running]
        first = stack.enter_context(Guest(self.running[0].url))
        self.acknowledged = opened(first)
        self.guests = [first, stack.enter_context(first.also_at(self.running[1].url))]
        until_ready(self.running)

    def _start(self) -> ServerProcess:
        return self._stack.enter_context(running_server(self._data, database=self._address))

    def replace(self, number: int) -> None:
        """Start another process in place of one that was killed."""
        self.running[number] = self._start()
        self.addresses[number] = self.running[number].url
        self.guests[number].move_to(self.running[number].url)

    @contextmanager
    def played(self, tally: Tally) -> Iterator[None]:
        """Have people play at both, and count what becomes of their moves and how long they wait."""
        with visitors(self.guests, self.acknowledged):
            until_more(self.acknowledged)
            with self._watching(self.acknowledged, self.addresses):
                yield
            tally.timed_out = timed_out(self._address, self.acknowledged)
        until_ready(self.running)
        count(self._address, self.acknowledged, tally)


def kill_one_of_two(
    data: Path, address: str, kills: int, progress: Progress = nothing, watching: Watching = unwatched
) -> Tally:
    """Kill one of two servers and then the other; whoever was at the dead one plays on at the other."""
    random, tally = Random(1), Tally(kills)
    with ExitStack() as stack:
        two = Processes(stack, data, address, watching)
        with two.played(tally):
            for kill in range(kills):
                until_more(two.acknowledged)
                time.sleep(random.uniform(0.0, 0.4))
                two.running[kill % 2].kill()
                until_more(two.acknowledged)
                two.replace(kill % 2)
                progress()
    return tally


def kill_worker(
    data: Path, address: str, kills: int, progress: Progress = nothing, watching: Watching = unwatched
) -> Tally:
    """Kill one of the two processes behind one address, at random moments: the other may still be starting."""
    random, tally = Random(1), Tally(kills)
    with (
        running_server(data, "--processes", str(WORKERS), database=address) as running,
        Guest(running.url) as guest,
    ):
        acknowledged = opened(guest)
        with visitors([guest], acknowledged):
            until_more(acknowledged)
            with watching(acknowledged, [running.url]):
                for _ in range(kills):
                    os.kill(random.choice(serving(running)), signal.SIGKILL)
                    progress()
                    time.sleep(random.uniform(0.0, APART_S))
                until_more(acknowledged)
            tally.timed_out = timed_out(address, acknowledged)
        count(address, acknowledged, tally)
    return tally


def serving(running: ServerProcess) -> list[int]:
    """Return the processes of a server, as soon as it has enough of them."""
    until = time.monotonic() + LONG_S
    while time.monotonic() < until:
        found = workers_of(running)
        if len(found) >= WORKERS:
            return found
        time.sleep(0.01)
    raise AssertionError("the server has too few processes")


def workers_of(running: ServerProcess) -> list[int]:
    """Return the processes of a server, the eldest first: it has started them itself, or a helper has, which it has."""
    started = [pid for pid in children_of(running.process.pid) if "spawn_main" in command_of(pid)]
    return sorted([*started, *(pid for helper in helpers_of(running) for pid in children_of(helper))])


def helpers_of(running: ServerProcess) -> list[int]:
    """Return the processes from which those of a server are forked."""
    return [pid for pid in children_of(running.process.pid) if "multiprocessing.forkserver" in command_of(pid)]


def command_of(pid: int) -> str:
    """Return how a process was started; an empty text for one that has ended."""
    return subprocess.run(
        ["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout


def fail_postgres(
    data: Path,
    address: str,
    postgres: PostgresServer,
    times: int,
    progress: Progress = nothing,
    watching: Watching = unwatched,
    *,
    lasting: float = 0.0,
    freezes: bool = False,
) -> Tally:
    """Kill PostgreSQL under two servers, or freeze it (nothing is closed or answered): both wait until it is back."""
    tally = Tally(times)
    with ExitStack() as stack:
        two = Processes(stack, data, address, watching)
        with two.played(tally):
            for _ in range(times):
                until_more(two.acknowledged)
                if freezes:
                    with postgres.frozen():
                        time.sleep(lasting)
                else:
                    postgres.stop("immediate")
                    assert two.guests[0].http.get("/").status_code == 503
                    time.sleep(lasting)
                    postgres.start()
                until_more(two.acknowledged)
                time.sleep(PLAYED_S)
                progress()
    return tally
