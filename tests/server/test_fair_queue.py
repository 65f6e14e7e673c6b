"""The queue of work: fair to addresses, then to users, the short before the long, bounded."""

from __future__ import annotations

from random import Random

import pytest

from omnibus.server import fair_queue
from omnibus.server.fair_queue import Asker, FairQueue, LastAddresses, QueueFull
from omnibus.server.http.rate_limits import WIDE_ALLOWANCE

LONG, SHORT = 1.0, 0.05
ADDRESSES = ("192.0.2.1", "192.0.2.2", "2001:db8::/64", "2001:db8:0:1::/64")
ANN, BOB = Asker("ann", "192.0.2.1"), Asker("bob", "192.0.2.2")


def served(queue: FairQueue[str]) -> list[str]:
    """Take everything out of a queue."""
    items = []
    while (job := queue.take()) is not None:
        items.append(job.item)
    return items


def test_one_user_is_served_in_order() -> None:
    """Who came first is served first, among jobs of one length."""
    queue: FairQueue[str] = FairQueue(9, 999)
    for item in "abc":
        queue.add(ANN, LONG, item)
    assert len(queue) == 3
    assert served(queue) == ["a", "b", "c"]
    assert queue.take() is None


def test_users_take_turns() -> None:
    """Somebody who comes late waits for one job of somebody who has many, not for all."""
    queue: FairQueue[str] = FairQueue(99, 999)
    for number in range(5):
        queue.add(ANN, LONG, f"ann {number}")
    assert queue.take()
    queue.add(BOB, LONG, "bob 0")
    queue.add(BOB, LONG, "bob 1")
    assert served(queue) == ["ann 1", "bob 0", "ann 2", "bob 1", "ann 3", "ann 4"]


def test_short_jobs_go_before_long_ones() -> None:
    """Of one user, and of another one who comes later."""
    queue: FairQueue[str] = FairQueue(99, 999)
    queue.add(ANN, LONG, "long")
    queue.add(ANN, LONG, "longer")
    queue.add(ANN, SHORT, "short")
    queue.add(BOB, SHORT, "quick")
    assert served(queue) == ["short", "quick", "long", "longer"]


def test_no_flood_of_short_jobs_keeps_a_long_one_waiting() -> None:
    """It waits for as much as it takes itself, even when every short job is of another user."""
    queue: FairQueue[str] = FairQueue(99, 999)
    queue.add(ANN, LONG, "long")
    taken = []
    for number in range(100):
        queue.add(Asker(f"user {number}", f"198.51.100.{number}"), SHORT, "short")
        job = queue.take()
        assert job
        taken.append(job.item)
    assert 0 < taken.index("long") <= LONG / SHORT


def crowd(queue: FairQueue[str], addresses: list[str]) -> None:
    """Let three jobs wait for each of several users, one at each address."""
    for number, address in enumerate(addresses):
        for _ in range(3):
            queue.add(Asker(f"user {number}", address), LONG, "crowd")


@pytest.mark.parametrize(
    "addresses",
    [["192.0.2.9"] * 20, [f"2001:db8:0:{number:x}::/64" for number in range(200)]],
    ids=["users of one address", "addresses of one IPv6 network"],
)
def test_many_users_of_one_address_count_as_one(addresses: list[str]) -> None:
    """Somebody elsewhere waits for one or two of their jobs, not for one of each; a network has a few shares."""
    queue: FairQueue[str] = FairQueue(99, 999)
    crowd(queue, addresses)
    assert queue.take()
    for _ in range(3):
        queue.add(BOB, LONG, "bob")
    order = served(queue)
    shares = 1 if "." in addresses[0] else WIDE_ALLOWANCE
    assert [place for place, item in enumerate(order) if item == "bob"][2] <= 3 * (shares + 1)


def test_only_so_many_wait_from_one_address_and_in_all() -> None:
    """Whatever users there are; what is not limited waits nevertheless."""
    queue: FairQueue[str] = FairQueue(9, 3, 5)
    for number in range(3):
        queue.add(Asker(f"user {number}", "192.0.2.1"), LONG, "a")
    with pytest.raises(QueueFull):
        queue.add(Asker("one more", "192.0.2.1"), LONG, "b")
    queue.add(BOB, LONG, "c")
    queue.add(BOB, LONG, "d")
    with pytest.raises(QueueFull):
        queue.add(Asker("cy", "192.0.2.3"), LONG, "e")
    queue.add(Asker(), LONG, "f", limited=False)
    assert sorted(served(queue)) == ["a", "a", "a", "c", "d", "f"]


def test_users_count_for_the_address_they_were_last_seen_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those longest unseen are forgotten; whoever is not known has no address."""
    monkeypatch.setattr(fair_queue, "MOST_KNOWN", 2)
    addresses = LastAddresses()
    for user, address in (("ann", "192.0.2.1"), ("bob", "192.0.2.2"), ("ann", "192.0.2.3"), ("cy", "192.0.2.4")):
        addresses.note(user, address)
    assert [addresses.asker(user).address for user in ("ann", "bob", "cy")] == ["192.0.2.3", "", "192.0.2.4"]


def test_only_so_many_wait_of_one_user() -> None:
    """Others can still come; a place that becomes free can be taken."""
    queue: FairQueue[str] = FairQueue(2, 999)
    first, _ = queue.add(ANN, LONG, "a"), queue.add(ANN, LONG, "b")
    with pytest.raises(QueueFull):
        queue.add(ANN, LONG, "c")
    queue.add(BOB, LONG, "d")
    queue.drop(first)
    queue.add(ANN, LONG, "e")
    assert sorted(served(queue)) == ["b", "d", "e"]


def test_a_dropped_job_costs_nothing() -> None:
    """Who drops many jobs that were not begun is served as if they had never been."""
    queue: FairQueue[str] = FairQueue(99, 999)
    stale = [queue.add(ANN, LONG, "stale") for _ in range(50)]
    queue.add(BOB, LONG, "bob")
    queue.add(ANN, SHORT, "ann")
    for job in stale:
        queue.drop(job)
        queue.drop(job)
    assert len(queue) == 2
    assert served(queue) == ["ann", "bob"]


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_lost_or_served_twice(seed: int) -> None:
    """Whatever is added is taken once, and the queue is empty in the end."""
    queue: FairQueue[int] = FairQueue(999, 999)
    random, taken = Random(seed), []
    for number in range(100):
        asker = Asker(random.choice("abcd"), random.choice(ADDRESSES))
        queue.add(asker, random.choice([SHORT, LONG]), number)
        if random.random() < 0.6 and (job := queue.take()) is not None:
            taken.append(job.item)
    while (job := queue.take()) is not None:
        taken.append(job.item)
    assert sorted(taken) == list(range(100))
    assert len(queue) == 0
