"""Programs bring records, and look at their positions."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response
from msgspec.structs import replace

from omnibus.kernel.match import Match
from omnibus.kernel.proof import Proof, tell
from omnibus.kernel.record import BadRecord
from omnibus.kernel.words import words
from omnibus.server import library
from omnibus.server.api.answers import answers, told
from omnibus.server.api.callers import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.playing import Pictures, Ply
from omnibus.server.api.problems import Refused
from omnibus.server.api.shapes import MOST_SEATS, DiceSheet, RecordSheet
from omnibus.server.api.tables import TableId, address
from omnibus.server.aside import aside
from omnibus.server.deeds import BAD_LINE, NOT_TEXT
from omnibus.server.dice import proof_of
from omnibus.server.door import LARGEST_RECORD
from omnibus.server.hall import Gone
from omnibus.server.position import HOUSE, Position, Reader
from omnibus.server.refusals import Code, Rejected
from omnibus.server.visit import TheHall, Visitor

RecordId = Annotated[str, Path(max_length=64, description="The id of a record.")]
_A_RECORD: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "A record: the text of a `.game` file, at most 256 kB.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}

router = APIRouter(tags=["Records"])


@router.post("/records", status_code=201, responses=answers(RecordSheet, 401, 413, status=201), openapi_extra=_A_RECORD)
async def add_record(request: Request, user: TheUser, visit: Somebody, hall: TheHall) -> Response:
    """Bring a record, to be looked at and replayed. The first wrong line is named if it does not replay."""
    text = await _text(request)
    try:
        match = await library.taken_in(text)
    except BadRecord as error:
        why = words(visit.language, HOUSE).gettext(BAD_LINE)
        raise Refused(Code.MALFORMED, why.format(line=error.line, reason=error.reason)) from None
    return told(_sheet(request, await hall.ledger.add_record(text, user.id), match), 201)


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
async def get_uploaded_record(record_id: RecordId, visit: Anybody, hall: TheHall) -> Response:
    """Hand out a record that was brought here."""
    text = hall.ledger.record(record_id)
    if text is None:
        raise Gone
    return PlainTextResponse(text)


@router.get("/records/{record_id}/positions/{ply}", responses=answers(Position), openapi_extra=ANYBODY)
async def get_record_position(
    record_id: RecordId,
    ply: Ply,
    visit: Anybody,
    hall: TheHall,
    seat: Annotated[
        int | None, Query(ge=0, lt=MOST_SEATS, description="Through the eyes of which seat; left out: nobody's.")
    ] = None,
    pictures: Pictures = False,
) -> Response:
    """Show a position of a record."""
    match = await library.replayed(hall, record_id)
    if ply > len(match.plies) or (seat is not None and seat >= match.seats):
        raise Gone
    found = await aside(library.shown, match, Reader(seat, visit.language), ply=ply)
    return told(found if pictures else replace(found, svg=None))


@router.get("/records/{record_id}/dice", responses=answers(DiceSheet), openapi_extra=ANYBODY)
async def verify_record(record_id: RecordId, visit: Anybody, hall: TheHall) -> Response:
    """Check the dice of a record."""
    text = hall.ledger.record(record_id)
    if text is None:
        raise Gone
    try:
        return told(_dice(await aside(proof_of, text), visit))
    except BadRecord as error:  # it could be read when it was brought, by another version of this program
        why = words(visit.language, HOUSE).gettext(BAD_LINE)
        raise Refused(Code.MALFORMED, why.format(line=error.line, reason=error.reason)) from None


@router.get("/tables/{table_id}/dice", responses=answers(DiceSheet, 409), openapi_extra=ANYBODY)
async def verify_table(table_id: TableId, visit: Anybody, hall: TheHall) -> Response:
    """Tell what a table has promised about its dice and, once its game has come to its end, check it."""
    table = hall.table(table_id)
    await table.settled()
    if table.secret:
        return told(DiceSheet(table.match.commitment, None, None, 0, []))
    return told(_dice(await aside(proof_of, table.record()), visit))


def _dice(proof: Proof, visit: Visitor) -> DiceSheet:
    verdict = tell(proof, words(visit.language, HOUSE))
    return DiceSheet(proof.commitment, proof.seed, proof.verified, proof.checked, verdict)


def _sheet(request: Request, record_id: str, match: Match) -> RecordSheet:
    return RecordSheet(
        id=record_id,
        link=address(request, f"records/{record_id}"),
        game=match.game.name,
        seats=match.seats,
        names=list(match.names),
        plies=len(match.plies),
    )
