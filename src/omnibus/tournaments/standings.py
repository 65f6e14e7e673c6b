"""The standings of a tournament: by points, and by tie-breaks where points are equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from msgspec import Struct

from omnibus.tournaments.results import Past, RoundResult


class Standing(Struct, frozen=True):
    """How an entrant stands."""

    place: int
    """From 1; those who are equal in everything have the same place."""
    player: str
    points: float
    buchholz: float
    """The strength of the opposition: for every round, the mean of what the others at the table have now."""
    wins: int
    """Rounds with nobody ahead, byes not counted."""
    played: int
    """Rounds played, byes not counted."""


def standings(entrants: Sequence[str], rounds: Sequence[RoundResult]) -> list[Standing]:
    """Return the standings of the entrants, the first one first.

    Ties are broken by the strength of the opposition, then by wins. Who is still equal is listed in the order of entry.
    """
    past = Past(rounds)
    opposition: defaultdict[str, float] = defaultdict(float)
    wins: defaultdict[str, int] = defaultdict(int)
    played: defaultdict[str, int] = defaultdict(int)
    for each in rounds:
        for player in each.byes:
            opposition[player] += past.points[player]  # as if against somebody like oneself
        for table in each.tables:
            for player, rank in zip(table.players, table.ranks, strict=True):
                opposition[player] += fmean(past.points[other] for other in table.players if other != player)
                wins[player] += rank == 1
                played[player] += 1
    figures = {player: (past.points[player], opposition[player], wins[player]) for player in entrants}
    return [Standing(place, player, *figures[player], played[player]) for place, player in ranked(entrants, figures)]


def ranked(entrants: Sequence[str], figures: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Return the place of every entrant and their name, the highest figures first; equal figures share a place."""
    order = sorted(entrants, key=lambda player: figures[player], reverse=True)
    places: dict[Any, int] = {}
    return [(places.setdefault(figures[player], number), player) for number, player in enumerate(order, 1)]
