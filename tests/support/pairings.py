"""All ways to pair players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def all_pairings(players: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Return every complete pairing of an even number of players."""
    if not players:
        yield []
        return
    first, *rest = players
    for other in rest:
        left = [player for player in rest if player != other]
        yield from ([(first, other), *pairs] for pairs in all_pairings(left))
