"""A tournament as data, and the next round that follows from its entrants and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import ceil, log
from typing import Final, Literal

from msgspec import Struct

from omnibus.tournaments import knock_out, round_robin
from omnibus.tournaments.pods import pods
from omnibus.tournaments.results import Past, RoundResult
from omnibus.tournaments.seating import seated
from omnibus.tournaments.standings import standings
from omnibus.tournaments.swiss import pairings

TournamentFormat = Literal["round_robin", "swiss", "knock_out", "arena"]
"""In an arena there are no rounds: `arena.next_tables` finds tables for whoever is free."""
FEWEST_ROUNDS: Final = 3


class Tournament(Struct, frozen=True):
    """What a tournament is like."""

    format: TournamentFormat
    size: int = 2
    """How many sit at a table, if the numbers work out."""
    fewest: int = 2
    """A table has at least so many seats …"""
    most: int = 2
    """… and at most so many."""
    rounds: int = 0
    """Of a Swiss tournament; 0: as many as it takes to find the best one."""


class Round(Struct, frozen=True):
    """A round to be played."""

    tables: tuple[tuple[str, ...], ...]
    """The entrants of each table in the order of their seats, the first tables first."""
    byes: tuple[str, ...] = ()


def check(tournament: Tournament) -> None:
    """Raise ValueError when a tournament cannot be played."""
    if not 2 <= tournament.fewest <= tournament.size <= tournament.most <= 5:
        raise ValueError("tables of a tournament have two to five seats, and the size is between fewest and most")
    if tournament.format == "round_robin" and tournament.size > 2:
        raise ValueError("everybody can meet everybody once only at tables of two")


def rounds_of(tournament: Tournament, entrants: int) -> int:
    """Return how many rounds a tournament has; of a knock-out, how many it has if nobody leaves; of an arena, none."""
    if tournament.format == "arena":
        return 0
    if tournament.format == "round_robin":
        return max(0, entrants - 1 + entrants % 2)
    if tournament.format == "swiss":
        return tournament.rounds or max(FEWEST_ROUNDS, _halvings(entrants, tournament.size))
    return _halvings(entrants, tournament.size)


def _halvings(entrants: int, size: int) -> int:
    return ceil(log(max(2, entrants), size) - 1e-9)


def next_round(
    tournament: Tournament,
    entrants: Sequence[str],
    playing: Collection[str],
    results: Sequence[RoundResult],
    apart: Iterable[Iterable[str]] = (),
) -> Round | None:
    """Return the next round; None when the tournament is over.

    `entrants` are all who have ever entered, in the order of entry (or of their ratings); `playing` are those who have
    not dropped out. Both may change between rounds, except that nobody can enter a round robin after its start, and
    that somebody who enters a knock-out late has a place only before its first round. `apart` are pairs of players who
    do not meet where that can be avoided, which it cannot be in a round robin.
    """
    past = Past(results, apart)
    tables: Sequence[tuple[str, ...]]
    if tournament.format == "round_robin":
        return _round_robin(entrants, playing, len(results))
    if tournament.format == "arena":
        raise ValueError("an arena has no rounds")
    if tournament.format == "knock_out":
        alive = [player for player in survivors(tournament, entrants, results) if player in playing]
        if len(alive) < 2:
            return None
        tables, byes = knock_out.tables(alive, tournament.size, tournament.fewest, tournament.most, past.apart)
    else:
        order = [standing.player for standing in standings(entrants, results) if standing.player in playing]
        if len(results) >= rounds_of(tournament, len(entrants)) or len(order) < tournament.fewest:
            return None
        tables, byes = _swiss(tournament, order, past)
    if not tables:
        return None
    return Round(tuple(seated(table, past) for table in tables), tuple(byes))


def _swiss(tournament: Tournament, order: Sequence[str], past: Past) -> tuple[Sequence[tuple[str, ...]], list[str]]:
    if tournament.size == 2:
        return pairings(order, past)
    return pods(order, past, tournament.size, tournament.fewest, tournament.most)


def _round_robin(entrants: Sequence[str], playing: Collection[str], number: int) -> Round | None:
    rounds = round_robin.rounds(entrants)
    if number >= len(rounds):
        return None
    pairs, byes = rounds[number]
    played = tuple(pair for pair in pairs if all(player in playing for player in pair))
    alone = [player for pair in pairs if pair not in played for player in pair]
    return Round(played, tuple(player for player in [*byes, *alone] if player in playing))


def survivors(tournament: Tournament, entrants: Sequence[str], results: Sequence[RoundResult]) -> list[str]:
    """Return who is still in a knock-out, the best seed first."""
    alive = list(entrants)
    for each in results:
        alive = knock_out.advancing(each.tables, each.byes, alive, tournament.fewest)
    return alive


def places(tournament: Tournament, entrants: Sequence[str], results: Sequence[RoundResult]) -> list[tuple[int, str]]:
    """Return the place of every entrant and their name, the first one first."""
    if tournament.format != "knock_out":
        return [(standing.place, standing.player) for standing in standings(entrants, results)]
    survived: Counter[str] = Counter()
    for number in range(1, len(results) + 1):
        survived.update(survivors(tournament, entrants, results[:number]))
    return knock_out.places(entrants, survived)
