"""Who sits where in which game: every contestant in every seat equally often, over the same dice.

A *round* is one seed of chance, played once in every rotation of the seats. Where several orders around the table are
possible, one round after the other takes the next of them, so that nobody always sits behind the same rival.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, permutations

Seating = tuple[int, ...]
"""The contestant (by its number) of each seat."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """For each company that meets, the orders in which it can sit around the table."""

    companies: tuple[tuple[Seating, ...], ...]

    @property
    def size(self) -> int:
        """How many games a round has."""
        return sum(len(_rotations(orders[0])) for orders in self.companies)

    def games(self, wanted: int) -> int:
        """Round a number of games up to whole rounds."""
        return -(-wanted // self.size) * self.size

    def round(self, number: int) -> list[Seating]:
        """Return the seatings of a round, in the order they are played."""
        return [seating for orders in self.companies for seating in _rotations(orders[number % len(orders)])]

    def seating(self, game: int) -> Seating:
        """Return who sits where in a game, counted through all rounds from 0."""
        return self.round(game // self.size)[game % self.size]


def schedule(named: Sequence[int], seats: int) -> Schedule:
    """Plan for contestants named by number, some perhaps twice.

    They fill the seats, the last one as often as needed; where there are more of them than seats, all companies of so
    many different ones meet.
    """
    if not named:
        raise ValueError("nobody was named to sit down in the arena")
    if len(named) > seats:
        if len(set(named)) < len(named):
            raise ValueError(
                f"{len(named)} contestants are named for {seats} seats; where there are more of them than seats, "
                "each may be named once"
            )
        return Schedule(tuple(_orders(company) for company in combinations(named, seats)))
    return Schedule((_orders((*named, *[named[-1]] * (seats - len(named)))),))


def _orders(company: Seating) -> tuple[Seating, ...]:
    """Return the orders around a table that differ by more than a rotation.

    Orders that repeat themselves (XYXY) are left out where others need more rotations (XXYY): rounds are all alike.
    """
    found = {min(_rotations(order)) for order in permutations(company)}
    most = max(len(_rotations(order)) for order in found)
    return tuple(sorted(order for order in found if len(_rotations(order)) == most))


def _rotations(order: Seating) -> list[Seating]:
    return list(dict.fromkeys(order[turn:] + order[:turn] for turn in range(len(order))))


def seed_of(seed: int, number: int, what: str) -> int:
    """Return a seed of 256 bits that depends on the seed of all, the round, and what it is for."""
    return int.from_bytes(sha256(f"{seed} {number} {what}".encode()).digest(), "big")
