"""The status of a match in words: whose turn it is and what to do, or how the game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnibus.kernel.game import Words
from omnibus.kernel.match import Match
from omnibus.kernel.names import say
from omnibus.kernel.seat_changes import HAS_RESIGNED, RANKED_LAST, WINS, names_at


def status(match: Match, view: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Say how the last position of a match stands, as a reader of a view is told it."""
    gone, winner = match.resigned, match.unopposed
    if winner is not None:
        return f"{say(HAS_RESIGNED, list(gone)[-1], names, words)} {say(WINS, winner, names, words)}"
    told = match.game.status(view, names_at(match.changes, match.length, names, words), words)
    ranked = [say(RANKED_LAST, seat, names, words) for seat in gone] if view["outcome"] else []
    return " ".join([told, *ranked])
