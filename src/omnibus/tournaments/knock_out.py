"""Knock-out: the best of every table play on, until one table is left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from omnibus.tournaments.apart import avoidable_pairs
from omnibus.tournaments.matching import Matching
from omnibus.tournaments.pods import exchange, sizes
from omnibus.tournaments.results import TableResult


def tables(
    seeded: Sequence[str], size: int, fewest: int, most: int, apart: Collection[Collection[str]] = ()
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the tables of the next round for those still in it, the best seed first, and who has a bye.

    Tables of two: the first seed meets the last one, the second the last but one, and so on; the first seeds have a bye
    where the numbers do not halve. Larger tables are filled in turn, forth and back, so that all are about as strong.
    Those who are to be kept apart meet only where no other tables are possible.
    """
    if len(seeded) < fewest:
        return [], list(seeded)
    if size == 2:
        free = (1 << (len(seeded) - 1).bit_length()) - len(seeded)
        return _pairs(seeded[free:], apart), list(seeded[:free])
    lengths = sizes(len(seeded), size, fewest, most)
    free = len(seeded) - sum(lengths)
    rest = seeded[free:]
    filled = _filled(rest, lengths)
    if apart:
        kept = {frozenset(pair) for pair in apart}
        exchange(filled, {one: {two: float(frozenset((one, two)) in kept) for two in rest} for one in rest})
    return [tuple(table) for table in filled], list(seeded[:free])


def _pairs(seeded: Sequence[str], apart: Iterable[Collection[str]]) -> list[tuple[str, ...]]:
    """Pair the first seed with the last one, and so on; a matching proves that all others can still be paired."""
    matching = Matching(range(len(seeded)), avoidable_pairs(seeded, apart))
    left = list(range(len(seeded)))
    pairs: list[tuple[str, ...]] = []
    while left:
        first = left.pop(0)
        second = next(place for place in reversed(left) if matching.fix(first, place))
        left.remove(second)
        pairs.append((seeded[first], seeded[second]))
    return pairs


def _filled(seeded: Sequence[str], lengths: Sequence[int]) -> list[list[str]]:
    """Fill tables of these lengths in turn, forth and back."""
    tables: list[tuple[list[str], int]] = [([], length) for length in lengths]
    rest = list(seeded)
    while rest:
        tables.reverse()
        for table, length in tables:
            if len(table) < length and rest:
                table.append(rest.pop(0))
    return [table for table, _ in tables]


def advancing(results: Sequence[TableResult], byes: Sequence[str], seeded: Sequence[str], fewest: int) -> list[str]:
    """Return who plays on, the best seed first; one, when the tournament is decided.

    The first of each table plays on, or the first two where the winners alone could not fill a table. Of tied players
    the better seed is first.
    """
    if len(results) == 1 and not byes:
        return _best(results[0], seeded, 1)
    count = 2 if len(results) + len(byes) < fewest else 1
    through = {player for result in results for player in _best(result, seeded, count)} | set(byes)
    return [player for player in seeded if player in through]


def places(entrants: Sequence[str], survived: Mapping[str, int]) -> list[tuple[int, str]]:
    """Return the place of everybody and their name, given how many rounds each has survived, the first one first.

    Whoever left in the same round has the same place.
    """
    order = sorted(entrants, key=lambda player: -survived.get(player, 0))
    rounds = [survived.get(player, 0) for player in order]
    return [(1 + sum(other > own for other in rounds), player) for own, player in zip(rounds, order, strict=True)]


def _best(result: TableResult, seeded: Sequence[str], count: int) -> list[str]:
    ranked = sorted(zip(result.ranks, map(seeded.index, result.players), result.players, strict=True))
    return [player for _, _, player in ranked[:count]]
