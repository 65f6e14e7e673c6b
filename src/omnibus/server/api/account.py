"""API: one's own vacation."""

from __future__ import annotations

import time

from fastapi import APIRouter
from fastapi.responses import Response

from omnibus.server.api.auth import TheUser
from omnibus.server.api.models import VacationInfo, VacationRequest
from omnibus.server.api.responses import answers, json_response
from omnibus.server.http.visitor import Registry
from omnibus.server.people import vacations
from omnibus.server.store.models import User
from omnibus.server.tables.registry import TableRegistry

router = APIRouter(tags=["People and games"])


@router.get("/users/me/vacation", responses=answers(VacationInfo, 401))
async def get_vacation(user: TheUser, registry: Registry) -> Response:
    """Show whether I am on vacation, and how many days I have left."""
    return json_response(await _vacation(registry, user))


@router.put("/users/me/vacation", responses=answers(VacationInfo, 401, 409))
async def start_vacation(body: VacationRequest, user: TheUser, registry: Registry) -> Response:
    """Begin a vacation: until it ends, my clocks in correspondence games stand still."""
    await vacations.begin(registry, user, body.days)
    return json_response(await _vacation(registry, user))


@router.delete("/users/me/vacation", responses=answers(VacationInfo, 401))
async def end_vacation(user: TheUser, registry: Registry) -> Response:
    """End my vacation; the days I have not used are mine again."""
    await vacations.end(registry, user)
    return json_response(await _vacation(registry, user))


async def _vacation(registry: TableRegistry, user: User) -> VacationInfo:
    found, now = await registry.vacation_store.of(user.id), time.time()
    return VacationInfo(vacations.ends(found, now), vacations.days_left(found, now))
