"""The dice of a table or a record, and whether they were honest: told in words, without any script."""

from __future__ import annotations

from functools import lru_cache

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from omnibus.kernel.proof import Proof, tell, verify
from omnibus.kernel.record import BadRecord
from omnibus.kernel.words import words
from omnibus.server.aside import aside
from omnibus.server.deeds import BAD_LINE
from omnibus.server.position import HOUSE
from omnibus.server.rendering import render
from omnibus.server.table import Frozen
from omnibus.server.visit import TheHall, Visit, Visitor

router = APIRouter()


@lru_cache(maxsize=64)
def proof_of(text: str) -> Proof:
    """Check the dice of a record."""
    return verify(text)


@router.get("/tables/{table_id}/dice", response_class=HTMLResponse)
async def table_dice(request: Request, table_id: str, visit: Visit, hall: TheHall) -> Response:
    """Show what a table has promised about its dice and, once it has come to its end, check it."""
    back = f"/tables/{table_id}"
    try:
        found = hall.table(table_id)
    except Frozen:
        return RedirectResponse(back, 303)
    await found.settled()
    if found.secret:
        return _page(request, visit, Proof(found.match.commitment, None), back=back, live=True)
    proof = await aside(proof_of, found.record())
    return _page(request, visit, proof, back=back, download=f"{back}/record")


@router.get("/records/{record_id}/dice", response_class=HTMLResponse)
async def record_dice(request: Request, record_id: str, visit: Visit, hall: TheHall) -> Response:
    """Check the dice of an uploaded record."""
    text = hall.ledger.record(record_id)
    if text is None:
        raise HTTPException(404)
    try:
        proof = await aside(proof_of, text)
    except BadRecord as error:  # it could be read when it was uploaded, by another version of this program
        why = words(visit.language, HOUSE).gettext(BAD_LINE).format(line=error.line, reason=error.reason)
        return render(request, visit, "trouble.html", status=400, why=why)
    return _page(request, visit, proof, back=f"/records/{record_id}")


def _page(
    request: Request, visit: Visitor, proof: Proof, *, back: str, live: bool = False, download: str | None = None
) -> Response:
    told = [] if live else tell(proof, words(visit.language, HOUSE))
    return render(request, visit, "dice.html", proof=proof, told=told, back=back, download=download)
