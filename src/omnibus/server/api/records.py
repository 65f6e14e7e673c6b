"""API: upload records, look at their positions, and check dice."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response
from msgspec.structs import replace

from omnibus.kernel.dice_proof import Proof, tell
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.kernel.match import Match
from omnibus.kernel.record import BadRecord
from omnibus.server import uploads
from omnibus.server.api.auth import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.errors import Refused
from omnibus.server.api.models.common import MOST_SEATS
from omnibus.server.api.models.records import DiceInfo, RecordInfo
from omnibus.server.api.play import Pictures, Ply, Wide
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId, page_url
from omnibus.server.background import in_background
from omnibus.server.errors import Code, Rejected, TableNotFound
from omnibus.server.http.request_limits import LARGEST_RECORD
from omnibus.server.http.visitor import Registry, Visitor
from omnibus.server.tables.board_view import BoardView, Reader
from omnibus.server.uploads import BAD_LINE, NOT_TEXT, proof_of

RecordId = Annotated[str, Path(max_length=64, description="The id of a record.")]
_A_RECORD: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "A record: the text of a `.game` file, at most 256 kB.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}

router = APIRouter(tags=["Records"])


@router.post("/records", status_code=201, responses=answers(RecordInfo, 401, 413, status=201), openapi_extra=_A_RECORD)
async def add_record(request: Request, user: TheUser, visit: Somebody, registry: Registry) -> Response:
    """Upload a record, to be looked at and replayed. If it does not replay, the error names the first wrong line."""
    text = await _text(request)
    try:
        match = await uploads.read_upload(text)
    except BadRecord as error:
        why = words(visit.language, COMMON_TEXTS).gettext(BAD_LINE)
        raise Refused(Code.MALFORMED, why.format(line=error.line, reason=error.reason.told(visit.language))) from None
    return json_response(_record_info(request, await registry.table_store.add_record(text, user.id), match), 201)


async def _text(request: Request) -> str:
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > LARGEST_RECORD:
            raise HTTPException(413)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Rejected(Code.MALFORMED, why=NOT_TEXT) from None


@router.get(
    "/records/{record_id}",
    responses=answers(None) | {200: {"description": "The record.", "content": {"text/plain": {}}}},
    openapi_extra=ANYBODY,
    response_class=PlainTextResponse,
)
async def get_uploaded_record(record_id: RecordId, visit: Anybody, registry: Registry) -> Response:
    """Return an uploaded record."""
    text = await registry.table_store.record(record_id)
    if text is None:
        raise TableNotFound
    return PlainTextResponse(text)


@router.get("/records/{record_id}/positions/{ply}", responses=answers(BoardView), openapi_extra=ANYBODY)
async def get_record_position(
    record_id: RecordId,
    ply: Ply,
    visit: Anybody,
    registry: Registry,
    seat: Annotated[
        int | None, Query(ge=0, lt=MOST_SEATS, description="The seat to look through; left out: as a spectator.")
    ] = None,
    pictures: Pictures = False,
    wide: Wide = False,
) -> Response:
    """Show a position of an uploaded record."""
    match = await uploads.replayed(registry, record_id)
    if ply > len(match.plies) or (seat is not None and seat >= match.seats):
        raise TableNotFound
    found = await in_background(uploads.record_view, match, Reader(seat, visit.language, wide), ply=ply)
    return json_response(found if pictures else replace(found, svg=None))


@router.get("/records/{record_id}/dice", responses=answers(DiceInfo), openapi_extra=ANYBODY)
async def verify_record(record_id: RecordId, visit: Anybody, registry: Registry) -> Response:
    """Check the dice of an uploaded record."""
    text = await registry.table_store.record(record_id)
    if text is None:
        raise TableNotFound
    try:
        return json_response(_dice(await in_background(proof_of, text), visit))
    except BadRecord as error:  # it could be read when it was uploaded, by another version of this program
        why = words(visit.language, COMMON_TEXTS).gettext(BAD_LINE)
        raise Refused(Code.MALFORMED, why.format(line=error.line, reason=error.reason.told(visit.language))) from None


@router.get("/tables/{table_id}/dice", responses=answers(DiceInfo, 409), openapi_extra=ANYBODY)
async def verify_table(table_id: TableId, visit: Anybody, registry: Registry) -> Response:
    """Return the commitment of a table's dice; once its game is over, check the dice."""
    table = await registry.table(table_id)
    await table.settled()
    if table.secret or await registry.keeps_seed(table_id):
        return json_response(DiceInfo(table.match.commitment, None, None, 0, []))
    return json_response(_dice(await in_background(proof_of, table.record()), visit))


def _dice(proof: Proof, visit: Visitor) -> DiceInfo:
    verdict = tell(proof, visit.language)
    return DiceInfo(proof.commitment, proof.seed, proof.verified, proof.checked, verdict, proof.placed)


def _record_info(request: Request, record_id: str, match: Match) -> RecordInfo:
    return RecordInfo(
        id=record_id,
        link=page_url(request, f"records/{record_id}"),
        game=match.game.name,
        seats=match.seats,
        names=list(match.names),
        plies=len(match.plies),
    )
