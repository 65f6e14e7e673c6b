"""What people do with forms: open tables, leave them, bring records."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.forms import name_in, onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, own_page
from omnibus.server.pages.open_table import PATIENCES
from omnibus.server.pages.templates import render
from omnibus.server.store.models import DEFAULT_BOT, PATIENCE, Sitter, User
from omnibus.server.tables import actions

BAD_TABLE: Final = mark("This table cannot be set up: {reason}.")
NOBODY_SITS: Final = mark("At least one seat must be yours or belong to someone else on this device.")

router = APIRouter(dependencies=[Depends(own_page)])


def _findable(name: str) -> Game[Any]:
    if name not in games.names():
        raise HTTPException(404)
    return games.find(name)


@router.post("/play/{name}")
async def play(name: str, user: PageUser, registry: Registry, response: Response) -> Response:
    """One click: a table with the fewest seats, the visitor in the first of them, bots in the others."""
    game = _findable(name)
    bots = [Sitter(bot=DEFAULT_BOT)] * (game.seats[0] - 1)
    setting = await registry.open(user.id, name, {}, [Sitter(user=user.id, name=user.name), *bots])
    return onward(response, f"/tables/{setting.id}")


@router.post("/games/{name}/tables")
async def open_table(
    request: Request, name: str, user: PageUser, registry: Registry, visit: PageVisitor, response: Response
) -> Response:
    """Set a table up as a form describes it."""
    game = _findable(name)
    form = await request.form(max_files=0, max_fields=50)
    sitters = _sitters(form, game, user)
    if form.get("seat-0") == "you":
        await actions.introduce(registry, user, name_in(form, "name-0"))
    spoken = words(visit.language, COMMON_TEXTS)
    if not any(sitter.user for sitter in sitters):
        return render(request, visit, "error.html", status=400, why=spoken.gettext(NOBODY_SITS))
    try:
        patience = _patience(form)
        listed = form.get("listed") == "yes"
        setting = await registry.open(user.id, name, _options(form, game), sitters, listed=listed, patience=patience)
    except ValueError as error:
        why = spoken.gettext(BAD_TABLE).format(reason=error)
        return render(request, visit, "error.html", status=400, why=why)
    return onward(response, f"/tables/{setting.id}")


def _sitters(form: FormData, game: Game[Any], user: User) -> list[Sitter]:
    """Read who sits where: seats nobody sits in are left out."""
    found = []
    for seat in range(max(game.seats)):
        who = form.get(f"seat-{seat}")
        name = name_in(form, f"name-{seat}")
        if who == "you":
            found.append(Sitter(user=user.id, name=name or user.name))
        elif who == "friend":
            found.append(Sitter())
        elif who == "another":
            found.append(Sitter(user=user.id, name=name))
        elif isinstance(who, str) and who in bot_names():
            found.append(Sitter(bot=who))
    return found


def _options(form: FormData, game: Game[Any]) -> dict[str, Any]:
    """Read the options, which a form names by the number of the choice."""
    chosen = {}
    for name, option in game.offered.items():
        numbered = {str(number): choice for number, choice in enumerate(option.choices)}
        number = form.get(f"option-{name}")
        if isinstance(number, str) and number in numbered:
            chosen[name] = numbered[number]
    return chosen


def _patience(form: FormData) -> float:
    """Read how long somebody may be away before the others may let a bot play."""
    return next((known for known in PATIENCES if form.get("patience") == str(int(known))), PATIENCE)


@router.post("/tables/{table_id}/resign")
async def resign(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Give up the own seats."""
    await _unless_over(actions.resign(registry, user, table_id))
    return RedirectResponse(f"/tables/{table_id}", 303)


@router.post("/tables/{table_id}/abandon")
async def abandon(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Close an own table."""
    await _unless_over(actions.abandon(registry, user, table_id))
    return RedirectResponse(f"/tables/{table_id}", 303)


async def _unless_over(act: Awaitable[None]) -> None:
    """Do something at a table that may have come to its end in the meantime."""
    try:
        await act
    except Rejected as rejected:
        if rejected.code is not Code.OVER:
            raise


@router.post("/tables/{table_id}/delete")
async def delete(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Delete an own table for ever."""
    await actions.delete(registry, user, table_id)
    return RedirectResponse("/", 303)


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: str, user: PageUser, registry: Registry) -> Response:
    """Set the same table up again, everybody one seat further; asked twice, it is the same one."""
    return RedirectResponse(f"/tables/{await actions.rematch(registry, user, table_id)}", 303)
