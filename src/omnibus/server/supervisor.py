"""Runs several server processes, replaces those that die, and restarts them one after the other when asked to."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Final

LOG: Final = logging.getLogger("omnibus.processes")
LOOK_S: Final = 0.5  # between two looks at signals
START_S: Final = 60.0  # for a process to begin to serve
STOP_S: Final = 30.0  # for a process to end by itself
PAUSE_S: Final = 1.0  # before a process that has died is replaced

Target = Callable[[int, Connection], None]
"""What a process does, given its number from 0 on; it sends something when it has begun to serve."""
Ended = Callable[[int], None]
"""Called with the id of a process that has ended, while others go on."""


class ServerWorker:
    """A process."""

    def __init__(self, target: Target, number: int) -> None:
        self.number = number
        context = get_context("spawn")
        self._ready, there = context.Pipe(duplex=False)
        self.process: SpawnProcess = context.Process(target=target, args=(number, there))
        self.process.start()
        there.close()

    def serves(self) -> bool:
        """Wait until it serves; False when it has died instead, or takes too long."""
        wait([self._ready, self.process.sentinel], START_S)
        try:
            return self._ready.poll() and bool(self._ready.recv())
        except EOFError:
            return False

    def stop(self) -> None:
        """Ask it to finish what it has begun, and wait for that."""
        self.process.terminate()
        self.process.join(STOP_S)
        self.process.kill()
        self.process.join()
        self._ready.close()


class Supervisor:
    """Keeps a number of processes running until a signal says to stop; SIGHUP restarts them one by one."""

    def __init__(self, target: Target, number: int, ended: Ended) -> None:
        self._target = target
        self._ended = ended
        self._workers = [ServerWorker(target, each) for each in range(number)]
        self._stopping = False
        self._restarting = False
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self._restart)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _restart(self, number: int, frame: FrameType | None) -> None:
        self._restarting = True

    def run(self, greeting: str) -> None:
        """Watch the processes, and greet when they serve; ValueError when they cannot even begin to."""
        try:
            if not all(worker.serves() for worker in self._workers) and not self._stopping:
                raise ValueError("the server processes could not be started")
            print(greeting, flush=True)  # noqa: T201 — for the person at the terminal
            while not self._stopping:
                wait([worker.process.sentinel for worker in self._workers], LOOK_S)
                if self._restarting and not self._stopping:
                    self._restarting = False
                    self._restart_all()
                self._replace_dead()
        finally:
            self._stop_all()

    def _restart_all(self) -> None:
        """Replace one process after the other: the next is asked to stop only when its predecessor serves."""
        for old in list(self._workers):
            new = ServerWorker(self._target, old.number)
            if not new.serves():
                self._end(new)
                LOG.error("a new process does not serve, so the old ones stay")
                return
            self._workers[old.number] = new
            self._end(old)

    def _replace_dead(self) -> None:
        for worker in list(self._workers):
            if not worker.process.is_alive() and not self._stopping:
                LOG.error("a process has died", extra={"exit": worker.process.exitcode})
                self._end(worker)
                time.sleep(PAUSE_S)
                self._workers[worker.number] = ServerWorker(self._target, worker.number)

    def _end(self, worker: ServerWorker) -> None:
        """Stop a process, if it has not died."""
        worker.stop()
        if worker.process.pid is not None:
            self._ended(worker.process.pid)

    def _stop_all(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.stop()


def supervise(target: Target, number: int, greeting: str, ended: Ended) -> None:
    """Run a number of processes until this one is told to stop; print a greeting when they serve."""
    Supervisor(target, number, ended).run(greeting)
