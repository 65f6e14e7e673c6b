"""Judge a decision from the view of the seat that made it: what was best, and what was lost.

A search finds the best lines. Then they and the line played are compared in fresh searches, each from the same redeals
of what the seat could not see. The second look is fair: the first one chose its best line because it looked best, by
luck too. For the same reason a decision that could get a grade is compared once more, thoroughly, until the grade is
sure or the time for it is over, and only that counts.

Where a network judges, the hand-written judgement of `hard` is asked as well: what one of them misjudges it misjudges
however long it searches, but they seldom misjudge the same. Where something is hidden the result is their mean, and as
uncertain as they differ. Where nothing is, the one that chose the best line cannot look at it with fresh eyes: the same
search finds the same again. There only what both find is lost, and as they may not agree about the best line of the
search, the next best ones are compared too. Before a decision is compared once more, both look for the best lines again
and longer, so that the grade does not depend on what a short search happened to like.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from time import perf_counter
from typing import Any, Final

from omnibus.bots import bot, strongest
from omnibus.bots.bot import Candidate
from omnibus.bots.hard import Hard, no_collection
from omnibus.bots.reasons import opposed_reasons, reasons
from omnibus.kernel.game import Game
from omnibus.lab.analysis.comparison import Comparer, Comparison, is_open
from omnibus.lab.analysis.document import Alternative, Decision
from omnibus.lab.analysis.doubts import doubts, gap_of, is_doubtful, is_sure, most_lost
from omnibus.lab.analysis.rollouts import SIMULATIONS
from omnibus.lab.analysis.searches import SLICE, SMALL, state_after

SEARCHED: Final = 0.4
"""So much of the time goes into the search for the best line; the rest compares it with the line played."""
AGAIN: Final = (2, 2, 4, 8, 16, 32)
"""What could get a grade is compared again for so many times as long, and on until the grade is sure."""
LINES: Final = 3
"""So many lines are compared with the one played where nothing is hidden: not everybody likes the best one."""
ROUGH: Final = 0.12
"""A rough look asks after so many seconds what is doubtful, again after twice as many more, and so on."""
LONGER: Final = 4
"""Each player searches so many times as long for the lines of a second look where nothing is hidden."""
SECOND: Final = "hard"
"""The bot that compares too, after the strongest one."""
SHOWN: Final = 4
"""At most so many lines are kept for a decision, besides the one played."""


@dataclass(frozen=True, slots=True)
class Question:
    """Which move is judged, from which view, and who judges it."""

    ply: int
    view: dict[str, Any]
    move: int
    players: Sequence[Hard]

    @property
    def seat(self) -> int:
        """The seat that decides."""
        seat: int = self.view["viewer"]
        return seat


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
            best, compared = self._best_compared(Question(ply, view, move, players), others, left)
        others = [best, *(each for each in others if each.move != best.move)]
        return self._decision(ply, supposed, played, others, compared)

    def decision_against(self, ply: int, view: dict[str, Any], line: str, best: str) -> Decision:
        """Judge a line by one that is known to be the best, in a single look."""
        players = self._players(ply, view)
        supposed = self.game.redeal(view, players[0].random.randrange)
        other, played = (_looked_at(self.game, supposed, self.game.parse(supposed, each)) for each in (best, line))
        with no_collection():
            comparer = self._comparer(Question(ply, view, played.move, players), [other])
            (compared,) = self._compared(comparer, self.seconds)
        return self._decision(ply, supposed, played, [other], compared)

    def _best_compared(
        self, asked: Question, others: Sequence[Candidate], seconds: float
    ) -> tuple[Candidate, Comparison]:
        """Return the line that is better than the move by the most, and what the comparison of both found."""
        nothing_hidden = is_open(self.game, asked.view, asked.players[0].random)
        tried = others[: LINES if nothing_hidden else 1]
        comparer = self._comparer(asked, tried)
        found, numbers = self._first_look(comparer, seconds, asked.seat)
        doubtful = [tried[number] for number in numbers]
        if not doubtful:
            return tried[0], found[0]
        until = perf_counter() + self._most_seconds
        comparer = self._second_comparer(asked, doubtful, comparer.rate)
        rounds = self._rounds(comparer, asked.seat, until)
        found = next(rounds)
        if nothing_hidden and is_doubtful(found, asked.seat):
            clear = {each.move for each in tried} - {each.move for each in doubtful}
            liked = [each for each in self._liked(asked)[:LINES] if each.move not in clear]
            if liked and {each.move for each in liked} != {each.move for each in doubtful}:
                doubtful = liked
                comparer.turn_to(_moves(asked, liked))
                rounds = self._rounds(comparer, asked.seat, until)
        *_, found = found, *rounds  # until the grade is sure
        number = most_lost(found, asked.seat)
        return doubtful[number], found[number]

    def _first_look(self, comparer: Comparer, seconds: float, seat: int) -> tuple[list[Comparison], list[int]]:
        """Compare; return what was found, and the numbers of the comparisons that could lead to a grade.

        What a tree finds changes as it grows, so whatever seemed doubtful at any time deserves a second look. Otherwise
        more time would make less sure which decisions get one.
        """
        until, step = perf_counter() + seconds, ROUGH
        doubtful: set[int] = set()
        while True:
            left = until - perf_counter()
            found = self._compared(comparer, min(step, left))
            doubtful = {*doubts(found, seat), *(doubtful if found[0].rough else ())}
            if left <= step or self.simulations is not None:
                return found, sorted(doubtful)
            step *= 2

    def _liked(self, asked: Question) -> list[Candidate]:
        """Search again and longer; return the other lines, first what all players together like best."""
        liked: dict[int, float] = defaultdict(float)
        lines: dict[int, Candidate] = {}
        for player in self._players(asked.ply, asked.view, LONGER):
            _, candidates = player.candidates(asked.view)
            visits = sum(each.visits for each in candidates) or 1
            for each in candidates:
                liked[each.move] += each.visits / visits
                lines.setdefault(each.move, each)
        return [lines[each] for each in sorted(liked, key=lambda each: -liked[each]) if each != asked.move]

    def _comparer(self, asked: Question, others: Sequence[Candidate], *, thorough: bool = False) -> Comparer:
        size = SMALL if self.simulations is None else max(SLICE, min(SMALL, self.simulations // 8))
        return Comparer(self.game, asked.players, asked.view, _moves(asked, others), size=size, thorough=thorough)

    def _second_comparer(self, asked: Question, others: Sequence[Candidate], rate: float) -> Comparer:
        """Return what compares thoroughly, given how many simulations a second the players make.

        Where the first rollouts would take longer than there is time, growing trees compare again.
        """
        rollouts = (len(others) + 1) * SIMULATIONS / rate
        return self._comparer(asked, others, thorough=rollouts <= self._most_seconds)

    def _compared(self, comparer: Comparer, seconds: float, at_most: float = inf, times: int = 1) -> list[Comparison]:
        """Go on with a comparison for so long, or so many times the simulations."""
        if self.simulations is None:
            comparer.search(seconds, at_most)
        else:
            comparer.search_simulations(times * self.simulations)
        return comparer.results()

    def _rounds(self, comparer: Comparer, seat: int, until: float) -> Iterator[list[Comparison]]:
        """Compare until the grade is sure, or the time for it is over; yield what is found after each round.

        Where rollouts are slow, the first ones may take as long again.
        """
        for times in AGAIN:
            left = until - perf_counter()
            seconds = min(times * (1 - SEARCHED) * self.seconds, left)
            found = self._compared(comparer, seconds, left + self._most_seconds, times)
            yield found
            if is_sure(found, seat):
                return

    @property
    def _most_seconds(self) -> float:
        """How long a decision that could get a grade is compared again, however doubtful it is."""
        return sum(AGAIN) * (1 - SEARCHED) * self.seconds

    def _players(self, ply: int, view: dict[str, Any], times: int = 1) -> list[Hard]:
        """Return who judges, to search so many times as long: the strongest bot and, if that is another one, `hard`."""
        random = Random(f"{self.seed} {ply}")
        strong = strongest(self.game, self.game.redeal(view, Random(0).randrange))
        found = []
        for level in dict.fromkeys((strong, SECOND)):
            seconds = times * self.seconds * SEARCHED if self.simulations is None else None
            simulations = None if self.simulations is None else times * self.simulations
            player = bot(level, self.game, seed=random.getrandbits(32), seconds=seconds, simulations=simulations)
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
        gap = gap_of(compared, seat)
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


def _moves(asked: Question, others: Sequence[Candidate]) -> tuple[int, ...]:
    """Return the moves to compare: the other lines, and last the one that is judged."""
    return *(each.move for each in others), asked.move


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
