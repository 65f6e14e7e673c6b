"""Several processes that play the games of a contest, and end with it whatever happens."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType
from typing import Final

from omnibus.lab.arena.contest import Contest, Played, play_game

PATIENCE: Final = 5.0
"""Seconds a process has to end by itself."""


class Deserted(Exception):
    """A process of the arena has ended in the middle of a game: killed, or out of memory."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"a process of the arena ended in the middle of a game, with code {code}")


def played(contest: Contest, numbers: Iterable[int], jobs: int, folder: Path | None = None) -> Generator[Played]:
    """Play games as they finish: here if one process is enough, else in so many of their own."""
    if jobs == 1:
        yield from (play_game(contest, number, folder) for number in numbers)
        return
    crew = _Crew(contest, jobs, folder)
    finished = False
    try:
        yield from crew.play(iter(numbers))
        finished = True
    finally:
        crew.close(finished)


class _Crew:
    """Processes, each at the other end of a pipe: a number goes in, a game comes out.

    When this process is gone, however it went, the pipes are closed and the others end after the game they play.
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

    def play(self, numbers: Iterator[int]) -> Iterator[Played]:
        busy = [pipe for pipe in self.workers if _hand(pipe, numbers)]
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                try:
                    game: Played = pipe.recv()
                except EOFError:
                    self.workers[pipe].join()
                    raise Deserted(self.workers[pipe].exitcode) from None
                if not _hand(pipe, numbers):
                    busy.remove(pipe)
                yield game

    def close(self, finished: bool) -> None:
        """Send everybody home, at once if their games are of no use any more."""
        for pipe, process in self.workers.items():
            pipe.close()
            if not finished:
                process.terminate()
        for process in self.workers.values():
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()


def _hand(pipe: Connection, numbers: Iterator[int]) -> bool:
    """Give a process its next game; False if there is none."""
    number = next(numbers, None)
    if number is None:
        return False
    pipe.send(number)
    return True


def _work(pipe: Connection, contest: Contest, folder: Path | None) -> None:
    """Play what comes until nobody asks any more. Ctrl-C is for the process that asks; it ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    try:
        while True:
            pipe.send(play_game(contest, pipe.recv(), folder))
    except (EOFError, BrokenPipeError):
        return


def _leave(number: int, frame: FrameType | None) -> None:
    """End by way of an exception, so that outside programs are ended on the way."""
    raise SystemExit(0)
