"""Looking after a house: what there is, whose texts are removed, backups, whether everything kept can still be read.

All of it can be done while the house runs: SQLite lets several programs at the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from omnibus.server.errors import NotReplayable
from omnibus.server.serve import DATABASE, data_folder, open_store
from omnibus.server.store.database import Database, back_up, version
from omnibus.server.store.errors import StoreError
from omnibus.server.store.migrations import MIGRATIONS
from omnibus.server.store.tables import TableStore
from omnibus.server.tables.table import Table

TRIES: Final = 2  # somebody may decide just while a table is looked at

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


def database(folder: Path | None) -> Path:
    """Return the file of a house; ValueError when there is none."""
    path = (folder or data_folder()) / DATABASE
    if not path.is_file():
        raise ValueError(f"there is no house in {path.parent}; its folder can be named with --data")
    return path


def opened(folder: Path | None) -> Database:
    """Open the store of a house; ValueError when there is none, or when it must first be brought up to date."""
    path = database(folder)
    try:
        found = version(path)
    except StoreError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    if found < len(MIGRATIONS):
        raise ValueError(f"{path} was last used by an older Omnibus; `omnibus serve` brings it up to date")
    return open_store(path.parent)


def backed_up(folder: Path | None, to: Path, progress: Progress) -> int:
    """Write a backup into a new file, which nobody else may read; return its size. ValueError says why it cannot be.

    It holds what the house holds, the secret seeds of games that go on among it.
    """
    path = database(folder)
    try:
        os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise ValueError(f"{to} is there already; a backup needs a file of its own") from None
    try:
        back_up(path, to, progress)
    except StoreError as error:
        to.unlink()
        raise ValueError(f"{path} cannot be backed up: {error}") from None
    return to.stat().st_size


class Report(Struct):
    """What was found when everything was looked at."""

    tables: int
    events: int
    frozen: list[str]
    """Tables of other rules: kept as they are, and no fault."""
    faults: list[str]


def checked(store: Database, progress: Progress) -> Report:
    """Look at everything: the file itself, every event, and whether every table adds up to what is said of it."""
    table_store = TableStore(store)
    report = Report(0, 0, [], [])
    try:
        report.faults += table_store.damage()
        ids = table_store.ids()
        report.tables, report.events = len(ids), table_store.count_events()
    except StoreError as error:
        report.faults.append(f"the file cannot be read: {error}")
        return report
    for done, table in enumerate(ids, 1):
        _check(table_store, table, report)
        progress(done, len(ids))
    return report


def _check(table_store: TableStore, table: str, report: Report) -> None:
    for _ in range(TRIES):
        try:
            fault = _fault(table_store, table)
        except NotReplayable as frozen:
            report.frozen.append(f"{table}: {frozen}")
            return
        except (ValueError, LookupError, StoreError) as error:
            fault = f"cannot be read: {error}"
        if fault is None:
            return
    report.faults.append(f"table {table} {fault}")


def _fault(table_store: TableStore, table_id: str) -> str | None:
    """Return what is wrong with a table, if anything is; Frozen when it is of other rules."""
    entry = table_store.entry(table_id)
    if entry is None:
        return None  # it was deleted just now
    numbers = [number for number, _, _ in table_store.events(table_id)]
    if numbers != list(range(1, len(numbers) + 1)):
        return f"lacks events: {len(numbers)} are there, and the last has the number {numbers[-1]}"
    if (entry.standing == "open") != (not numbers):
        return f"has {len(numbers)} events, and is {entry.standing}"
    if len(entry.setting.sitters) != entry.setting.seats:
        return f"has {entry.setting.seats} seats, and {len(entry.setting.sitters)} are known"
    if entry.standing == "open":
        return None
    table = Table.loaded(table_store, entry.setting)
    if (table.standing, table.awaits) != (entry.standing, entry.awaits):
        return f"is {table.standing} and awaits seat {table.awaits}, but {entry.standing} and {entry.awaits} is kept"
    return None
