"""The background thread: nobody lets too much wait. That callers take turns is tested in test_fair_queue.py."""

from __future__ import annotations

import threading

import pytest

from omnibus.server import background
from omnibus.server.background import BackgroundQueue, in_background
from omnibus.server.fair_queue import Asker
from omnibus.server.http.rate_limits import CALLER, Caller, RateLimited, RateLimiter


def asker(user: str, address: str = "") -> Asker:
    """Return somebody, at an address of their own if none is given."""
    return Asker(user, address or f"192.0.2.{ord(user[0])}")


class Held:
    """A queue whose thread is busy until it is let go."""

    def __init__(self) -> None:
        self.queue = BackgroundQueue()
        self.done: list[str] = []
        self._free = threading.Event()
        self._begun = threading.Event()
        self.queue.submit(asker("first"), self._wait)
        assert self._begun.wait(20)

    def _wait(self) -> None:
        self._begun.set()
        self._free.wait(20)

    def finish(self) -> list[str]:
        """Let the thread work, and return what it did in which order."""
        last = self.queue.submit(None, lambda: None)
        self._free.set()
        last.result(20)
        self.queue.submit(None, lambda: None).result(20)
        return self.done


def test_an_address_fills_only_its_part() -> None:
    """However many users it has: those elsewhere are not refused."""
    held = Held()
    for number in range(background.MOST_OF_ADDRESS):
        held.queue.submit(asker(f"user {number}", "198.51.100.1"), lambda: None)
    with pytest.raises(RateLimited):
        held.queue.submit(asker("one more", "198.51.100.1"), lambda: None)
    held.queue.submit(asker("bob"), lambda: held.done.append("bob"))
    assert held.finish() == ["bob"]


def test_what_may_wait_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each caller and in all; where nothing is counted there is no limit."""
    monkeypatch.setattr(background, "MOST_OF_ONE", 2)
    monkeypatch.setattr(background, "MOST_IN_ALL", 3)
    held = Held()
    for caller in ("a", "a", "b"):
        held.queue.submit(asker(caller), lambda: held.done.append(""))
    for caller in ("a", "c"):
        with pytest.raises(RateLimited):
            held.queue.submit(asker(caller), lambda: held.done.append("too many"))
    held.queue.submit(None, lambda: held.done.append("uncounted"))
    assert sorted(held.finish()) == ["", "", "", "uncounted"]
    held.queue.submit(asker("a"), lambda: None).result(20)


def test_what_nobody_waits_for_is_left_out() -> None:
    """A job whose caller has gone is not done."""
    held = Held()
    gone = held.queue.submit(asker("a"), lambda: held.done.append("gone"))
    held.queue.submit(asker("a"), lambda: held.done.append("here"))
    assert gone.cancel()
    assert held.finish() == ["here"]


async def test_the_caller_is_the_visitor() -> None:
    """Results and errors come back, also for somebody who is counted."""
    before = CALLER.set(Caller(RateLimiter(), "ann", "192.0.2.1"))
    try:
        assert await in_background(pow, 2, 3) == 8
        with pytest.raises(ZeroDivisionError):
            await in_background(divmod, 1, 0)
    finally:
        CALLER.reset(before)
