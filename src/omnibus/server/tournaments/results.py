"""The result of a table of a tournament, from how its game ended."""

from __future__ import annotations

from collections.abc import Sequence

from omnibus.ratings.ranks import ranks
from omnibus.server.people.ratings import LEFT
from omnibus.server.tables.table import Table


def table_ranks(table: Table, entrants: int) -> tuple[int, ...]:
    """Return the ranks of the entrants at a table that is over or closed; they have the first seats, bots the others.

    Whoever resigned, left or ran out of time is last. If the game was closed before its end, so is whoever was to
    move, and all others are first. Bots do not count: the entrants are ranked among themselves.
    """
    left = {change.seat for change in table.match.changes if change.what in LEFT}
    if table.match.outcome is not None:
        return among(ranks(table.match.outcome, left)[:entrants])
    actor = table.match.actor
    if isinstance(actor, int) and table.sitter(actor).bot is None:
        left.add(actor)
    return among([2 if seat in left else 1 for seat in range(entrants)])


def among(places: Sequence[int]) -> tuple[int, ...]:
    """Rank some among themselves, given their ranks among others."""
    return tuple(1 + sum(other < own for other in places) for own in places)


def tied(entrants: int) -> tuple[int, ...]:
    """Return the ranks where there is no game to rank them by: its table was deleted, or cannot be read any more."""
    return (1,) * entrants
