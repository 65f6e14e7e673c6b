"""The results of a tournament so far, and what pairings need to know of them: who met, who sat where, who had a bye."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec import Struct


class TableResult(Struct, frozen=True):
    """A finished table of a tournament."""

    players: tuple[str, ...]
    """The entrants in the order of their seats."""
    ranks: tuple[int, ...]
    """The rank of each; equal ranks are a tie."""


class RoundResult(Struct, frozen=True):
    """A finished round."""

    tables: tuple[TableResult, ...]
    byes: tuple[str, ...] = ()
    """The entrants who had nobody to play with: for them the round counts as won."""


class Past:
    """What has happened in the rounds so far, and who is to be kept apart."""

    def __init__(self, rounds: Iterable[RoundResult], apart: Iterable[Iterable[str]] = ()) -> None:
        self.apart = {frozenset(pair) for pair in apart}
        """The pairs of entrants who are not to meet, if that can be avoided."""
        self.points: defaultdict[str, float] = defaultdict(float)
        self.byes: Counter[str] = Counter()
        self._met: Counter[frozenset[str]] = Counter()
        self._seats: Counter[tuple[str, int]] = Counter()
        for each in rounds:
            self._add(each)

    def _add(self, each: RoundResult) -> None:
        for player in each.byes:
            self.points[player] += 1
            self.byes[player] += 1
        for table in each.tables:
            for player, won in zip(table.players, points(table.ranks), strict=True):
                self.points[player] += won
            self._met.update(map(frozenset, combinations(table.players, 2)))
            self._seats.update((player, seat) for seat, player in enumerate(table.players))

    def met(self, one: str, two: str) -> int:
        """Return how often two entrants have sat at the same table."""
        return self._met[frozenset((one, two))]

    def are_apart(self, one: str, two: str) -> bool:
        """Tell whether two entrants are not to meet, if that can be avoided."""
        return frozenset((one, two)) in self.apart

    def sat(self, player: str, seat: int) -> int:
        """Return how often an entrant has had a seat."""
        return self._seats[player, seat]

    def meetings(self) -> Iterable[tuple[str, str, int]]:
        """Return all who have met, and how often."""
        for pair, times in self._met.items():
            one, two = pair
            yield one, two, times


def points(ranks: Sequence[int]) -> list[float]:
    """Return the points of a table by seat: the part of the opponents one has left behind, those tied counted half.

    With two players this is 1, ½ or 0. A table of any size is worth half as many points as it has players.
    """
    others = len(ranks) - 1
    return [sum((rank < own) + 0.0 for own in ranks) / others + (ranks.count(rank) - 1) / 2 / others for rank in ranks]
