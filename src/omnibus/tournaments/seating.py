"""Who sits where at a table: everybody has every seat about equally often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from omnibus.tournaments.results import Past

SEATS = 5  # the most for which all orders are compared


def seated(players: Sequence[str], past: Past) -> tuple[str, ...]:
    """Return the players of a table in the order of their seats, so that seats are repeated as little as possible.

    Of equally good orders the first one is taken, in which the players named first sit first.
    """
    if len(players) > SEATS:
        raise ValueError(f"tables of tournaments have at most {SEATS} seats")
    sat = {player: [past.sat(player, seat) for seat in range(len(players))] for player in players}

    def repeats(order: tuple[str, ...]) -> int:
        return sum(sat[player][seat] ** 2 - min(sat[player]) ** 2 for seat, player in enumerate(order))

    return min(permutations(players), key=repeats)
