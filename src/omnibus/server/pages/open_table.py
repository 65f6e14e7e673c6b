"""Open tables, where players wait for each other: join, leave, add bots. Their address is the invitation."""

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
from omnibus.server.errors import Rejected
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import (
    PageUser,
    PageVisitor,
    Registry,
    Visitor,
    config_of,
    keep_cookies,
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

ALL_TAKEN: Final = mark("All seats are taken by now, and the game has started. You can watch it.")

router = APIRouter(dependencies=[Depends(own_page)])


async def open_table_page(
    request: Request, visit: Visitor, setup: TableSetup, *, problem: str = "", name: str = ""
) -> HTMLResponse:
    """Show an open table; `problem` says why somebody could not join, or be invited, under a `name`."""
    game = games.find(setup.game)
    translated = words(visit.language, game.folder, COMMON_TEXTS)
    user = visit.user.id if visit.user else None
    invitations, mine = Invitations(registry_of(request)), setup.owner == user
    link = config_of(request).link(request, f"/tables/{setup.id}")
    names = names_of(setup, translated)
    host = next((names[seat] for seat, sitter in enumerate(setup.sitters) if sitter.user == setup.owner), "")
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
        status=409 if problem else 200,
        here=f"/tables/{setup.id}",
        about=translated.gettext(game.goal) if game.goal else game.help(translated)[0][1],
        host=host,
        link=link,
        local=is_loopback(urlsplit(link).hostname or ""),
        problem=translated.gettext(problem) if problem else "",
        name=name or (visit.user.name if visit.user else ""),
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


@router.post("/tables/{table_id}/join")
async def join(
    request: Request, table_id: str, user: PageUser, visit: PageVisitor, registry: Registry, response: Response
) -> Response:
    """Take whatever seat is free; what stands against it is said on the page of the table."""
    name = name_in(await request.form(max_files=0, max_fields=5))
    try:
        await accounts.introduce(registry, user, name)
        await actions.join(registry, user, table_id, name or user.name)
    except Rejected as rejected:
        entry = await registry.table_store.entry(table_id)
        if entry is None or entry.standing != "open":
            page = problem_page(request, visit, ALL_TAKEN, status=409, onward=f"/tables/{table_id}")
        else:
            page = await open_table_page(request, visit, entry.setup, problem=rejected.why, name=name)
        return keep_cookies(page, response)
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
