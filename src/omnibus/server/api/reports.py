"""API: reports to the host."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from omnibus.server.api.auth import TheUser
from omnibus.server.api.friends import person
from omnibus.server.api.models.friends import ReportRequest
from omnibus.server.api.responses import answers
from omnibus.server.http.visitor import Registry
from omnibus.server.people.reports import Reports

router = APIRouter(tags=["Friends"])


@router.post("/reports", status_code=204, responses=answers(None, 401, 409, status=204))
async def report(body: ReportRequest, user: TheUser, registry: Registry) -> Response:
    """Report a player, or a line of chat, to the person who runs this server."""
    if body.line:
        await Reports(registry).report_line(user, body.table, body.line, body.reason)
    else:
        await Reports(registry).report_player(user, await person(registry, body), body.reason, body.table)
    return Response(status_code=204)
