"""API: tournaments."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import ConfigDict, Field

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.server.api.auth import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.errors import Refused
from omnibus.server.api.models.common import LARGEST, MOST_SEATS, TYPED, Body
from omnibus.server.api.models.tables import ClockRequest
from omnibus.server.api.responses import answers, json_response
from omnibus.server.errors import Code
from omnibus.server.http.visitor import TheTournaments, Visitor
from omnibus.server.store.models import TimeControl
from omnibus.server.store.tournaments import TournamentSetup
from omnibus.server.tables.clock import time_control
from omnibus.server.tournaments.service import TournamentService
from omnibus.server.tournaments.setup import ARENA_S, CANNOT_SET_UP, LEAST_S, MOST_ROUNDS, MOST_S
from omnibus.server.tournaments.view import TournamentInfo, Tournaments, describe, summaries
from omnibus.tournaments.tournament import TournamentFormat

router = APIRouter(tags=["Tournaments"])


class TournamentRequest(Body):
    """A tournament to set up."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"name": "Friday Swiss", "game": "times_square", "clock": {"pace": "blitz"}}}
    )

    name: Annotated[str, Field(max_length=TYPED, description="Empty: it is called like its game.")] = ""
    game: Annotated[str, Field(max_length=TYPED, examples=["times_square"])]
    format: TournamentFormat = "swiss"
    size: Annotated[
        int, Field(ge=1, le=MOST_SEATS, description="How many sit at a table, if the numbers work out.")
    ] = 2
    rounds: Annotated[
        int,
        Field(ge=0, le=MOST_ROUNDS, description="Of a Swiss tournament; 0: as many as it takes to find the best one."),
    ] = 0
    time_limit: Annotated[
        float,
        Field(
            ge=LEAST_S,
            le=MOST_S,
            allow_inf_nan=False,
            description="How long a round may take, or the whole arena, in seconds. Games that are not over then are "
            "closed: whoever is to move is last. In an arena they are played to their end.",
        ),
    ] = ARENA_S
    clock: Annotated[ClockRequest | None, Field(description="How much time players have; null: no clock.")] = None
    options: Annotated[
        dict[str, Any],
        Field(default_factory=dict, description="Options of the game by name; defaults for the others."),
    ]
    starts: Annotated[
        float | None,
        Field(
            ge=0,
            le=LARGEST,
            allow_inf_nan=False,
            description="When it starts by itself, in seconds since 1970; with too few players it is cancelled then. "
            "Null: when you start it.",
        ),
    ] = None
    rated: Annotated[bool, Field(description="Whether its games change ratings.")] = False
    bots: Annotated[
        str,
        Field(
            max_length=TYPED,
            examples=list(bot_names()),
            description="The level of bots that fill tables of three or more; empty: there are none.",
        ),
    ] = ""


TournamentId = Annotated[str, Path(max_length=64, description="The id of a tournament.")]


@router.post("/tournaments", status_code=201, responses=answers(TournamentInfo, 401, 409, status=201))
async def create_tournament(
    wish: TournamentRequest, user: TheUser, visit: Somebody, service: TheTournaments
) -> Response:
    """Set up a tournament.

    You need a claimed name, and do not play in it unless you join. It starts at the time you choose, or when you start
    it.
    """
    try:
        id_ = await service.create(user, wish.name, _setup(wish), wish.starts)
    except ValueError as error:
        text = words(visit.language, COMMON_TEXTS).gettext(CANNOT_SET_UP)
        raise Refused(Code.MALFORMED, text.format(reason=error_text(error, visit.language))) from None
    return await _info(service, id_, visit, status=201)


def _setup(wish: TournamentRequest) -> TournamentSetup:
    game = games.find(wish.game)
    return TournamentSetup(
        game=game.name,
        rules=game.version,
        options=wish.options,
        format=wish.format,
        size=wish.size,
        rounds=wish.rounds,
        time_limit=wish.time_limit,
        clock=_clock(wish),
        rated=wish.rated,
        bots=wish.bots,
    )


def _clock(wish: TournamentRequest) -> TimeControl | None:
    asked = wish.clock
    if asked is None:
        return None
    if asked.pace is not None:
        return time_control(games.find(wish.game), asked.pace)
    return TimeControl(asked.bank, asked.increment, asked.turn)


@router.get("/tournaments", responses=answers(Tournaments), openapi_extra=ANYBODY)
async def list_tournaments(visit: Anybody, service: TheTournaments) -> Response:
    """List the tournaments, the latest first."""
    return json_response(Tournaments(await summaries(service, await service.listed())))


@router.get("/tournaments/{tournament_id}", responses=answers(TournamentInfo), openapi_extra=ANYBODY)
async def get_tournament(
    tournament_id: TournamentId,
    visit: Anybody,
    service: TheTournaments,
    round_: Annotated[
        int | None, Query(alias="round", ge=1, le=LARGEST, description="Whose tables to list; the latest by default.")
    ] = None,
) -> Response:
    """Show a tournament: its standings, and the tables of a round."""
    return await _info(service, tournament_id, visit, round_)


@router.post("/tournaments/{tournament_id}/join", responses=answers(TournamentInfo, 401, 409))
async def join_tournament(
    tournament_id: TournamentId, user: TheUser, visit: Somebody, service: TheTournaments
) -> Response:
    """Enter a tournament, or come back to it. You need a claimed name.

    A Swiss tournament and an arena can be entered after their start.
    """
    await service.join(user, tournament_id)
    return await _info(service, tournament_id, visit)


@router.post("/tournaments/{tournament_id}/withdraw", responses=answers(TournamentInfo, 401, 409))
async def withdraw_from_tournament(
    tournament_id: TournamentId, user: TheUser, visit: Somebody, service: TheTournaments
) -> Response:
    """Withdraw from a tournament. A table at which you play goes on."""
    await service.withdraw(user, tournament_id)
    return await _info(service, tournament_id, visit)


@router.post("/tournaments/{tournament_id}/start", responses=answers(TournamentInfo, 401, 409))
async def start_tournament(
    tournament_id: TournamentId, user: TheUser, visit: Somebody, service: TheTournaments
) -> Response:
    """Start my tournament. The tables of the first round open by themselves a moment later."""
    await service.start(user, tournament_id)
    return await _info(service, tournament_id, visit)


@router.post("/tournaments/{tournament_id}/cancel", responses=answers(TournamentInfo, 401, 409))
async def cancel_tournament(
    tournament_id: TournamentId, user: TheUser, visit: Somebody, service: TheTournaments
) -> Response:
    """Cancel my tournament. Games that have begun can be played to their end."""
    await service.cancel(user, tournament_id)
    return await _info(service, tournament_id, visit)


async def _info(
    service: TournamentService, id_: str, visit: Visitor, number: int | None = None, status: int = 200
) -> Response:
    return json_response(await describe(service, await service.state(id_), visit.user, number), status)
