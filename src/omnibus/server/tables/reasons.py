"""Why a click on a board leads to no move, in the words of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from omnibus.kernel.clicks import why_not
from omnibus.kernel.game import Game, Words
from omnibus.server.tables.messages import Reason


def reason(game: Game[Any], state: Any, part: str, picked: Sequence[str], told: Words) -> Reason:
    """Say why nothing can be done with a part, after others were picked; the text is empty if there is no reason."""
    refusal = why_not(game, state, part, picked) if state.actor >= 0 else None
    if refusal is None:
        return Reason(part, "", "")
    return Reason(part, game.explain(refusal, told), refusal.section)
