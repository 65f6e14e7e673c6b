"""API: take and leave seats, invite people, and make tokens for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from omnibus.server.api.auth import ANYBODY, Anybody, Somebody, TheUser
from omnibus.server.api.models.common import MOST_SEATS, BotRequest, Named
from omnibus.server.api.models.seats import Invitation, NewInvitation, SeatToken
from omnibus.server.api.models.tables import TableInfo
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId, page_url, table_info
from omnibus.server.http.visitor import Registry
from omnibus.server.tables import actions

Seat = Annotated[int, Path(ge=0, lt=MOST_SEATS, description="A seat, counted from 0.")]
Token = Annotated[str, Path(max_length=64, description="The token of an invitation.")]

router = APIRouter(tags=["Seats"])


@router.put("/tables/{table_id}/seats/{seat}", responses=answers(TableInfo, 401, 409))
async def take_seat(
    request: Request, table_id: TableId, seat: Seat, body: Named, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Take a free seat at a table of the lobby, or at my own table."""
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


@router.post(
    "/tables/{table_id}/seats/{seat}/invitation",
    status_code=201,
    responses=answers(NewInvitation, 401, 409, status=201),
)
async def invite(request: Request, table_id: TableId, seat: Seat, user: TheUser, registry: Registry) -> Response:
    """Make an invitation to a free seat at my own table; whoever follows the link first may take it."""
    token = await actions.invite(registry, user, table_id, seat)
    return json_response(NewInvitation(token, page_url(request, f"join/{token}")), 201)


@router.get("/invitations/{token}", responses=answers(Invitation, 409), openapi_extra=ANYBODY)
async def get_invitation(request: Request, token: Token, visit: Anybody, registry: Registry) -> Response:
    """Show the table and the seat of an invitation."""
    setup, seat = await actions.invitation(registry, token)
    return json_response(Invitation(await table_info(request, registry, visit, setup.id), seat))


@router.post("/invitations/{token}", responses=answers(TableInfo, 401, 409))
async def accept_invitation(
    request: Request, token: Token, body: Named, user: TheUser, visit: Somebody, registry: Registry
) -> Response:
    """Accept an invitation, with a name for this table if I like."""
    return json_response(
        await table_info(request, registry, visit, await actions.accept(registry, user, token, body.name))
    )


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
