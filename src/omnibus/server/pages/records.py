"""Upload a record, and replay it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from msgspec.structs import replace
from starlette.datastructures import UploadFile

from omnibus.kernel.i18n import COMMON_TEXTS, mark, words
from omnibus.kernel.record import BadRecord
from omnibus.kernel.svg import SEATS
from omnibus.server.background import in_background
from omnibus.server.http.forms import onward
from omnibus.server.http.request_limits import LARGEST_RECORD, MUCH_RECORD
from omnibus.server.http.sockets import as_json
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, own_page
from omnibus.server.pages import texts
from omnibus.server.pages.templates import embedded, render
from omnibus.server.store.models import Sitter
from omnibus.server.tables.board_view import BoardView, Reader, told_in
from omnibus.server.tables.scene import Scene
from omnibus.server.tables.table import names_of
from omnibus.server.tables.view_cache import ViewCache
from omnibus.server.uploads import BAD_LINE, NOT_TEXT, read_upload, replayed, shown

NO_FILE: Final = mark("Please choose a file.")

router = APIRouter()


@router.post("/records", dependencies=[Depends(own_page)])
async def upload(
    request: Request, user: PageUser, registry: Registry, visit: PageVisitor, response: Response
) -> Response:
    """Take a record in, if it is one: it becomes a page on which it can be replayed."""
    spoken = words(visit.language, COMMON_TEXTS)
    try:
        text = await _uploaded(request)
        await read_upload(text)
    except BadRecord as error:
        why = spoken.gettext(BAD_LINE).format(line=error.line, reason=error.reason)
        return render(request, visit, "error.html", status=400, why=why)
    except ValueError as error:
        return render(request, visit, "error.html", status=400, why=spoken.gettext(str(error)))
    return onward(response, f"/records/{await registry.table_store.add_record(text, user.id)}")


async def _uploaded(request: Request) -> str:
    """Read the uploaded file; ValueError says what is wrong with it."""
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("record")
        if not isinstance(file, UploadFile) or not file.filename:
            raise ValueError(NO_FILE)
        content = await file.read(LARGEST_RECORD + 1)
    if len(content) > LARGEST_RECORD:
        raise ValueError(MUCH_RECORD)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(NOT_TEXT) from None


@router.get("/records/{record_id}", response_class=HTMLResponse)
async def replay(
    request: Request, record_id: str, visit: PageVisitor, registry: Registry, seat: int | None = None
) -> Response:
    """Show an uploaded record, through the eyes of a seat or of a spectator."""
    match = await replayed(registry, record_id)
    if seat is not None and not 0 <= seat < match.seats:
        raise HTTPException(404)
    reader = Reader(seat, visit.language)
    told = told_in(match, visit.language)
    seen = await in_background(shown, match, reader)
    names = match.names or names_of([Sitter()] * match.seats, told)
    log = await in_background(ViewCache(match).told, reader, names, told)
    return render(
        request,
        visit,
        "replay.html",
        match.game.folder,
        id=record_id,
        seat=seat,
        title=match.game.title,
        dice=match.commitment is not None and match.seed is not None,
        names=names,
        seats=SEATS[: match.seats],
        svg=Markup(seen.svg),
        shown=embedded(_scene(seen, log)),
        table_texts=embedded(texts.told(texts.TABLE, told)),
        tell=texts.told(texts.TABLE, told),
    )


def _scene(shown: BoardView, log: list[tuple[int, str]]) -> Scene:
    """Show a record the way a table is shown at which nothing can be done any more."""
    return Scene(
        event=0,
        position=replace(shown, svg=None),
        actor=None,
        live=False,
        moves=[],
        undo=False,
        hint=False,
        own=[],
        handover=None,
        decided=None,
        since=0,
        log=log,
    )


@router.get("/records/{record_id}/at/{ply}")
async def record_at(
    record_id: str, ply: int, visit: PageVisitor, registry: Registry, seat: int | None = None, ground: str = ""
) -> Response:
    """Show a position of an uploaded record."""
    match = await replayed(registry, record_id)
    if not 0 <= ply <= len(match.plies) or (seat is not None and not 0 <= seat < match.seats):
        raise HTTPException(404)
    return as_json(await in_background(shown, match, Reader(seat, visit.language), ply=ply, ground=ground))
