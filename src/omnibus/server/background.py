"""One background thread for work that would hold up the event loop, shared fairly by those who ask for it.

Callers take turns: somebody who asks for much waits for it alone. How much may wait is limited, for each caller and in
all; where nothing is counted (a server that only this machine uses), neither is this.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from omnibus.server.http.rate_limits import CALLER, RateLimited

T = TypeVar("T")
Job = tuple[Callable[[], Any], "Future[Any]"]

MOST_OF_ONE: Final = 40  # jobs of one caller that wait; a browser asks for six things at once
MOST_IN_ALL: Final = 400
TRY_AGAIN_S: Final = 2


class BackgroundQueue:
    """Jobs for one thread: each caller's in their order, the callers in turn."""

    def __init__(self) -> None:
        self.thread: Executor = ThreadPoolExecutor(1, thread_name_prefix="background")
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[Job]] = {}
        self._number = 0

    def submit(self, caller: str | None, work: Callable[[], T]) -> Future[T]:
        """Add a job of a caller; RateLimited when too many wait already. Jobs of nobody (None) are not limited."""
        done: Future[T] = Future()
        with self._lock:
            own = self._waiting.get(caller or "", ())
            if caller is not None and (len(own) >= MOST_OF_ONE or self._number >= MOST_IN_ALL):
                raise RateLimited(TRY_AGAIN_S)
            self._waiting.setdefault(caller or "", deque()).append((work, done))
            self._number += 1
        self.thread.submit(self._do_next)
        return done

    def _do_next(self) -> None:
        work, done = self._next()
        if not done.set_running_or_notify_cancel():
            return  # whoever asked has gone
        try:
            result = work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(result)

    def _next(self) -> Job:
        """Take the first job of the caller whose turn it is; then it is the next one's."""
        with self._lock:
            caller, jobs = next(iter(self._waiting.items()))
            del self._waiting[caller]
            job = jobs.popleft()
            if jobs:
                self._waiting[caller] = jobs
            self._number -= 1
            return job


_QUEUE: Final = BackgroundQueue()


def work_in(executor: Executor) -> None:
    """Do the work elsewhere, where there are no threads: in a browser."""
    _QUEUE.thread = executor


async def in_background(function: Callable[..., T], *values: Any, **more: Any) -> T:
    """Call a function in the background thread when it is the caller's turn; RateLimited when too much waits."""
    caller = CALLER.get()
    key = None if caller is None else caller.person or caller.address
    return await asyncio.wrap_future(_QUEUE.submit(key, partial(function, *values, **more)))
