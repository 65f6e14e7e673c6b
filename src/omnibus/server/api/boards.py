"""API: what-if boards, on which lines are played on from any position."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response
from msgspec.structs import replace

from omnibus import games
from omnibus.kernel.game import BadNotation, Game, IllegalMove
from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.kernel.match import Match
from omnibus.server import uploads
from omnibus.server.api.auth import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.errors import Refused
from omnibus.server.api.models.boards import (
    BoardList,
    BoardRequest,
    BoardSummary,
    NodeRequest,
    PositionDocument,
)
from omnibus.server.api.models.common import LARGEST, MOST_SEATS
from omnibus.server.api.play import Pictures, Wide
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import page_url
from omnibus.server.background import in_background
from omnibus.server.boards import starts
from omnibus.server.boards.actions import Boards
from omnibus.server.boards.tree import BoardScene, BoardTree, NodeInfo
from omnibus.server.errors import TROUBLES, Code, TableNotFound
from omnibus.server.http.clicks import Part, Picked
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.http.visitor import Registry, Visitor
from omnibus.server.store.boards import BoardRow
from omnibus.server.store.models import User
from omnibus.server.tables.board_view import Reader
from omnibus.server.tables.messages import Reason

BoardId = Annotated[str, Path(max_length=64, description="The id of a what-if board.")]
Node = Annotated[int, Path(ge=0, le=LARGEST, description="The number of a node; 0: the start.")]

router = APIRouter(tags=["What-if boards"])


async def boards_of(registry: Registry) -> Boards:
    """Return the boards of this server."""
    return Boards(registry)


TheBoards = Annotated[Boards, Depends(boards_of)]


@router.post("/boards", status_code=201, responses=answers(BoardTree, 401, 409, status=201))
async def add_board(
    request: Request, body: BoardRequest, user: TheUser, visit: Somebody, boards: TheBoards
) -> Response:
    """Make a board. If a position or a record is not valid, the error names what is wrong with it."""
    try:
        board_id = await _added(body, user, boards)
    except ValueError as error:
        raise Refused(Code.MALFORMED, error_text(error, visit.language)) from None
    return json_response(await _tree(request, boards, await boards.visible(board_id, user), visit), 201)


async def _added(body: BoardRequest, user: User, boards: Boards) -> str:
    if body.table is not None:
        return await boards.add_of_table(user, body.table, body.ply, body.seat)
    if body.board is not None:
        return await boards.copy(user, body.board)
    match = await _begun(body, boards)
    if body.ply is not None and body.ply > match.length:
        raise TableNotFound
    return await boards.add(user, match, body.ply)


async def _begun(body: BoardRequest, boards: Boards) -> Match:
    if body.record_id is not None:
        return await uploads.replayed(boards.registry, body.record_id)
    await spend(Quota.DRAFT)
    if body.record is not None:
        return await in_background(starts.of_record, body.record)
    assert body.game is not None
    if body.position is not None:
        return await in_background(starts.of_position, body.game, body.position)
    return await in_background(starts.new_game, body.game, body.seats, body.options)


@router.get("/boards", responses=answers(BoardList, 401))
async def list_boards(request: Request, user: TheUser, boards: TheBoards) -> Response:
    """List your boards."""
    known = [row for row in await boards.store.boards_of(user.id) if row.game in games.names()]
    return json_response(BoardList([_summary(request, row) for row in known]))


def _summary(request: Request, row: BoardRow) -> BoardSummary:
    title = games.find(row.game).title
    return BoardSummary(row.id, page_url(request, f"boards/{row.id}"), row.game, title, row.created, row.updated)


@router.get("/boards/{board_id}", responses=answers(BoardTree), openapi_extra=ANYBODY)
async def get_board(
    request: Request,
    board_id: BoardId,
    visit: Anybody,
    boards: TheBoards,
    since: Annotated[int, Query(ge=0, le=LARGEST, description="The version you know: only what is new is sent.")] = 0,
) -> Response:
    """Show a board with all its lines; ask again from time to time to see what others play on it."""
    board = await boards.visible(board_id, visit.user)
    return json_response(await _tree(request, boards, board, visit, since))


async def _tree(request: Request, boards: Boards, board: BoardRow, visit: Visitor, since: int = 0) -> BoardTree:
    user = visit.user.id if visit.user else None
    return await boards.tree(board, user, visit.language, page_url(request, f"boards/{board.id}"), since)


@router.get("/boards/{board_id}/nodes/{node}", responses=answers(BoardScene), openapi_extra=ANYBODY)
async def get_node(
    board_id: BoardId,
    node: Node,
    visit: Anybody,
    boards: TheBoards,
    seat: Annotated[
        int | None, Query(ge=0, lt=MOST_SEATS, description="The seat to look through; the one to decide if left out.")
    ] = None,
    pictures: Pictures = False,
    wide: Wide = False,
    ground: Annotated[str, Query(max_length=64, description="The picture you have, which is not sent again.")] = "",
) -> Response:
    """Show the position at a node, with everything that can be played there."""
    board = await boards.visible(board_id, visit.user)
    scene = await boards.scene(board, node, Reader(seat, visit.language, wide), ground)
    return json_response(scene if pictures else replace(scene, position=replace(scene.position, svg=None)))


@router.get("/boards/{board_id}/nodes/{node}/why", responses=answers(Reason), openapi_extra=ANYBODY)
async def explain_at_node(
    board_id: BoardId, node: Node, part: Part, visit: Anybody, boards: TheBoards, picked: Picked = ()
) -> Response:
    """Explain why nothing can be done with a part of the board at a node; the text is empty if there is no reason."""
    board = await boards.visible(board_id, visit.user)
    return json_response(await boards.why(board, node, part, picked, visit.language))


@router.post("/boards/{board_id}/nodes", status_code=201, responses=answers(NodeInfo, 401, 409, status=201))
async def add_node(board_id: BoardId, body: NodeRequest, user: TheUser, visit: Somebody, boards: TheBoards) -> Response:
    """Play a line after a node, or let a bot or chance play. A line that is there already is returned."""
    board = await boards.changeable(board_id, user)
    playing = _play(body, board, boards, visit.language)
    return json_response(await _explained(playing, games.find(board.game), visit), 201)


def _play(body: NodeRequest, board: BoardRow, boards: Boards, language: str) -> Awaitable[NodeInfo]:
    if body.line is not None:
        return boards.play(board, body.after, body.line, language)
    if body.bot is not None:
        return boards.answer(board, body.after, body.bot, language)
    return boards.roll(board, body.after, language)


async def _explained(playing: Awaitable[NodeInfo], game: Game[Any], visit: Visitor) -> NodeInfo:
    """Say in the reader's language why a line cannot be played."""
    told = words(visit.language, game.folder, COMMON_TEXTS)
    try:
        return await playing
    except IllegalMove as illegal:
        refusal = illegal.refusal
        raise Refused(Code.REFUSED, game.explain(refusal, told), refusal.section) from None
    except BadNotation:
        raise Refused(Code.MALFORMED, told.gettext(TROUBLES[Code.MALFORMED])) from None
    except ValueError as error:
        raise Refused(Code.MALFORMED, error_text(error, visit.language)) from None


@router.delete("/boards/{board_id}/nodes/{node}", status_code=204, responses=answers(None, 401, status=204))
async def remove_node(board_id: BoardId, node: Node, user: TheUser, boards: TheBoards) -> Response:
    """Remove a node with everything that follows it."""
    await boards.changeable(board_id, user)
    if not await boards.store.remove_branch(board_id, node):
        raise TableNotFound
    return Response(status_code=204)


@router.delete("/boards/{board_id}", status_code=204, responses=answers(None, 401, status=204))
async def remove_board(board_id: BoardId, user: TheUser, boards: TheBoards) -> Response:
    """Delete a board."""
    await boards.changeable(board_id, user)
    await boards.store.remove(board_id)
    return Response(status_code=204)


@router.get("/boards/{board_id}/nodes/{node}/position", responses=answers(PositionDocument), openapi_extra=ANYBODY)
async def get_position_document(board_id: BoardId, node: Node, visit: Anybody, boards: TheBoards) -> Response:
    """Return the position at a node as a document, from which a board can be made again."""
    match = await boards.match(await boards.exportable(board_id, visit.user), node)
    return json_response(PositionDocument(match.game.name, match.position()))


@router.get(
    "/boards/{board_id}/nodes/{node}/record",
    responses=answers(None) | {200: {"description": "The record.", "content": {"text/plain": {}}}},
    openapi_extra=ANYBODY,
    response_class=PlainTextResponse,
)
async def get_line_record(board_id: BoardId, node: Node, visit: Anybody, boards: TheBoards) -> Response:
    """Return the line that leads to a node as a record."""
    match = await boards.match(await boards.exportable(board_id, visit.user), node)
    return PlainTextResponse(match.record())
