"""Solve a position exactly: go through everything the players and chance can do, if that is not too much."""

from __future__ import annotations

from typing import Any

from omnibus.kernel.game import CHANCE, OVER, Game

SLIGHT = 1e-9
"""Shares that differ by less are equal."""


class TooLarge(Exception):
    """There is more to go through than was allowed."""


class Solver:
    """Goes through everything that can follow, up to a number of positions."""

    def __init__(self, game: Game[Any], most: int) -> None:
        self.game = game
        self.left = most

    def shares(self, state: Any) -> list[float]:
        """Return each seat's share of the win if everybody plays the best for themselves; TooLarge."""
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        if state.actor == OVER:
            return list(self.game.judge(state))
        if state.actor == CHANCE:
            weights = self.game.chances(state)
            total = sum(weight for _, weight in weights)
            return _sum([(self.shares(self.after(state, move)), weight / total) for move, weight in weights])
        return self._best(state.actor, [self.shares(self.after(state, move)) for move in self.game.legal(state)])

    def after(self, state: Any, move: int) -> Any:
        """Return the state after a move."""
        after = state.clone()
        self.game.apply(after, move)
        return after

    @staticmethod
    def _best(seat: int, results: list[list[float]]) -> list[float]:
        """Return what a seat chooses; between equally good lines it decides at random, which matters to the others."""
        most = max(shares[seat] for shares in results) - SLIGHT
        best = [shares for shares in results if shares[seat] >= most]
        return _sum([(shares, 1 / len(best)) for shares in best])


def solve(game: Game[Any], state: Any, most: int) -> dict[int, list[float]] | None:
    """Return each seat's exact share after each legal move; None if there is more to go through than `most`."""
    solver = Solver(game, most)
    try:
        return {move: solver.shares(solver.after(state, move)) for move in game.legal(state)}
    except TooLarge:
        return None


def _sum(weighted: list[tuple[list[float], float]]) -> list[float]:
    seats = len(weighted[0][0])
    return [sum(shares[seat] * weight for shares, weight in weighted) for seat in range(seats)]
