"""A beam search through one's own turn, which often has several decisions. Compiled.

At each step only the most promising continuations are followed, as many as the beam is wide.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from omnibus.kernel.game import OVER, Game

Going = tuple[float, int, list[int], Any]
"""An unfinished turn: its value, the index of its plan, the moves so far, and the state they lead to."""


class Plan:
    """A first move and the best continuation found."""

    __slots__ = ("after", "ended", "looked", "move", "path", "shares")

    move: int
    shares: list[float]
    after: Any
    path: list[int]  # the moves that lead there
    ended: bool  # whether the turn is over in `after`
    looked: int  # how many positions were evaluated


def plans(
    game: Game[Any],
    state: Any,
    random: Callable[[], float],
    width: int,
    deadline: float = inf,
    clock: Callable[[], float] = lambda: 0.0,
) -> list[Plan]:
    """Return a plan for each legal move, in the order of `legal`, evaluated at the end of the turn.

    At the deadline, unfinished turns are left as they are.
    """
    seat: int = state.actor
    made: list[Plan] = []
    going: list[Going] = []
    for move in game.legal(state):
        plan = Plan()
        plan.move = move
        plan.ended = False
        plan.looked = 0
        made.append(plan)
        _look(game, state, [move], seat, random, len(made) - 1, made, going)
    while going and clock() < deadline:
        going.sort(key=_promise)
        followed = going[:width]
        going = []
        for _, index, path, here in followed:
            for move in game.legal(here):
                _look(game, here, [*path, move], seat, random, index, made, going)
    return made


def _promise(item: Going) -> float:
    return -item[0]


def _look(
    game: Game[Any],
    state: Any,
    path: list[int],
    seat: int,
    random: Callable[[], float],
    index: int,
    made: list[Plan],
    going: list[Going],
) -> None:
    """Evaluate the state after a path; improve its plan, or add it to the unfinished turns."""
    after = state.clone()
    game.apply(after, path[-1])
    actor: int = after.actor
    ended = actor != seat
    before = after.clone() if ended else after
    shares = foresee(game, after, random)
    plan = made[index]
    plan.looked += 1
    if plan.looked == 1 or (ended and not plan.ended) or (ended == plan.ended and shares[seat] > plan.shares[seat]):
        plan.shares = shares
        plan.after = before
        plan.path = path
        plan.ended = ended
    if not ended:
        going.append((shares[seat], index, path, after))


def foresee(game: Game[Any], state: Any, random: Callable[[], float]) -> list[float]:
    """Evaluate a state before chance acts, so that a lucky draw is not mistaken for merit, unless it ends the game.

    Afterwards chance has acted in the state.
    """
    shares: list[float] = game.judge(state)
    if settle(game, state, random) == OVER:
        shares = game.judge(state)
    return shares


def settle(game: Game[Any], state: Any, random: Callable[[], float]) -> int:
    """Let chance act until a seat is to act or the game is over; return the actor."""
    weights = game.chance_total(state)
    while weights:
        game.apply(state, game.chance_at(state, int(random() * float(weights))))
        weights = game.chance_total(state)
    actor: int = state.actor
    return actor
