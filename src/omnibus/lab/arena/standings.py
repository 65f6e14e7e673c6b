"""How a contest stands: the figures of every contestant, from the games of whole rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from omnibus.lab.arena.contest import Contest, Played, Thinking
from omnibus.lab.arena.statistics import Interval, Table, Trial, elo, ratings, share_interval

Round = Sequence[Played]


@dataclass
class Standing:
    """The figures of one contestant."""

    label: str
    games: int
    share: float
    """Of the wins of its games, all its chairs together; a shared win counts in shares."""
    interval: Interval
    fair: float
    """What the share would be if all played alike."""
    allowed: float | None
    """The seconds it may think about a move, if they are limited."""
    thinking: Thinking
    rating: tuple[float, Interval] | None = None
    """Elo and its interval: for two the lead of this one, for more than two relative to the mean of all."""
    lost: Counter[str] = field(default_factory=Counter)
    """How often an outside program lost by misbehaving, by kind."""


class Ledger:
    """The games of a contest as they come in."""

    def __init__(self, contest: Contest, total: int, test: Trial | None = None) -> None:
        self.contest = contest
        self.total = total
        self.test = test
        self.verdict: str | None = None
        self.played: dict[int, Played] = {}
        self._settled = 0
        """So many rounds from the first on are whole, and the sequential test has seen them."""
        self._trail: list[float] = []
        """The first contestant's share of each settled round."""
        if test and len(contest.contestants) != 2:
            raise ValueError(f"a sequential test is between two contestants, not {len(contest.contestants)}")

    def add(self, played: Played) -> None:
        """Take a game in; one beyond what was asked for, from an earlier longer run, is left out."""
        if played.number < self.total:
            self.played[played.number] = played
            self._settle()

    def missing(self) -> list[int]:
        """Return the numbers of the games still to be played, in order."""
        return [number for number in range(self.total) if number not in self.played]

    def rounds(self) -> list[Round]:
        """Return the rounds that are whole; after a verdict of the sequential test, those it was made on."""
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


def standings(contest: Contest, rounds: Sequence[Round]) -> list[Standing]:
    """Return the figures of all contestants, in the order they were named."""
    found = [_standing(contest, index, rounds) for index in range(len(contest.contestants))] if rounds else []
    if len(found) == 2:
        _rate_two(found, contest.chairs(0))
    elif len(found) > 2:
        for standing, rating in zip(found, ratings(*_wins_and_tables(contest, rounds)), strict=True):
            standing.rating = rating
    return found


def mean_share(rounds: Sequence[Round], index: int) -> float:
    """Return a contestant's share of the wins."""
    return fmean(_share(games, index) for games in rounds)


def by_seat(rounds: Sequence[Round]) -> list[float]:
    """Return each seat's share of the wins."""
    return [fmean(column) for column in zip(*(played.shares for games in rounds for played in games), strict=True)]


def _standing(contest: Contest, index: int, rounds: Sequence[Round]) -> Standing:
    games = [played for games in rounds for played in games if index in played.seating]
    shares = [_share(games, index) for games in rounds]
    return Standing(
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
    """Return a contestant's share of the wins in a round; every round has it at the table as often as any other."""
    return fmean(_won(played, index) for played in games if index in played.seating)


def _won(played: Played, index: int) -> float:
    """Return what all chairs of a contestant won together in a game."""
    return sum(share for share, one in zip(played.shares, played.seating, strict=True) if one == index)


def _thoughts(games: Iterable[Played], index: int) -> Iterable[Thinking]:
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


def _rate_two(found: Sequence[Standing], chairs: tuple[int, ...]) -> None:
    for index, standing in enumerate(found):
        own, others = chairs[index], chairs[1 - index]
        low, high = standing.interval
        standing.rating = elo(standing.share, own, others), (elo(low, own, others), elo(high, own, others))


def _wins_and_tables(contest: Contest, rounds: Sequence[Round]) -> tuple[list[list[float]], list[Table]]:
    several = range(len(contest.contestants))
    wins = [[sum(_won(played, index) for played in games) for index in several] for games in rounds]
    companies = range(len(contest.schedule.companies))
    each = contest.schedule.size / len(companies) * len(rounds)
    return wins, [Table(contest.chairs(company), each) for company in companies]
