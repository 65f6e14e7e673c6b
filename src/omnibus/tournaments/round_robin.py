"""Round robin: everybody meets everybody once, by the circle method, and is first about as often as second."""

from __future__ import annotations

from collections.abc import Sequence

from omnibus.tournaments.swiss import Pair


def rounds(entrants: Sequence[str]) -> list[tuple[list[Pair], list[str]]]:
    """Return all rounds: the pairs, with the one who sits first, and who has a bye.

    The first entrant stays where they are, and the others move on by one place every round.
    """
    numbers: list[int | None] = [*range(len(entrants)), *([None] if len(entrants) % 2 else [])]
    return [_round(entrants, numbers[:1] + numbers[turn:] + numbers[1:turn]) for turn in range(1, len(numbers))]


def _round(entrants: Sequence[str], circle: Sequence[int | None]) -> tuple[list[Pair], list[str]]:
    pairs, byes = [], []
    for place in range(len(circle) // 2):
        one, two = circle[place], circle[-1 - place]
        if one is None or two is None:
            byes += [entrants[number] for number in (one, two) if number is not None]
        else:
            first, second = sorted((one, two), reverse=(one + two) % 2 == 0)  # so nobody is first more often
            pairs.append((entrants[first], entrants[second]))
    return pairs, byes
