"""Looking one's own turn through to its end. Compiled.

A turn is often several decisions: cards of one colour, three tunnels. Of the many ways to go on only the most promising
are followed at each step, as many as the beam is wide.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from omnibus.kernel.game import OVER, Game

Going = tuple[float, int, list[int], Any]
"""A turn that goes on: what it promises, which plan it belongs to, the moves so far, and where they lead."""


class Plan:
    """A first move and the best that was seen to come of it."""

    __slots__ = ("after", "ended", "looked", "move", "path", "shares")

    move: int
    shares: list[float]
    after: Any
    path: list[int]  # the moves that lead there
    ended: bool  # whether `after` is where the turn is over
    looked: int  # how many positions were judged


def plans(
    game: Game[Any],
    state: Any,
    random: Callable[[], float],
    width: int,
    deadline: float = inf,
    clock: Callable[[], float] = lambda: 0.0,
) -> list[Plan]:
    """Return a plan for each legal move, in the order of `legal`: how it stands when the turn is over.

    When the clock shows the deadline, turns that still go on are left as they are.
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
    """Judge what a move leads to; where the turn is over the plan may be the better for it, else it goes on."""
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
    """Judge a state before chance acts, so that no lucky draw is taken for merit — unless chance ends the game.

    The state is left where chance has acted.
    """
    shares: list[float] = game.judge(state)
    if settle(game, state, random) == OVER:
        shares = game.judge(state)
    return shares


def settle(game: Game[Any], state: Any, random: Callable[[], float]) -> int:
    """Let chance act until a seat decides or the game is over; return the actor then."""
    weights = game.chance_total(state)
    while weights:
        game.apply(state, game.chance_at(state, int(random() * float(weights))))
        weights = game.chance_total(state)
    actor: int = state.actor
    return actor
