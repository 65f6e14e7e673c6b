"""What needs the consent of all people at a table: to go back, or to let a bot play for somebody who is away.

Who proposes is taken to agree. The last one who is asked and agrees makes it happen: then the event is the deed itself.
"""

from __future__ import annotations

from omnibus.server.errors import Code, Rejected
from omnibus.server.store.models import DEFAULT_BOT
from omnibus.server.tables.events import Agreed, Declined, Handed, Proposed
from omnibus.server.tables.table import Table


async def propose_undo(table: Table, seat: int, event: int) -> None:
    """Propose to take back everything since and including the last decision of a seat."""
    async with table.writing(event):
        keep = table.last_decision(seat)
        if keep is None or table.proposed is not None:
            raise Rejected(Code.NOT_YOUR_TURN)
        await _propose(table, Proposed(seat, keep=keep))


async def propose_bot(table: Table, seat: int, away: int, event: int) -> None:
    """Propose to let a bot play for somebody who is away; whether they are, the caller knows."""
    async with table.writing(event):
        if table.proposed is not None or table.owner(away) is None or table.handed(away):
            raise Rejected(Code.NOT_YOUR_TURN)
        await _propose(table, Proposed(seat, away=away))


async def agree(table: Table, seat: int, event: int) -> None:
    """Agree to what is proposed."""
    async with table.writing(event):
        user = table.owner(seat)
        if table.proposed is None or user not in asked(table):
            raise Rejected(Code.NOT_YOUR_TURN)
        if asked(table) == {user}:
            await _carry_out(table, table.proposed)
        else:
            await table.keep(Agreed(seat))


async def decline(table: Table, seat: int, event: int) -> None:
    """Decline what is proposed, or withdraw it; who is said to be away may decline it too."""
    async with table.writing(event):
        if table.proposed is None:
            raise Rejected(Code.STALE)
        await table.keep(Declined(seat))


def asked(table: Table) -> set[str]:
    """Return the people who have yet to say what they think of what is proposed."""
    return _concerned(table, table.proposed) - table.agreed if table.proposed else set()


def _concerned(table: Table, proposed: Proposed) -> set[str]:
    """Return whose consent is needed; of a bot for somebody who is away, not that of others who are away, too."""
    if proposed.away is None:
        return table.people()
    away = {proposed.away, *(table.presence.absent() if table.presence else ())} - {proposed.seat}
    return table.people() - {table.owner(seat) for seat in away}


async def _propose(table: Table, proposed: Proposed) -> None:
    """Ask the others, if there are any to be asked."""
    if _concerned(table, proposed) == {table.owner(proposed.seat)}:
        await _carry_out(table, proposed)
    else:
        await table.keep(proposed)


async def _carry_out(table: Table, proposed: Proposed) -> None:
    if proposed.away is not None:
        await table.keep(Handed(proposed.away, DEFAULT_BOT))
    elif proposed.keep is not None:
        await table.go_back(proposed.keep)
