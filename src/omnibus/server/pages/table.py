"""The page of a table, and the download of its record."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from markupsafe import Markup
from msgspec.structs import replace

from omnibus.bots import names_for
from omnibus.server.errors import NotReplayable, NotStarted
from omnibus.server.http.visitor import PageVisitor, Registry, Visitor, config_of
from omnibus.server.pages.open_table import open_table_page
from omnibus.server.pages.templates import embedded, render, texts
from omnibus.server.store.models import DEFAULT_BOT
from omnibus.server.tables import actions
from omnibus.server.tables.board_view import words_for
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.setup import bot_choices
from omnibus.server.tables.viewpoint import Viewpoint

FIRST_TABLES: Final = 3  # of a game: at so many its goal is told

router = APIRouter()


@router.get("/tables/{table_id}", response_class=HTMLResponse)
async def table(request: Request, table_id: str, visit: PageVisitor, registry: Registry) -> Response:
    """Show a table: open, live, finished, or no longer replayable."""
    try:
        found = await registry.visit(table_id)
    except NotReplayable as error:
        return await _not_replayable(request, visit, registry, error)
    except NotStarted as error:
        if error.setup.deal:
            return RedirectResponse(f"/team-matches/{error.setup.deal}", 303)
        return await open_table_page(request, visit, error.setup)
    await found.settled()
    count = await registry.table_store.count_of_game(visit.user.id, found.game.name) if visit.user else 0
    deal = await registry.deal_store.deal_of(table_id)
    secret = bool(deal) and await registry.deal_store.keeps_seed(deal)
    viewpoint = Viewpoint(found, registry.live.presence_at(found), visit.user, visit.language, wide=visit.wide)
    corrected = found.standing != "live" and await registry.rating_service.store.is_corrected(table_id)
    seed = None if secret else found.seed
    keep = visit.user is not None and await registry.user_store.recovery_link(visit.user.id) is None
    return _table_page(request, visit, viewpoint, tables=count, deal=deal, seed=seed, corrected=corrected, keep=keep)


def _table_page(
    request: Request,
    visit: Visitor,
    viewpoint: Viewpoint,
    *,
    tables: int,
    deal: str,
    seed: str | None,
    corrected: bool,
    keep: bool,
) -> Response:
    """Show a live or finished table: at people's first `tables` of a game its goal, at the very first its tutorial."""
    found, scene = viewpoint.table, viewpoint.scene()
    told = words_for(found.match, visit.language)
    return render(
        request,
        visit,
        "table.html",
        table=found,
        title=found.game.title,
        svg=Markup(scene.position.svg),
        scene=embedded(replace(scene, position=replace(scene.position, svg=None))),
        own=viewpoint.own,
        deal=deal,
        seed=seed,
        corrected=corrected,
        keep=keep and config_of(request).shared and bool(viewpoint.own),
        comparable=visit.user is not None and _is_comparable(viewpoint, visit.user.id),
        mine=visit.user is not None and found.setup.owner == visit.user.id,
        alone=found.people() <= ({visit.user.id} if visit.user else set()),
        left=found.match.seats - len(found.match.resigned),
        bots=bot_choices(names_for(found.game, found.match.state), told),
        default_bot=DEFAULT_BOT,
        goal=told.gettext(found.game.goal) if found.game.goal and viewpoint.own else "",
        new_here=0 < tables <= FIRST_TABLES and found.standing == "live",
        offer_tutorial=tables == 1 and bool(found.game.lessons) and found.standing == "live",
    )


def _is_comparable(viewpoint: Viewpoint, user: str) -> bool:
    """Tell whether others can be challenged with this game: one person plays here, in one seat, against bots."""
    return viewpoint.table.setup.people() == {user} and len(viewpoint.own) == 1


async def _not_replayable(request: Request, visit: Visitor, registry: TableRegistry, error: NotReplayable) -> Response:
    """Say why a table cannot be replayed; the exact reason only to those it tells no secret of a game in progress."""
    t = texts(visit.language)
    may_know = await actions.may_read_record(registry, visit.user, error)
    reason = error.reason.told(visit.language) if may_know else t["rules_mismatch"]
    why = t["not_replayable_why"].format(reason=reason)
    return render(request, visit, "not_replayable.html", why=why, id=error.setup.id, download=may_know)


@router.get("/tables/{table_id}/record")
async def record(table_id: str, visit: PageVisitor, registry: Registry) -> Response:
    """Send the record of a table as a file, once it holds no secrets any more."""
    text = await actions.record(registry, visit.user, table_id)
    entry = await registry.table_store.entry(table_id)
    name = f"{entry.setup.game}-{table_id}" if entry else table_id
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}.game"'})
