"""Judge a decision from the view of the seat that made it: what was best, and what was lost.

A search finds the best line. Then it and the line played are compared in fresh searches, each from the same redeals of
what the seat could not see. The second look is fair: the first one chose its best line because it looked best, by
luck too. For the same reason a decision that would get a grade is compared once more, for longer, and only that counts.

Where a network judges, the hand-written judgement of `hard` is asked as well: what one of them misjudges it misjudges
however long it searches, but they seldom misjudge the same. The result is their mean, and as uncertain as they differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from time import perf_counter
from typing import Any, Final

from omnibus.bots import bot, strongest
from omnibus.bots.bot import Candidate
from omnibus.bots.hard import Hard, no_collection
from omnibus.bots.reasons import reasons
from omnibus.bots.search import Node, node
from omnibus.kernel.game import Game
from omnibus.lab.analysis.document import Alternative, Decision
from omnibus.lab.analysis.grades import grade

SEARCHED: Final = 0.4
"""So much of the time goes into the search for the best line; the rest compares it with the line played."""
REPEATED: Final = 4
"""How often two lines are compared where something is hidden; the differences tell how sure the result is."""
REDEALS: Final = 8
"""So many redeals each slice of a comparison begins from; they are new ones each time, so more time makes it surer."""
AGAIN: Final = 8
"""A decision with a grade is compared again for so many times as long."""
SECOND: Final = "hard"
"""The bot that compares too, after the strongest one."""
SHOWN: Final = 4
"""At most so many lines are kept for a decision, besides the one played."""
SLICE: Final = 16
"""Simulations of one line before the other has its turn, so that both get the same number."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two lines compared: each seat's share after each of them, and how uncertain the difference is."""

    first: list[float]
    second: list[float]
    error: float
    """The standard error of the difference for the seat that decides."""


class Judge:
    """Judges decisions, each within the same time or, for results that can be repeated, with so many simulations.

    The strongest bot there is for a game with these seats and options finds the best line; it and `hard` compare.
    """

    def __init__(self, game: Game[Any], seconds: float, *, simulations: int | None = None, seed: int = 0) -> None:
        self.game = game
        self.seconds = seconds
        self.simulations = simulations
        self.seed = seed

    def decision(self, ply: int, state: Any, move: int) -> Decision:
        """Judge the move that was played in a state."""
        return self.decision_in(ply, self.game.view(state, state.actor), self.game.write(state, move))

    def decision_in(self, ply: int, view: dict[str, Any], line: str) -> Decision:
        """Judge the line that the seat with this view played; nothing else is known of the state."""
        began = perf_counter()
        random = Random(f"{self.seed} {ply}")
        players = self._players(view, random)
        supposed, candidates = players[0].candidates(view)
        move = self.game.parse(supposed, line)
        played = next((each for each in candidates if each.move == move), None) or _looked_at(self.game, supposed, move)
        others = [each for each in candidates if each.move != move]
        if not others:  # there was nothing to decide
            return self._decision(ply, supposed, played, [], Comparison(list(played.shares), list(played.shares), 0.0))
        rival = others[0]
        moves = rival.move, move
        with no_collection():
            compared = self.compare(players, view, moves, began + self.seconds)
            found = self._decision(ply, supposed, played, others, compared)
            if not grade(found):
                return found
            until = perf_counter() + AGAIN * (1 - SEARCHED) * self.seconds
            compared = self.compare(players, view, moves, until, AGAIN)
        return self._decision(ply, supposed, played, others, compared)

    def compare(
        self, players: Sequence[Hard], view: dict[str, Any], moves: tuple[int, int], deadline: float, length: int = 1
    ) -> Comparison:
        """Compare two moves of the seat to act in searches of equal length by each of the players.

        Searches that are limited by simulations make `length` times as many.
        """
        seat: int = view["viewer"]
        found = []
        for number, player in enumerate(players):
            now = perf_counter()
            until = now + (deadline - now) / (len(players) - number)
            found.append(self._compare_by(player, view, moves, until, length))
        firsts, seconds = [each.first for each in found], [each.second for each in found]
        own = fmean(each.error**2 for each in found) / len(found)
        return Comparison(_mean(firsts), _mean(seconds), sqrt(own + _spread(firsts, seconds, seat)))

    def _compare_by(
        self, player: Hard, view: dict[str, Any], moves: tuple[int, int], deadline: float, length: int
    ) -> Comparison:
        seat: int = view["viewer"]
        times = 1 if self.game.open else REPEATED
        firsts, seconds, changes = [], [], []
        for number in range(times):
            now = perf_counter()
            rounds = self._rounds(now + (deadline - now) / (times - number), length, times)
            one, other, early = self._search_both(player, view, moves, rounds)
            firsts.append(_shares(one))
            seconds.append(_shares(other))
            changes.append(firsts[-1][seat] - seconds[-1][seat] - (early[0][seat] - early[1][seat]))
        spread = _spread(firsts, seconds, seat)
        return Comparison(_mean(firsts), _mean(seconds), sqrt(spread + fmean(changes) ** 2))

    def _players(self, view: dict[str, Any], random: Random) -> list[Hard]:
        """Return who judges: the strongest bot and, if that is another one, `hard`."""
        strong = strongest(self.game, self.game.redeal(view, Random(0).randrange))
        found = []
        for level in dict.fromkeys((strong, SECOND)):
            seconds = self.seconds * SEARCHED if self.simulations is None else None
            seed = random.getrandbits(32)
            player = bot(level, self.game, seed=seed, seconds=seconds, simulations=self.simulations)
            assert isinstance(player, Hard)
            found.append(player)
        return found

    def _search_both(
        self, player: Hard, view: dict[str, Any], moves: tuple[int, int], rounds: Iterator[bool]
    ) -> tuple[Node, Node, tuple[list[float], list[float]]]:
        """Search after each of two moves by turns; return both trees, and the shares after half of the search."""
        game = self.game
        deals = self._redeals(player, view)
        trees = [node(-1, 0.0, deals[0].seats) for _ in moves]
        early: tuple[list[float], list[float]] = [], []
        for is_half in rounds:
            for tree, move in zip(trees, moves, strict=True):
                player.simulate(tree, [_played(game, state, move) for state in deals], SLICE)
            if is_half and not early[0]:
                early = _shares(trees[0]), _shares(trees[1])
            deals = deals if game.open else self._redeals(player, view)
        return trees[0], trees[1], early

    def _redeals(self, player: Hard, view: dict[str, Any]) -> list[Any]:
        """Return states that fit the view; one is enough where nothing is hidden."""
        game = self.game
        return [game.redeal(view, player.random.randrange) for _ in range(1 if game.open else REDEALS)]

    def _rounds(self, until: float, length: int, times: int) -> Iterator[bool]:
        """Yield for each round of a search whether its first half is over by then; at least once it is."""
        if self.simulations is not None:
            rounds = max(2, length * self.simulations // (2 * SLICE * times))
            yield from (2 * (number + 1) >= rounds for number in range(rounds))
            return
        half = (perf_counter() + until) / 2
        is_half = False
        while not is_half or perf_counter() < until:
            is_half = perf_counter() >= half
            yield is_half

    def _decision(
        self, ply: int, state: Any, played: Candidate, others: list[Candidate], compared: Comparison
    ) -> Decision:
        """Put the result together: `compared` has the best other line first and the line played second."""
        game, seat = self.game, state.actor
        shown = [played, *others[:SHOWN]]
        told = reasons(game, state, [each.after() for each in shown])
        lines = [
            Alternative(
                line=game.write(state, each.move),
                shares=list(each.shares),
                visits=each.visits,
                continuation=_written(game, state, each.path()),
                reasons=list(pros),
                doubts=list(cons),
            )
            for each, (pros, cons) in zip(shown, told, strict=True)
        ]
        gap = compared.first[seat] - compared.second[seat]
        best = lines[1].line if others and gap > 0 else lines[0].line
        return Decision(
            ply=ply,
            seat=seat,
            line=lines[0].line,
            best=best,
            choices=len(game.legal(state)),
            before=compared.first if gap > 0 else compared.second,
            after=compared.second,
            gap=gap,
            error=compared.error,
            alternatives=lines,
        )


def luck(game: Game[Any], before: Any, after: Any) -> list[float]:
    """Return what a move of chance was worth to each seat: the value after it, less what was to be expected."""
    weights = game.chances(before)
    total = sum(weight for _, weight in weights)
    expected = [0.0] * before.seats
    for move, weight in weights:
        for seat, share in enumerate(game.judge(_played(game, before, move))):
            expected[seat] += share * weight / total
    return [share - mean for share, mean in zip(game.judge(after), expected, strict=True)]


def _looked_at(game: Game[Any], state: Any, move: int) -> Candidate:
    """Return a candidate for a move that the search has not looked at."""
    after = _played(game, state, move)
    return Candidate(move, game.judge(after), 0, lambda: after, lambda: [move])


def _played(game: Game[Any], state: Any, move: int) -> Any:
    after = state.clone()
    game.apply(after, move)
    return after


def _written(game: Game[Any], state: Any, path: Sequence[int]) -> list[str]:
    """Write the moves of a turn."""
    here = state.clone()
    lines = []
    for move in path:
        lines.append(game.write(here, move))
        game.apply(here, move)
    return lines


def _shares(tree: Node) -> list[float]:
    """Return each seat's share; a network's add up to 1 only nearly, these do."""
    whole = sum(tree.worth)
    return [worth / whole for worth in tree.worth]


def _spread(firsts: list[list[float]], seconds: list[list[float]], seat: int) -> float:
    """Return the variance of the mean difference between two lines, from how much the differences differ."""
    gaps = [one[seat] - other[seat] for one, other in zip(firsts, seconds, strict=True)]
    return pvariance(gaps) / max(1, len(gaps) - 1)


def _mean(vectors: list[list[float]]) -> list[float]:
    return [fmean(values) for values in zip(*vectors, strict=True)]
