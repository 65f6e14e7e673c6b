"""Open and back up the database of a server, also while it runs: SQLite lets several processes use the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from omnibus.server.store.database import FILE_NAME, Database, back_up, data_folder, open_database, version
from omnibus.server.store.errors import StoreError
from omnibus.server.store.migrations import MIGRATIONS

Progress = Callable[[int, int], None]
"""Called with how much is done, and how much there is."""


def database_file(folder: Path | None) -> Path:
    """Return the database file in a folder, the default one for None; ValueError when there is none."""
    path = (folder or data_folder()) / FILE_NAME
    if not path.is_file():
        raise ValueError(f"there is no Omnibus server in {path.parent}; name its data folder with --data")
    return path


def open_existing(folder: Path | None) -> Database:
    """Open the database of a server; ValueError when there is none, or when it has to be migrated first."""
    path = database_file(folder)
    try:
        found = version(path)
    except StoreError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    if found < len(MIGRATIONS):
        raise ValueError(f"{path} was last used by an older version of Omnibus; `omnibus serve` brings it up to date")
    return open_database(path.parent)


def write_backup(folder: Path | None, to: Path, progress: Progress) -> int:
    """Write a backup into a new file and return its size; ValueError says why that fails.

    Like the database it holds the secret seeds of games in progress, so nobody else may read the file.
    """
    path = database_file(folder)
    try:
        os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise ValueError(f"{to} already exists; choose another file for the backup") from None
    try:
        back_up(path, to, progress)
    except StoreError as error:
        to.unlink()
        raise ValueError(f"{path} cannot be backed up: {error}") from None
    return to.stat().st_size
