"""The page of a table, and the download of its record."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from markupsafe import Markup

from omnibus.bots import names as bot_names
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.svg import SEATS
from omnibus.server.errors import NotReplayable, NotStarted
from omnibus.server.http.visitor import PageVisitor, Registry, Visitor
from omnibus.server.pages import texts
from omnibus.server.pages.open_table import gathering
from omnibus.server.pages.templates import embedded, render
from omnibus.server.store.models import DEFAULT_BOT
from omnibus.server.tables import actions
from omnibus.server.tables.board_view import told_in
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.scene import LEVELS
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.table import Table

router = APIRouter()


@router.get("/tables/{table_id}", response_class=HTMLResponse)
async def table(request: Request, table_id: str, visit: PageVisitor, registry: Registry) -> Response:
    """Show a table."""
    try:
        found = registry.table(table_id)
    except NotReplayable as frozen:
        return _frozen(request, visit, registry, frozen)
    except NotStarted as waiting:
        return gathering(request, visit, waiting.setting)
    await found.settled()
    return _table_page(request, visit, registry, found)


def _table_page(request: Request, visit: Visitor, registry: TableRegistry, found: Table) -> Response:
    session = TableSession(found, visit.user, visit.language)
    shown = session.shown()
    spoken = told_in(found.match, visit.language)
    return render(
        request,
        visit,
        "table.html",
        found.game.folder,
        table=found,
        title=found.game.title,
        seats=SEATS[: found.match.seats],
        svg=Markup(shown.position.svg),
        shown=embedded(msgspec.structs.replace(shown, position=msgspec.structs.replace(shown.position, svg=None))),
        table_texts=embedded(texts.told(texts.TABLE, spoken)),
        tell=texts.told(texts.TABLE, spoken),
        own=session.own,
        mine=visit.user is not None and found.setting.owner == visit.user.id,
        alone=found.people() <= ({visit.user.id} if visit.user else set()),
        bots=[(name, spoken.gettext(LEVELS[name])) for name in bot_names()],
        usual=DEFAULT_BOT,
        rematch=registry.table_store.rematch(found.setting.id),
    )


def _frozen(request: Request, visit: Visitor, registry: TableRegistry, frozen: NotReplayable) -> Response:
    """Show a frozen table; why it is might tell a secret of a game that is not over."""
    say = texts.told(texts.PAGE, words(visit.language, COMMON_TEXTS))
    told_all = actions.told_all(registry, visit.user, frozen)
    reason = frozen.reason if told_all else say["frozen_short"]
    why = say["frozen_why"].format(rules=frozen.setting.rules, reason=reason)
    return render(request, visit, "not_replayable.html", why=why, id=frozen.setting.id, download=told_all)


@router.get("/tables/{table_id}/record")
async def record(table_id: str, visit: PageVisitor, registry: Registry) -> Response:
    """Hand out the record of a table, once it holds no secret any more."""
    text = await actions.record(registry, visit.user, table_id)
    entry = registry.table_store.entry(table_id)
    return _file(text, f"{entry.setting.game}-{table_id}" if entry else table_id)


def _file(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.game"'}
    return PlainTextResponse(text, headers=headers)
