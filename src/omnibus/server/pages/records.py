"""Upload a record, and replay it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from msgspec.structs import replace
from starlette.datastructures import UploadFile

from omnibus.kernel.i18n import mark
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.server.background import in_background
from omnibus.server.http.forms import onward
from omnibus.server.http.request_limits import LARGEST_RECORD, MUCH_RECORD
from omnibus.server.http.sockets import as_json
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, own_page
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.pages.templates import embedded, render
from omnibus.server.tables.board_view import BoardView, Reader
from omnibus.server.tables.scene import Scene
from omnibus.server.tables.table_clock import recorded_clocks
from omnibus.server.uploads import BAD_LINE, NOT_TEXT, names_in, read_upload, record_log, record_view, replayed

NO_FILE: Final = mark("Please choose a file.")

router = APIRouter()


@router.post("/records", dependencies=[Depends(own_page)])
async def upload(
    request: Request, user: PageUser, registry: Registry, visit: PageVisitor, response: Response
) -> Response:
    """Store an uploaded record, if it is valid, and go to the page that replays it."""
    try:
        text = await _uploaded(request)
        await read_upload(text)
    except BadRecord as error:
        return problem_page(
            request, visit, BAD_LINE, status=400, line=error.line, reason=error.reason.told(visit.language)
        )
    except ValueError as error:
        return problem_page(request, visit, str(error), status=400)
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
    """Show an uploaded record, as a seat or a spectator sees it."""
    match = await replayed(registry, record_id)
    if seat is not None and not 0 <= seat < match.seats:
        raise HTTPException(404)
    reader = Reader(seat, visit.language, visit.wide)
    view = await in_background(record_view, match, reader)
    log = await in_background(record_log, match, reader)
    return render(
        request,
        visit,
        "replay.html",
        id=record_id,
        seat=seat,
        title=match.game.title,
        over=match.outcome is not None,
        dice=match.commitment is not None and match.seed is not None,
        names=names_in(match, visit.language),
        svg=Markup(view.svg),
        scene=embedded(_scene(view, log, match)),
    )


def _scene(view: BoardView, log: list[tuple[int, str]], match: Match) -> Scene:
    """Return the scene of a table at which there is nothing to do."""
    return Scene(
        event=0,
        position=replace(view, svg=None),
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
        clock=recorded_clocks(match.clock, match) if match.clock else None,
    )


@router.get("/records/{record_id}/at/{ply}")
async def record_at(
    record_id: str,
    ply: int,
    visit: PageVisitor,
    registry: Registry,
    seat: int | None = None,
    ground: str = "",
    wide: bool = False,
) -> Response:
    """Send a position of an uploaded record."""
    match = await replayed(registry, record_id)
    if not 0 <= ply <= len(match.plies) or (seat is not None and not 0 <= seat < match.seats):
        raise HTTPException(404)
    reader = Reader(seat, visit.language, wide)
    return as_json(await in_background(record_view, match, reader, ply=ply, ground=ground))
