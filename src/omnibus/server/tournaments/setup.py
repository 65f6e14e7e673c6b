"""What can be chosen when a tournament is set up, and what cannot be played."""

from __future__ import annotations

import time
from typing import Any, Final

from omnibus import games
from omnibus.bots import check_level
from omnibus.kernel.choices import check_size
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import MessageError, mark
from omnibus.kernel.match import Match
from omnibus.server.store.models import DAY
from omnibus.server.store.tournaments import TournamentSetup
from omnibus.server.tables.clock import check as check_clock
from omnibus.server.tournaments.state import MOST_SEATS, tournament_of
from omnibus.tournaments.tournament import TournamentFormat

LEAST_S: Final = 10.0  # of a round, or of an arena
MOST_S: Final = 60 * DAY
MOST_ROUNDS: Final = 50
ARENA_S: Final = 3600.0  # how long an arena lasts if nothing else is chosen

LATEST_S: Final = 365 * DAY  # from now on, before a tournament starts by itself

FORMATS: Final[dict[TournamentFormat, str]] = {
    "swiss": mark("Swiss"),
    "round_robin": mark("Round robin"),
    "knock_out": mark("Knock-out"),
    "arena": mark("Arena"),
}

CANNOT_SET_UP: Final = mark("This tournament cannot be set up: {reason}.")
WRONG_SIZE: Final = mark("a table of {game} cannot have {size} seats")
PAIRS_ONLY: Final = mark("in a round robin everybody meets everybody, which needs tables of two")
WRONG_TIME: Final = mark("a round takes between {least} seconds and {most} days")
WRONG_ROUNDS: Final = mark("there are at most {most} rounds")
WRONG_START: Final = mark("it has to start in the future, within {most} days")
NEEDS_CLOCK: Final = mark("an arena needs a clock, so that its games end")
NO_BOTS_RATED: Final = mark("bots cannot play in rated games")
NO_BOTS_IN_PAIRS: Final = mark("bots only fill tables of three or more")


def sizes_of(game: Game[Any]) -> list[int]:
    """Return how many can sit at a table of a tournament."""
    return [seats for seats in game.seats if 2 <= seats <= MOST_SEATS]


def check(setup: TournamentSetup) -> None:
    """Raise ValueError when a tournament cannot be played."""
    game = games.find(setup.game)
    if setup.size not in sizes_of(game):
        raise MessageError(WRONG_SIZE, game=game.title, size=setup.size)
    if setup.format == "round_robin" and setup.size > 2:
        raise MessageError(PAIRS_ONLY)
    if not LEAST_S <= setup.time_limit <= MOST_S:
        raise MessageError(WRONG_TIME, least=round(LEAST_S), most=round(MOST_S / DAY))
    if not 0 <= setup.rounds <= MOST_ROUNDS:
        raise MessageError(WRONG_ROUNDS, most=MOST_ROUNDS)
    if setup.format == "arena" and (setup.clock is None or setup.clock.by_days):
        raise MessageError(NEEDS_CLOCK)
    if setup.clock is not None:
        check_clock(setup.clock)
    if setup.bots and setup.rated:
        raise MessageError(NO_BOTS_RATED)
    if setup.bots and setup.size == 2:
        raise MessageError(NO_BOTS_IN_PAIRS)
    _check_tables(setup)


def check_start(starts: float | None) -> None:
    """Raise ValueError when a tournament cannot start by itself at a time of day; None: it does not."""
    if starts is not None and not 0 < starts - time.time() <= LATEST_S:
        raise MessageError(WRONG_START, most=round(LATEST_S / DAY))


def _check_tables(setup: TournamentSetup) -> None:
    """Raise ValueError when a table of a size that may be needed cannot be set up."""
    tournament = tournament_of(setup)
    for seats in range(setup.size if setup.bots else tournament.fewest, tournament.most + 1):
        match = Match.new(setup.game, seats=seats, options=dict(setup.options), dice=False)
        check_size(match.game, match.state)
        if setup.bots:
            check_level(setup.bots, match.game, match.state)
