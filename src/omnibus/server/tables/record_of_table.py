"""Writes the record of a table from its events."""

from __future__ import annotations

from omnibus.kernel.dice import Dice
from omnibus.kernel.i18n import ENGLISH
from omnibus.kernel.record import Record, ply_of, write
from omnibus.server.store.models import TableSetup
from omnibus.server.tables.events import History
from omnibus.server.tables.names import names_of
from omnibus.server.tables.thinking_times import clock_document


def record_of(setup: TableSetup, history: History, *, reveal: bool = False) -> str:
    """Write the record of a table from its events; with the seed if nothing will be rolled any more."""
    dice = Dice(setup.seed)
    return write(
        Record(
            game=setup.game,
            rules=setup.rules,
            seats=setup.seats,
            options=setup.options,
            names=tuple(names_of(setup, ENGLISH)),
            commitment=dice.commitment,
            seed=dice.seed if reveal else None,
            resigned=tuple((change.seat, change.ply) for change in history.changes if change.what == "resigned"),
            clock=clock_document(setup.clock, history.times.since()) if setup.clock else None,
            plies=tuple(map(ply_of, history.plies)),
        )
    )
