"""Judge a decision from the view of the seat that made it: what was best, and what was lost.

A search finds the best lines. Then they and the line played are compared in fresh searches, each from the same redeals
of what the seat could not see. The second look is fair: the first one chose its best line because it looked best, by
luck too. For the same reason a decision that could get a grade is compared once more, thoroughly, until the grade is
sure or the time for it is over, and only that counts.

Where a network judges, the hand-written judgement of `hard` is asked as well: what one of them misjudges it misjudges
however long it searches, but they seldom misjudge the same. Where something is hidden the result is their mean, and as
uncertain as they differ. Where nothing is, the one that chose the best line cannot look at it with fresh eyes: the same
search finds the same again. There only what both find is lost, and as they may not agree about the best line of the
search, the next best ones are compared too.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any, Final

from omnibus.bots import bot, strongest
from omnibus.bots.bot import Candidate
from omnibus.bots.hard import Hard, no_collection
from omnibus.bots.reasons import opposed_reasons, reasons
from omnibus.kernel.game import Game
from omnibus.lab.analysis.comparison import Comparer, Comparison, is_open
from omnibus.lab.analysis.document import Alternative, Decision, Grade
from omnibus.lab.analysis.grades import ERRORS, SURE, grade_of, points
from omnibus.lab.analysis.rollouts import SIMULATIONS
from omnibus.lab.analysis.searches import SLICE, SMALL, state_after

SEARCHED: Final = 0.4
"""So much of the time goes into the search for the best line; the rest compares it with the line played."""
AGAIN: Final = (2, 2, 4, 8, 16)
"""What could get a grade is compared again for so many times as long, and on until the grade is sure."""
DOUBTFUL: Final = 2.5
"""What seems to lose so many scaled points could get a grade, after a rough look in which all find that it loses."""
LINES: Final = 3
"""So many lines are compared with the one played where nothing is hidden: not everybody likes the best one."""
SECOND: Final = "hard"
"""The bot that compares too, after the strongest one."""
SHOWN: Final = 4
"""At most so many lines are kept for a decision, besides the one played."""


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
        players = self._players(ply, view)
        supposed, candidates = players[0].candidates(view)
        move = self.game.parse(supposed, line)
        played = next((each for each in candidates if each.move == move), None) or _looked_at(self.game, supposed, move)
        others = [each for each in candidates if each.move != move]
        if not others:  # there was nothing to decide
            return self._decision(ply, supposed, played, [], Comparison(list(played.shares), list(played.shares), 0.0))
        with no_collection():
            left = began + self.seconds - perf_counter()
            best, compared = self._best_compared(players, view, move, others, left)
        return self._decision(ply, supposed, played, [best, *(each for each in others if each is not best)], compared)

    def decision_against(self, ply: int, view: dict[str, Any], line: str, best: str) -> Decision:
        """Judge a line by one that is known to be the best, in a single look."""
        players = self._players(ply, view)
        supposed = self.game.redeal(view, players[0].random.randrange)
        other, played = (_looked_at(self.game, supposed, self.game.parse(supposed, each)) for each in (best, line))
        with no_collection():
            (compared,) = self._compared(self._comparer(players, view, [other], played.move), self.seconds)
        return self._decision(ply, supposed, played, [other], compared)

    def _best_compared(
        self, players: Sequence[Hard], view: dict[str, Any], move: int, others: Sequence[Candidate], seconds: float
    ) -> tuple[Candidate, Comparison]:
        """Return the line that is better than a move by the most, and what the comparison of both found."""
        seat = view["viewer"]
        tried = others[: LINES if is_open(self.game, view, players[0].random) else 1]
        comparer = self._comparer(players, view, tried, move)
        found = self._compared(comparer, seconds)
        doubtful = _doubtful(found, seat)
        if not doubtful:
            return tried[0], found[0]
        tried = [tried[number] for number in doubtful]
        rollouts = (len(tried) + 1) * SIMULATIONS / comparer.rate
        thorough = rollouts <= self._most_seconds
        found = self._compared_again(self._comparer(players, view, tried, move, thorough=thorough), seat)
        number = _most_lost(found, seat)
        return tried[number], found[number]

    def _comparer(
        self,
        players: Sequence[Hard],
        view: dict[str, Any],
        others: Sequence[Candidate],
        move: int,
        *,
        thorough: bool = False,
    ) -> Comparer:
        size = SMALL if self.simulations is None else max(SLICE, min(SMALL, self.simulations // 8))
        moves = *(each.move for each in others), move
        return Comparer(self.game, players, view, moves, size=size, thorough=thorough)

    def _compared(self, comparer: Comparer, seconds: float, times: int = 1) -> list[Comparison]:
        """Go on with a comparison for so long, or so many times the simulations."""
        if self.simulations is None:
            comparer.search(seconds)
        else:
            comparer.search_simulations(times * self.simulations)
        return comparer.results()

    def _compared_again(self, comparer: Comparer, seat: int) -> list[Comparison]:
        """Compare until the grade is sure, or the time for it is over."""
        until = perf_counter() + self._most_seconds
        for times in AGAIN:
            seconds = min(times * (1 - SEARCHED) * self.seconds, until - perf_counter())
            found = self._compared(comparer, seconds, times)
            if _is_sure(found[_most_lost(found, seat)], seat):
                break
        return found

    @property
    def _most_seconds(self) -> float:
        """How long a decision that could get a grade is compared again, however doubtful it is."""
        return sum(AGAIN) * (1 - SEARCHED) * self.seconds

    def _players(self, ply: int, view: dict[str, Any]) -> list[Hard]:
        """Return who judges: the strongest bot and, if that is another one, `hard`."""
        random = Random(f"{self.seed} {ply}")
        strong = strongest(self.game, self.game.redeal(view, Random(0).randrange))
        found = []
        for level in dict.fromkeys((strong, SECOND)):
            seconds = self.seconds * SEARCHED if self.simulations is None else None
            seed = random.getrandbits(32)
            player = bot(level, self.game, seed=seed, seconds=seconds, simulations=self.simulations)
            assert isinstance(player, Hard)
            found.append(player)
        return found

    def _decision(
        self, ply: int, state: Any, played: Candidate, others: list[Candidate], compared: Comparison
    ) -> Decision:
        """Put the result together: `compared` has the best other line first and the line played second."""
        game, seat = self.game, state.actor
        shown = [played, *others[:SHOWN]]
        told = reasons(game, state, [each.after() for each in shown])
        if all(compared.later):
            told[1], told[0] = ((pros, ()) for pros in opposed_reasons(game, seat, *compared.later))
        lines = [
            Alternative(
                line=game.write(state, each.move),
                shares=list(each.shares),
                visits=each.visits,
                continuation=_written(game, state, each.path()),
                reasons=list(pros),
                doubts=list(cons),
                later=all(compared.later) and number < 2,
            )
            for number, (each, (pros, cons)) in enumerate(zip(shown, told, strict=True))
        ]
        gap = _gap(compared, seat)
        was_better = bool(others) and gap > 0
        return Decision(
            ply=ply,
            seat=seat,
            line=lines[0].line,
            best=lines[1 if was_better else 0].line,
            choices=len(game.legal(state)),
            before=compared.first if was_better else compared.second,
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
        for seat, share in enumerate(game.judge(state_after(game, before, move))):
            expected[seat] += share * weight / total
    return [share - mean for share, mean in zip(game.judge(after), expected, strict=True)]


def _looked_at(game: Game[Any], state: Any, move: int) -> Candidate:
    """Return a candidate for a move that the search has not looked at."""
    after = state_after(game, state, move)
    return Candidate(move, game.judge(after), 0, lambda: after, lambda: [move])


def _written(game: Game[Any], state: Any, path: Sequence[int]) -> list[str]:
    """Write the moves of a turn."""
    here = state.clone()
    lines = []
    for move in path:
        lines.append(game.write(here, move))
        game.apply(here, move)
    return lines


def _grade(compared: Comparison, seat: int, shift: float = 0.0) -> Grade:
    """Return the grade of the second move in the eyes of a seat, if the difference were larger by this."""
    return grade_of(_gap(compared, seat) + shift, compared.error, len(compared.first))


def _gap(compared: Comparison, seat: int) -> float:
    """Return by how much the first move is better for a seat."""
    return compared.first[seat] - compared.second[seat]


def _most_lost(found: Sequence[Comparison], seat: int) -> int:
    """Return the number of the comparison in which the second move loses most; if several do, in the mean."""
    return max(range(len(found)), key=lambda number: (_gap(found[number], seat), fmean(found[number].gaps)))


def _doubtful(found: Sequence[Comparison], seat: int) -> list[int]:
    """Return the numbers of the comparisons that could lead to a grade.

    A move is an error if it is worse than any other, and the only good one if it is better than the best of them.
    """
    errors = [number for number, each in enumerate(found) if _may_be_error(each, seat)]
    nearest = _most_lost(found, seat)
    return errors or ([nearest] if _grade(found[nearest], seat) else [])


def _may_be_error(compared: Comparison, seat: int) -> bool:
    """Tell whether the second move could be an error."""
    if _grade(compared, seat) in ERRORS:
        return True
    seems = points(fmean(compared.gaps), len(compared.first))
    possible = all(gap + SURE * error > 0 for gap, error in zip(compared.gaps, compared.errors, strict=True))
    return compared.rough and seems >= DOUBTFUL and possible


def _is_sure(compared: Comparison, seat: int) -> bool:
    """Tell whether more time would hardly change the grade."""
    off = SURE * compared.noise
    return len({_grade(compared, seat, shift) for shift in (-off, 0.0, off)}) == 1
