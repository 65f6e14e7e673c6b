"""Worker processes that play the games of a contest and never outlive it."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType
from typing import Final

from omnibus.lab.arena.contest import Contest, GameResult, play_game

PATIENCE: Final = 5.0
"""Seconds a process has to exit by itself."""


class WorkerDied(Exception):
    """A worker process exited in the middle of a game: it was killed, or ran out of memory."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"a worker process exited in the middle of a game, with code {code}")


def play_games(
    contest: Contest, numbers: Iterable[int], jobs: int, folder: Path | None = None
) -> Generator[GameResult]:
    """Play games and yield them as they finish; with one job in this process, else in worker processes."""
    if jobs == 1:
        yield from (play_game(contest, number, folder) for number in numbers)
        return
    workers = _Workers(contest, jobs, folder)
    finished = False
    try:
        yield from workers.play(iter(numbers))
        finished = True
    finally:
        workers.close(finished)


class _Workers:
    """Processes, each at the other end of a pipe: a number goes in, a game comes out.

    When this process dies, the pipes close and the workers exit after their current game.
    """

    def __init__(self, contest: Contest, jobs: int, folder: Path | None) -> None:
        context = multiprocessing.get_context("spawn")
        self.workers: dict[Connection, SpawnProcess] = {}
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, contest, folder), daemon=True)
            process.start()
            theirs.close()
            self.workers[ours] = process

    def play(self, numbers: Iterator[int]) -> Iterator[GameResult]:
        busy = [pipe for pipe in self.workers if _send_next(pipe, numbers)]
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                try:
                    game: GameResult = pipe.recv()
                except EOFError:
                    self.workers[pipe].join()
                    raise WorkerDied(self.workers[pipe].exitcode) from None
                if not _send_next(pipe, numbers):
                    busy.remove(pipe)
                yield game

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


def _send_next(pipe: Connection, numbers: Iterator[int]) -> bool:
    """Send a worker its next game; False if there is none."""
    number = next(numbers, None)
    if number is None:
        return False
    pipe.send(number)
    return True


def _work(pipe: Connection, contest: Contest, folder: Path | None) -> None:
    """Play requested games until the pipe closes. Ctrl-C is left to the main process, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    try:
        while True:
            pipe.send(play_game(contest, pipe.recv(), folder))
    except (EOFError, BrokenPipeError):
        return


def _exit(number: int, frame: FrameType | None) -> None:
    """Exit by an exception, so that external bots are ended on the way."""
    raise SystemExit(0)
