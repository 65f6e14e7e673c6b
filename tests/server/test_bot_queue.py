"""The queue of questions: fair to users, the short before the long, bounded."""

from __future__ import annotations

from random import Random

import pytest

from omnibus.server.tables.bot_queue import FairQueue, QueueFull

LONG, SHORT = 1.0, 0.05


def served(queue: FairQueue[str]) -> list[str]:
    """Take everything out of a queue."""
    items = []
    while (job := queue.take()) is not None:
        items.append(job.item)
    return items


def test_one_user_is_served_in_order() -> None:
    """Who came first is served first, among jobs of one length."""
    queue: FairQueue[str] = FairQueue(9)
    for item in "abc":
        queue.add("ann", LONG, item)
    assert len(queue) == 3
    assert served(queue) == ["a", "b", "c"]
    assert queue.take() is None


def test_users_take_turns() -> None:
    """Somebody who comes late waits for one job of somebody who has many, not for all."""
    queue: FairQueue[str] = FairQueue(99)
    for number in range(5):
        queue.add("ann", LONG, f"ann {number}")
    assert queue.take()
    queue.add("bob", LONG, "bob 0")
    queue.add("bob", LONG, "bob 1")
    assert served(queue) == ["ann 1", "bob 0", "ann 2", "bob 1", "ann 3", "ann 4"]


def test_short_jobs_go_before_long_ones() -> None:
    """Of one user, and of another one who comes later."""
    queue: FairQueue[str] = FairQueue(99)
    queue.add("ann", LONG, "long")
    queue.add("ann", LONG, "longer")
    queue.add("ann", SHORT, "short")
    queue.add("bob", SHORT, "quick")
    assert served(queue) == ["short", "quick", "long", "longer"]


def test_no_flood_of_short_jobs_keeps_a_long_one_waiting() -> None:
    """It waits for as much as it takes itself, even when every short job is of another user."""
    queue: FairQueue[str] = FairQueue(99)
    queue.add("ann", LONG, "long")
    taken = []
    for number in range(100):
        queue.add(f"user {number}", SHORT, "short")
        job = queue.take()
        assert job
        taken.append(job.item)
    assert 0 < taken.index("long") <= LONG / SHORT


def test_only_so_many_wait_of_one_user() -> None:
    """Others can still come; a place that becomes free can be taken."""
    queue: FairQueue[str] = FairQueue(2)
    first, _ = queue.add("ann", LONG, "a"), queue.add("ann", LONG, "b")
    with pytest.raises(QueueFull):
        queue.add("ann", LONG, "c")
    queue.add("bob", LONG, "d")
    queue.drop(first)
    queue.add("ann", LONG, "e")
    assert sorted(served(queue)) == ["b", "d", "e"]


def test_a_dropped_job_costs_nothing() -> None:
    """Who drops many jobs that were not begun is served as if they had never been."""
    queue: FairQueue[str] = FairQueue(99)
    stale = [queue.add("ann", LONG, "stale") for _ in range(50)]
    queue.add("bob", LONG, "bob")
    queue.add("ann", SHORT, "ann")
    for job in stale:
        queue.drop(job)
        queue.drop(job)
    assert len(queue) == 2
    assert served(queue) == ["ann", "bob"]


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_lost_or_served_twice(seed: int) -> None:
    """Whatever is added is taken once, and the queue is empty in the end."""
    queue: FairQueue[int] = FairQueue(999)
    random, taken = Random(seed), []
    for number in range(100):
        queue.add(random.choice("abcd"), random.choice([SHORT, LONG]), number)
        if random.random() < 0.6 and (job := queue.take()) is not None:
            taken.append(job.item)
    while (job := queue.take()) is not None:
        taken.append(job.item)
    assert sorted(taken) == list(range(100))
    assert len(queue) == 0
