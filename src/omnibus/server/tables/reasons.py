"""Why a click on a board leads to no move, in the words of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from omnibus.kernel.clicks import why_not
from omnibus.kernel.game import Game, Words
from omnibus.server.tables.board_view import Reader, words_for
from omnibus.server.tables.messages import Reason
from omnibus.server.tables.scene import redealt
from omnibus.server.tables.table import Table


def reason(game: Game[Any], state: Any, part: str, picked: Sequence[str], told: Words) -> Reason:
    """Say why nothing can be done with a part, after others were picked; the text is empty if there is no reason."""
    refusal = why_not(game, state, part, picked) if state.actor >= 0 else None
    if refusal is None:
        return Reason(part, "", "")
    return Reason(part, game.explain(refusal, told), refusal.section)


def reason_at(table: Table, reader: Reader, part: str, picked: Sequence[str] = ()) -> Reason:
    """Say why a reader can do nothing with a part at a table; there is no reason while it is not their turn."""
    if reader.seat is None or reader.seat != table.awaits:
        return Reason(part, "", "")
    told = words_for(table.match, reader.language)
    return reason(table.game, redealt(table, reader.seat), part, picked, told)
