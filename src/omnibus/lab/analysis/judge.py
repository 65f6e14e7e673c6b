"""Judge a decision from the view of the seat that made it: what was best, and what was lost.

A search finds the best line. Then it and the line played are compared in fresh searches, each from the same redeals of
what the seat could not see. The second look is fair: the first one chose its best line because it looked best, by
luck too. For the same reason a decision that could get a grade is compared once more, thoroughly, until the grade is
sure or the time for it is over, and only that counts.

Where a network judges, the hand-written judgement of `hard` is asked as well: what one of them misjudges it misjudges
however long it searches, but they seldom misjudge the same. Where something is hidden the result is their mean, and as
uncertain as they differ. Where nothing is, the one that chose the best line cannot look at it with fresh eyes: the same
search finds the same again. There only what both find is lost.
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
from omnibus.bots.reasons import reasons
from omnibus.kernel.game import Game
from omnibus.lab.analysis.comparison import Comparer, Comparison
from omnibus.lab.analysis.document import Alternative, Decision, Grade
from omnibus.lab.analysis.grades import SURE, grade_of, points
from omnibus.lab.analysis.rollouts import SIMULATIONS
from omnibus.lab.analysis.searches import PAIR, SLICE, state_after

SEARCHED: Final = 0.4
"""So much of the time goes into the search for the best line; the rest compares it with the line played."""
AGAIN: Final = (2, 2, 4, 8, 16)
"""What could get a grade is compared again for so many times as long, and on until the grade is sure."""
DOUBTFUL: Final = 2.5
"""What seems to lose so many scaled points could get a grade, after a rough look in which all find that it loses."""
SECOND: Final = "hard"
"""The bot that compares too, after the strongest one."""
SHOWN: Final = 4
"""At most so many lines are kept for a decision, besides the one played."""


class Judge:
    """Judges decisions, each within the same time or, for results that can be repeated, with so many simulations.

    The strongest bot there is for a game with these seats and options finds the best line; it and `hard` compare.
    Where nobody asks for grades, `looks_again` can be False: then nothing takes longer.
    """

    def __init__(
        self,
        game: Game[Any],
        seconds: float,
        *,
        simulations: int | None = None,
        seed: int = 0,
        looks_again: bool = True,
    ) -> None:
        self.game = game
        self.seconds = seconds
        self.simulations = simulations
        self.seed = seed
        self.looks_again = looks_again

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
        moves = others[0].move, move
        with no_collection():
            left = began + self.seconds - perf_counter()
            comparer = self._comparer(players, view, moves)
            compared = self._compared(comparer, left)
            if self.looks_again and _is_doubtful(compared, view["viewer"]):
                thorough = SIMULATIONS / comparer.rate <= sum(AGAIN) * (1 - SEARCHED) * self.seconds
                again = self._comparer(players, view, moves, thorough=thorough)
                compared = self._compared_again(again, view["viewer"])
        return self._decision(ply, supposed, played, others, compared)

    def _comparer(
        self, players: Sequence[Hard], view: dict[str, Any], moves: tuple[int, int], *, thorough: bool = False
    ) -> Comparer:
        size = PAIR if self.simulations is None else max(SLICE, min(PAIR, self.simulations // 8))
        return Comparer(self.game, players, view, moves, size=size, thorough=thorough)

    def _compared(self, comparer: Comparer, seconds: float, times: int = 1) -> Comparison:
        """Go on with a comparison for so long, or so many times the simulations."""
        if self.simulations is None:
            comparer.search(seconds)
        else:
            comparer.search_simulations(times * self.simulations)
        return comparer.result()

    def _compared_again(self, comparer: Comparer, seat: int) -> Comparison:
        """Compare until the grade is sure, or the time for it is over."""
        for times in AGAIN:
            compared = self._compared(comparer, times * (1 - SEARCHED) * self.seconds, times)
            if _is_sure(compared, seat):
                break
        return compared

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
    gap = compared.first[seat] - compared.second[seat]
    return grade_of(gap + shift, compared.error, len(compared.first))


def _is_doubtful(compared: Comparison, seat: int) -> bool:
    """Tell whether the decision could get a grade."""
    if _grade(compared, seat):
        return True
    seems = points(fmean(compared.gaps), len(compared.first))
    return compared.rough and seems >= DOUBTFUL and compared.first[seat] > compared.second[seat]


def _is_sure(compared: Comparison, seat: int) -> bool:
    """Tell whether more time would hardly change the grade."""
    off = SURE * compared.noise
    return len({_grade(compared, seat, shift) for shift in (-off, 0.0, off)}) == 1
