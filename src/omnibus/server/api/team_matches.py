"""API: team matches, two tables with the same dice and the teams' seats swapped."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from fastapi.responses import Response

from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.server.api.auth import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.errors import Refused
from omnibus.server.api.models.tables import TeamMatchRequest, TeamSeatRequest
from omnibus.server.api.responses import answers, json_response
from omnibus.server.errors import Code
from omnibus.server.http.visitor import Registry, Visitor
from omnibus.server.tables.setup import CANNOT_SET_UP
from omnibus.server.tables.team_matches import TeamMatches, TeamStanding

MatchId = Annotated[str, Path(max_length=64, description="The id of a team match.")]

router = APIRouter(tags=["Same deal"])


async def matches_of(registry: Registry) -> TeamMatches:
    """Return the team matches of this server."""
    return TeamMatches(registry)


TheMatches = Annotated[TeamMatches, Depends(matches_of)]


@router.post("/team-matches", status_code=201, responses=answers(TeamStanding, 401, 409, status=201))
async def set_up_match(wish: TeamMatchRequest, user: TheUser, visit: Somebody, matches: TheMatches) -> Response:
    """Set up a team match and take the first seat at the first table."""
    try:
        id_ = await matches.open(user, wish.game, wish.seats, wish.options, pair=wish.pair, name=wish.name)
    except ValueError as error:
        text = words(visit.language, COMMON_TEXTS).gettext(CANNOT_SET_UP)
        raise Refused(Code.MALFORMED, text.format(reason=error_text(error, visit.language))) from None
    return await _standing(matches, id_, visit, 201)


@router.get("/team-matches/{match_id}", responses=answers(TeamStanding), openapi_extra=ANYBODY)
async def get_match(match_id: MatchId, visit: Anybody, matches: TheMatches) -> Response:
    """Show a team match with both tables and the teams' results."""
    return await _standing(matches, match_id, visit)


@router.post("/team-matches/{match_id}/sit", responses=answers(TeamStanding, 401, 409))
async def join_match(
    match_id: MatchId, wish: TeamSeatRequest, user: TheUser, visit: Somebody, matches: TheMatches
) -> Response:
    """Take a free seat in a team match; in one of two people, the seat of the same team at the other table too."""
    await matches.sit(user, match_id, wish.table, wish.seat, wish.name)
    return await _standing(matches, match_id, visit)


@router.post("/team-matches/{match_id}/leave", responses=answers(TeamStanding, 401, 409))
async def leave_match(match_id: MatchId, user: TheUser, visit: Somebody, matches: TheMatches) -> Response:
    """Give up your seat in a team match before the game starts."""
    await matches.leave(user, match_id)
    return await _standing(matches, match_id, visit)


async def _standing(matches: TeamMatches, match_id: str, visit: Visitor, status: int = 200) -> Response:
    return json_response(await matches.standing(match_id, visit.user, words(visit.language, COMMON_TEXTS)), status)
