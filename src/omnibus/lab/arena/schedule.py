"""The schedule of a contest: every contestant plays every seat equally often, with the same dice.

A *round* is one seed of the dice, played once in every rotation of the seats. If several orders around the table are
possible, successive rounds take them in turn, so that nobody always plays after the same rival.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, permutations

Seating = tuple[int, ...]
"""The contestant of each seat, by index."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """For each lineup, the orders in which it can sit around the table."""

    lineups: tuple[tuple[Seating, ...], ...]

    @property
    def size(self) -> int:
        """How many games a round has."""
        return sum(len(_rotations(orders[0])) for orders in self.lineups)

    def games(self, wanted: int) -> int:
        """Round a number of games up to whole rounds."""
        return -(-wanted // self.size) * self.size

    def round(self, number: int) -> list[Seating]:
        """Return the seatings of a round, in the order they are played."""
        return [seating for orders in self.lineups for seating in _rotations(orders[number % len(orders)])]

    def seating(self, game: int) -> Seating:
        """Return the seating of a game, numbered from 0 through all rounds."""
        return self.round(game // self.size)[game % self.size]


def schedule(named: Sequence[int], seats: int) -> Schedule:
    """Return the schedule for contestants named by index, of which one may be named twice.

    They fill the seats, the last one as often as needed. If there are more contestants than seats, all combinations
    meet.
    """
    if not named:
        raise ValueError("name at least one contestant")
    if len(named) > seats:
        if len(set(named)) < len(named):
            raise ValueError(
                f"{len(named)} contestants are named for {seats} seats; with more contestants than seats, "
                "each may be named only once"
            )
        return Schedule(tuple(_orders(lineup) for lineup in combinations(named, seats)))
    return Schedule((_orders((*named, *[named[-1]] * (seats - len(named)))),))


def _orders(lineup: Seating) -> tuple[Seating, ...]:
    """Return the orders around a table that differ by more than a rotation.

    Orders that repeat themselves (XYXY) are left out if others need more rotations (XXYY), as all rounds have the same
    size.
    """
    found = {min(_rotations(order)) for order in permutations(lineup)}
    most = max(len(_rotations(order)) for order in found)
    return tuple(sorted(order for order in found if len(_rotations(order)) == most))


def _rotations(order: Seating) -> list[Seating]:
    return list(dict.fromkeys(order[turn:] + order[:turn] for turn in range(len(order))))


def seed_of(seed: int, number: int, what: str) -> int:
    """Derive a seed of 256 bits from the contest's seed, the round and a purpose."""
    return int.from_bytes(sha256(f"{seed} {number} {what}".encode()).digest(), "big")
