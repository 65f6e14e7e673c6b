"""Corrections by the host: the result of a game is another one, or the game does not count at all."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from omnibus.server.people.name_folding import folded
from omnibus.server.store import erasing
from omnibus.server.store.claims import ClaimStore
from omnibus.server.store.database import Database
from omnibus.server.store.ratings import RatingStore
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore


class Corrected(Struct, frozen=True):
    """What a correction has done."""

    rated: bool
    """Whether the game is in the log of rated games, so that ratings were calculated again."""
    changes: int
    """How many changes of ratings there are now, of all games."""


async def correct(database: Database, table: str, ranks: Sequence[int] | None, reason: str) -> Corrected:
    """Correct the result of a finished game by the ranks of its seats, or (None) void it; ValueError says why not.

    The events of the table stay as they are, and so does the log of rated games: a correction is added to it.
    """
    entry = await TableStore(database).entry(table)
    if entry is None:
        raise ValueError(f"there is no table {table!r}; `omnibus admin tables` lists them")
    if entry.standing not in ("over", "closed"):
        raise ValueError(f"the game at table {table} has not ended yet")
    if ranks is not None and (len(ranks) != entry.setup.seats or min(ranks) != 1):
        raise ValueError(f"give the rank of each of the {entry.setup.seats} seats in their order, the best one 1")
    store = RatingStore(database)
    changes = await store.correct(table, ranks, reason)
    return Corrected(any(logged.id == table for logged in await store.log()), changes)


async def remove_name(database: Database, user: str) -> tuple[str, int]:
    """Remove the name of a user, which nobody can take from then on; return it, and at how many seats it was."""
    found, claim = await UserStore(database).find(user), await ClaimStore(database).of(user)
    name = claim.name if claim else found.name if found else ""
    if not name:
        raise ValueError(f"there is no user {user!r} with a name; `omnibus admin users` lists them")
    return name, await erasing.remove_name(database, user, folded(name))
