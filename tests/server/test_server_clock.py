"""The server's clock: seconds in which moves could be stored, counted in the database by one process or several."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from omnibus.server.store.database import Database
from omnibus.server.store.server_clock import CONFIRM_S, LATE_S, ServerClock
from support.wall_clock import WallClock

pytestmark = pytest.mark.both_databases


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    """A clock that only the test moves, without anybody who confirms the server's clock."""
    return WallClock(monkeypatch, late=True)


async def stored(database: Database) -> float:
    """Return what the database knows."""
    clock = ServerClock(database)
    await clock.read()
    return clock.now


async def test_it_never_counts_more_than_has_passed(database: Database, wall: WallClock) -> None:
    """However many processes there are, and whatever happens to them; as long as one does well, no second is lost."""
    random, began = Random(1), wall.seconds
    clocks = [ServerClock(database) for _ in range(3)]
    before = 0.0
    wall.seconds += 100
    assert await stored(database) == 0  # nobody confirms it
    for _ in range(150):
        wall.seconds += random.choice([0, 0.5, CONFIRM_S, 2 * LATE_S])
        number = random.randrange(3)
        what = random.choice(["confirm"] * 4 + ["fail", "replace"])
        if what == "replace":
            clocks[number] = ServerClock(database)
        elif what == "fail":
            clocks[number].fail()
        else:
            await clocks[number].confirm()
        assert before <= (before := await stored(database)) <= wall.seconds - began
    await asyncio.gather(*(clock.confirm() for clock in clocks))
    since, already = wall.seconds, await stored(database)
    for _ in range(10):
        wall.seconds += CONFIRM_S
        await asyncio.gather(*(clock.confirm() for clock in clocks[:2]))
    assert await stored(database) - already == wall.seconds - since
