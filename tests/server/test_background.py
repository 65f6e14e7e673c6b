"""The background thread: nobody lets too much wait. That callers take turns is tested in test_fair_queue.py."""

from __future__ import annotations

import threading

import pytest

from omnibus.server import background
from omnibus.server.background import BackgroundQueue, in_background
from omnibus.server.fair_queue import Asker
from omnibus.server.http.rate_limits import CALLER, Caller, RateLimited, RateLimiter

ELSEWHERE = "198.51.100.1"


def asker(user: str, address: str = "") -> Asker:
    """Return somebody, at an address of their own if none is given."""
    return Asker(user, address or f"192.0.2.{ord(user[0])}")


def test_what_may_wait_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each caller, from each address and in all; what is not counted has no limit, and who has gone is left out."""
    monkeypatch.setattr(background, "MOST_OF_ONE", 2)
    monkeypatch.setattr(background, "MOST_OF_ADDRESS", 3)
    monkeypatch.setattr(background, "MOST_IN_ALL", 6)
    queue, begun, free = BackgroundQueue(), threading.Event(), threading.Event()
    done: list[str] = []

    def hold() -> None:
        begun.set()
        free.wait(20)

    queue.submit(asker("first"), hold)
    assert begun.wait(20)
    for user in ("x", "y", "z"):
        queue.submit(asker(user, ELSEWHERE), lambda user=user: done.append(user))  # type: ignore[misc]
    with pytest.raises(RateLimited):
        queue.submit(asker("one more", ELSEWHERE), lambda: done.append("too many"))
    gone = queue.submit(asker("a"), lambda: done.append("gone"))
    queue.submit(asker("a"), lambda: done.append("here"))
    with pytest.raises(RateLimited):
        queue.submit(asker("a"), lambda: done.append("too many"))
    queue.submit(asker("b"), lambda: done.append("b"))
    with pytest.raises(RateLimited):
        queue.submit(asker("c"), lambda: done.append("too many"))
    last = queue.submit(None, lambda: done.append("uncounted"))
    assert gone.cancel()
    free.set()
    last.result(20)
    queue.submit(asker("a"), lambda: None).result(20)
    assert sorted(done) == ["b", "here", "uncounted", "x", "y", "z"]


async def test_the_caller_is_the_visitor() -> None:
    """Results and errors come back, also for somebody who is counted."""
    before = CALLER.set(Caller(RateLimiter(), "ann", "192.0.2.1"))
    try:
        assert await in_background(pow, 2, 3) == 8
        with pytest.raises(ZeroDivisionError):
            await in_background(divmod, 1, 0)
    finally:
        CALLER.reset(before)
