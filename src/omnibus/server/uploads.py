"""Uploaded records: read, kept for a while, shown, their dice checked."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from omnibus.kernel.dice_proof import Proof, verify
from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.server.background import in_background
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.store.models import Sitter
from omnibus.server.tables.board_view import BoardView, Reader, board_view, on_ground, told_in
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import names_of

UNREADABLE: Final = mark("This record was saved by another version of Omnibus and can no longer be replayed.")
NOT_TEXT: Final = mark("This is not a text file.")
BAD_LINE: Final = mark("This is not a valid game record. Line {line}: {reason}.")


async def read_upload(text: str) -> Match:
    """Read a record that somebody brings; it counts, good or bad. BadRecord names the first wrong line."""
    await spend(Quota.RECORD)
    return await in_background(_replayed, text)


async def replayed(registry: TableRegistry, record_id: str) -> Match:
    """Return the match of an uploaded record; Gone when there is none."""
    text = registry.table_store.record(record_id)
    if text is None:
        raise TableNotFound
    try:
        return await in_background(_replayed, text)
    except BadRecord as error:  # it could be read when it was uploaded, by another version of this program
        raise Rejected(Code.GONE, why=UNREADABLE) from error


@lru_cache(maxsize=32)
def _replayed(text: str) -> Match:
    """A record is looked at ply by ply, so it is kept for a while; nobody plays on in it.

    It may be long, and its map as large as maps can be: it is read, and drawn, aside.
    """
    return Match.read(text)


def shown(match: Match, reader: Reader, *, ply: int | None = None, ground: str = "") -> BoardView:
    """Show a match as it stands, or stood after so many plies."""
    told = told_in(match, reader.language)
    names = match.names or names_of([Sitter()] * match.seats, told)
    seen = board_view(match, reader, names, [""] * match.seats, ply=ply)
    return on_ground(match, reader, seen, ground)


@lru_cache(maxsize=64)
def proof_of(text: str) -> Proof:
    """Check the dice of a record."""
    return verify(text)
