"""One background thread for work that would hold up the event loop, shared fairly by those who ask for it.

Addresses take turns, and users at an address: somebody who asks for much waits for it alone. How much may wait is
limited, for each user, for each address and in all; where nothing is counted (a server that only this machine uses),
neither is this.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from omnibus.server.fair_queue import Asker, FairQueue, QueueFull
from omnibus.server.http.rate_limits import CALLER, RateLimited

T = TypeVar("T")
Work = tuple[Callable[[], Any], "Future[Any]"]

MOST_OF_ONE: Final = 40  # jobs of one user that wait; a browser asks for six things at once
MOST_OF_ADDRESS: Final = 120
MOST_IN_ALL: Final = 400
TRY_AGAIN_S: Final = 2
A_JOB: Final = 1.0  # what a job counts; nobody knows before how long it takes
NOBODY: Final = Asker()


class BackgroundQueue:
    """Jobs for one thread: each user's in their order, the addresses in turn, and the users of each."""

    def __init__(self) -> None:
        self.thread: Executor = ThreadPoolExecutor(1, thread_name_prefix="background")
        self._lock = threading.Lock()
        self._waiting: FairQueue[Work] = FairQueue(MOST_OF_ONE, MOST_OF_ADDRESS, MOST_IN_ALL)

    def submit(self, asker: Asker | None, work: Callable[[], T]) -> Future[T]:
        """Add a job for somebody; RateLimited when too many wait already. Jobs for nobody (None) are not limited."""
        done: Future[T] = Future()
        with self._lock:
            try:
                self._waiting.add(asker or NOBODY, A_JOB, (work, done), limited=asker is not None)
            except QueueFull:
                raise RateLimited(TRY_AGAIN_S) from None
        self.thread.submit(self._do_next)
        return done

    def _do_next(self) -> None:
        with self._lock:
            job = self._waiting.take()
        assert job is not None  # there is one for every call of this method
        work, done = job.item
        if not done.set_running_or_notify_cancel():
            return  # whoever asked has gone
        try:
            result = work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(result)


_QUEUE: Final = BackgroundQueue()


def work_in(executor: Executor) -> None:
    """Do the work elsewhere, where there are no threads: in a browser."""
    _QUEUE.thread = executor


def do_later(function: Callable[[], object]) -> None:
    """Call a function in the background thread at some time; nobody waits for it."""
    _QUEUE.submit(None, function)


async def in_background(function: Callable[..., T], *values: Any, **more: Any) -> T:
    """Call a function in the background thread when it is the caller's turn; RateLimited when too much waits."""
    caller = CALLER.get()
    asker = None if caller is None else Asker(caller.person or "", caller.address)
    return await asyncio.wrap_future(_QUEUE.submit(asker, partial(function, *values, **more)))
