"""Open, back up and load the database of a server, also while it runs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Final

from omnibus.server.store.copying import Progress, copy
from omnibus.server.store.database import Database
from omnibus.server.store.errors import StoreError
from omnibus.server.store.folder_lock import LOCK_NAME, lock_folder
from omnibus.server.store.migrations import BEHIND, MIGRATIONS
from omnibus.server.store.opening import ONE_DATABASE, open_postgres
from omnibus.server.store.sqlite import (
    FILE_NAME,
    back_up,
    data_folder,
    filled,
    migrations_of,
    open_database,
    snapshot,
)

RUNS: Final = (
    "a server is running in {folder}, and what happens there from now on would not be in the copy; stop it first, or "
    "load a backup (`omnibus admin backup`)"
)


def database_file(folder: Path | None) -> Path:
    """Return the database file in a folder, the default one for None; ValueError when there is none."""
    path = (folder or data_folder()) / FILE_NAME
    if not path.is_file():
        raise ValueError(f"there is no Omnibus server in {path.parent}; name its data folder with --data")
    return path


def open_existing(folder: Path | None, address: str = "") -> Database:
    """Open the database of a server; ValueError when there is none, or when it has to be migrated first."""
    if address:
        if folder is not None:
            raise ValueError(ONE_DATABASE)
        return open_postgres(address, migrates=False)
    path = database_file(folder)
    _expect_current(path)
    return open_database(path.parent)


def _expect_current(path: Path) -> None:
    try:
        if migrations_of(path) != len(MIGRATIONS):
            raise StoreError(BEHIND)
    except StoreError as error:
        raise ValueError(f"{path} cannot be used: {error}") from None


def write_backup(folder: Path | None, to: Path, progress: Progress, address: str = "") -> int:
    """Write a backup into a new SQLite file and return its size; ValueError says why that fails.

    Like the database it holds the secret seeds of games in progress, so nobody else may read the file.
    """
    if address and folder is not None:
        raise ValueError(ONE_DATABASE)
    path = None if address else database_file(folder)
    try:
        os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise ValueError(f"{to} already exists; choose another file for the backup") from None
    try:
        if path is not None:
            migrations_of(path)
            back_up(path, to, progress)
        else:
            asyncio.run(_copy_to_file(address, to, progress))
    except (StoreError, ValueError) as error:
        to.unlink()
        raise ValueError(f"{path or 'the database'} cannot be backed up: {error}") from None
    return to.stat().st_size


async def _copy_to_file(address: str, to: Path, progress: Progress) -> None:
    async with aclosing(open_postgres(address, migrates=False)) as database:
        await database.connect()
        async with database.snapshot() as source:
            with filled(to) as target:
                await copy(source, target, progress)


async def load_file(file: Path, address: str, progress: Progress) -> dict[str, int]:
    """Copy a database file into an empty database in PostgreSQL; return how many rows each table has.

    ValueError says why that fails; then nothing was copied.
    """
    if not file.is_file():
        raise ValueError(f"there is no file {file}")
    _expect_current(file)
    with _no_server(file.resolve()):
        async with aclosing(open_postgres(address, alone=True)) as database:
            await database.connect()
            try:
                with snapshot(file) as source:
                    return await database.write(lambda target: copy(source, target, progress))
            except (StoreError, ValueError) as error:
                raise ValueError(f"{file} cannot be copied into the database: {error}") from None


@contextmanager
def _no_server(file: Path) -> Iterator[None]:
    """Keep servers off a database file; ValueError when one runs on it. Of a backup nobody makes a server's lock."""
    if file.name == FILE_NAME and (file.parent / LOCK_NAME).exists():
        with lock_folder(file.parent, RUNS):
            yield
    else:
        yield
