"""Everything the server knows of a user, as a zip archive for the user.

There may be thousands of games and records, so the archive is made piece by piece in the background and sent as it
grows: others have their turn in between, and memory holds one piece.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import IO, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile

from omnibus.kernel.i18n import mark
from omnibus.server.background import do_later, in_background
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.rate_limits import Quota, RateLimited, spend
from omnibus.server.store.models import TableSetup, User
from omnibus.server.store.personal_data import PersonalData, Row
from omnibus.server.tables import events
from omnibus.server.tables.events import History
from omnibus.server.tables.record_of_table import record_of
from omnibus.server.tables.registry import TableRegistry

README: Final = """Your data from an Omnibus server.

data/*.json       what the server has stored about you, one file per table of its database (times: seconds since 1970)
games/*.game      the records of your finished games
records/*.game    the records you have uploaded

Other people appear with the name they use now. Secrets are left out: the keys of your devices and links, which are
stored only as hashes, and the dice of games in progress.
"""
DOWNLOADING: Final = mark("Your data is being downloaded already. Please wait until that download is finished.")
GIVEN_UP_S: Final = 30.0  # a download of which nothing was read for so long keeps nobody from another one


class Downloads:
    """The downloads in progress, one of each user."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[object, float]] = {}  # of each user: which download, and when it was last read

    def begin(self, user: str) -> object:
        """Begin a download; Rejected while another one is read."""
        if user in self._read and time.monotonic() - self._read[user][1] < GIVEN_UP_S:
            raise Rejected(Code.REFUSED, why=DOWNLOADING)
        download = object()
        self._read[user] = download, time.monotonic()
        return download

    def goes_on(self, user: str, download: object) -> bool:
        """Note that a download was read; False when another one has taken its place."""
        if self._read.get(user, (None, 0.0))[0] is not download:
            return False
        self._read[user] = download, time.monotonic()
        return True

    def end(self, user: str, download: object) -> None:
        """End a download."""
        if self._read.get(user, (None, 0.0))[0] is download:
            del self._read[user]


_DOWNLOADS: Final = Downloads()


async def archive(registry: TableRegistry, user: User) -> AsyncIterator[bytes]:
    """Return the archive of a user's data, piece by piece; Rejected while the user downloads it already."""
    download = _DOWNLOADS.begin(user.id)
    try:
        await spend(Quota.ANALYSIS)
    except RateLimited:
        _DOWNLOADS.end(user.id, download)
        raise
    return _pieces(registry, user.id, download)


async def _pieces(registry: TableRegistry, user: str, download: object) -> AsyncIterator[bytes]:
    made = _Archive()
    try:
        async for add in _parts(registry, user, made):
            await _patiently(add)
            if not _DOWNLOADS.goes_on(user, download):
                return
            yield made.taken()
        await _patiently(made.close)
        yield made.taken()
    finally:
        _DOWNLOADS.end(user, download)
        do_later(made.close)  # if nobody reads on: the background may still be adding to it


async def _parts(registry: TableRegistry, user: str, made: _Archive) -> AsyncIterator[Callable[[], None]]:
    """Return what adds each part to an archive: some rows, or a game."""
    async for table, rows in PersonalData(registry.table_store.database).pages(user):
        yield partial(made.add_records if table == "records" else partial(made.add_rows, table), rows)
    for id_ in await registry.table_store.ended(user):
        entry = await registry.table_store.entry(id_)
        if entry is not None:  # it may have been deleted meanwhile
            stored = [body for _, body, _ in await registry.table_store.events(id_)]
            yield partial(made.add_game, entry.setup, stored, reveal=not await registry.keeps_seed(id_))


async def _patiently(add: Callable[[], None]) -> None:
    """Do a part in the background, also when much waits there."""
    while True:
        try:
            return await in_background(add)
        except RateLimited as error:
            await asyncio.sleep(error.seconds)


class _Archive:
    """An archive that grows; what was taken of it is forgotten."""

    def __init__(self) -> None:
        self._written = bytearray()
        self._zip = ZipFile(cast("IO[bytes]", self), "w", ZIP_DEFLATED)
        self._zip.writestr("README.txt", README)
        self._table = ""
        self._rows: IO[bytes] | None = None

    def write(self, data: bytes) -> int:
        """Add bytes; called by the archive's own file."""
        self._written += data
        return len(data)

    def flush(self) -> None:
        """Do nothing; called by the archive's own file."""

    def taken(self) -> bytes:
        """Take what has grown since the last time."""
        taken, self._written = bytes(self._written), bytearray()
        return taken

    def add_rows(self, table: str, rows: list[Row]) -> None:
        """Add rows of a table, those of one table after the other."""
        documents = ",\n".join(json.dumps(row, ensure_ascii=False, indent=2) for row in rows)
        if self._rows is None or table != self._table:
            self._end_rows()
            self._rows, self._table = self._zip.open(f"data/{table}.json", "w"), table
            self._rows.write(f"[\n{documents}".encode())
        else:
            self._rows.write(f",\n{documents}".encode())

    def _end_rows(self) -> None:
        if self._rows is not None:
            self._rows.write(b"\n]\n")
            self._rows.close()
            self._rows = None

    def add_records(self, rows: list[Row]) -> None:
        """Add uploaded records."""
        self._end_rows()
        for row in rows:
            self._zip.writestr(f"records/{row['id']}.game", row["text"])

    def add_game(self, setup: TableSetup, stored: list[bytes], *, reveal: bool) -> None:
        """Add the record of a finished game."""
        self._end_rows()
        text = record_of(setup, History.of(map(events.read, stored)), reveal=reveal)
        self._zip.writestr(f"games/{setup.game}-{setup.id}.game", text)

    def close(self) -> None:
        """Write the end of the archive."""
        self._end_rows()
        self._zip.close()
