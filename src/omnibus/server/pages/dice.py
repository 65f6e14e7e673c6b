"""The dice of a table or a record: the commitment, the seed once revealed, and whether every roll checks out."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from omnibus.kernel.dice_proof import Proof, tell
from omnibus.kernel.record import BadRecord
from omnibus.server.background import in_background
from omnibus.server.errors import NotReplayable
from omnibus.server.http.visitor import PageVisitor, Registry, Visitor
from omnibus.server.pages.error_pages import problem_page
from omnibus.server.pages.templates import render
from omnibus.server.uploads import BAD_LINE, proof_of

router = APIRouter()


@router.get("/tables/{table_id}/dice", response_class=HTMLResponse)
async def table_dice(request: Request, table_id: str, visit: PageVisitor, registry: Registry) -> Response:
    """Show the commitment of a table and, once its game is over, check the dice."""
    back = f"/tables/{table_id}"
    try:
        table = await registry.table(table_id)
    except NotReplayable:
        return RedirectResponse(back, 303)
    await table.settled()
    if table.secret:
        return _page(request, visit, Proof(table.match.commitment, None), back=back, live=True)
    if await registry.keeps_seed(table_id):
        return _page(request, visit, Proof(table.match.commitment, None), back=back, live=True, deal=True)
    proof = await in_background(proof_of, table.record())
    return _page(request, visit, proof, back=back, download=f"{back}/record")


@router.get("/records/{record_id}/dice", response_class=HTMLResponse)
async def record_dice(request: Request, record_id: str, visit: PageVisitor, registry: Registry) -> Response:
    """Check the dice of an uploaded record."""
    text = await registry.table_store.record(record_id)
    if text is None:
        raise HTTPException(404)
    try:
        proof = await in_background(proof_of, text)
    except BadRecord as error:  # it was valid when it was uploaded, for another version of this program
        return problem_page(
            request, visit, BAD_LINE, status=400, line=error.line, reason=error.reason.told(visit.language)
        )
    return _page(request, visit, proof, back=f"/records/{record_id}")


def _page(
    request: Request,
    visit: Visitor,
    proof: Proof,
    *,
    back: str,
    live: bool = False,
    deal: bool = False,
    download: str | None = None,
) -> Response:
    findings = [] if live else tell(proof, visit.language)
    return render(request, visit, "dice.html", proof=proof, findings=findings, back=back, deal=deal, download=download)
