"""Runs several server processes, replaces those that die, and restarts them one after the other when asked to.

They are forked from a helper that has loaded everything (`multiprocessing`'s fork server): what takes a second and more
on a machine that has just lost a process is done beforehand, and the memory it takes is shared. Where there is no such
helper, on Windows, every process loads everything itself.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from types import FrameType
from typing import Final

LOG: Final = logging.getLogger("omnibus.processes")
LOADED: Final = "omnibus.server.loaded"
LOOK_S: Final = 0.5  # between two looks at signals
START_S: Final = 60.0  # for a process to begin to serve
STOP_S: Final = 30.0  # for a process to end by itself
PAUSE_S: Final = 1.0  # before a process that has died without having served is replaced

Target = Callable[[int, Connection], None]
"""What a process does, given its number from 0 on; it sends the id of the process that has started it when it has begun
to serve, and keeps its end of the pipe open as long as it lives."""
Ended = Callable[[int], None]
"""Called with the id of a process that has ended, while others go on."""


def _context() -> ForkServerContext | SpawnContext:
    """Return how processes are started."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([LOADED])
    return context


class ServerWorker:
    """A process. That it lives is known from its pipe alone: the helper it was forked from may die before it."""

    def __init__(self, context: ForkServerContext | SpawnContext, target: Target, number: int) -> None:
        self.pipe, there = context.Pipe(duplex=False)
        self.process = context.Process(target=target, args=(number, there))
        self.process.start()
        there.close()
        self.started_by: int | None = None
        self._ended = False

    @property
    def serves(self) -> bool:
        """Whether it has begun to serve, at some moment."""
        self._listen()
        return self.started_by is not None

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        self._listen()
        return not self._ended

    def _listen(self) -> None:
        try:
            while not self._ended and self.pipe.poll():
                self.started_by = self.pipe.recv()
        except (EOFError, OSError):
            self._ended = True

    def tell(self, number: int) -> None:
        """Send it a signal. SIGINT asks it to leave without a word: at its address others serve."""
        if self.alive and self.process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, number)

    def finish(self) -> None:
        """Wait until it has finished what it has begun, but not without end."""
        until = time.monotonic() + STOP_S
        while self.alive and time.monotonic() < until:
            wait([self.pipe], LOOK_S)
        self.tell(signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        self.process.join()
        self.pipe.close()


class Supervisor:
    """Keeps a number of processes running until a signal says to stop; SIGHUP restarts them one by one."""

    def __init__(self, target: Target, number: int, ended: Ended) -> None:
        self._context = _context()
        self._target = target
        self._ended = ended
        self._workers = [self._start(each) for each in range(number)]
        self._stopping = False
        self._restarting = False
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self._restart)

    def _start(self, number: int) -> ServerWorker:
        return ServerWorker(self._context, self._target, number)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _restart(self, number: int, frame: FrameType | None) -> None:
        self._restarting = True

    def run(self, greeting: str) -> None:
        """Watch the processes, and greet when they serve; ValueError when they cannot even begin to."""
        try:
            if not all(self._serves(worker) for worker in self._workers) and not self._stopping:
                raise ValueError("the server processes could not be started")
            print(greeting, flush=True)  # noqa: T201 — for the person at the terminal
            while not self._stopping:
                wait([worker.pipe for worker in self._workers], LOOK_S)
                if self._restarting and not self._stopping:
                    self._restarting = False
                    self._restart_all()
                self._replace_dead()
        finally:
            self._stop_all()

    def _serves(self, worker: ServerWorker, meanwhile: Callable[[], None] = lambda: None) -> bool:
        """Wait until a process serves; False when it has died instead, or takes too long."""
        until = time.monotonic() + START_S
        while not worker.serves and worker.alive and time.monotonic() < until and not self._stopping:
            wait([worker.pipe], LOOK_S)
            meanwhile()
        return worker.serves

    def _restart_all(self) -> None:
        """Replace one process after the other: the next is asked to leave only when its predecessor serves."""
        for worker in self._workers:
            self._serves(worker)  # only then it says who has started it
        self._forget_loaded()
        for number in range(len(self._workers)):
            new = self._start(number)
            if not self._serves(new, self._replace_dead):
                self._end(new)
                LOG.error("a new process does not serve, so the old ones stay")
                return
            old, self._workers[number] = self._workers[number], new
            self._end(old)

    def _forget_loaded(self) -> None:
        """End the helper that has loaded the version before; the next process brings another one with it."""
        for helper in {worker.started_by for worker in self._workers} - {None, os.getpid()}:
            assert helper is not None
            with suppress(ChildProcessError):  # it has ended before, and its number may be another's by now
                if os.waitid(os.P_PID, helper, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                    os.kill(helper, signal.SIGTERM)
                    os.waitid(os.P_PID, helper, os.WEXITED | os.WNOWAIT)

    def _replace_dead(self) -> None:
        for number, worker in enumerate(self._workers):
            if not worker.alive and not self._stopping:
                self._end(worker)
                LOG.error("a process has died", extra={"exit": worker.process.exitcode})
                if not worker.serves:
                    time.sleep(PAUSE_S)
                self._workers[number] = self._start(number)

    def _end(self, worker: ServerWorker) -> None:
        """End a process, if it has not died; others go on."""
        worker.tell(signal.SIGINT)
        worker.finish()
        if worker.process.pid is not None:
            self._ended(worker.process.pid)

    def _stop_all(self) -> None:
        for worker in self._workers:
            worker.tell(signal.SIGTERM)
        for worker in self._workers:
            worker.finish()


def supervise(target: Target, number: int, greeting: str, ended: Ended) -> None:
    """Run a number of processes until this one is told to stop; print a greeting when they serve."""
    Supervisor(target, number, ended).run(greeting)
