"""Check a database: whether the file is intact, and every table replays to the state stored for it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from omnibus.server.errors import NotReplayable
from omnibus.server.store.copying import Progress
from omnibus.server.store.database import Database
from omnibus.server.store.errors import StoreError
from omnibus.server.store.tables import TableStore
from omnibus.server.tables.table import Table

TRIES: Final = 2  # a move may be played while a table is being checked


class CheckResult(Struct):
    """The result of a check."""

    tables: int
    events: int
    not_replayable: list[str]
    """Tables that cannot be replayed with today's rules. They are kept, and count as no fault."""
    faults: list[str]


async def check_database(database: Database, progress: Progress) -> CheckResult:
    """Check the file itself, every event, and whether every table replays to the state stored for it."""
    table_store = TableStore(database)
    report = CheckResult(0, 0, [], [])
    try:
        report.faults += await database.damage()
        ids = await table_store.ids()
        report.tables, report.events = len(ids), await table_store.count_events()
    except StoreError as error:
        report.faults.append(f"the file cannot be read: {error}")
        return report
    for done, table in enumerate(ids, 1):
        await _check(table_store, table, report)
        progress(done, len(ids))
    return report


async def _check(table_store: TableStore, table: str, report: CheckResult) -> None:
    for _ in range(TRIES):
        try:
            fault = await _fault(table_store, table)
        except NotReplayable as error:
            report.not_replayable.append(f"{table}: {error}")
            return
        except (ValueError, LookupError, StoreError) as error:
            fault = f"cannot be read: {error}"
        if fault is None:
            return
    report.faults.append(f"table {table} {fault}")


async def _fault(table_store: TableStore, table_id: str) -> str | None:
    """Return what is wrong with a table, if anything; NotReplayable when it was played by other rules."""
    entry = await table_store.entry(table_id)
    if entry is None:
        return None  # it has just been deleted
    numbers = [number for number, _, _ in await table_store.events(table_id)]
    if numbers != list(range(1, len(numbers) + 1)):
        return f"lacks events: it has {len(numbers)}, and the last one has the number {numbers[-1]}"
    if (entry.standing == "open") != (not numbers):
        return f"has {len(numbers)} events, but is {entry.standing}"
    if len(entry.setup.sitters) != entry.setup.seats:
        return f"has {entry.setup.seats} seats, but {len(entry.setup.sitters)} are stored"
    if entry.standing == "open":
        return None
    table = await Table.loaded(table_store, entry.setup)
    if (table.standing, table.awaits) != (entry.standing, entry.awaits):
        return f"is {table.standing} and awaits seat {table.awaits}, but {entry.standing} and {entry.awaits} are stored"
    return None
