"""The queue of work: fair to addresses, then to users, the short before the long, bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnibus.server.fair_queue import Asker, FairQueue, QueueFull
from omnibus.server.http.rate_limits import WIDE_ALLOWANCE

LONG, SHORT = 1.0, 0.05
ADDRESSES = ("192.0.2.1", "192.0.2.2", "2001:db8::/64", "2001:db8:0:1::/64")
ANN, BOB = Asker("ann", "192.0.2.1"), Asker("bob", "192.0.2.2")
Job = tuple[Asker, float, str]


def served(queue: FairQueue[str]) -> list[str]:
    """Take everything out of a queue."""
    items = []
    while (job := queue.take()) is not None:
        items.append(job.item)
    return items


ONE_USER = [(ANN, LONG, item) for item in "abc"]
TWO_USERS = [*[(ANN, LONG, f"ann {number}") for number in range(3)], (BOB, LONG, "bob 0"), (BOB, LONG, "bob 1")]
SHORT_AND_LONG = [(ANN, LONG, "long"), (ANN, LONG, "longer"), (ANN, SHORT, "short"), (BOB, SHORT, "quick")]


@pytest.mark.parametrize(
    ("jobs", "order"),
    [
        pytest.param(ONE_USER, ["a", "b", "c"], id="who came first is first"),
        pytest.param(TWO_USERS, ["ann 0", "bob 0", "ann 1", "bob 1", "ann 2"], id="users take turns"),
        pytest.param(SHORT_AND_LONG, ["short", "quick", "long", "longer"], id="short before long"),
    ],
)
def test_the_order(jobs: list[Job], order: list[str]) -> None:
    """Jobs of one length are served in turns, those of one user as they came, and short ones before long ones."""
    queue: FairQueue[str] = FairQueue(99, 999)
    for job in jobs:
        queue.add(*job)
    assert len(queue) == len(jobs)
    assert served(queue) == order
    assert queue.take() is None


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


@pytest.mark.parametrize(
    "addresses",
    [["192.0.2.9"] * 20, [f"2001:db8:0:{number:x}::/64" for number in range(200)]],
    ids=["users of one address", "addresses of one IPv6 network"],
)
def test_many_users_of_one_address_count_as_one(addresses: list[str]) -> None:
    """Somebody elsewhere waits for one or two of their jobs, not for one of each; a network has a few shares."""
    queue: FairQueue[str] = FairQueue(99, 999)
    for number, address in enumerate(addresses):
        for _ in range(3):
            queue.add(Asker(f"user {number}", address), LONG, "crowd")
    assert queue.take()
    for _ in range(3):
        queue.add(BOB, LONG, "bob")
    order = served(queue)
    shares = 1 if "." in addresses[0] else WIDE_ALLOWANCE
    assert [place for place, item in enumerate(order) if item == "bob"][2] <= 3 * (shares + 1)


def test_only_so_many_wait() -> None:
    """Of one user, from one address and in all; what is not limited waits nevertheless, and free places are taken."""
    queue: FairQueue[str] = FairQueue(2, 3, 6)
    first, _ = queue.add(ANN, LONG, "a"), queue.add(ANN, LONG, "b")
    with pytest.raises(QueueFull):
        queue.add(ANN, LONG, "one more of Ann")
    queue.drop(first)
    queue.add(ANN, LONG, "c")
    queue.add(Asker("cy", ANN.address), LONG, "d")
    with pytest.raises(QueueFull):
        queue.add(Asker("dan", ANN.address), LONG, "one more from there")
    queue.add(BOB, LONG, "e")
    queue.add(BOB, LONG, "f")
    queue.add(Asker("eve", "192.0.2.3"), LONG, "g")
    with pytest.raises(QueueFull):
        queue.add(Asker("finn", "192.0.2.4"), LONG, "one more in all")
    queue.add(Asker(), LONG, "h", limited=False)
    assert sorted(served(queue)) == list("bcdefgh")


def test_a_dropped_job_costs_nothing() -> None:
    """Who drops many jobs that were not begun is served as if they had never been."""
    queue: FairQueue[str] = FairQueue(99, 999)
    stale = [queue.add(ANN, LONG, "stale") for _ in range(50)]
    queue.add(BOB, LONG, "bob")
    queue.add(ANN, SHORT, "ann")
    for job in stale * 2:
        queue.drop(job)
    assert len(queue) == 2
    assert served(queue) == ["ann", "bob"]


JOBS = st.tuples(st.sampled_from("abcd"), st.sampled_from(ADDRESSES), st.sampled_from([SHORT, LONG]), st.booleans())


@given(st.lists(JOBS, max_size=100))
def test_nothing_is_lost_or_served_twice(jobs: list[tuple[str, str, float, bool]]) -> None:
    """Whatever is added is taken once, at once or later, and the queue is empty in the end."""
    queue: FairQueue[str] = FairQueue(999, 999)
    taken = []
    for number, (user, address, length, takes) in enumerate(jobs):
        queue.add(Asker(user, address), length, str(number))
        if takes and (job := queue.take()) is not None:
            taken.append(job.item)
    assert sorted(taken + served(queue), key=int) == [str(number) for number in range(len(jobs))]
    assert len(queue) == 0
