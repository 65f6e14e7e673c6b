"""A tournament as it is stored, and what follows from it: results, standings, who is free."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from omnibus import games
from omnibus.server.store.tournaments import Pairing, StoredTournament, TournamentSetup, TournamentStore
from omnibus.tournaments import arena
from omnibus.tournaments.results import RoundResult, TableResult
from omnibus.tournaments.standings import Standing, standings
from omnibus.tournaments.tournament import Tournament, places

MOST_SEATS: Final = 5  # at a table of a tournament
MOST_KEPT: Final = 32  # tournaments in memory


def tournament_of(setup: TournamentSetup) -> Tournament:
    """Return what the pairings have to know of a tournament.

    Where bots fill the tables, two people are enough for one; otherwise as many as the game needs, and three in pods.
    """
    if setup.size == 2:
        return Tournament(setup.format, rounds=setup.rounds)
    seats = games.find(setup.game).seats
    fewest = 2 if setup.bots else min(setup.size, max(3, min(seats)))
    return Tournament(setup.format, setup.size, fewest, min(MOST_SEATS, max(seats)), setup.rounds)


class TournamentState:
    """All that is known of a tournament at one moment."""

    def __init__(self, stored: StoredTournament) -> None:
        self.row = stored.row
        self.setup = stored.row.setup
        self.entrants = stored.entrants
        self.rounds = stored.rounds
        self.pairings = stored.pairings
        self.tournament = tournament_of(stored.row.setup)

    @property
    def is_arena(self) -> bool:
        """Whether there are no rounds: whoever is free plays."""
        return self.setup.format == "arena"

    @property
    def entered(self) -> list[str]:
        """Everybody who has entered, in order."""
        return [entrant.user for entrant in self.entrants]

    @property
    def playing(self) -> list[str]:
        """Those who have not withdrawn."""
        return [entrant.user for entrant in self.entrants if not entrant.withdrawn]

    @property
    def unfinished(self) -> list[Pairing]:
        """The tables without a result."""
        return [pairing for pairing in self.pairings if pairing.ranks is None]

    def tables(self, number: int) -> list[Pairing]:
        """Return the tables of a round."""
        return [pairing for pairing in self.pairings if pairing.round == number]

    def table_of(self, user: str) -> Pairing | None:
        """Return the table at which somebody plays now."""
        return next((pairing for pairing in self.unfinished if user in pairing.players), None)

    @cached_property
    def results(self) -> list[RoundResult]:
        """The results of all rounds; of a round that is being played, those of the tables that are over."""
        over: dict[int, list[TableResult]] = {}
        for pairing in self.pairings:
            if pairing.ranks is not None:
                over.setdefault(pairing.round, []).append(TableResult(pairing.players, pairing.ranks))
        return [RoundResult(tuple(over.get(each.number, ())), each.byes) for each in self.rounds]

    @cached_property
    def finished_tables(self) -> list[TableResult]:
        """The results of all tables in the order in which they ended."""
        over = sorted((each.ended, each.players, each.ranks) for each in self.pairings if each.ranks is not None)
        return [TableResult(players, ranks) for _, players, ranks in over]

    @cached_property
    def free(self) -> list[str]:
        """Those who could play at once, the longest waiting first."""
        busy = {user for pairing in self.unfinished for user in pairing.players}
        since = {user: each.ended for each in self.pairings for user in each.players}
        free = [user for user in self.playing if user not in busy]
        return sorted(free, key=lambda user: since.get(user, 0.0))

    @cached_property
    def standings(self) -> list[Standing]:
        """The standings, the first one first."""
        if self.is_arena:
            return arena.standings(self.entered, self.finished_tables)
        found = standings(self.entered, self.results)
        if self.setup.format != "knock_out":
            return found
        known = {each.player: each for each in found}
        complete = self.results[: -1 if self.unfinished else None]
        return [
            Standing(place, user, known[user].points, known[user].buchholz, known[user].wins, known[user].played)
            for place, user in places(self.tournament, self.entered, complete)
        ]


class TournamentStates:
    """The tournaments somebody has looked at lately, kept until they change: their standings take long to calculate."""

    def __init__(self, store: TournamentStore) -> None:
        self._store = store
        self._known: dict[str, TournamentState] = {}

    async def load(self, id_: str) -> TournamentState | None:
        """Return a tournament as it is now; None: there is no such tournament."""
        known, version = self._known.pop(id_, None), await self._store.version(id_)
        if known is None or known.row.version != version:
            stored = await self._store.load(id_)
            known = TournamentState(stored) if stored else None
        if known is not None:
            self._known[id_] = known
            if len(self._known) > MOST_KEPT:
                del self._known[next(iter(self._known))]
        return known
