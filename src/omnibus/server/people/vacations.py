"""Vacations: for some days a year somebody's clocks in correspondence games are paused, and the others can see it.

The vacation is stored with the user and as an event at every table it concerns, because all that clocks do follows from
the events of their table.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.errors import Conflict
from omnibus.server.store.models import DAY, User
from omnibus.server.store.vacations import Vacation
from omnibus.server.tables.registry import TableRegistry

DAYS_A_YEAR: Final = 30
YEAR: Final = 365 * DAY
ATTEMPTS: Final = 3  # where somebody else stores an event at the same moment

TOO_LONG: Final = mark("You do not have that many days of vacation left.")
ON_VACATION: Final = mark("You are on vacation already.")


def days_left(vacations: Sequence[Vacation], now: float) -> int:
    """Return how many days of vacation somebody has left, of those for any 365 days; an hour does not count."""
    taken = sum(max(0.0, each.ends - max(each.starts, now - YEAR)) for each in vacations)
    return max(0, math.floor(DAYS_A_YEAR - taken / DAY + 1 / 24))


def ends(vacations: Sequence[Vacation], now: float) -> float | None:
    """Return when the vacation ends that somebody is on; None if they are not."""
    return next((each.ends for each in vacations if each.ends > now), None)


async def begin(registry: TableRegistry, user: User, days: int) -> float:
    """Begin a vacation of so many days and return when it ends; Rejected when there are not so many left."""
    store, now = registry.vacation_store, time.time()
    vacations = await store.of(user.id)
    if ends(vacations, now) is not None:
        raise Rejected(Code.REFUSED, why=ON_VACATION)
    if not 1 <= days <= days_left(vacations, now):
        raise Rejected(Code.REFUSED, why=TOO_LONG)
    until = now + days * DAY
    try:
        await store.begin(user.id, len(vacations) + 1, until)
    except Conflict:
        raise Rejected(Code.REFUSED, why=ON_VACATION) from None
    await _tell_tables(registry, user.id, until)
    return until


async def end(registry: TableRegistry, user: User) -> None:
    """End a user's vacation now, if there is one; what is left of it is not used up."""
    if await registry.vacation_store.end(user.id):
        await _tell_tables(registry, user.id, time.time())


async def tell_missing(registry: TableRegistry) -> None:
    """Tell the tables of vacations that began when the server was stopped before it could."""
    for user, until in (await registry.vacation_store.current()).items():
        await _tell_tables(registry, user, until)


async def _tell_tables(registry: TableRegistry, user: str, until: float) -> None:
    """Store at all correspondence tables of a user until when they are on vacation."""
    for table_id in await registry.vacation_store.tables(user):
        for _ in range(ATTEMPTS):
            try:
                await _tell(registry, table_id, user, until)
                break
            except (Conflict, Rejected):  # another process was quicker
                continue


async def _tell(registry: TableRegistry, table_id: str, user: str, until: float) -> None:
    table = await registry.find(table_id)
    if table is None:
        return
    for seat in table.seats_of(user):
        await registry.publisher.publish(table, table.take_vacation(seat, until))
