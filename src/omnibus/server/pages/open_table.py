"""Open tables, where players wait for each other: join from the lobby or by invitation, leave, add bots."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from omnibus import games
from omnibus.kernel.dice import Dice
from omnibus.kernel.game import Words
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.kernel.svg import seat_name
from omnibus.server.config import is_loopback
from omnibus.server.errors import Rejected, TableNotFound
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import (
    PageUser,
    PageVisitor,
    Registry,
    Visitor,
    config_of,
    own_page,
    registry_of,
)
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.pages.lobby_feed import listing_facts
from omnibus.server.pages.templates import render
from omnibus.server.people import accounts
from omnibus.server.people.friends import Friends
from omnibus.server.people.invitations import Invitations
from omnibus.server.store.models import DEFAULT_BOT, TableSetup
from omnibus.server.tables import actions
from omnibus.server.tables.names import names_of
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.scene import LEVELS
from omnibus.server.tables.setup import (
    away_limit_label,
    bot_choices,
    changed_options,
    clock_label,
    levels_of,
)

BAD_INVITATION: Final = mark("This invitation is no longer valid: the seat is taken, or the table has been deleted.")

router = APIRouter(dependencies=[Depends(own_page)])


async def open_table_page(
    request: Request, visit: Visitor, setup: TableSetup, *, invited: tuple[int, str] | None = None
) -> HTMLResponse:
    """Show an open table; `invited` is a seat for which a link was just created, and the link."""
    game = games.find(setup.game)
    translated = words(visit.language, game.folder, COMMON_TEXTS)
    user = visit.user.id if visit.user else None
    invitations, mine = Invitations(registry_of(request)), setup.owner == user
    return render(
        request,
        visit,
        "open_table.html",
        id=setup.id,
        game=game,
        seats=_seats(setup, user, translated),
        mine=mine,
        guests=await invitations.invited(setup.id) if mine else [],
        asked=user is not None and await invitations.store.exists(setup.id, user),
        friend_names=await _friend_names(registry_of(request), setup.owner) if mine else [],
        seated=user in setup.people(),
        listed=setup.listed,
        rated=setup.rated,
        random_seats=setup.random_seats,
        meant_for=" · ".join(listing_facts(setup.listing, visit.language)),
        invited=invited,
        local=invited is not None and is_loopback(urlsplit(invited[1]).hostname or ""),
        options=changed_options(setup, translated),
        away_limit=away_limit_label(setup.patience, translated, visit.language),
        clock=clock_label(setup.clock, translated, visit.language),
        commitment=Dice(setup.seed).commitment,
        bots=bot_choices(levels_of(setup), translated),
        default_bot=DEFAULT_BOT,
    )


async def _friend_names(registry: TableRegistry, user: str) -> list[str]:
    return [friend.name for friend in (await Friends(registry).of(user)).friends]


def _seats(setup: TableSetup, user: str | None, words: Words) -> list[dict[str, Any]]:
    """Return what the page shows of each seat."""
    names = names_of(setup, words)
    return [
        {
            "number": seat,
            "colour": seat_name(seat, words),
            "free": sitter.free,
            "mine": sitter.user is not None and sitter.user == user,
            "name": names[seat],
            "bot": words.gettext(LEVELS[sitter.bot]) if sitter.bot else "",
        }
        for seat, sitter in enumerate(setup.sitters)
    ]


def _back_to(table_id: str) -> Response:
    return RedirectResponse(f"/tables/{table_id}", 303)


@router.post("/tables/{table_id}/seats/{seat}/sit")
async def sit(
    request: Request, table_id: str, seat: int, user: PageUser, registry: Registry, response: Response
) -> Response:
    """Take a free seat of a listed table."""
    name = name_in(await request.form(max_files=0, max_fields=5))
    await accounts.introduce(registry, user, name)
    await actions.sit(registry, user, table_id, seat, name or user.name)
    return onward(response, f"/tables/{table_id}")


@router.post("/tables/{table_id}/seats/{seat}/stand")
async def stand_up(table_id: str, seat: int, user: PageUser, registry: Registry) -> Response:
    """Leave a seat, or clear somebody else's at a table the user has set up."""
    await actions.stand_up(registry, user, table_id, seat)
    return _back_to(table_id)


@router.post("/tables/{table_id}/seats/{seat}/fill")
async def fill(request: Request, table_id: str, seat: int, user: PageUser, registry: Registry) -> Response:
    """Put a bot into a free seat."""
    form = await request.form(max_files=0, max_fields=5)
    bot = form.get("bot")
    await actions.fill(registry, user, table_id, seat, bot if isinstance(bot, str) else DEFAULT_BOT)
    return _back_to(table_id)


@router.post("/tables/{table_id}/seats/{seat}/invite")
async def invite(
    request: Request, table_id: str, seat: int, user: PageUser, visit: PageVisitor, registry: Registry
) -> Response:
    """Create an invitation link for a seat, and show it this once."""
    token = await actions.invite(registry, user, table_id, seat)
    link = config_of(request).link(request, f"/join/{token}")
    return await open_table_page(request, visit, await registry.waiting_setup(table_id), invited=(seat, link))


@router.get("/join/{token}", response_class=HTMLResponse)
async def invitation(request: Request, token: str, visit: PageVisitor, registry: Registry) -> Response:
    """Show an invitation. It is not accepted yet: link previews of chat programs come here too."""
    try:
        setup, seat = await actions.invitation(registry, token)
    except (TableNotFound, Rejected):
        return problem_page(request, visit, BAD_INVITATION, status=404)
    game = games.find(setup.game)
    translated = words(visit.language, game.folder, COMMON_TEXTS)
    return render(
        request,
        visit,
        "invitation.html",
        game=game,
        token=token,
        about=game.help(translated)[0][1],
        seat=seat_name(seat, translated),
        others=[other for other in _seats(setup, None, translated) if not other["free"]],
        name=visit.user.name if visit.user else "",
        options=changed_options(setup, translated),
        away_limit=away_limit_label(setup.patience, translated, visit.language),
        clock=clock_label(setup.clock, translated, visit.language),
    )


@router.post("/join/{token}")
async def join(
    request: Request, token: str, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Accept an invitation."""
    name = name_in(await request.form(max_files=0, max_fields=5))
    await accounts.introduce(registry, user, name)
    try:
        table_id = await actions.accept(registry, user, token, name or user.name)
    except TableNotFound:
        return problem_page(request, visit, BAD_INVITATION, status=404)
    return onward(response, f"/tables/{table_id}")
