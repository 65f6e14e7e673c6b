"""Knock-out: the best of every table play on, until one table is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from omnibus.tournaments.pods import sizes
from omnibus.tournaments.results import TableResult


def tables(seeded: Sequence[str], size: int, fewest: int, most: int) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the tables of the next round for those still in it, the best seed first, and who has a bye.

    Tables of two: the first seed meets the last one, the second the last but one, and so on; the first seeds have a bye
    where the numbers do not halve. Larger tables are filled in turn, forth and back, so that all are about as strong.
    """
    if len(seeded) < fewest:
        return [], list(seeded)
    if size == 2:
        free = (1 << (len(seeded) - 1).bit_length()) - len(seeded)
        rest = seeded[free:]
        half = len(rest) // 2
        return [(rest[number], rest[-1 - number]) for number in range(half)], list(seeded[:free])
    lengths = sizes(len(seeded), size, fewest, most)
    free = len(seeded) - sum(lengths)
    filled: list[list[str]] = [[] for _ in lengths]
    rest = list(seeded[free:])
    while rest:
        filled.reverse()
        lengths.reverse()
        for table, length in zip(filled, lengths, strict=True):
            if len(table) < length and rest:
                table.append(rest.pop(0))
    return [tuple(table) for table in filled], list(seeded[:free])


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
