"""API: deals that several people play, each against the same bots with the same dice."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import Response

from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server.api.auth import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.models.tables import TableInfo
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId, table_info
from omnibus.server.http.visitor import Registry, Visitor
from omnibus.server.tables.deals import Deals, DealStanding

DealId = Annotated[str, Path(max_length=64, description="The id of a deal.")]

router = APIRouter(tags=["Same deal"])


async def deals_of(registry: Registry) -> Deals:
    """Return the deals of this server."""
    return Deals(registry)


TheDeals = Annotated[Deals, Depends(deals_of)]


@router.post("/tables/{table_id}/deal", responses=answers(DealStanding, 401, 409))
async def challenge(table_id: TableId, user: TheUser, visit: Somebody, deals: TheDeals) -> Response:
    """Challenge others to play your finished game against bots again, with the same dice."""
    return await _standing(deals, await deals.challenge(user, table_id), visit)


@router.get("/deals/{deal_id}", responses=answers(DealStanding), openapi_extra=ANYBODY)
async def get_deal(deal_id: DealId, visit: Anybody, deals: TheDeals) -> Response:
    """Show a deal with its results."""
    return await _standing(deals, deal_id, visit)


@router.post("/deals/{deal_id}/play", status_code=201, responses=answers(TableInfo, 401, 409, status=201))
async def play_deal(
    request: Request, deal_id: DealId, user: TheUser, visit: Somebody, registry: Registry, deals: TheDeals
) -> Response:
    """Play a deal at a table of your own. Asked again, it returns the same table: everybody plays a deal once."""
    return json_response(await table_info(request, registry, visit, await deals.play(user, deal_id)), 201)


@router.post("/deals/{deal_id}/close", responses=answers(DealStanding, 401))
async def close_deal(deal_id: DealId, user: TheUser, visit: Somebody, deals: TheDeals) -> Response:
    """Let nobody else begin to play a deal of yours."""
    await deals.close(user, deal_id)
    return await _standing(deals, deal_id, visit)


async def _standing(deals: Deals, deal_id: str, visit: Visitor) -> Response:
    return json_response(await deals.standing(deal_id, visit.user, words(visit.language, COMMON_TEXTS)))
