"""Bots think in processes of their own, so that a long thought never holds up the server.

Questions wait in a queue that is fair to the addresses from which they are asked, and to the users there. A worker
that ends or does not answer in time is replaced, and the question is put again to another one. Decisions that are to be
judged afterwards wait in a queue of their own. No bot at a table waits for them: they leave one worker free, and if
there is only one, a bot gets another beside it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from omnibus.bots import THINKERS
from omnibus.bots.hard import SECONDS
from omnibus.server.fair_queue import FairQueue, LastAddresses, QueueFull
from omnibus.server.tables.bot_process import StartProcess, WorkerProcess, start_process
from omnibus.server.tables.bot_worker import MOST_KEPT, Answer, Question

LOG: Final = logging.getLogger("omnibus.bots")
COMMAND: Final = (sys.executable, "-m", "omnibus.server.tables.bot_worker")
LONGEST_THOUGHT: Final = 30.0  # seconds
LONGEST_START: Final = 60.0
QUICK_THOUGHT: Final = 0.05  # what a level takes that does not search; measured, at most
RESTART_S: Final = 1.0  # before a worker that ended by itself is replaced: one that cannot live must not be all we do
TRIES: Final = 3
PATIENCE: Final = 2.0  # seconds, for a process to end that was killed
MOST_WAITING: Final = 16  # questions of one user
MOST_FROM_ADDRESS: Final = 200

Clock = Callable[[], float]
FindCore = Callable[[], str]


def compiled_core() -> str:
    """Return the folder of a compiled core that was not there when the server started, or "".

    `dev.py play` compiles it in the background and names it in OMNIBUS_NEXT_CORE; it is complete when it says `done`.
    """
    folder = os.environ.get("OMNIBUS_NEXT_CORE", "")
    return folder if folder and (Path(folder) / "done").exists() else ""


class NoAnswer(Exception):
    """No worker could answer a question."""


class TooManyWaiting(NoAnswer):
    """The user, or everybody at the address, already has too many questions waiting."""


class WorkerLost(Exception):
    """A worker has ended, did not answer in time, or sent something that is not an answer."""


class Reply(NamedTuple):
    """An answer, and when a worker began to think about it, by the pool's clock."""

    answer: Answer
    began: float


class _Asked(NamedTuple):
    question: Question
    reply: asyncio.Future[Reply]


def thinking_time(question: Question) -> float:
    """Return about how many seconds a question takes."""
    if question.judged:
        return question.seconds
    return SECONDS if question.bot in THINKERS else QUICK_THOUGHT


class BotWorker:
    """A worker process, and what it remembers."""

    def __init__(self, process: WorkerProcess, core: str) -> None:
        self.core = core
        """The folder of the compiled core it uses, or "" if it uses the same as the server."""
        self._process = process
        self._ready = False
        self._seats: deque[str] = deque(maxlen=MOST_KEPT)  # those whose trees it keeps, the latest last
        self.ended = asyncio.ensure_future(process.wait())

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def ready(self) -> None:
        """Wait until a new worker listens: what it takes to start is not thinking."""
        if not self._ready:
            try:
                said = await asyncio.wait_for(self._process.read_line(), LONGEST_START)
            except (TimeoutError, OSError, ValueError) as error:
                raise WorkerLost from error
            if not said:
                raise WorkerLost
            self._ready = True

    async def ask(self, question: Question, longest: float) -> Answer:
        """Put a question; WorkerLost when no answer comes."""
        try:
            return await asyncio.wait_for(self._put(question), longest)
        # uvloop raises RuntimeError for writing to a process that has ended
        except (TimeoutError, OSError, RuntimeError, ValueError, msgspec.DecodeError) as error:
            raise WorkerLost from error

    def remembers(self, question: Question) -> bool:
        """Tell whether it keeps what it has searched before for the same seat."""
        return question.seat_at in self._seats

    async def _put(self, question: Question) -> Answer:
        if question.seat_at:
            if question.seat_at in self._seats:
                self._seats.remove(question.seat_at)
            self._seats.append(question.seat_at)
        await self._process.write_line(msgspec.json.encode(question))
        return msgspec.json.decode(await self._process.read_line(), type=Answer)

    async def end(self) -> None:
        """Kill the process, and wait a little until it is gone."""
        self._process.kill()
        await asyncio.wait([self.ended], timeout=PATIENCE)
        self.ended.cancel()


class BotPool:
    """A few worker processes and the questions waiting for them."""

    def __init__(
        self,
        number: int,
        command: Sequence[str] = COMMAND,
        longest_thought: float = LONGEST_THOUGHT,
        clock: Clock = time.monotonic,
        find_core: FindCore = compiled_core,
        start: StartProcess = start_process,
    ) -> None:
        self._number = number
        self._most = max(2, number)
        """So many workers think at the same time, if one of them judges."""
        self._start_process = start
        self._command = tuple(command)
        self._longest_thought = longest_thought
        self._clock = clock
        self._find_core = find_core
        self.addresses = LastAddresses()
        """Where the users are on whose behalf questions are put."""
        self._queue: FairQueue[_Asked] = FairQueue(MOST_WAITING, MOST_FROM_ADDRESS)
        self._later: FairQueue[_Asked] = FairQueue(MOST_WAITING, MOST_FROM_ADDRESS)  # what nobody at a table waits for
        self._workers: set[BotWorker] = set()
        self._idle: list[BotWorker] = []
        self._busy = 0  # workers that think, or are about to be there
        self._judging = 0  # those of them that judge a decision
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.replaced = 0

    @property
    def idle(self) -> list[int]:
        """The processes that wait for a question."""
        return [worker.pid for worker in self._idle]

    @property
    def busy(self) -> int:
        """How many workers think about a question."""
        return self._busy

    @property
    def queued(self) -> int:
        """How many questions wait for a worker, besides decisions that are to be judged."""
        return len(self._queue)

    async def warm(self, number: int) -> None:
        """Start workers before they are needed."""
        self._idle += [await self._start() for _ in range(number)]

    async def ask(self, question: Question, user: str = "") -> Reply:
        """Put a question to a worker, on behalf of a user; NoAnswer when it cannot be put, or is not answered.

        Whoever stops waiting is forgotten: a question that was not put yet is not put any more.
        """
        if self._closed:
            raise NoAnswer("nobody is asked any more")
        asked = _Asked(question, asyncio.get_running_loop().create_future())
        queue = self._later if question.judged else self._queue
        try:
            job = queue.add(self.addresses.asker(user), thinking_time(question), asked)
        except QueueFull:
            raise TooManyWaiting(user) from None
        self._put_questions()
        try:
            return await asked.reply
        finally:
            queue.drop(job)

    async def close(self) -> None:
        """End all workers; no question is accepted afterwards."""
        self._closed = True
        while (job := self._queue.take() or self._later.take()) is not None:
            job.item.reply.set_exception(NoAnswer("nobody is asked any more"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self._workers))
        self._idle.clear()

    def _put_questions(self) -> None:
        """Give waiting questions to idle workers."""
        while self._busy < self._most and not self._closed:
            job = self._queue.take() if self._busy - self._judging < self._number else None
            if job is None and self._has_time():
                job = self._later.take()
            if job is None:
                return
            question = job.item.question
            self._occupy(self._serve(self._idle_worker(question), job.item), judges=bool(question.judged))

    def _has_time(self) -> bool:
        """Tell whether a decision may be judged now: no bot waits, and one worker stays free for the next that does."""
        return self._busy == 0 or self._busy < self._most - 1

    def _idle_worker(self, question: Question) -> BotWorker | None:
        """Return an idle worker for a question, if there is one: best the one that keeps a tree for it."""
        worker = next((idle for idle in self._idle if idle.remembers(question)), self._idle[0] if self._idle else None)
        if worker is not None:
            self._idle.remove(worker)
        return worker

    def _occupy(self, work: Coroutine[Any, Any, BotWorker | None], *, judges: bool = False) -> None:
        """Run something in place of a worker; it leaves an idle worker, or None."""

        async def do() -> None:
            worker = None
            try:
                worker = await work
            finally:
                self._busy -= 1
                self._judging -= judges
                if worker is not None:
                    self._rest(worker)
                self._put_questions()

        self._busy += 1
        self._judging += judges
        self._spawn(do())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, worker: BotWorker | None, asked: _Asked) -> BotWorker | None:
        """Have a question answered, by one worker after another if need be; return the one that is left."""
        question, reply = asked
        try:
            for _ in range(TRIES):
                try:
                    worker = worker or await self._start()
                    await worker.ready()
                    began = self._clock()
                    answer = await worker.ask(question, self._longest_thought)
                except (WorkerLost, OSError):
                    await self._lose(worker, question)
                    worker = None
                    if reply.done():
                        break  # nobody waits for it any more
                else:
                    if not reply.done():
                        _tell(reply, Reply(answer, began))
                    return worker
        finally:
            if not reply.done():
                reply.set_exception(NoAnswer(f"{question.bot} could not be asked for a move of {question.game}"))
        return None

    async def _lose(self, worker: BotWorker | None, question: Question) -> None:
        self.replaced += 1
        LOG.warning("worker replaced", extra={"game": question.game, "bot": question.bot})
        if worker is not None:
            await worker.end()

    # workers

    async def _start(self) -> BotWorker:
        core = self._find_core()
        worker = BotWorker(await self._start_process(self._command, core), core)
        self._workers.add(worker)
        worker.ended.add_done_callback(lambda _: self._ended(worker))
        return worker

    def _rest(self, worker: BotWorker) -> None:
        """Return a worker to the idle ones; replace it if it has ended since its last answer, or has an old core."""
        if worker in self._workers and worker.core != self._find_core() and not self._closed:
            self._spawn(self._renew(worker))
        elif worker in self._workers:
            self._idle.append(worker)
        elif not self._closed:
            self._spawn(self._replace())

    def _ended(self, worker: BotWorker) -> None:
        """Notice that a process has ended: one that was idle is replaced here, a busy one by whoever waits for it."""
        self._workers.discard(worker)
        if worker in self._idle and not self._closed:
            self._idle.remove(worker)
            self._spawn(self._replace())

    async def _renew(self, worker: BotWorker) -> None:
        """Replace a worker by one with the core that has been compiled since it was started."""
        await worker.end()
        if self._busy + len(self._idle) < self._number:
            self._occupy(self._fresh())

    async def _replace(self) -> None:
        """Start a worker for one that has ended, unless a question has brought one about meanwhile."""
        self.replaced += 1
        LOG.warning("idle worker replaced")
        await asyncio.sleep(RESTART_S)
        if self._busy + len(self._idle) < self._number:
            self._occupy(self._fresh())

    async def _fresh(self) -> BotWorker | None:
        try:
            worker = await self._start()
            await worker.ready()
        except (WorkerLost, OSError):
            return None
        return worker


def _tell(reply: asyncio.Future[Reply], told: Reply) -> None:
    """Pass a worker's answer to whoever waits for it."""
    if told.answer.error:
        reply.set_exception(NoAnswer(told.answer.error))
    else:
        reply.set_result(told)
