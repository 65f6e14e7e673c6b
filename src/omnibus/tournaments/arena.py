"""An arena: whoever is free plays with others who are, again and again, until the time is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omnibus.tournaments.apart import barred_pairs
from omnibus.tournaments.matching import Matching
from omnibus.tournaments.pods import pods
from omnibus.tournaments.results import Past, RoundResult, TableResult
from omnibus.tournaments.seating import seated
from omnibus.tournaments.standings import Standing, ranked
from omnibus.tournaments.standings import standings as standings_by_opposition
from omnibus.tournaments.tournament import Tournament


def next_tables(
    tournament: Tournament,
    free: Sequence[str],
    results: Sequence[TableResult],
    *,
    others_play: bool,
    apart: Iterable[Iterable[str]] = (),
) -> list[tuple[str, ...]]:
    """Return tables for those who are free, given with the longest waiting first; some may have to wait.

    `results` are the finished tables, the earliest first. Those with about as many points play together. While others
    play (`others_play`), nobody gets the same opponent twice in a row, and pods wait until they are full. Two who are
    to be kept apart never play at a table of two, and wait if need be; in pods they meet only if there are no others.
    """
    past = Past([RoundResult(tuple(results))], apart)
    order = sorted(free, key=lambda player: -past.points[player])
    if tournament.size > 2:
        found = _pods(tournament, order, results, past, wait=others_play)
    else:
        found = _pairs(order, free, _company(results), past, wait=others_play)
    return [seated(table, past) for table in found]


def standings(entrants: Sequence[str], results: Sequence[TableResult]) -> list[Standing]:
    """Return the standings: by points; of those with equal points, who needed fewer tables, then who won more."""
    known = {each.player: each for each in standings_by_opposition(entrants, [RoundResult((one,)) for one in results])}
    figures = {player: (each.points, -each.played, each.wins) for player, each in known.items()}
    return [
        Standing(place, player, known[player].points, known[player].buchholz, known[player].wins, known[player].played)
        for place, player in ranked(entrants, figures)
    ]


def _company(results: Sequence[TableResult]) -> dict[str, set[str]]:
    """Return with whom everybody sat at their last table."""
    return {player: set(table.players) - {player} for table in results for player in table.players}


def _pairs(
    order: Sequence[str], free: Sequence[str], company: dict[str, set[str]], past: Past, *, wait: bool
) -> list[tuple[str, ...]]:
    """Pair as many as possible without an opponent twice in a row; if one is left over, who has waited least."""
    place = {player: number for number, player in enumerate(order)}
    apart = barred_pairs(order, past.apart)
    barred = {
        place[player]: apart[place[player]]
        | {place[other] for other in company.get(player, ()) if other in place and player in company[other]}
        for player in order
    }
    matching = Matching(place.values(), barred)
    if len(order) % 2:
        next(player for player in reversed(free) if matching.drop(place[player]))
    again = Matching([] if wait else matching.free, apart)  # those who would have to wait for nothing
    mates = [*matching.mates.items(), *again.mates.items()]
    return [(order[one], order[two]) for one, two in mates if one < two]


def _pods(
    tournament: Tournament, order: Sequence[str], results: Sequence[TableResult], past: Past, *, wait: bool
) -> list[tuple[str, ...]]:
    """Group those who are free; the tables at which they sat last count as met."""
    if len(order) < (tournament.size if wait else tournament.fewest):
        return []
    last = {player: table for table in results for player in table.players}
    latest = Past([RoundResult(tuple(dict.fromkeys(last.values())))], past.apart)
    latest.points = past.points
    return pods(order, latest, tournament.size, tournament.fewest, tournament.most)[0]
