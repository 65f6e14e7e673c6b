"""What a visitor may ask about a table without changing it: hints, reasons, previews, why a request was rejected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from omnibus.server.errors import Code, Rejected
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.tables.board_view import words_for
from omnibus.server.tables.messages import Hint, Preview, Reason, Trouble
from omnibus.server.tables.reasons import reason_at
from omnibus.server.tables.scene import moves, pieces_after
from omnibus.server.tables.viewpoint import Viewpoint

if TYPE_CHECKING:
    from omnibus.server.tables.registry import TableRegistry


async def allow_hint(viewpoint: Viewpoint) -> int:
    """Return the seat a hint may be asked for now; rejects when none may be."""
    await spend(Quota.HINT)
    if not viewpoint.may_ask_hint:
        raise Rejected(Code.NOT_YOUR_TURN)
    return viewpoint.acting_seat()


async def hint(registry: TableRegistry, viewpoint: Viewpoint, seat: int) -> Hint | None:
    """Ask a strong bot what a seat should do; None when something has happened in the meantime."""
    table = viewpoint.table
    event = table.event
    ideas = await registry.bot_driver.hint(table, seat, viewpoint.language)
    return Hint(event, ideas) if event == table.event else None


async def explain_part(viewpoint: Viewpoint, part: str, event: int, picked: Sequence[str] = ()) -> Reason:
    """Say why nothing can be done with a part of the board, after others were picked; nothing if there is no reason."""
    await _expect(viewpoint, event)
    return reason_at(viewpoint.table, viewpoint.reader, part, picked)


async def preview(viewpoint: Viewpoint, line: str, event: int) -> Preview:
    """Show the pieces as they would lie after a legal line."""
    await _expect(viewpoint, event)
    told = words_for(viewpoint.table.match, viewpoint.language)
    if line not in [move.line for move in moves(viewpoint.table, viewpoint.reader, told)]:
        raise Rejected(Code.REFUSED)
    return Preview(line, pieces_after(viewpoint.table, viewpoint.reader, line))


async def _expect(viewpoint: Viewpoint, event: int) -> None:
    await viewpoint.table.settled()
    if event != viewpoint.table.event:
        raise Rejected(Code.STALE)


def trouble(viewpoint: Viewpoint, rejected: Rejected, id_: str = "") -> Trouble:
    """Say in the reader's language why a request was rejected, with the § if the rules forbid it."""
    told = words_for(viewpoint.table.match, viewpoint.language)
    if rejected.refusal is None:
        return Trouble(rejected.code, id_, told.gettext(rejected.why))
    text = viewpoint.table.game.explain(rejected.refusal, told)
    return Trouble(rejected.code, id_, text, rejected.refusal.section)
