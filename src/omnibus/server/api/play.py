"""API: play at a table, with the same actions and queries as its socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response
from msgspec.structs import replace

from omnibus.kernel.i18n import ENGLISH
from omnibus.server.api.auth import ANYBODY, Anybody, Somebody
from omnibus.server.api.errors import Refused
from omnibus.server.api.models.common import LARGEST, MOST_SEATS
from omnibus.server.api.models.play import PlayRequest, Proposition, Sight, StandIn, TurnRequest, Verdict
from omnibus.server.api.models.tables import TableInfo
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId, table_info
from omnibus.server.errors import Rejected, TableNotFound
from omnibus.server.http.clicks import Part, Picked
from omnibus.server.http.visitor import Registry, Visitor
from omnibus.server.tables import actions, proposals, queries
from omnibus.server.tables.board_view import BoardView
from omnibus.server.tables.messages import Done, Hint, Preview, Reason
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.scene import Scene, moves, shown
from omnibus.server.tables.table import Change
from omnibus.server.tables.viewpoint import Viewpoint

Seat = Annotated[
    int | None,
    Query(
        ge=0,
        lt=MOST_SEATS,
        description="Which of your seats to look through; if left out: your seat, or as a spectator.",
    ),
]
Event = Annotated[int, Query(ge=0, le=LARGEST, description="The last event seen.")]
Pictures = Annotated[bool, Query(description="Whether to include the board as SVG.")]
Wide = Annotated[bool, Query(description="Whether to draw the board in landscape.")]
Ply = Annotated[int, Path(ge=0, le=100_000, description="The number of plies.")]

router = APIRouter(tags=["Playing"])


async def _viewpoint(
    registry: TableRegistry, visit: Visitor, table_id: str, seat: int | None = None, *, wide: bool = False
) -> Viewpoint:
    """Return how the caller sees a table, through a seat if one is named; a player counts as seen."""
    table = await registry.visit(table_id)
    await table.settled()
    user, only = visit.user_at(table_id), visit.decides_for(table_id)
    viewpoint = Viewpoint(table, registry.live.presence_at(table), user, visit.language, only=only, wide=wide)
    if seat is not None:
        viewpoint.look_through(seat)
    if user is not None:
        viewpoint.presence.saw(user.id)
    return viewpoint


@contextmanager
def _explained(viewpoint: Viewpoint) -> Iterator[None]:
    """Explain what a table rejects in the words of its game."""
    try:
        yield
    except Rejected as rejected:
        trouble = queries.trouble(viewpoint, rejected)
        raise Refused(trouble.code, trouble.text, trouble.section) from None


@router.get("/tables/{table_id}/scene", responses=answers(Scene, 409), openapi_extra=ANYBODY)
async def get_scene(
    table_id: TableId,
    visit: Anybody,
    registry: Registry,
    seat: Seat = None,
    since: Annotated[int, Query(ge=0, le=100_000, description="The ply from which the log is sent.")] = 0,
    pictures: Pictures = False,
    wide: Wide = False,
) -> Response:
    """Show a table whose game has started, as its page shows it, with everything I may do now."""
    found = (await _viewpoint(registry, visit, table_id, seat, wide=wide)).scene(since)
    return json_response(found if pictures else replace(found, position=replace(found.position, svg=None)))


@router.get("/tables/{table_id}/view", responses=answers(Sight, 409), openapi_extra=ANYBODY)
async def get_view(table_id: TableId, visit: Anybody, registry: Registry, seat: Seat = None) -> Response:
    """Return what a seat may see as data, for bots: the view of the game, and the legal lines."""
    viewpoint = await _viewpoint(registry, visit, table_id, seat)
    table = viewpoint.table
    lines = [move.line for move in moves(table, viewpoint.reader, ENGLISH)]
    return json_response(Sight(table.event, viewpoint.seat, table.match.view(viewpoint.seat), lines))


@router.get("/tables/{table_id}/positions/{ply}", responses=answers(BoardView, 409), openapi_extra=ANYBODY)
async def get_position(
    table_id: TableId,
    ply: Ply,
    visit: Anybody,
    registry: Registry,
    seat: Seat = None,
    pictures: Pictures = False,
    wide: Wide = False,
) -> Response:
    """Show an earlier position of a table."""
    viewpoint = await _viewpoint(registry, visit, table_id, seat, wide=wide)
    if ply > len(viewpoint.table.match.plies):
        raise TableNotFound
    found = shown(viewpoint.table, viewpoint.reader, ply=ply)
    return json_response(found if pictures else replace(found, svg=None))


@router.post("/tables/{table_id}/play", responses=answers(Done, 401, 409))
async def play(table_id: TableId, body: PlayRequest, visit: Somebody, registry: Registry) -> Response:
    """Play a line."""

    async def carry_out(viewpoint: Viewpoint, key: str | None) -> Change:
        return await actions.play(registry, viewpoint.table, viewpoint.acting_seat(), body.line, body.event, key)

    return await _done(registry, visit, table_id, body.id, carry_out, body.seat)


@router.post("/tables/{table_id}/undo", responses=answers(Done, 401, 409))
async def undo(table_id: TableId, body: TurnRequest, visit: Somebody, registry: Registry) -> Response:
    """Undo my last decision, if nothing has been decided or drawn since."""

    async def carry_out(viewpoint: Viewpoint, key: str | None) -> Change:
        return await actions.undo(registry, viewpoint.table, viewpoint.acting_seat(), body.event, key)

    return await _done(registry, visit, table_id, body.id, carry_out, body.seat)


@router.post("/tables/{table_id}/proposal", responses=answers(Done, 401, 409))
async def propose(table_id: TableId, body: Proposition, visit: Somebody, registry: Registry) -> Response:
    """Make a proposal that all people at the table have to agree to; with nobody else to ask, it is done at once."""

    async def carry_out(viewpoint: Viewpoint, key: str | None) -> Change:
        table, seat = viewpoint.table, viewpoint.speaking_seat()
        if body.what == "undo":
            return await proposals.propose_undo(registry, table, viewpoint.acting_seat(), body.event, key)
        return await proposals.propose_bot(registry, table, seat, body.away, body.event, key)

    return await _done(registry, visit, table_id, body.id, carry_out, body.seat)


@router.post("/tables/{table_id}/proposal/verdict", responses=answers(Done, 401, 409))
async def judge_proposal(table_id: TableId, body: Verdict, visit: Somebody, registry: Registry) -> Response:
    """Agree to the proposal, or decline it; declining also withdraws my own proposal."""

    async def carry_out(viewpoint: Viewpoint, key: str | None) -> Change:
        answer = proposals.agree if body.agree else proposals.decline
        return await answer(registry, viewpoint.table, viewpoint.speaking_seat(), body.event, key)

    return await _done(registry, visit, table_id, body.id, carry_out, body.seat)


@router.put("/tables/{table_id}/stand-in", responses=answers(Done, 401, 409))
async def hand_over(table_id: TableId, body: StandIn, visit: Somebody, registry: Registry) -> Response:
    """Let a bot play in my seats until I take over again."""

    async def carry_out(viewpoint: Viewpoint, key: str | None) -> Change:
        return await actions.hand_over(registry, viewpoint.table, viewpoint.own, body.bot, key)

    return await _done(registry, visit, table_id, body.id, carry_out)


@router.delete("/tables/{table_id}/stand-in", responses=answers(Done, 401, 409), name="take_back")
async def resume_seats(table_id: TableId, visit: Somebody, registry: Registry) -> Response:
    """Play in my seats again, instead of the bot."""

    async def carry_out(viewpoint: Viewpoint, key: str | None) -> Change:
        return await actions.resume_seats(registry, viewpoint.table, viewpoint.own, key)

    return await _done(registry, visit, table_id, "", carry_out)


async def _done(
    registry: TableRegistry,
    visit: Visitor,
    table_id: str,
    id_: str,
    carry_out: Callable[[Viewpoint, str | None], Awaitable[Change]],
    seat: int | None = None,
) -> Response:
    """Carry a request out through a seat, unless it was carried out before, and acknowledge it."""
    viewpoint = await _viewpoint(registry, visit, table_id)
    change = await viewpoint.answered(id_)
    if change is None:
        with _explained(viewpoint):
            if seat is not None:
                viewpoint.look_through(seat)
            change = await carry_out(viewpoint, viewpoint.request_key(id_))
    return json_response(Done(id_, change.event))


@router.post("/tables/{table_id}/resign", responses=answers(TableInfo, 401, 409))
async def resign(request: Request, table_id: TableId, visit: Somebody, registry: Registry) -> Response:
    """Resign. If other people play at the table, bots play on in my seats; else the game ends."""
    assert visit.user
    await actions.resign(registry, visit.user, table_id, only=visit.decides_for(table_id))
    return json_response(await table_info(request, registry, visit, table_id))


@router.get("/tables/{table_id}/why", responses=answers(Reason, 401, 409))
async def explain(
    table_id: TableId,
    visit: Somebody,
    registry: Registry,
    event: Event,
    part: Part,
    picked: Picked = (),
    seat: Seat = None,
) -> Response:
    """Explain why I can do nothing with a part of the board now; the text is empty if there is no reason."""
    viewpoint = await _viewpoint(registry, visit, table_id, seat)
    with _explained(viewpoint):
        return json_response(await queries.explain_part(viewpoint, part, event, picked))


@router.get("/tables/{table_id}/preview", responses=answers(Preview, 401, 409))
async def preview(
    table_id: TableId,
    visit: Somebody,
    registry: Registry,
    event: Event,
    line: Annotated[str, Query(max_length=1000, description="One of the scene's `moves`.")],
    seat: Seat = None,
    wide: Wide = False,
) -> Response:
    """Show where the pieces would be after a line."""
    viewpoint = await _viewpoint(registry, visit, table_id, seat, wide=wide)
    with _explained(viewpoint):
        return json_response(await queries.preview(viewpoint, line, event))


@router.get("/tables/{table_id}/hint", responses=answers(Hint, 401, 409))
async def hint(table_id: TableId, visit: Somebody, registry: Registry, seat: Seat = None) -> Response:
    """Ask a strong bot what it would do; only when it is my turn and no other person sits at the table."""
    viewpoint = await _viewpoint(registry, visit, table_id, seat)
    event = viewpoint.table.event
    with _explained(viewpoint):
        asking = await queries.allow_hint(viewpoint)
        return json_response(await queries.hint(registry, viewpoint, asking) or Hint(event, []))


@router.get(
    "/tables/{table_id}/record",
    responses=answers(None, 409) | {200: {"description": "The record.", "content": {"text/plain": {}}}},
    openapi_extra=ANYBODY,
    response_class=PlainTextResponse,
)
async def get_record(table_id: TableId, visit: Anybody, registry: Registry) -> Response:
    """Return the record of a table, once its game is over."""
    return PlainTextResponse(await actions.record(registry, None if visit.only else visit.user, table_id))
