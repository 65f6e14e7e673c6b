"""What pages and the API show of a tournament."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from omnibus import games
from omnibus.kernel.game import Document
from omnibus.server.store.models import TimeControl, User
from omnibus.server.store.tournaments import Pairing, TournamentRow, TournamentStatus
from omnibus.server.tournaments.service import TournamentService
from omnibus.server.tournaments.state import TournamentState
from omnibus.tournaments.tournament import TournamentFormat

MOST_SHOWN: Final = 50  # tables of an arena
NAMELESS: Final = "–"  # somebody who has erased their name


class TournamentSummary(Struct, frozen=True):
    """A tournament in a list of tournaments."""

    id: str
    name: str
    game: str
    title: str
    """The name of the game."""
    format: TournamentFormat
    size: int
    """How many sit at a table, if the numbers work out."""
    status: TournamentStatus
    """Open: it has not started."""
    rated: bool
    entrants: int
    """How many play in it."""
    host: str
    """The name of the player who set it up."""
    created: float
    starts: float | None
    """When it starts by itself; null: when its host starts it."""
    started: float | None
    ended: float | None


class TournamentPlayer(Struct, frozen=True):
    """How a player stands."""

    place: int
    name: str
    points: float
    opposition: float
    """The strength of the opposition, which decides where points are equal."""
    wins: int
    played: int
    """Tables played."""
    withdrawn: bool
    you: bool


class TournamentTable(Struct, frozen=True):
    """A table of a tournament."""

    round: int
    number: int
    table: str
    """The id of the table."""
    names: list[str]
    """The players in the order of their seats, without bots."""
    ranks: list[int] | None
    """Their ranks, once the table is over."""
    bots: int
    """How many bots sit there too."""
    yours: bool


class TournamentInfo(Struct, frozen=True):
    """A tournament with its standings, and the tables of one round."""

    summary: TournamentSummary
    options: Document
    clock: TimeControl | None
    time_limit: float
    """How long a round may take, or the whole arena, in seconds."""
    bots: str
    """The level of bots that fill tables; empty: there are none."""
    rounds: int
    """How many rounds there will be; 0: not known yet, or an arena."""
    played: int
    """How many rounds have begun."""
    round: int
    """The round whose tables are listed; 0: there is none, or the latest tables of an arena are."""
    ends: float | None
    """When the time of the round ends, or that of the arena; null while it is not being played."""
    mine: bool
    """Whether the caller has set it up."""
    joined: bool
    """Whether the caller plays in it."""
    may_join: bool
    """Whether somebody can enter now."""
    your_table: str | None
    """The id of the table at which the caller plays now."""
    version: int
    """Goes up with every change."""
    standings: list[TournamentPlayer]
    tables: list[TournamentTable]
    byes: list[str]
    """Who has a bye in this round."""


class Tournaments(Struct, frozen=True):
    """Tournaments, the latest first."""

    tournaments: list[TournamentSummary]


async def summaries(service: TournamentService, rows: Iterable[TournamentRow]) -> list[TournamentSummary]:
    """Describe tournaments in a list."""
    rows = list(rows)
    names = await service.registry.rating_service.claims.names([row.owner for row in rows])
    return [_summary(row, names) for row in rows]


async def describe(
    service: TournamentService, state: TournamentState, reader: User | None, number: int | None = None
) -> TournamentInfo:
    """Describe a tournament to a reader, with the tables of a round, the latest if None."""
    row, setup, user = state.row, state.setup, reader.id if reader else ""
    names = await service.registry.rating_service.claims.names([*state.entered, row.owner])
    shown = _shown(state, number)
    own = state.table_of(user)
    live = row.status == "live"
    return TournamentInfo(
        summary=_summary(row, names),
        options=setup.options,
        clock=setup.clock,
        time_limit=setup.time_limit,
        bots=setup.bots,
        rounds=setup.rounds,
        played=0 if state.is_arena else len(state.rounds),
        round=0 if state.is_arena else shown,
        ends=time.time() + await service.runner.time_left(state) if live else None,
        mine=row.owner == user,
        joined=user in state.playing,
        may_join=row.status == "open" or await service.accepts_late(state),
        your_table=own.table if live and own and own.opened else None,
        version=row.version,
        standings=_players(state, names, user),
        tables=[_table(state, each, names, user) for each in _tables(state, shown)],
        byes=[_name(names, each) for each in (state.rounds[shown - 1].byes if shown else ())],
    )


def _shown(state: TournamentState, number: int | None) -> int:
    """Return the round whose tables are shown; 0: none."""
    latest = len(state.rounds)
    return number if number is not None and 1 <= number <= latest else latest


def _tables(state: TournamentState, number: int) -> list[Pairing]:
    if not state.is_arena:
        return state.tables(number)
    playing = state.unfinished
    over = sorted((each for each in state.pairings if each.ranks is not None), key=lambda each: -each.ended)
    return [*playing, *over][:MOST_SHOWN]


def _summary(row: TournamentRow, names: dict[str, str]) -> TournamentSummary:
    game = row.setup.game
    title = games.find(game).title if game in games.names() else game
    return TournamentSummary(
        row.id,
        row.name or title,
        game,
        title,
        row.setup.format,
        row.setup.size,
        row.status,
        row.setup.rated,
        row.entrants,
        _name(names, row.owner),
        row.created,
        row.starts,
        row.started,
        row.ended,
    )


def _players(state: TournamentState, names: dict[str, str], reader: str) -> list[TournamentPlayer]:
    playing = set(state.playing)
    return [
        TournamentPlayer(
            each.place,
            _name(names, each.player),
            round(each.points, 2),
            round(each.buchholz, 2),
            each.wins,
            each.played,
            each.player not in playing,
            each.player == reader,
        )
        for each in state.standings
    ]


def _table(state: TournamentState, pairing: Pairing, names: dict[str, str], reader: str) -> TournamentTable:
    return TournamentTable(
        pairing.round,
        pairing.number,
        pairing.table,
        [_name(names, user) for user in pairing.players],
        None if pairing.ranks is None else list(pairing.ranks),
        max(0, state.setup.size - len(pairing.players)) if state.setup.bots else 0,
        reader in pairing.players,
    )


def _name(names: dict[str, str], user: str) -> str:
    return names.get(user, NAMELESS)
