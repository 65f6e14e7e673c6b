"""API: one's own vacation and data."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from omnibus.server.api.auth import TheUser
from omnibus.server.api.models import VacationInfo, VacationRequest
from omnibus.server.api.responses import answers, json_response
from omnibus.server.http.rate_limits import Quota, spend
from omnibus.server.http.visitor import Registry
from omnibus.server.people import erasing, own_data, vacations
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


@router.get(
    "/users/me/data",
    responses=answers(None, 401) | {200: {"description": "A zip archive.", "content": {"application/zip": {}}}},
    response_class=Response,
)
async def get_my_data(user: TheUser, registry: Registry) -> Response:
    """Download everything the server has stored about me, with the records of my finished games."""
    await spend(Quota.ANALYSIS)
    return Response(await own_data.archive(registry, user), media_type="application/zip")


@router.delete("/users/me", status_code=204, responses=answers(None, 401, status=204))
async def erase_me(
    confirm: Annotated[Literal["erase"], Query(description="To say that this is meant.")],
    user: TheUser,
    registry: Registry,
) -> Response:
    """Erase my account. Games in progress are resigned; finished games stay, without my name."""
    await erasing.erase(registry, user)
    return Response(status_code=204)


async def _vacation(registry: TableRegistry, user: User) -> VacationInfo:
    found, now = await registry.vacation_store.of(user.id), time.time()
    return VacationInfo(vacations.ends(found, now), vacations.days_left(found, now))
