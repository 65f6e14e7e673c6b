"""What is shown at the end: the figure that decided the game, where it stands (§10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnibus.games.times_square.drawing.labels import remarks
from omnibus.kernel.game import Journey, Words


def journeys(view: Mapping[str, Any], words: Words, *, wide: bool = False) -> list[Journey]:
    """Return what decided the game, once it is over; the parts are the same in both shapes."""
    outcome = view["outcome"]
    if not outcome:
        return []
    reason, winners = outcome["reason"], outcome["winners"]
    deciding = ("sue", "charlie") if reason == "draw" else (reason.removeprefix("supply-"),)
    where = tuple(dict.fromkeys(f"space-{view['figures'][name]}" for name in deciding))
    supply = () if reason in deciding else ("supply",)
    parts = (*supply, *(f"figure-{name}" for name in deciding), *where)
    return [Journey(remarks(words)[reason], winners[0] if winners else None, parts=parts)]
