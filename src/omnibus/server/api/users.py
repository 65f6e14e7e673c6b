"""API: users, the games they can play, and the tables that wait for them."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Option, Words
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server import text_input
from omnibus.server.api.auth import ANYBODY, NO_TOKEN, Anybody, TheUser
from omnibus.server.api.models.account import Me, NewUser
from omnibus.server.api.models.common import Named
from omnibus.server.api.models.games import BotOffer, Choice, GameOffer, Offer, OptionOffer
from omnibus.server.api.models.tables import Awaiting
from omnibus.server.api.responses import answers, json_response
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.http.visitor import PageVisitor, Registry
from omnibus.server.people import accounts
from omnibus.server.tables.scene import LEVELS

router = APIRouter(tags=["People and games"])


@router.post("/users", status_code=201, responses=answers(NewUser, status=201), openapi_extra=NO_TOKEN)
async def add_user(body: Named, visit: PageVisitor, registry: Registry) -> Response:
    """Create a user.

    There are no passwords: whoever has the token is this user. Send it with every request, as
    `Authorization: Bearer TOKEN`, and keep it secret.
    """
    await spend(Quota.USER)
    user, token = await registry.user_store.add_user(text_input.clean_name(body.name), visit.language)
    return json_response(NewUser(user.id, user.name, token), 201)


@router.get("/users/me", responses=answers(Me, 401))
async def get_me(user: TheUser) -> Response:
    """Show who I am."""
    return json_response(Me(user.id, user.name))


@router.patch("/users/me", responses=answers(Me, 401))
async def rename_me(body: Named, user: TheUser, registry: Registry) -> Response:
    """Change my name, also at the tables where I sit under the old one."""
    name = text_input.clean_name(body.name)
    await accounts.rename(registry, user, name)
    return json_response(Me(user.id, name))


@router.get("/users/me/awaited", responses=answers(Awaiting, 401))
async def list_awaited(user: TheUser, registry: Registry) -> Response:
    """List the tables that wait for me, the longest waiting first."""
    return json_response(Awaiting(await registry.table_store.awaited(user.id)))


@router.get("/games", responses=answers(Offer), openapi_extra=ANYBODY)
async def list_games(visit: Anybody) -> Response:
    """List the games with their options, and the bots."""
    spoken = words(visit.language, COMMON_TEXTS)
    bots = [BotOffer(name, spoken.gettext(LEVELS[name])) for name in bot_names()]
    return json_response(Offer([_game(name, visit.language) for name in games.names()], bots))


def _game(name: str, language: str) -> GameOffer:
    game = games.find(name)
    spoken = words(language, game.folder, COMMON_TEXTS)
    options = [_option(name, option, spoken) for name, option in game.options.items()]
    return GameOffer(game.name, game.title, game.help(spoken)[0][1], list(game.seats), options)


def _option(name: str, option: Option, spoken: Words) -> OptionOffer:
    choices = [Choice(choice, spoken.gettext(option.called(choice))) for choice in option.choices]
    return OptionOffer(name, spoken.gettext(option.text), option.default, choices, option.allowed)
