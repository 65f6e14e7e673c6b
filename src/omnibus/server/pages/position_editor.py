"""The page on which a position is set up by hand, or pasted, and then opened as a what-if board."""

from __future__ import annotations

from typing import Final

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from starlette.datastructures import FormData

from omnibus import games
from omnibus.kernel.i18n import error_text
from omnibus.lab.puzzles.document import puzzles_of
from omnibus.server.background import in_background
from omnibus.server.boards import starts
from omnibus.server.boards.drafts import Draft, checked
from omnibus.server.http.forms import onward
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.http.visitor import PageUser, PageVisitor, Visitor, own_page
from omnibus.server.pages.board_texts import EDITOR_SCRIPT
from omnibus.server.pages.boards import TheBoards, new_match
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.pages.lobby import easiest_first
from omnibus.server.pages.templates import embedded, render, texts
from omnibus.server.tables.setup import CANNOT_SET_UP

MIDDLE: Final = "middle"
"""Asks for a position from the middle of a game."""

router = APIRouter(prefix="/analysis")


@router.get("/position", response_class=HTMLResponse)
async def position_editor(
    request: Request, visit: PageVisitor, boards: TheBoards, game: str = "", board: str = "", node: int = 0
) -> Response:
    """Show the editor with the start of a game as a form describes it, a position of a board, or nothing."""
    draft = Draft(games.names()[0], "")
    if board:
        match = await boards.match(await boards.exportable(board, visit.user), node)
        draft = Draft(match.game.name, starts.written(match.position()))
    elif game in games.names():
        try:
            draft = Draft(game, _beginning(game, FormData(dict(request.query_params))))
        except ValueError as error:
            return problem_page(request, visit, CANNOT_SET_UP, status=400, reason=error_text(error, visit.language))
    return _page(request, visit, draft)


def _beginning(game: str, form: FormData) -> str:
    """Return the position that is asked for: the start of a game, or one from its middle."""
    known = puzzles_of(games.find(game)).values()
    if form.get("begin") == MIDDLE and known:
        return starts.written(max(known, key=lambda puzzle: puzzle.lines).position)
    return starts.written(new_match(game, form).position())


def _page(request: Request, visit: Visitor, draft: Draft, problem: str = "") -> Response:
    return render(
        request,
        visit,
        "position_editor.html",
        status=400 if problem else 200,
        games=easiest_first(),
        draft=draft,
        has_middle={game.name: bool(puzzles_of(game)) for game in easiest_first()},
        problem=problem,
        editor_texts=embedded({key: texts(visit.language)[key] for key in (*EDITOR_SCRIPT, "colon")}),
    )


@router.post("", dependencies=[Depends(own_page)])
async def open_draft(
    request: Request, user: PageUser, visit: PageVisitor, boards: TheBoards, response: Response
) -> Response:
    """Open a board with the position or record of the form, or say what is wrong with it."""
    form = await request.form(max_files=0, max_fields=4)
    draft = Draft(str(form.get("game", "")), str(form.get("text", "")))
    await spend(Quota.DRAFT)
    try:
        match = await in_background(starts.of_text, draft.game, draft.text)
    except ValueError as error:
        return _page(request, visit, draft, error_text(error, visit.language))
    if starts.is_position(draft.text):
        return onward(response, f"/boards/{await boards.add(user, match)}")
    board, last = await boards.add_line(user, match)
    return onward(response, f"/boards/{board}" + (f"?node={last}" if last else ""))


@router.post("/check", dependencies=[Depends(own_page)])
async def check_draft(request: Request, visit: PageVisitor) -> Response:
    """Say what is wrong with a position or record that is being written, or show it."""
    try:
        draft = msgspec.json.decode(await request.body(), type=Draft)
    except msgspec.MsgspecError:
        raise HTTPException(400) from None
    await spend(Quota.DRAFT)
    found = await in_background(checked, draft, visit.language)
    return Response(msgspec.json.encode(found), media_type="application/json")
