"""Write the finished games of a server as open data: only games that everyone at the table shares, without names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from msgspec.structs import replace

from omnibus import __version__
from omnibus.kernel import record as records
from omnibus.kernel.game import Document
from omnibus.kernel.match import Match
from omnibus.server.errors import NotReplayable, TableNotFound
from omnibus.server.store.analyses import AnalysisStore
from omnibus.server.store.copying import Progress
from omnibus.server.store.database import Database
from omnibus.server.store.models import TableSetup
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore
from omnibus.server.tables.analyses import stored_analysis
from omnibus.server.tables.table import Table

README: Final = f"""Finished games from an Omnibus server (version {__version__}), shared by everyone who played them.

games/*.game      one record per game: settings, dice, result and every move
analyses/*.json   what each decision of a game was worth, if somebody has had it analysed
index.jsonl       one JSON object per game: what it is, who played, how it ended

Names are replaced: "player 7" is the same person in all games of this archive, "bot medium" is a bot. The order of
the games is random. How to use them: docs/open-data.md in the source of Omnibus.
"""


class GameEntry(msgspec.Struct, frozen=True):
    """A line of the index."""

    file: str
    game: str
    rules: int
    seats: int
    options: Document
    players: list[str]
    """By seat: `player 7` or `bot medium`."""
    result: Document | None
    """As in the record: winners, scores, ranks, the reason."""
    plies: int
    changes: list[tuple[int, int, str]]
    """What happened to seats besides moves: plies before, seat, and `resigned`, `left` (to a bot) or `returned`."""
    analysis: str | None = None
    """The file with its analysis, if there is one."""


class Exported(msgspec.Struct, frozen=True):
    """How many games were written, and how many were not."""

    games: int
    not_shared: int
    """Games of somebody who does not share theirs."""
    unsuitable: int
    """Games that cannot be replayed any more, or on a board with texts of the players' own."""


async def export_games(database: Database, file: Path, progress: Progress) -> Exported:
    """Write the games into a new archive; ValueError when the file is there already."""
    table_store = TableStore(database)
    sharing = await UserStore(database).sharing()
    finished = [entry.setup for entry, _ in await table_store.all_entries("over")]
    shared = [setup for setup in finished if setup.people() and setup.people() <= sharing]
    SystemRandom().shuffle(shared)  # neither the order of the games nor the numbers of the players say when they came
    try:
        archive = ZipFile(file, "x", ZIP_DEFLATED)
    except FileExistsError:
        raise ValueError(f"{file} already exists; choose another file for the archive") from None
    try:
        with archive:
            written = await _write(archive, table_store, shared, progress)
    except BaseException:
        file.unlink()
        raise
    return Exported(written, len(finished) - len(shared), len(shared) - written)


async def _write(archive: ZipFile, table_store: TableStore, shared: list[TableSetup], progress: Progress) -> int:
    """Write all games that can be written and return their number."""
    index: list[GameEntry] = []
    numbers: dict[str, int] = {}
    analyses = AnalysisStore(table_store.database)
    archive.writestr("README.txt", README)
    for done, setup in enumerate(shared, 1):
        match = await _replayed(table_store, setup)
        if match is not None:
            match.names = tuple(_pseudonyms(setup, numbers))
            number = f"{len(index) + 1:06}"
            analysis = await stored_analysis(analyses, setup.id, match)
            if analysis is not None:
                archive.writestr(f"analyses/{number}.json", msgspec.json.encode(analysis))
            entry = _entry(f"games/{number}.game", match)
            index.append(replace(entry, analysis=f"analyses/{number}.json") if analysis is not None else entry)
            dice = None if not setup.deal else False  # others may still play with the same ones
            archive.writestr(entry.file, match.record(reveal=dice))
        progress(done, len(shared))
    archive.writestr("index.jsonl", b"".join(msgspec.json.encode(entry) + b"\n" for entry in index))
    return len(index)


async def _replayed(table_store: TableStore, setup: TableSetup) -> Match | None:
    """Replay a finished game; None if that fails, or if its options contain a document somebody has written."""
    try:
        match = (await Table.loaded(table_store, setup)).match
    except (NotReplayable, TableNotFound):
        return None
    options = match.game.options
    usual = all(value in options[name].choices for name, value in match.options.items())
    return match if usual and match.outcome is not None else None


def _pseudonyms(setup: TableSetup, numbers: dict[str, int]) -> Iterator[str]:
    """Yield a name for each seat; `numbers` has those of the users so far."""
    for sitter in setup.sitters:
        if sitter.user is None:
            yield f"bot {sitter.bot}"
        else:
            yield f"player {numbers.setdefault(sitter.user, len(numbers) + 1)}"


def _entry(file: str, match: Match) -> GameEntry:
    return GameEntry(
        file=file,
        game=match.game.name,
        rules=match.game.version,
        seats=match.seats,
        options=match.options,
        players=list(match.names),
        result=records.result(match.outcome),
        plies=match.length,
        changes=[(change.ply, change.seat, change.what) for change in match.changes],
    )
