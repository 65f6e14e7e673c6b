"""Why a move is good or bad: the terms of the evaluation in which it differs from the other candidates."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any, Final

from omnibus.kernel.game import Game
from omnibus.kernel.i18n import mark

MOST: Final = 2
"""At most so many reasons are given for a move, and as many against it."""
NOTABLE: Final = 0.05
"""A term with a smaller difference than this is not mentioned."""
OTHERS: Final = "the others"
"""The name of what a move does to the other seats, taken together, beside the terms of the game."""
LESS_TO_OTHERS: Final = mark("leaves less to the others")

Reasons = tuple[tuple[str, ...], tuple[str, ...]]
"""Reasons for and against a move, the most important first: messages of the game's catalogue, or names of terms."""


def reasons(game: Game[Any], state: Any, afters: Sequence[Any]) -> list[Reasons]:
    """Return the main reasons for and against each move, given the states they lead to."""
    return [
        (tuple(game.phrases[name][0] for name in pros), tuple(game.phrases[name][1] for name in cons))
        for pros, cons in notable_terms(game, state, afters)
    ]


def opposed_reasons(
    game: Game[Any], seat: int, first: Sequence[Any], second: Sequence[Any]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the main reasons for each of two moves, compared with the other, given states they led to later.

    A term counts by the difference of its means. What speaks for a move speaks against the other.
    """
    one, other = (_mean_terms(game, states, seat) for states in (first, second))
    pros, cons = _most({name: one[name] - other[name] for name in one})
    return tuple(_praise(game, name) for name in pros), tuple(_praise(game, name) for name in cons)


def _praise(game: Game[Any], name: str) -> str:
    """Say that a move is better by a term, or by what it does to the other seats."""
    return LESS_TO_OTHERS if name == OTHERS else game.phrases[name][0]


def _mean_terms(game: Game[Any], states: Sequence[Any], seat: int) -> dict[str, float]:
    """Return the means of a seat's terms over states, and of what the other seats lack."""
    found = [game.terms(state, seat) for state in states]
    rivals = [rival for rival in range(states[0].seats) if rival != seat]
    theirs = fmean(sum(game.terms(state, rival).values()) for state in states for rival in rivals)
    return {name: fmean(terms[name] for terms in found) for name in found[0]} | {OTHERS: -theirs}


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
