"""API: claimed names, ratings of players, leaderboards."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from msgspec.structs import asdict

from omnibus import games
from omnibus.ratings.bots import bot_ratings
from omnibus.ratings.model import Rating
from omnibus.server import text_input
from omnibus.server.api.auth import ANYBODY, Anybody, TheUser
from omnibus.server.api.models.account import Claimed, NewRecovery
from omnibus.server.api.models.common import TYPED, Named
from omnibus.server.api.models.players import (
    AnalysedInfo,
    BotRating,
    Leaderboard,
    LeaderboardEntry,
    Leaderboards,
    OpponentInfo,
    PlayerInfo,
    PlayerRating,
    RatingInfo,
    RatingStep,
    ResultsInfo,
)
from omnibus.server.api.responses import answers, json_response
from omnibus.server.errors import TableNotFound
from omnibus.server.http.visitor import Registry, config_of
from omnibus.server.people import accounts
from omnibus.server.people.players import find_player
from omnibus.server.people.profiles import profile
from omnibus.server.people.ratings import pools_of

router = APIRouter(tags=["People and games"])


@router.post("/users/me/claim", responses=answers(Claimed, 401, 409))
async def claim_name(request: Request, body: Named, user: TheUser, registry: Registry) -> Response:
    """Claim a name for me alone. It comes with a recovery link, if I have none."""
    name = text_input.clean_name(body.name)
    token = await accounts.claim(registry, user, name)
    link = NewRecovery(config_of(request).link(request, f"/recover/{token}")) if token else None
    return json_response(Claimed(user.id, name, link))


@router.get("/players/{name}", responses=answers(PlayerInfo), openapi_extra=ANYBODY)
async def get_player(
    name: Annotated[str, Path(max_length=TYPED, description="A claimed name.", examples=["Ann"])],
    visit: Anybody,
    registry: Registry,
) -> Response:
    """Show a player: ratings and the games they follow from, results, opponents, and games in progress."""
    player = await find_player(registry.rating_service, name)
    if player is None:
        raise TableNotFound
    ratings = [PlayerRating(*each.pool, _rating(each.after), each.games) for each in player.latest]
    steps = [
        RatingStep(each.id, each.at, *each.pool, each.rank, _rating(each.before), _rating(each.after), each.weight)
        for each in player.changes
    ]
    shown = await profile(registry, player.user, visit.user.id if visit.user else None)
    return json_response(
        PlayerInfo(
            name=player.name,
            former=player.former,
            ratings=ratings,
            history=steps,
            results=[ResultsInfo(**asdict(each)) for each in shown.results],
            analysed=[AnalysedInfo(**asdict(each)) for each in shown.analysed],
            opponents=[OpponentInfo(**asdict(each)) for each in shown.opponents],
            current=[entry.setup.id for entry in shown.current],
            vacation=(await registry.vacation_store.until([player.user])).get(player.user),
        )
    )


@router.get("/leaderboards/{game}", responses=answers(Leaderboards), openapi_extra=ANYBODY)
async def get_leaderboards(
    game: Annotated[str, Path(max_length=TYPED, examples=["times_square"])], visit: Anybody, registry: Registry
) -> Response:
    """List the strongest players of a game, and the bots."""
    if game not in games.names():
        raise TableNotFound
    found = []
    for pool in pools_of(games.find(game)):
        rows = await registry.rating_service.leaderboard(pool)
        players = [LeaderboardEntry(row.name, _rating(row.rating), row.games) for row in rows]
        bots = [BotRating(level, _rating(rating)) for level, rating in bot_ratings(pool).items()]
        found.append(Leaderboard(pool[1], players, bots))
    return json_response(Leaderboards(game, found))


def _rating(rating: Rating) -> RatingInfo:
    return RatingInfo(rating.number, rating.margin, rating.provisional)
