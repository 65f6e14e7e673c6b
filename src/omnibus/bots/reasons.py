"""Why a move is good or bad, from the terms of the judgement: what sets it apart from the other moves in question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from omnibus.kernel.game import Game

TOLD: Final = 2
"""No more than so much is said for a move, and no more against it."""
NOTABLE: Final = 0.05
"""A term that makes less difference than this is not worth a word."""

Reasons = tuple[tuple[str, ...], tuple[str, ...]]
"""What speaks for a move and what against it: message ids, weightiest first."""


def reasons(game: Game[Any], state: Any, afters: Sequence[Any]) -> list[Reasons]:
    """Return the main reasons for and against each of some moves, given where each leads.

    A term counts by how far it lies above or below the mean of all the moves; of a lone move, of where it began.
    """
    seat = state.actor
    worths = [game.terms(after, seat) for after in afters]
    measure = worths if len(worths) > 1 else [game.terms(state, seat)]
    mean = {name: sum(worth[name] for worth in measure) / len(measure) for name in measure[0]}
    return [_told(game, {name: worth[name] - mean[name] for name in mean}) for worth in worths]


def _told(game: Game[Any], gains: dict[str, float]) -> Reasons:
    notable = sorted((name for name in gains if abs(gains[name]) >= NOTABLE), key=lambda name: -abs(gains[name]))
    pros = tuple(game.phrases[name][0] for name in notable if gains[name] > 0)
    cons = tuple(game.phrases[name][1] for name in notable if gains[name] < 0)
    return pros[:TOLD], cons[:TOLD]
