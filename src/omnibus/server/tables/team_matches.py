"""Team matches: two tables with the same dice and the teams' seats swapped, so that luck cancels.

At the first table one team has the even seats and the other the odd ones; at the second it is the other way round.
Nobody sits at both, unless nothing is hidden in the game: then two people can play a match alone.
"""

from __future__ import annotations

import secrets
from functools import lru_cache
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct

from omnibus import games
from omnibus.kernel.choices import checked_options
from omnibus.kernel.dice import SEED_BITS
from omnibus.kernel.game import Outcome, Words
from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.server.background import in_background
from omnibus.server.errors import Code, NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.store.deals import TeamMatchRow
from omnibus.server.store.models import Sitter, TableRow, TableStatus, User
from omnibus.server.store.users import new_id
from omnibus.server.tables import actions
from omnibus.server.tables.deals import commitment, played_out
from omnibus.server.tables.names import names_of
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.seating import change_seat

TEAMS: Final = 2
EVEN_SEATS: Final = mark("A team match needs two or four seats at each table, so that both teams have as many.")
SOMETHING_HIDDEN: Final = mark(
    "In this game something is hidden. Whoever played both games would know it, so a match needs four people."
)
PLAYS_ALREADY: Final = mark("You already have a seat in this match. Nobody plays at both tables.")
NO_SEAT: Final = mark("There is no such seat in this match.")


class TeamSeat(Struct, frozen=True):
    """A seat in a team match."""

    seat: int
    team: int
    name: str
    free: bool
    you: bool
    score: int | None
    won: bool | None
    """Null until the game is over."""


class TeamTable(Struct, frozen=True):
    """One of the two tables of a team match."""

    standing: TableStatus
    seats: list[TeamSeat]
    table: str | None
    """The table, for those who play at it or have played their own game to its end; when both are over, for all."""


class TeamResult(Struct, frozen=True):
    """What a team has reached at both tables so far."""

    wins: float
    """A shared win counts for each of its winners in part."""
    score: int
    names: list[str]


class TeamStanding(Struct, frozen=True):
    """A team match as a user may see it."""

    id: str
    game: str
    title: str
    pair: bool
    """Whether two people play both games, each in both seats."""
    mine: bool
    """Whether you set it up."""
    joined: bool
    """Whether you have a seat in it."""
    over: bool
    commitment: str
    """Of the dice, the same at both tables."""
    tables: list[TeamTable]
    teams: list[TeamResult]


def team_at(table: int, seat: int) -> int:
    """Return the team that has a seat at a table."""
    return (table + seat) % TEAMS


class TeamMatches:
    """The team matches of a server."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.store = registry.deal_store

    async def open(
        self, user: User, game: str, seats: int, options: dict[str, Any], *, pair: bool = False, name: str = ""
    ) -> str:
        """Set up a match and take the first seat; return its id. ValueError says what is wrong with the options."""
        known = games.find(game)
        if seats not in known.seats or seats % TEAMS:
            raise Rejected(Code.REFUSED, why=EVEN_SEATS)
        chosen = msgspec.json.encode(dict(checked_options(known, options)), order="deterministic")
        if pair and not (seats == TEAMS and await in_background(nothing_hidden, game, seats, chosen)):
            raise Rejected(Code.REFUSED, why=SOMETHING_HIDDEN)
        me, id_, seed = actions.seated(user, name), new_id(), secrets.randbits(SEED_BITS)
        free = [Sitter()] * (seats - 1)
        first = await self.registry.open(user.id, game, options, [me, *free], seed=seed, deal=id_)
        swapped = [*free, me if pair else Sitter()]
        try:
            second = await self.registry.open(user.id, game, options, swapped, seed=seed, deal=id_)
        except BaseException:
            async with self.registry.seats_lock:
                await self.registry.remove(first)
            raise
        await self.store.add_match(id_, first.id, second.id, pair=pair)
        return id_

    async def sit(self, user: User, match_id: str, table: int, seat: int, name: str = "") -> None:
        """Take a free seat; in a match of two people, the seat of the same team at the other table too."""
        row = await self.found(match_id)
        setups = [entry.setup for entry in await self._entries(row)]
        if table not in range(TEAMS) or seat not in range(setups[0].seats):
            raise Rejected(Code.REFUSED, why=NO_SEAT)
        if any(user.id in setup.people() for setup in setups):
            raise Rejected(Code.REFUSED, why=PLAYS_ALREADY)
        sitter = actions.seated(user, name)
        places = [(table, seat), (1 - table, TEAMS - 1 - seat)] if row.pair else [(table, seat)]
        for where, there in sorted(places):  # of two people who ask for both at once, one gets both
            apart = None if row.pair else setups[1 - where].id
            await change_seat(self.registry, setups[where].id, there, sitter, apart=apart)

    async def leave(self, user: User, match_id: str) -> None:
        """Give up one's seats before the games start."""
        for entry in await self._entries(await self.found(match_id)):
            if entry.standing == "open":
                for seat in entry.setup.seats_of(user.id):
                    await actions.stand_up(self.registry, user, entry.setup.id, seat)

    async def found(self, match_id: str) -> TeamMatchRow:
        """Find a match; TableNotFound when there is none."""
        row = await self.store.match(match_id)
        if row is None:
            raise TableNotFound
        return row

    async def standing(self, match_id: str, user: User | None, told: Words) -> TeamStanding:
        """Return a match as a user may see it."""
        row = await self.found(match_id)
        entries = await self._entries(row)
        first = entries[0].setup
        outcomes = [await self._outcome(entry) for entry in entries]
        own = [user is not None and user.id in entry.setup.people() for entry in entries]
        over = all(entry.standing in ("over", "closed") for entry in entries)
        knows = over or (user is not None and await self._played_out(user, entries))
        tables = [
            _table(number, entry, outcome, user, told, shown=knows or own[number])
            for number, (entry, outcome) in enumerate(zip(entries, outcomes, strict=True))
        ]
        return TeamStanding(
            id=match_id,
            game=first.game,
            title=games.find(first.game).title,
            pair=row.pair,
            mine=user is not None and user.id == first.owner,
            joined=any(own),
            over=over,
            commitment=commitment(first),
            tables=tables,
            teams=[_result(team, tables, outcomes) for team in range(TEAMS)],
        )

    async def _entries(self, row: TeamMatchRow) -> list[TableRow]:
        """Return both tables; TableNotFound when one has been deleted."""
        entries = [await self.registry.table_store.entry(table) for table in (row.first, row.second)]
        found = [entry for entry in entries if entry is not None]
        if len(found) < TEAMS:
            raise TableNotFound
        return found

    async def _played_out(self, user: User, entries: list[TableRow]) -> bool:
        """Tell whether a user sits in the match, and has played all their games to the end."""
        tables = [entry.setup.id for entry in entries if user.id in entry.setup.people()]
        return bool(tables) and all([await played_out(self.registry, table, user.id) for table in tables])

    async def _outcome(self, entry: TableRow) -> Outcome | None:
        if entry.standing != "over":
            return None
        try:
            return (await self.registry.table(entry.setup.id)).match.outcome
        except (TableNotFound, NotStarted, NotReplayable):
            return None


def _table(
    number: int, entry: TableRow, outcome: Outcome | None, user: User | None, told: Words, *, shown: bool
) -> TeamTable:
    names = names_of(entry.setup, told)
    seats = [
        TeamSeat(
            seat=seat,
            team=team_at(number, seat),
            name=names[seat],
            free=sitter.free,
            you=user is not None and sitter.user == user.id,
            score=outcome.scores[seat] if outcome else None,
            won=seat in outcome.winners if outcome else None,
        )
        for seat, sitter in enumerate(entry.setup.sitters)
    ]
    return TeamTable(entry.standing, seats, entry.setup.id if shown else None)


def _result(team: int, tables: list[TeamTable], outcomes: list[Outcome | None]) -> TeamResult:
    own = [(table, seat) for table, shown in enumerate(tables) for seat in shown.seats if seat.team == team]
    wins = 0.0
    for table, seat in own:
        outcome = outcomes[table]
        if outcome and seat.won:
            wins += 1 / len(outcome.winners)
    names = dict.fromkeys(seat.name for _, seat in own if not seat.free)
    return TeamResult(round(wins, 2), sum(seat.score or 0 for _, seat in own), list(names))


@lru_cache(maxsize=64)
def nothing_hidden(game: str, seats: int, options: bytes) -> bool:
    """Tell whether everybody sees the same in a game with these seats and options, in a game of random moves."""
    match, random = Match.new(game, seats=seats, options=msgspec.json.decode(options), seed=0), Random(0)
    while match.actor is not None:
        views = [match.game.view(match.state, seat) | {"viewer": None} for seat in range(seats)]
        if any(view != views[0] for view in views):
            return False
        match.play(random.choice(match.lines()))
    return True
