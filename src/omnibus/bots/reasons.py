"""Why a move is good or bad: the terms of the evaluation in which it differs from the other candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from omnibus.kernel.game import Game

MOST: Final = 2
"""At most so many reasons are given for a move, and as many against it."""
NOTABLE: Final = 0.05
"""A term with a smaller difference than this is not mentioned."""

Reasons = tuple[tuple[str, ...], tuple[str, ...]]
"""Reasons for and against a move, the most important first: messages of the game's catalogue, or names of terms."""


def reasons(game: Game[Any], state: Any, afters: Sequence[Any]) -> list[Reasons]:
    """Return the main reasons for and against each move, given the states they lead to."""
    return [
        (tuple(game.phrases[name][0] for name in pros), tuple(game.phrases[name][1] for name in cons))
        for pros, cons in notable_terms(game, state, afters)
    ]


def notable_terms(game: Game[Any], state: Any, afters: Sequence[Any]) -> list[Reasons]:
    """Return the names of the terms that speak most for and against each move, given the states they lead to.

    A term counts by its difference from the mean of all moves; for a single move, from the state before.
    """
    seat = state.actor
    worths = [game.terms(after, seat) for after in afters]
    measure = worths if len(worths) > 1 else [game.terms(state, seat)]
    mean = {name: sum(worth[name] for worth in measure) / len(measure) for name in measure[0]}
    return [_most({name: worth[name] - mean[name] for name in mean}) for worth in worths]


def _most(gains: dict[str, float]) -> Reasons:
    notable = sorted((name for name in gains if abs(gains[name]) >= NOTABLE), key=lambda name: -abs(gains[name]))
    pros = tuple(name for name in notable if gains[name] > 0)
    cons = tuple(name for name in notable if gains[name] < 0)
    return pros[:MOST], cons[:MOST]
