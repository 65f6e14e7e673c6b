"""Pods: tables of three to five entrants who stand about equally and have not met, as far as that is possible.

To find the best pods is as hard as the social golfer problem. So entrants are first grouped by their standings, then
exchanged between pods as long as that makes the pods better; if some still meet again, or sit with somebody they are to
be kept apart from, a search with backtracking looks for pods in which nobody does. Up to twelve entrants it always
finds them if they exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from omnibus.tournaments.results import Past

AGAIN: Final = 1000.0
"""What it costs that two entrants meet again, in points of difference between them."""
APART: Final = 1_000_000.0
"""The same for two who are to be kept apart."""
MOST_STEPS: Final = 50_000  # of the search with backtracking
ENOUGH: Final = 1e-9

Costs = Mapping[str, Mapping[str, float]]
"""What it costs that two entrants sit in the same pod."""


def sizes(entrants: int, size: int, fewest: int, most: int) -> list[int]:
    """Return the sizes of pods for so many entrants: close to a size, between the fewest and the most seats.

    They differ by one at most. Where no such sizes add up to all entrants, some have a bye: as few as possible.
    """
    for seated in range(entrants, 0, -1):
        found = [
            count for count in range(1, seated // fewest + 1) if seated >= count * fewest and seated <= count * most
        ]
        if found:
            count = min(found, key=lambda count: (abs(seated - count * size), -count))
            return [seated // count + (number < seated % count) for number in range(count)]
    return []


def pods(
    order: Sequence[str], past: Past, size: int, fewest: int = 3, most: int = 5
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Group entrants, given in the order of the standings; return the pods from the top, and who has a bye."""
    lengths = sizes(len(order), size, fewest, most)
    byes = _byes(order, past, len(order) - sum(lengths))
    rest = [player for player in order if player not in byes]
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    grouped = [rest[start : start + length] for start, length in zip(starts, lengths, strict=True)]
    costs = {one: {two: _cost(past, one, two) for two in rest} for one in rest}
    exchange(grouped, costs)

    def barred_if_met(one: str, two: str) -> bool:
        return past.met(one, two) > 0 or past.are_apart(one, two)

    for barred in (barred_if_met, past.are_apart):
        if any(barred(*pair) for pod in grouped for pair in combinations(pod, 2)):
            grouped = _Backtracking(rest, lengths, barred).found() or grouped
    place = {player: number for number, player in enumerate(order)}
    return [tuple(sorted(pod, key=place.__getitem__)) for pod in grouped], byes


def _byes(order: Sequence[str], past: Past, count: int) -> list[str]:
    """Choose who has a bye: those with the fewest so far, from the end of the standings."""
    places = {player: place for place, player in enumerate(order)}
    return sorted(order, key=lambda player: (past.byes[player], -places[player]))[:count]


def _cost(past: Past, one: str, two: str) -> float:
    again = AGAIN * past.met(one, two) ** 2 + APART * past.are_apart(one, two)
    return again + abs(past.points[one] - past.points[two])


def exchange(grouped: list[list[str]], costs: Costs) -> None:
    """Exchange two entrants at a time, as long as that lowers the cost."""

    def company(player: str, pod: Iterable[str], without: str) -> float:
        row = costs[player]
        return sum(row[other] for other in pod if other not in (player, without))

    better = True
    while better:
        better = False
        for pod, other in combinations(grouped, 2):
            for one, two in ((one, two) for one in range(len(pod)) for two in range(len(other))):
                a, b = pod[one], other[two]
                now = company(a, pod, b) + company(b, other, a)
                if company(b, pod, a) + company(a, other, b) < now - ENOUGH:
                    pod[one], other[two] = b, a
                    better = True


class _Backtracking:
    """Looks for pods in which nobody sits with somebody barred, step by step, and undoes what leads nowhere."""

    def __init__(self, players: Sequence[str], lengths: Sequence[int], barred: Callable[[str, str], bool]) -> None:
        self.players = players
        self.lengths = lengths
        self.barred = barred
        self.steps = 0

    def found(self) -> list[list[str]] | None:
        """Return the pods; None if there are none, or none were found in time."""
        return self._rest(list(self.players), list(self.lengths))

    def _rest(self, players: list[str], lengths: list[int]) -> list[list[str]] | None:
        if not lengths:
            return []
        for length in dict.fromkeys(lengths):
            others = lengths.copy()
            others.remove(length)
            for pod in self._pods(players[:1], players[1:], length):
                rest = self._rest([player for player in players if player not in pod], others)
                if rest is not None:
                    return [pod, *rest]
                if self.steps > MOST_STEPS:
                    return None
        return None

    def _pods(self, pod: list[str], candidates: list[str], length: int) -> Iterator[list[str]]:
        """Complete a pod with candidates who may sit with all in it, in the order of the standings."""
        self.steps += 1
        if len(pod) == length:
            yield pod
            return
        for number, player in enumerate(candidates):
            if self.steps > MOST_STEPS:
                return
            if not any(self.barred(player, other) for other in pod):
                yield from self._pods([*pod, player], candidates[number + 1 :], length)
