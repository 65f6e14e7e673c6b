"""All ways to pair players, and to put them into pods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from random import Random

Pair = tuple[str, str]


def all_pairings(players: Sequence[str]) -> Iterator[list[Pair]]:
    """Return every complete pairing of an even number of players."""
    if not players:
        yield []
        return
    first, *rest = players
    for other in rest:
        left = [player for player in rest if player != other]
        yield from ([(first, other), *pairs] for pairs in all_pairings(left))


def names(count: int, start: int = 0) -> list[str]:
    """Name some players."""
    return [f"p{number}" for number in range(start, start + count)]


def can_be_seated(players: Sequence[str], size: int, apart: Callable[[str, str], bool]) -> bool:
    """Tell whether there are pods of one size in which nobody sits with somebody to be kept apart."""
    if not players:
        return True
    first, *rest = players
    return any(
        not any(apart(*pair) for pair in combinations((first, *others), 2))
        and can_be_seated([player for player in rest if player not in others], size, apart)
        for others in combinations(rest, size - 1)
    )


def drawn_pairs(players: Sequence[str], count: int, random: Random) -> list[Pair]:
    """Draw pairs who are to be kept apart."""
    every = list(combinations(players, 2))
    return random.sample(every, min(count, len(every)))


def met(tables: Iterable[Sequence[str]], apart: Iterable[Pair]) -> int:
    """Count the pairs at tables who should have been kept apart."""
    kept = {frozenset(pair) for pair in apart}
    return sum(frozenset(pair) in kept for table in tables for pair in combinations(table, 2))
