"""Players who are to be kept apart in the pairings, because one of them has blocked the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from omnibus.tournaments.matching import Matching


def barred_pairs(players: Sequence[str], apart: Iterable[Collection[str]]) -> dict[int, set[int]]:
    """Return from whom each player is to be kept apart, by their places in the list."""
    place = {player: number for number, player in enumerate(players)}
    barred: dict[int, set[int]] = {number: set() for number in place.values()}
    for one, two in apart:
        if one in place and two in place:
            barred[place[one]].add(place[two])
            barred[place[two]].add(place[one])
    return barred


def avoidable_pairs(players: Sequence[str], apart: Iterable[Collection[str]]) -> dict[int, set[int]]:
    """Return the same without the pairs that a complete round cannot do without.

    Those for whom a matching finds nobody else may meet each other; there are as few of them as possible.
    """
    barred = barred_pairs(players, apart)
    left = set(Matching(barred, barred).free) if any(barred.values()) else set()
    return {number: others - left if number in left else others for number, others in barred.items()}
