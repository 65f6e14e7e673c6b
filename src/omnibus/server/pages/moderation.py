"""The page for moderators, whom the host has named: reports, bans, names."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from omnibus.server.http.forms import name_in
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, own_page
from omnibus.server.pages.table_forms import number_in
from omnibus.server.pages.templates import render
from omnibus.server.people.moderation import MOST_DAYS, Moderation
from omnibus.server.store.models import DAY, User
from omnibus.server.tables.setup import duration

TERMS: Final = (1, 7, 30)  # days of a ban that can be chosen, besides for ever

router = APIRouter(prefix="/moderation", dependencies=[Depends(own_page)])


@router.get("", response_class=HTMLResponse)
async def moderation(request: Request, visit: PageVisitor, registry: Registry) -> Response:
    """Show a moderator what was reported, with what can be done about it, and who is banned."""
    moderation = Moderation(registry)
    return render(
        request,
        visit,
        "moderation.html",
        reports=(await moderation.reports(visit.user)).reports,
        bans=(await moderation.bans(visit.user)).bans,
        terms=[(days, duration(round(days * DAY), visit.language)) for days in TERMS],
    )


@router.post("/{action}")
async def act(request: Request, action: str, user: PageUser, registry: Registry) -> Response:
    """Close a report, ban an account, lift a ban or remove a name, as a form asks."""
    form, moderation = await request.form(max_files=0, max_fields=10), Moderation(registry)
    if action == "dismiss":
        await moderation.close(user, str(form.get("report", "")))
    elif action == "ban":
        days = min(MOST_DAYS, int(number_in(form, "days")))
        other = await _account(moderation, user, form)
        await moderation.ban(user, other, days if days > 0 else None, str(form.get("reason", "")))
    elif action == "unban":
        await moderation.unban(user, await _account(moderation, user, form))
    elif action == "remove-name":
        await moderation.remove_name(user, await _account(moderation, user, form))
    else:
        raise HTTPException(404)
    return RedirectResponse("/moderation", 303)


async def _account(moderation: Moderation, user: User, form: FormData) -> str:
    """Return the user a form is about: by the key of an account, or by a claimed name."""
    key = form.get("key")
    return await moderation.keyed(user, str(key)) if key else await moderation.named(user, name_in(form))
