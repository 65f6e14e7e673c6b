"""API: take and leave seats, and make tokens for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from omnibus.server.api.auth import Somebody, TheUser
from omnibus.server.api.models.common import MOST_SEATS, BotRequest, Named
from omnibus.server.api.models.seats import SeatToken
from omnibus.server.api.models.tables import TableInfo
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId, table_info
from omnibus.server.http.visitor import Registry
from omnibus.server.tables import actions

Seat = Annotated[int, Path(ge=0, lt=MOST_SEATS, description="A seat, counted from 0.")]

router = APIRouter(tags=["Seats"])


@router.put("/tables/{table_id}/seats/{seat}", responses=answers(TableInfo, 401, 409))
async def take_seat(
    request: Request, table_id: TableId, seat: Seat, body: Named, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Take a free seat; at my own table I may take several, for others on the same device."""
    await actions.sit(registry, user, table_id, seat, body.name)
    return json_response(await table_info(request, registry, visit, table_id))


@router.delete("/tables/{table_id}/seats/{seat}", responses=answers(TableInfo, 401, 409))
async def leave_seat(
    request: Request, table_id: TableId, seat: Seat, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Leave a seat before the game starts; at my own table I may free any seat but my last one."""
    await actions.stand_up(registry, user, table_id, seat)
    return json_response(await table_info(request, registry, visit, table_id))


@router.put("/tables/{table_id}/seats/{seat}/bot", responses=answers(TableInfo, 401, 409))
async def fill_seat(
    request: Request,
    table_id: TableId,
    seat: Seat,
    body: BotRequest,
    user: TheUser,
    visit: Somebody,
    registry: Registry,
) -> Response:
    """Put a bot into a free seat at my own table."""
    await actions.fill(registry, user, table_id, seat, body.bot)
    return json_response(await table_info(request, registry, visit, table_id))


@router.post("/tables/{table_id}/join", responses=answers(TableInfo, 401, 409))
async def join(
    request: Request, table_id: TableId, body: Named, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Take whatever seat is free at a table, with a name for this table if I like.

    Whoever knows the address of a table may join it: to invite people, send them its `page`.
    """
    await actions.join(registry, user, table_id, body.name)
    return json_response(await table_info(request, registry, visit, table_id))


@router.post(
    "/tables/{table_id}/seats/{seat}/token", status_code=201, responses=answers(SeatToken, 401, 409, status=201)
)
async def lend_seat(table_id: TableId, seat: Seat, user: TheUser, registry: Registry) -> Response:
    """Make a token for a program that is to play in my seat.

    It allows what this seat may do at this table, and nothing else. A new token replaces the old one.
    """
    return json_response(SeatToken(await actions.lend(registry, user, table_id, seat), table_id, seat), 201)


@router.delete("/tables/{table_id}/seats/{seat}/token", status_code=204, responses=answers(None, 401, 409, status=204))
async def withdraw_seat(table_id: TableId, seat: Seat, user: TheUser, registry: Registry) -> Response:
    """Revoke the token of my seat; programs that are connected with it are disconnected."""
    await actions.withdraw(registry, user, table_id, seat)
    return Response(status_code=204)
