"""Proposals that all people at a table have to agree to: to undo, or to let a bot play for somebody who is away.

Whoever proposes agrees. When the last one agrees the proposal is carried out, and that is the event.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from omnibus.kernel.i18n import mark
from omnibus.server.errors import Code, Rejected
from omnibus.server.store.models import DEFAULT_BOT
from omnibus.server.tables.events import Agreed, Declined, HandedOver, Proposed
from omnibus.server.tables.seated_match import SAME_DICE
from omnibus.server.tables.table import Change, Table

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry

NOT_AWAY: Final = mark("They have not been away long enough.")
IS_ON_VACATION: Final = mark("They are on vacation.")


async def propose_undo(
    registry: TableRegistry, table: Table, seat: int, event: int, request: str | None = None
) -> Change:
    """Propose to undo everything since and including the last decision of a seat."""
    if table.setup.deal:
        raise Rejected(Code.REFUSED, why=SAME_DICE)
    async with table.writing(event):
        keep = table.last_decision(seat)
        if keep is None or table.proposed is not None:
            raise Rejected(Code.NOT_YOUR_TURN)
        return await registry.publisher.publish(table, _propose(registry, table, Proposed(seat, keep=keep), request))


async def propose_bot(
    registry: TableRegistry, table: Table, seat: int, away: int | None, event: int, request: str | None = None
) -> Change:
    """Propose to let a bot play for a seat whose owner is away."""
    if away is None or away not in _absent(registry, table):
        raise Rejected(Code.REFUSED, why=NOT_AWAY)
    if table.clock is not None and table.clock.is_away(away):
        raise Rejected(Code.REFUSED, why=IS_ON_VACATION)
    async with table.writing(event):
        if table.proposed is not None or table.owner(away) is None or table.handed_over(away):
            raise Rejected(Code.NOT_YOUR_TURN)
        return await registry.publisher.publish(table, _propose(registry, table, Proposed(seat, away=away), request))


async def agree(registry: TableRegistry, table: Table, seat: int, event: int, request: str | None = None) -> Change:
    """Agree to the proposal."""
    away = table.proposed.away if table.proposed else None
    if away is not None and away not in _absent(registry, table):
        raise Rejected(Code.REFUSED, why=NOT_AWAY)  # they have come back
    async with table.writing(event):
        user, still_asked = table.owner(seat), asked(table, _absent(registry, table))
        if table.proposed is None or user not in still_asked:
            raise Rejected(Code.NOT_YOUR_TURN)
        last = still_asked == {user}
        committing = _carry_out(table, table.proposed, request) if last else table.commit(Agreed(seat), request=request)
        return await registry.publisher.publish(table, committing)


async def decline(registry: TableRegistry, table: Table, seat: int, event: int, request: str | None = None) -> Change:
    """Decline the proposal, or withdraw it; the user who is said to be away may decline it too."""
    async with table.writing(event):
        if table.proposed is None:
            raise Rejected(Code.STALE)
        return await registry.publisher.publish(table, table.commit(Declined(seat), request=request))


def asked(table: Table, absent: Sequence[int]) -> set[str]:
    """Return the users who have yet to answer the proposal."""
    return _concerned(table, table.proposed, absent) - table.agreed if table.proposed else set()


def _absent(registry: TableRegistry, table: Table) -> list[int]:
    return registry.live.presence_at(table).absent()


def _concerned(table: Table, proposed: Proposed, absent: Sequence[int]) -> set[str]:
    """Return who has to agree; to a bot for somebody who is away, others who are away do not."""
    if proposed.away is None:
        return table.people()
    away = {proposed.away, *absent} - {proposed.seat}
    return table.people() - {table.owner(seat) for seat in away}


async def _propose(registry: TableRegistry, table: Table, proposed: Proposed, request: str | None) -> Change:
    """Ask the others, if there are any; else carry the proposal out."""
    if _concerned(table, proposed, _absent(registry, table)) == {table.owner(proposed.seat)}:
        return await _carry_out(table, proposed, request)
    return await table.commit(proposed, request=request)


async def _carry_out(table: Table, proposed: Proposed, request: str | None) -> Change:
    if proposed.away is not None:
        return await table.commit(HandedOver(proposed.away, DEFAULT_BOT), request=request)
    assert proposed.keep is not None
    return await table.undo_to(proposed.keep, request)
