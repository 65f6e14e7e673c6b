"""The tree search of `hard` with a value network in place of the judgement. Compiled.

A node is evaluated by what the network says of the positions its moves lead to, all of them in one question, together
with those of other nodes that the search came to meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from omnibus.bots.search import LEAST, Node, choose, node
from omnibus.bots.turn import Plan, settle
from omnibus.kernel.game import OVER, Game

Evaluate = Callable[[list[bytes]], list[list[float]]]
"""Returns each seat's share of the win for the summaries of positions."""

WAITING: Final = -1.0
"""The `spread` of a node while the network is asked about its moves."""


class Expansion:
    """A node whose moves the network is asked about."""

    __slots__ = ("moves", "path", "state", "told", "untold")

    path: list[Node]
    state: Any  # the position of the node
    moves: list[int]  # the legal ones
    untold: list[int]  # those of them nothing is known of yet
    told: list[list[float]]  # of each of these: the shares if the game is over after it, else nothing


def search(
    game: Game[Any],
    root: Node,
    states: list[Any],
    random: Callable[[], float],
    evaluate: Evaluate,
    together: int,
    simulations: int,
    deadline: float,
    clock: Callable[[], float],
) -> int:
    """Simulate from the states in turn, so many times or until the deadline; return how often.

    The network is asked about the moves of several nodes `together`.
    """
    done = 0
    while done < simulations and (done < LEAST or clock() < deadline):
        leaves: list[Expansion] = []
        rows: list[bytes] = []
        most = min(together, 1 + root.visits // 8)
        while len(leaves) < most and done < simulations:
            if not _simulate(game, root, states[done % len(states)].clone(), random, leaves, rows):
                break
            done += 1
        if leaves:
            _grow_all(game, leaves, evaluate(rows) if rows else [], random)
    return done


def _simulate(
    game: Game[Any],
    root: Node,
    state: Any,
    random: Callable[[], float],
    leaves: list[Expansion],
    rows: list[bytes],
) -> bool:
    """Descend to a node that was never visited, or to one whose moves are not known; False if it is being asked about.

    Every path is counted as visited at once, so that the next descent rather takes another one.
    """
    path: list[Node] = [root]
    here = root
    root.visits += 1
    while True:
        settle(game, state, random)
        moves = game.legal(state)
        if not moves:
            _update(path, game.judge(state))
            return True
        if here.spread == WAITING:
            for one in path:
                one.visits -= 1
            return False
        untold = _untold(here, moves)
        if untold:
            leaves.append(_leaf(game, path, state, moves, untold, rows))
            here.spread = WAITING
            return True
        here = choose(game, here, state, moves)
        here.visits += 1
        path.append(here)
        game.apply(state, here.move)
        if here.visits == 1:
            _finish(game, path, state, random)
            return True


def _untold(here: Node, moves: list[int]) -> list[int]:
    """Return the moves the network has not been asked about: in another redeal the seat held other cards."""
    places = here.places
    children = here.children
    found: list[int] = []
    for move in moves:
        if move not in places or not children[places[move]].shares:
            found.append(move)
    return found


def _leaf(
    game: Game[Any], path: list[Node], state: Any, moves: list[int], untold: list[int], rows: list[bytes]
) -> Expansion:
    leaf = Expansion()
    leaf.path = path
    leaf.state = state
    leaf.moves = moves
    leaf.untold = untold
    leaf.told = [_look(game, _after(state, game, move), rows) for move in untold]
    return leaf


def _after(state: Any, game: Game[Any], move: int) -> Any:
    after = state.clone()
    game.apply(after, move)
    return after


def _look(game: Game[Any], after: Any, rows: list[bytes]) -> list[float]:
    """Return the shares of a game that is over; else add its summary to what the network is asked."""
    if after.actor == OVER:
        shares: list[float] = game.judge(after)
        return shares
    assert game.summary is not None
    rows.append(game.summary.of(after))
    return []


def _grow_all(game: Game[Any], leaves: list[Expansion], told: list[list[float]], random: Callable[[], float]) -> None:
    """Add the moves of all leaves to the tree with what the network told, and visit the best move of each."""
    at = 0
    for leaf in leaves:
        here = leaf.path[len(leaf.path) - 1]
        actor: int = leaf.state.actor
        for index in range(len(leaf.untold)):
            shares = leaf.told[index]
            if not shares:
                shares = told[at]
                at += 1
            move = leaf.untold[index]
            if move not in here.places:
                here.places[move] = len(here.children)
                here.children.append(node(move, shares[actor], len(shares)))
            here.children[here.places[move]].shares = shares
        here.spread = 0.0
        child = choose(game, here, leaf.state, leaf.moves)
        child.visits += 1
        leaf.path.append(child)
        game.apply(leaf.state, child.move)
        _finish(game, leaf.path, leaf.state, random)


def _finish(game: Game[Any], path: list[Node], state: Any, random: Callable[[], float]) -> None:
    """Give all nodes on a path what the network told of the last one, or the result if chance ends the game."""
    if settle(game, state, random) == OVER:
        _update(path, game.judge(state))
    else:
        _update(path, path[len(path) - 1].shares)


def _update(path: list[Node], shares: list[float]) -> None:
    for one in path:
        worth = one.worth
        for seat in range(len(shares)):
            worth[seat] = worth[seat] + shares[seat]


Going = tuple[float, int, list[int], Any]
"""An unfinished turn: its value, the index of its plan, the moves so far, and the state they lead to."""


def plans(
    game: Game[Any],
    state: Any,
    evaluate: Evaluate,
    width: int,
    deadline: float,
    clock: Callable[[], float],
) -> list[Plan]:
    """Return a plan for each legal move, evaluated by the network at the end of the turn, as `turn.plans` does."""
    seat: int = state.actor
    made: list[Plan] = []
    steps: list[tuple[int, list[int], Any]] = []
    for move in game.legal(state):
        plan = Plan()
        plan.move = move
        plan.ended = False
        plan.looked = 0
        steps.append((len(made), [move], _after(state, game, move)))
        made.append(plan)
    while steps:
        going = _weigh_steps(game, steps, seat, evaluate, made)
        steps = []
        if clock() >= deadline:
            break
        going.sort(key=_promise)
        for _, index, path, here in going[:width]:
            for move in game.legal(here):
                steps.append((index, [*path, move], _after(here, game, move)))
    return made


def _weigh_steps(
    game: Game[Any], steps: list[tuple[int, list[int], Any]], seat: int, evaluate: Evaluate, made: list[Plan]
) -> list[Going]:
    """Improve the plans by what the network says of their steps; return the turns that are not finished."""
    rows: list[bytes] = []
    known = [_look(game, after, rows) for _, _, after in steps]
    told = evaluate(rows) if rows else []
    going: list[Going] = []
    at = 0
    for number in range(len(steps)):
        index, path, after = steps[number]
        shares = known[number]
        if not shares:
            shares = told[at]
            at += 1
        plan = made[index]
        plan.looked += 1
        ended: bool = after.actor != seat
        if plan.looked == 1 or (ended and not plan.ended) or (ended == plan.ended and shares[seat] > plan.shares[seat]):
            plan.shares = shares
            plan.after = after
            plan.path = path
            plan.ended = ended
        if not ended:
            going.append((shares[seat], index, path, after))
    return going


def _promise(item: Going) -> float:
    return -item[0]
