"""Share work among processes, which never outlive the process that asked for it, or on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any, Final, Generic, TypeVar

from omnibus.lab.errors import WorkerDied

T = TypeVar("T")
R = TypeVar("R")

PATIENCE: Final = 5.0
"""Seconds a process has to exit by itself."""


def spread(
    work: Callable[[T], R], items: Sequence[T], jobs: int | None = None, *, ray: str | None = None
) -> Generator[R]:
    """Do the work for each item and yield the results as they come; with one job in this process, else in others.

    `ray` is the address of a Ray cluster to do it on. Without `jobs`, all cores are used: of this machine, or of the
    cluster. The work and its items and results are pickled on their way.
    """
    if ray is not None:
        from omnibus.lab.ray_cluster import spread_on_ray

        yield from spread_on_ray(work, items, ray, jobs)
        return
    jobs = min(jobs or os.cpu_count() or 1, len(items) or 1)
    if jobs == 1:
        yield from (work(item) for item in items)
        return
    workers = _Workers(work, jobs)
    finished = False
    try:
        yield from workers.results(iter(items))
        finished = True
    finally:
        workers.close(finished)


class _Workers(Generic[T, R]):
    """Processes, each at the other end of a pipe: an item goes in, a result comes out.

    When this process dies, the pipes close and the workers exit after their current item.
    """

    def __init__(self, work: Callable[[T], R], jobs: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.workers: dict[Connection, SpawnProcess] = {}
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, work), daemon=True)
            process.start()
            theirs.close()
            self.workers[ours] = process

    def results(self, items: Iterator[T]) -> Iterator[R]:
        busy = [pipe for pipe in self.workers if _send_next(pipe, items)]
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                try:
                    result: R = pipe.recv()
                except EOFError:
                    self.workers[pipe].join()
                    raise WorkerDied(f", with code {self.workers[pipe].exitcode}") from None
                if not _send_next(pipe, items):
                    busy.remove(pipe)
                yield result

    def close(self, finished: bool) -> None:
        """Stop the workers; unfinished ones at once."""
        for pipe, process in self.workers.items():
            pipe.close()
            if not finished:
                process.terminate()
        for process in self.workers.values():
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()


def _send_next(pipe: Connection, items: Iterator[Any]) -> bool:
    """Send a worker its next item; False if there is none."""
    try:
        pipe.send(next(items))
    except StopIteration:
        return False
    return True


def _work(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """Work until the pipe closes. Ctrl-C is left to the main process, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    try:
        while True:
            pipe.send(work(pipe.recv()))
    except (EOFError, BrokenPipeError):
        return


def _exit(number: int, frame: FrameType | None) -> None:
    """Exit by an exception, so that external bots are ended on the way."""
    raise SystemExit(0)
