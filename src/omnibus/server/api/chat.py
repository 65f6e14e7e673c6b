"""API: who is at a table, and its chat."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from omnibus.server.api.auth import ANYBODY, Anybody, Somebody
from omnibus.server.api.models.common import LARGEST
from omnibus.server.api.models.play import ChatRequest, Muting
from omnibus.server.api.responses import answers, json_response
from omnibus.server.api.tables import TableId
from omnibus.server.errors import NotStarted
from omnibus.server.http.visitor import Registry, Visitor
from omnibus.server.store.models import User
from omnibus.server.tables import chat
from omnibus.server.tables.messages import Chat, People
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.registry import TableRegistry

router = APIRouter(tags=["Chat"])


async def _presence(registry: TableRegistry, table_id: str) -> Presence:
    try:
        return registry.live.presence_at(await registry.table(table_id))  # loaded: only its events say who has resigned
    except NotStarted as waiting:
        return await registry.presence(waiting.setup)


async def _caller(registry: TableRegistry, visit: Visitor, table_id: str) -> tuple[Presence, User | None, int | None]:
    """Return who is at the table, who the caller is there, and the only seat the caller may speak for."""
    return await _presence(registry, table_id), visit.user_at(table_id), visit.decides_for(table_id)


def _saw(presence: Presence, user: User | None) -> None:
    if user is not None:
        presence.saw(user.id)


@router.get("/tables/{table_id}/people", responses=answers(People), openapi_extra=ANYBODY)
async def list_people(table_id: TableId, visit: Anybody, registry: Registry) -> Response:
    """Say who is at a table, and which players have been away for too long."""
    return json_response((await _presence(registry, table_id)).people())


@router.get("/tables/{table_id}/chat", responses=answers(Chat, 401, 409))
async def read_chat(
    table_id: TableId,
    visit: Somebody,
    registry: Registry,
    since: Annotated[int, Query(ge=0, le=LARGEST, description="The number of the last line read.")] = 0,
) -> Response:
    """Read the chat of a table where I sit."""
    presence, user, only = await _caller(registry, visit, table_id)
    lines = await chat.lines_after(registry, presence, user, since, only=only)
    _saw(presence, user)
    return json_response(lines)


@router.post("/tables/{table_id}/chat", status_code=204, responses=answers(None, 401, 409, status=204))
async def say(table_id: TableId, body: ChatRequest, visit: Somebody, registry: Registry) -> Response:
    """Say something to the other players at a table where I sit."""
    presence, user, only = await _caller(registry, visit, table_id)
    await chat.say(registry, presence, user, body.text, only=only, request=body.id)
    _saw(presence, user)
    return Response(status_code=204)


@router.post("/tables/{table_id}/mute", responses=answers(Chat, 401, 409))
async def mute(table_id: TableId, body: Muting, visit: Somebody, registry: Registry) -> Response:
    """Mute the owner of a seat, here and at every table; asked again, unmute them."""
    presence, user, only = await _caller(registry, visit, table_id)
    lines = await chat.toggle_mute(registry, presence, user, body.seat, only=only)
    _saw(presence, user)
    return json_response(lines)
