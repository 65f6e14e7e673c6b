"""Finished games that can be analysed: tables of this server, and uploaded records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.models import User
from omnibus.server.tables.actions import STILL_GOES_ON, live_table
from omnibus.server.tables.analyses import Subject
from omnibus.server.tables.board_view import words_for
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from omnibus.server.uploads import names_in, replayed

NOT_FINISHED: Final = mark("Only games that were played to the end can be analysed.")


class Analysed(Struct, frozen=True, eq=False):
    """A finished game: its match, what its players are called in a language, and the seats of the visitor."""

    subject: Subject
    match: Match
    names: Callable[[str], Sequence[str]]
    own: Sequence[int] = ()

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"/{self.subject.kind}s/{self.subject.id}"


async def finished_table(registry: TableRegistry, user: User | None, table_id: str) -> Analysed:
    """Find a table whose game is over; Rejected while anything in it may still be secret."""
    table = await live_table(registry, table_id)
    await table.settled()
    if table.secret:
        raise Rejected(Code.REFUSED, why=STILL_GOES_ON)
    own = table.setup.seats_of(user.id if user else None)
    names = partial(_table_names, table)
    return Analysed(Subject("table", table_id), _expect_end(table.match), names, own)


async def finished_record(registry: TableRegistry, _user: User | None, record_id: str) -> Analysed:
    """Find an uploaded record of a game that is over."""
    match = await replayed(registry, record_id)
    return Analysed(Subject("record", record_id), _expect_end(match), partial(names_in, match))


def _table_names(table: Table, language: str) -> Sequence[str]:
    return table.names(words_for(table.match, language))


def _expect_end(match: Match) -> Match:
    if match.outcome is None:
        raise Rejected(Code.REFUSED, why=NOT_FINISHED)
    return match
