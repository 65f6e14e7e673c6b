"""The pages of what-if boards: a board, where to open one, and the forms that make boards."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup
from msgspec.structs import replace
from starlette.datastructures import FormData

from omnibus import games
from omnibus.kernel.game import Game
from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.kernel.match import Match
from omnibus.server.boards import starts
from omnibus.server.boards.actions import Boards
from omnibus.server.http.forms import onward
from omnibus.server.http.visitor import PageUser, PageVisitor, Registry, config_of, own_page
from omnibus.server.pages.board_texts import BOARD_SCRIPT
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.pages.lobby import easiest_first, offered_options
from omnibus.server.pages.table_forms import chosen_options
from omnibus.server.pages.templates import embedded, render, texts
from omnibus.server.store.boards import BoardRow
from omnibus.server.tables.board_view import Reader
from omnibus.server.tables.setup import CANNOT_SET_UP, bot_choices
from omnibus.server.uploads import replayed

STRONG: Final = "hard"  # the level that is chosen at first

router = APIRouter()


async def boards_of(registry: Registry) -> Boards:
    """Return the boards of this server."""
    return Boards(registry)


TheBoards = Annotated[Boards, Depends(boards_of)]


@router.get("/analysis", response_class=HTMLResponse)
async def analysis(request: Request, visit: PageVisitor, boards: TheBoards) -> Response:
    """Show where boards are opened: an empty one of each game, a position of one's own, and one's boards."""
    mine = await boards.store.boards_of(visit.user.id) if visit.user else []
    return render(
        request,
        visit,
        "analysis.html",
        games=[_game(game, visit.language) for game in easiest_first()],
        boards=[_own_board(row) for row in mine if row.game in games.names()],
    )


def _game(game: Game[Any], language: str) -> dict[str, Any]:
    """Return what the page shows of a game."""
    told = words(language, game.folder, COMMON_TEXTS)
    return {"name": game.name, "title": game.title, "seats": game.seats, "options": offered_options(game, told)}


def _own_board(row: BoardRow) -> dict[str, Any]:
    return {"id": row.id, "title": games.find(row.game).title, "updated": row.updated}


@router.post("/analysis/{name}", dependencies=[Depends(own_page)])
async def open_new(
    request: Request, name: str, user: PageUser, visit: PageVisitor, boards: TheBoards, response: Response
) -> Response:
    """Open a board at the start of a game, as the form describes it."""
    if name not in games.names():
        raise HTTPException(404)
    form = await request.form(max_files=0, max_fields=50)
    try:
        match = new_match(name, form)
    except ValueError as error:
        return problem_page(request, visit, CANNOT_SET_UP, status=400, reason=error_text(error, visit.language))
    return onward(response, f"/boards/{await boards.add(user, match)}")


def new_match(name: str, form: FormData) -> Match:
    """Set up a game as a form describes it; ValueError says why that is not possible."""
    return starts.new_game(name, _seats(form), chosen_options(form, games.find(name)))


def _seats(form: FormData) -> int | None:
    seats = str(form.get("seats", ""))
    return int(seats) if seats.isdecimal() and len(seats) < 3 else None


@router.post("/tables/{table_id}/boards", dependencies=[Depends(own_page)])
async def open_table_position(
    request: Request, table_id: str, user: PageUser, boards: TheBoards, response: Response
) -> Response:
    """Open a board at a position of a table; of a game in progress, what the visitor sees of it."""
    return onward(response, f"/boards/{await boards.add_of_table(user, table_id, await _ply(request))}")


@router.post("/records/{record_id}/boards", dependencies=[Depends(own_page)])
async def open_record_position(
    request: Request, record_id: str, user: PageUser, boards: TheBoards, response: Response
) -> Response:
    """Open a board at a position of an uploaded record."""
    match, ply = await replayed(boards.registry, record_id), await _ply(request)
    if ply is not None and ply > match.length:
        raise HTTPException(404)
    return onward(response, f"/boards/{await boards.add(user, match, ply)}")


async def _ply(request: Request) -> int | None:
    """Read the ply from the time bar, which belongs to the form."""
    ply = str((await request.form(max_files=0, max_fields=4)).get("ply", ""))
    return int(ply) if ply.isdecimal() and len(ply) < 7 else None


@router.post("/boards/{board_id}/copy", dependencies=[Depends(own_page)])
async def copy_board(board_id: str, user: PageUser, boards: TheBoards, response: Response) -> Response:
    """Make a copy of a board for the visitor."""
    return onward(response, f"/boards/{await boards.copy(user, board_id)}")


@router.post("/boards/{board_id}/delete", dependencies=[Depends(own_page)])
async def delete_board(board_id: str, user: PageUser, boards: TheBoards) -> Response:
    """Delete a board of the visitor's."""
    await boards.changeable(board_id, user)
    await boards.store.remove(board_id)
    return RedirectResponse("/analysis", 303)


@router.get("/boards/{board_id}", response_class=HTMLResponse)
async def board_page(request: Request, board_id: str, visit: PageVisitor, boards: TheBoards, node: int = 0) -> Response:
    """Show a board at one of its nodes."""
    board = await boards.visible(board_id, visit.user)
    link = config_of(request).link(request, f"/boards/{board_id}")
    tree = await boards.tree(board, visit.user.id if visit.user else None, visit.language, link)
    at = node if node in tree.kept else 0
    scene = await boards.scene(board, at, Reader(None, visit.language, visit.wide))
    levels = bot_choices(tree.bots, words(visit.language, COMMON_TEXTS))
    said = {key: texts(visit.language)[key] for key in BOARD_SCRIPT}
    return render(
        request,
        visit,
        "what_if.html",
        tree=tree,
        tree_json=embedded(tree),
        levels=levels,
        strong=STRONG if STRONG in tree.bots else (tree.bots or [""])[-1],
        svg=Markup(scene.position.svg),
        scene=embedded(replace(scene, position=replace(scene.position, svg=None))),
        board_texts=embedded({**said, "levels": dict(levels)}),
    )
