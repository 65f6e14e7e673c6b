"""Swiss pairings: nobody meets the same opponent twice if that can be avoided, and equals meet equals.

Those who are to be kept apart do not meet as long as any complete round avoids it, even if others meet again for that.

Entrants are paired score group by score group, from the top. In a group, the upper half meets the lower half in order.
Whoever cannot be paired in a group goes down to the next one: as few as possible, and the last in the order. Before
anything is settled, a matching proves that all others can still be paired; so there is nothing to undo, and 1,000
entrants are paired in a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from omnibus.tournaments.apart import avoidable_pairs
from omnibus.tournaments.matching import Matching
from omnibus.tournaments.results import Past

Pair = tuple[str, str]


def pairings(order: Sequence[str], past: Past) -> tuple[list[Pair], list[str]]:
    """Pair entrants, given in the order of the standings; return the pairs from the top, and who has a bye."""
    ranked = sorted(range(len(order)), key=lambda index: -past.points[order[index]])
    players = [order[index] for index in ranked]
    apart, limit = avoidable_pairs(players, past.apart), 0
    while True:
        barred = _barred(players, past, limit, apart)
        bye = _bye(players, past, barred) if len(players) % 2 else []
        rest = [index for index in range(len(players)) if index not in bye]
        if len(rest) % 2 == 0 and not Matching(rest, barred).free:
            break
        limit += 1  # everybody has met everybody: then as rarely as possible
    scores = [past.points[player] for player in players]
    return (
        [(players[one], players[two]) for one, two in _paired(rest, scores, barred)],
        [players[index] for index in bye],
    )


def _barred(players: Sequence[str], past: Past, limit: int, apart: Mapping[int, Set[int]]) -> dict[int, Set[int]]:
    """Return whom each player has met more often than the limit, or is to be kept apart from."""
    index = {player: number for number, player in enumerate(players)}
    barred: dict[int, set[int]] = {number: set(apart[number]) for number in index.values()}
    for one, two, times in past.meetings():
        if times > limit and one in index and two in index:
            barred[index[one]].add(index[two])
            barred[index[two]].add(index[one])
    return dict(barred)


def _bye(players: Sequence[str], past: Past, barred: Mapping[int, Set[int]]) -> list[int]:
    """Choose who has a bye: the last of those with the fewest byes without whom all others can be paired, if any."""
    matching = Matching(range(len(players)), barred)
    if len(matching.free) > 1:
        return []
    candidates = sorted(range(len(players)), key=lambda index: (past.byes[players[index]], -index))
    return [next(index for index in candidates if matching.drop(index))]


def _paired(rest: Sequence[int], scores: Sequence[float], barred: Mapping[int, Set[int]]) -> Iterator[tuple[int, int]]:
    """Pair indices of players, sorted by score; all of them can be paired."""
    groups = _groups(rest, scores)
    bracket: list[int] = []
    while groups:
        bracket += groups.pop(0)
        below = [index for group in groups for index in group]
        matching = Matching(bracket, barred)
        down = _floaters(bracket, matching)
        if below and Matching([*down, *below], barred).free:
            continue  # those below could not be paired: pair both groups together
        yield from _fixed([index for index in bracket if index not in down], scores, matching)
        bracket = down


def _groups(rest: Sequence[int], scores: Sequence[float]) -> list[list[int]]:
    groups: list[list[int]] = []
    for index in rest:
        if groups and scores[groups[-1][-1]] == scores[index]:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _floaters(bracket: Sequence[int], matching: Matching) -> list[int]:
    """Take those out of a matching who go down: as few as there can be, and the last ones for whom that is possible."""
    count = len(matching.free)
    down: list[int] = []
    for index in reversed(bracket):
        if len(down) < count and matching.drop(index):
            down.append(index)
    return down[::-1]


def _fixed(bracket: list[int], scores: Sequence[float], matching: Matching) -> Iterator[tuple[int, int]]:
    """Settle the pairs of a bracket from the top; the matching proves that the others can be paired."""
    while bracket:
        first, rest = bracket[0], bracket[1:]
        second = next(index for index in _preferred(first, rest, scores) if matching.fix(first, index))
        yield first, second
        rest.remove(second)
        bracket = rest


def _preferred(first: int, rest: Sequence[int], scores: Sequence[float]) -> Iterator[int]:
    """Return possible opponents, the best first: of the same score, in the middle of them; then those below."""
    same = next((place for place, index in enumerate(rest) if scores[index] != scores[first]), len(rest))
    middle = same // 2
    for distance in range(same):
        if middle + distance < same:
            yield rest[middle + distance]
        if 0 < distance <= middle:
            yield rest[middle - distance]
    yield from rest[same:]
