"""Uploaded records: read, replay, check their dice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from omnibus.kernel.choices import check_size
from omnibus.kernel.dice_proof import Proof, verify
from omnibus.kernel.i18n import ENGLISH, MessageError, mark
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord, parse
from omnibus.kernel.svg import seat_name
from omnibus.server.background import in_background
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.tables.board_view import BoardView, Reader, board_view, for_reader, words_for
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.view_cache import ViewCache

UNREADABLE: Final = mark("This record was saved by another version of Omnibus and can no longer be replayed.")
MOST_CACHED: Final = 32 * 1024 * 1024  # characters of pictures
NOT_TEXT: Final = mark("This is not a text file.")
BAD_LINE: Final = mark("This is not a valid game record. Line {line}: {reason}.")


async def read_upload(text: str) -> Match:
    """Read an uploaded record; valid or not, it counts against the rate limit. BadRecord names the first bad line."""
    await spend(Quota.RECORD)
    return await in_background(_new_match, text)


async def replayed(registry: TableRegistry, record_id: str) -> Match:
    """Return the match of an uploaded record; TableNotFound when there is none."""
    text = await registry.table_store.record(record_id)
    if text is None:
        raise TableNotFound
    try:
        return await in_background(_match, text)
    except BadRecord as error:  # it was valid when it was uploaded, for another version of this program
        raise Rejected(Code.GONE, why=UNREADABLE) from error


def _new_match(text: str) -> Match:
    """Replay a record that is not stored yet; its board must not be larger than that of a new game."""
    match = _match(text)
    try:
        check_size(match.game, match.states[0])
    except MessageError as error:
        raise BadRecord(parse(text).lines["options"], error.message) from None
    return match


@lru_cache(maxsize=32)
def _match(text: str) -> Match:
    """Replay a record. It is cached because a reader asks for one ply after another; nobody plays on in it.

    Records may be long and their maps large, so they are read and drawn in the background.
    """
    return Match.read(text)


class PictureCache:
    """The pictures below the pieces that were drawn last, up to a number of characters in all."""

    def __init__(self, most: int = MOST_CACHED) -> None:
        self._most = most
        self._drawn: dict[str, str] = {}

    def on_ground(self, match: Match, reader: Reader, view: BoardView, known: str) -> BoardView:
        """Return a position with the picture, unless the reader knows it; a picture is drawn once for all records."""
        if view.ground == known:
            return view
        svg = self._drawn.pop(view.ground, None) or for_reader(match, reader, view, known).svg or ""
        self._drawn[view.ground] = svg  # now the last to go
        while len(self._drawn) > 1 and sum(map(len, self._drawn.values())) > self._most:
            del self._drawn[next(iter(self._drawn))]
        return replace(view, svg=svg)


_PICTURES: Final = PictureCache()


def names_in(match: Match, language: str) -> Sequence[str]:
    """Return the players' names in a record; those without a name go by the colours of their seats."""
    told = words_for(match, language)
    colours = [(seat_name(seat, ENGLISH), seat_name(seat, told)) for seat in range(match.seats)]
    if not match.names:
        return [colour for _, colour in colours]
    return [colour if name == english else name for name, (english, colour) in zip(match.names, colours, strict=True)]


def record_view(match: Match, reader: Reader, *, ply: int | None = None, ground: str = "") -> BoardView:
    """Show a match at its end, or after a number of plies."""
    view = board_view(match, reader, names_in(match, reader.language), [""] * match.seats, ply=ply)
    return _PICTURES.on_ground(match, reader, view, ground)


def record_log(match: Match, reader: Reader) -> list[tuple[int, str]]:
    """Return the log of a match, each line with its ply."""
    return ViewCache(match).log(reader, names_in(match, reader.language), words_for(match, reader.language))


@lru_cache(maxsize=64)
def proof_of(text: str) -> Proof:
    """Check the dice of a record."""
    return verify(text)
