"""The standings of a contest, computed from its complete rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from omnibus.lab.arena.contest import Contest, GameResult, Thinking
from omnibus.lab.arena.statistics import Interval, Lineup, SequentialTest, elo, ratings, share_interval

Round = Sequence[GameResult]


@dataclass
class ContestantStanding:
    """The results of one contestant."""

    label: str
    games: int
    share: float
    """Share of the wins in its games, all its seats together; a shared win is divided."""
    interval: Interval
    fair: float
    """The share to expect if all were equally strong."""
    allowed: float | None
    """Seconds it may think per move, if limited."""
    thinking: Thinking
    rating: tuple[float, Interval] | None = None
    """Elo and its interval: of two contestants the lead over the other, of more relative to the mean."""
    lost: Counter[str] = field(default_factory=Counter)
    """How often an external bot forfeited a game, by kind."""


class ContestResults:
    """The games of a contest finished so far, and the verdict of the sequential test."""

    def __init__(self, contest: Contest, total: int, test: SequentialTest | None = None) -> None:
        self.contest = contest
        self.total = total
        self.test = test
        self.verdict: str | None = None
        self.played: dict[int, GameResult] = {}
        self._settled = 0
        """How many rounds, counted from the first, are complete and known to the sequential test."""
        self._trail: list[float] = []
        """The first contestant's share of each of these rounds."""
        if test and len(contest.contestants) != 2:
            raise ValueError(f"a sequential test is between two contestants, not {len(contest.contestants)}")

    def add(self, played: GameResult) -> None:
        """Add a game; one beyond the total, from an earlier longer run, is ignored."""
        if played.number < self.total:
            self.played[played.number] = played
            self._settle()

    def missing(self) -> list[int]:
        """Return the numbers of the games still to play, in order."""
        return [number for number in range(self.total) if number not in self.played]

    def rounds(self) -> list[Round]:
        """Return the complete rounds; after a verdict of the sequential test, those it is based on."""
        last = self._settled if self.verdict else self.total // self.contest.schedule.size
        found = (self._round(number) for number in range(last))
        return [games for games in found if games]

    def ratio(self) -> float:
        """Return the log likelihood ratio of the sequential test, in favour of H1."""
        return self.test.ratio(self._trail, *self._chairs()) if self.test else 0.0

    def _settle(self) -> None:
        while not self.verdict and (games := self._round(self._settled)):
            self._settled += 1
            if self.test:
                self._trail.append(_share(games, 0))
                self.verdict = self.test.verdict(self._trail, *self._chairs())

    def _round(self, number: int) -> Round | None:
        size = self.contest.schedule.size
        numbers = range(number * size, number * size + size)
        return [self.played[game] for game in numbers] if all(game in self.played for game in numbers) else None

    def _chairs(self) -> tuple[int, int]:
        first, second = self.contest.chairs(0)
        return first, second


def standings(contest: Contest, rounds: Sequence[Round]) -> list[ContestantStanding]:
    """Return the standings of all contestants, in the order they were named."""
    found = [_standing(contest, index, rounds) for index in range(len(contest.contestants))] if rounds else []
    if len(found) == 2:
        _rate_two(found, contest.chairs(0))
    elif len(found) > 2:
        for standing, rating in zip(found, ratings(*_wins_and_lineups(contest, rounds)), strict=True):
            standing.rating = rating
    return found


def mean_share(rounds: Sequence[Round], index: int) -> float:
    """Return a contestant's share of the wins."""
    return fmean(_share(games, index) for games in rounds)


def by_seat(rounds: Sequence[Round]) -> list[float]:
    """Return each seat's share of the wins."""
    return [fmean(column) for column in zip(*(played.shares for games in rounds for played in games), strict=True)]


def _standing(contest: Contest, index: int, rounds: Sequence[Round]) -> ContestantStanding:
    games = [played for games in rounds for played in games if index in played.seating]
    shares = [_share(games, index) for games in rounds]
    return ContestantStanding(
        label=contest.contestants[index].label,
        games=len(games),
        share=fmean(shares),
        interval=share_interval(shares, len(games)),
        fair=fmean(played.seating.count(index) / len(played.seating) for played in games),
        allowed=contest.contestants[index].seconds,
        thinking=_thinking(_thoughts(games, index)),
        lost=Counter(
            played.lost["kind"] for played in games if played.lost and played.seating[played.lost["seat"]] == index
        ),
    )


def _share(games: Round, index: int) -> float:
    """Return a contestant's share of the wins in a round; all rounds have the same number of games with it."""
    return fmean(_won(played, index) for played in games if index in played.seating)


def _won(played: GameResult, index: int) -> float:
    """Return what all seats of a contestant won together in a game."""
    return sum(share for share, one in zip(played.shares, played.seating, strict=True) if one == index)


def _thoughts(games: Iterable[GameResult], index: int) -> Iterable[Thinking]:
    for played in games:
        for thinking, one in zip(played.thinking, played.seating, strict=True):
            if one == index:
                yield thinking


def _thinking(several: Iterable[Thinking]) -> Thinking:
    whole = Thinking()
    for one in several:
        whole.moves += one.moves
        whole.seconds += one.seconds
        whole.longest = max(whole.longest, one.longest)
        whole.over += one.over
        whole.late += one.late
        if one.simulations is not None:
            whole.simulations = (whole.simulations or 0) + one.simulations
            whole.searched = (whole.searched or 0) + (one.seconds if one.searched is None else one.searched)
    return whole


def _rate_two(found: Sequence[ContestantStanding], chairs: tuple[int, ...]) -> None:
    for index, standing in enumerate(found):
        own, others = chairs[index], chairs[1 - index]
        low, high = standing.interval
        standing.rating = elo(standing.share, own, others), (elo(low, own, others), elo(high, own, others))


def _wins_and_lineups(contest: Contest, rounds: Sequence[Round]) -> tuple[list[list[float]], list[Lineup]]:
    several = range(len(contest.contestants))
    wins = [[sum(_won(played, index) for played in games) for index in several] for games in rounds]
    lineups = range(len(contest.schedule.lineups))
    each = contest.schedule.size / len(lineups) * len(rounds)
    return wins, [Lineup(contest.chairs(lineup), each) for lineup in lineups]
