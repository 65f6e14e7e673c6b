"""API: quick pairing."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from omnibus import games
from omnibus.kernel.i18n import COMMON_TEXTS, error_text, words
from omnibus.server.api.auth import Somebody, TheUser
from omnibus.server.api.errors import Refused
from omnibus.server.api.models.tables import PairingRequest, TableInfo
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import table_info
from omnibus.server.errors import Code, TableNotFound
from omnibus.server.http.visitor import Registry
from omnibus.server.people.pairing import QuickPairing, Wish
from omnibus.server.store.models import Listing
from omnibus.server.tables.setup import CANNOT_SET_UP

router = APIRouter(tags=["Tables"])


@router.post("/pairing", responses=answers(TableInfo, 401, 409))
async def find_game(
    request: Request, body: PairingRequest, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Join a table that suits me, or open one in the lobby for the next who comes.

    Asked again while I wait, it returns the same table. Delete the table to stop waiting.
    """
    if body.game not in games.names():
        raise TableNotFound
    opponents = Listing(body.language, body.lowest, body.highest)
    try:
        table = await QuickPairing(registry).find(user, Wish(body.game, body.pace, body.seats, body.rated, opponents))
    except ValueError as error:
        why = words(visit.language, COMMON_TEXTS).gettext(CANNOT_SET_UP)
        raise Refused(Code.MALFORMED, why.format(reason=error_text(error, visit.language))) from None
    return json_response(await table_info(request, registry, visit, table))
