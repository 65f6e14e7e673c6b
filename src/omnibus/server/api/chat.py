"""Programs see who is at a table, and talk."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from omnibus.server.api.auth import ANYBODY, Anybody, Somebody
from omnibus.server.api.models import LARGEST, Muting, Saying
from omnibus.server.api.responses import answers, told
from omnibus.server.api.tables import TableId
from omnibus.server.errors import NotStarted
from omnibus.server.http.visitor import Registry, Visitor
from omnibus.server.tables.messages import Chat, People
from omnibus.server.tables.messages import Request as Message
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.waiting_session import WaitingSession

router = APIRouter(tags=["Talking"])


def _presence(registry: TableRegistry, table_id: str) -> Presence:
    try:
        return registry.presence(
            registry.table(table_id).setting
        )  # only a table that has been read knows who has resigned
    except NotStarted as still_open:
        return registry.presence(still_open.setting)


async def _talk(registry: TableRegistry, visit: Visitor, table_id: str, message: Message) -> list[bytes]:
    """Say something as the page of a player would; return what that page would be told."""
    presence, user = _presence(registry, table_id), visit.user_at(table_id)
    page = WaitingSession(presence, user, visit.language, only=visit.decides_for(table_id))
    await page.do(message)
    page.presence.saw(page)
    return page.said()


@router.get("/tables/{table_id}/people", responses=answers(People), openapi_extra=ANYBODY)
async def list_people(table_id: TableId, visit: Anybody, registry: Registry) -> Response:
    """Tell who is at a table now, and whose owners have been away for too long."""
    return told(_presence(registry, table_id).people())


@router.get("/tables/{table_id}/chat", responses=answers(Chat, 401, 409))
async def read_chat(
    table_id: TableId,
    visit: Somebody,
    registry: Registry,
    since: Annotated[int, Query(ge=0, le=LARGEST, description="The number of the last line heard.")] = 0,
) -> Response:
    """Tell what was said at a table where I sit."""
    return Response((await _talk(registry, visit, table_id, Message(heard=since)))[-1], media_type="application/json")


@router.post("/tables/{table_id}/chat", status_code=204, responses=answers(None, 401, 409, status=204))
async def say(table_id: TableId, body: Saying, visit: Somebody, registry: Registry) -> Response:
    """Say something to the others at a table where I sit."""
    await _talk(registry, visit, table_id, Message(chat=body.text))
    return Response(status_code=204)


@router.post("/tables/{table_id}/mute", responses=answers(Chat, 401, 409))
async def mute(table_id: TableId, body: Muting, visit: Somebody, registry: Registry) -> Response:
    """Hear the owner of a seat no longer, or, asked once more, again; here and at every table."""
    return Response(
        (await _talk(registry, visit, table_id, Message(mute=body.seat)))[-1], media_type="application/json"
    )
