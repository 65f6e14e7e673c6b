"""API: puzzles, and what an answer to one is worth."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from msgspec.structs import replace
from pydantic import Field

from omnibus.server.api.auth import ANYBODY, Anybody, TheUser
from omnibus.server.api.models.common import TYPED, Body
from omnibus.server.api.play import Pictures, Wide
from omnibus.server.api.responses import answers, json_response
from omnibus.server.background import in_background
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.http.visitor import Registry
from omnibus.server.puzzles.answers import NoSuchLine, answer, puzzle_store
from omnibus.server.puzzles.catalogue import listed, puzzles, today
from omnibus.server.puzzles.scene import PuzzleAnswer, PuzzleInfo, PuzzleList, PuzzleScene, puzzle_scene
from omnibus.server.tables.board_view import Reader

PuzzleId = Annotated[str, Path(max_length=64, description="The id of a puzzle.")]

router = APIRouter(tags=["Puzzles"])


class PuzzleLine(Body):
    """A line to begin the turn with; an empty one gives up and shows the solution."""

    line: Annotated[str, Field(max_length=1000, description="One of the puzzle's `moves`.", examples=["sue left"])]


@router.get("/puzzles", responses=answers(PuzzleList), openapi_extra=ANYBODY)
async def list_puzzles(
    visit: Anybody,
    registry: Registry,
    game: Annotated[str, Query(max_length=TYPED, description="Only puzzles of this game.")] = "",
) -> Response:
    """List the puzzles, by game, the easiest first."""
    store = puzzle_store(registry)
    tried = await store.attempts(visit.user.id) if visit.user else {}
    found = [
        PuzzleInfo(each.puzzle.id, each.game, each.rating, tried.get(each.puzzle.id))
        for each in listed(await store.puzzles())
        if each.fits(game=game)
    ]
    return json_response(PuzzleList(today(), found))


@router.get("/puzzles/{puzzle_id}", responses=answers(PuzzleScene), openapi_extra=ANYBODY)
async def get_puzzle(puzzle_id: PuzzleId, visit: Anybody, pictures: Pictures = False, wide: Wide = False) -> Response:
    """Show a puzzle through the eyes of its seat."""
    if puzzle_id not in puzzles():
        raise TableNotFound
    game, puzzle = puzzles()[puzzle_id]
    scene = await in_background(puzzle_scene, game, puzzle, Reader(puzzle.seat, visit.language, wide, puzzle.seat))
    return json_response(scene if pictures else replace(scene, position=replace(scene.position, svg=None)))


@router.post("/puzzles/{puzzle_id}/answer", responses=answers(PuzzleAnswer, 401))
async def answer_puzzle(
    puzzle_id: PuzzleId, body: PuzzleLine, user: TheUser, visit: Anybody, registry: Registry
) -> Response:
    """Answer a puzzle. Only your first attempt changes your rating and that of the puzzle."""
    if puzzle_id not in puzzles():
        raise TableNotFound
    reader = Reader(puzzles()[puzzle_id][1].seat, visit.language, you=puzzles()[puzzle_id][1].seat)
    try:
        found = await answer(puzzle_store(registry), user.id, puzzle_id, body.line, reader)
    except NoSuchLine:
        raise Rejected(Code.MALFORMED) from None
    shown = replace(found.position, svg=None) if found.position else None
    return json_response(replace(found, position=shown))
