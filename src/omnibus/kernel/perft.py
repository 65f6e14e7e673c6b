"""Node counts and random playouts. Compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omnibus.kernel.game import CHANCE, OVER, Game


def perft(game: Game[Any], state: Any, depth: int) -> int:
    """Count the sequences of plies of this length; every chance outcome counts once."""
    if depth == 0:
        return 1
    moves = game.legal(state)
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        child = state.clone()
        game.apply(child, move)
        nodes += perft(game, child, depth - 1)
    return nodes


def split(game: Game[Any], state: Any, depth: int) -> list[tuple[str, int]]:
    """Count the nodes below each legal line, to find where two engines differ."""
    counts: list[tuple[str, int]] = []
    for move in game.legal(state) if depth > 0 else []:
        child = state.clone()
        game.apply(child, move)
        counts.append((game.write(state, move), perft(game, child, depth - 1)))
    return counts


def playout(game: Game[Any], state: Any, random: Callable[[], float], limit: int = 1 << 60) -> int:
    """Play random moves to the end, in place, and count the decisions of seats (chance is not counted).

    `random` is a function like `random.random`. The playout stops after `limit` decisions.
    """
    legal = game.legal
    apply = game.apply
    total = game.chance_total
    at = game.chance_at
    decisions = 0
    while decisions < limit:
        weights = total(state)  # 0 if chance does not act; asking is cheaper than reading `state.actor`
        if weights:
            apply(state, at(state, int(random() * float(weights))))
            continue
        moves = legal(state)
        if not moves:
            break
        apply(state, moves[int(random() * float(len(moves)))])
        decisions += 1
    return decisions


def step(game: Game[Any], state: Any, random: Callable[[], float]) -> int:
    """Choose one random move, weighted if chance acts; OVER if there is none."""
    actor: int = state.actor
    if actor == OVER:
        return OVER
    if actor == CHANCE:
        return game.chance_at(state, int(random() * float(game.chance_total(state))))
    moves = game.legal(state)
    return moves[int(random() * float(len(moves)))]
