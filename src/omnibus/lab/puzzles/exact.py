"""Solve a position exactly: go through everything the players and chance can do, if that is not too much.

Positions that can be reached in several ways are solved once. They are told apart by their documents, which contain
all that matters for the rest of a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from omnibus.bots.hard import no_collection
from omnibus.kernel.game import CHANCE, OVER, Game

SLIGHT: Final = 1e-9
"""Shares that differ by less are equal."""


class TooManyPositions(Exception):
    """There is more to go through than was allowed."""


class Solver:
    """Goes through everything that can follow, up to a number of positions."""

    def __init__(self, game: Game[Any], most: int, known: dict[bytes, list[float]] | None = None) -> None:
        self.game = game
        self.left = most
        self._known = {} if known is None else known

    def shares(self, state: Any) -> list[float]:
        """Return each seat's share of the win if everybody plays the best for themselves; TooManyPositions."""
        self.left -= 1
        if self.left < 0:
            raise TooManyPositions
        key = msgspec.json.encode(self.game.position(state))
        if key not in self._known:
            self._known[key] = self._worked_out(state)
        return self._known[key]

    def _worked_out(self, state: Any) -> list[float]:
        if state.actor == OVER:
            return list(self.game.judge(state))
        return self._by_chance(state) if state.actor == CHANCE else self._best(state)

    def after(self, state: Any, move: int) -> Any:
        """Return the state after a move."""
        after = state.clone()
        self.game.apply(after, move)
        return after

    def turn(self, state: Any, move: int) -> list[int]:
        """Return the moves of a turn that begins with a move and goes on with the best ones."""
        seat, moves, after = state.actor, [move], self.after(state, move)
        while after.actor == seat:
            least = self.shares(after)[seat] - SLIGHT
            found = ((one, self.shares(there)) for one, there in self._ordered(after))
            moves.append(next(one for one, shares in found if shares[seat] >= least))
            self.game.apply(after, moves[-1])
        return moves

    def _by_chance(self, state: Any) -> list[float]:
        weights = self.game.chances(state)
        total = sum(weight for _, weight in weights)
        return _sum([(self.shares(self.after(state, move)), weight / total) for move, weight in weights])

    def _best(self, state: Any) -> list[float]:
        """Return what the seat to act gets, and the others.

        Between equally good lines it decides at random, which matters to the others. A sure win leaves nothing to the
        others, so the first one found is enough: the lines that look best are gone through first.
        """
        seat, results = state.actor, []
        for _, after in self._ordered(state):
            results.append(self.shares(after))
            if results[-1][seat] >= 1 - SLIGHT:
                return results[-1]
        most = max(shares[seat] for shares in results) - SLIGHT
        best = [shares for shares in results if shares[seat] >= most]
        return _sum([(shares, 1 / len(best)) for shares in best])

    def _ordered(self, state: Any) -> list[tuple[int, Any]]:
        """Return the legal moves and the states after them: ends of the game first, then what looks best."""
        afters = [(move, self.after(state, move)) for move in self.game.legal(state)]
        ended = [each for each in afters if each[1].actor == OVER]
        going = [each for each in afters if each[1].actor != OVER]
        if len(going) > 1:
            going.sort(key=lambda each: -self.game.judge(each[1])[state.actor])
        return ended + going


@dataclass(frozen=True, slots=True)
class Solved:
    """A position that has been solved: each seat's exact share after each legal move."""

    shares: dict[int, list[float]]
    solver: Solver


def solve(game: Game[Any], state: Any, most: int, known: dict[bytes, list[float]] | None = None) -> Solved | None:
    """Solve a position; None if there are more positions to go through than `most`.

    With `known`, what is found out is kept there, for other positions of the same game.
    """
    solver = Solver(game, most, known)
    try:
        with no_collection():
            shares = {move: solver.shares(solver.after(state, move)) for move in game.legal(state)}
    except TooManyPositions:
        return None
    solver.left = most  # for its turns, which have been gone through already
    return Solved(shares, solver)


def _sum(weighted: list[tuple[list[float], float]]) -> list[float]:
    seats = len(weighted[0][0])
    return [sum(shares[seat] * weight for shares, weight in weighted) for seat in range(seats)]
