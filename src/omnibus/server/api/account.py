"""API: one's own recovery link and devices, vacation, push messages and data."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response, StreamingResponse

from omnibus.server.api.auth import TheUser
from omnibus.server.api.models.account import (
    NewRecovery,
    PushInfo,
    PushRequest,
    RecoveryInfo,
    VacationInfo,
    VacationRequest,
)
from omnibus.server.api.responses import answers, json_response
from omnibus.server.errors import Code, Rejected
from omnibus.server.http.visitor import Registry, config_of, token_of
from omnibus.server.notices.message_sender import MessageSender, TooManyAttempts
from omnibus.server.notices.web_push import PushSender
from omnibus.server.notices.webhook import Undelivered
from omnibus.server.people import accounts, erasing, own_data, vacations
from omnibus.server.store.models import User
from omnibus.server.store.push import PushSubscription
from omnibus.server.store.users import hashed
from omnibus.server.tables.registry import TableRegistry

router = APIRouter(tags=["People and games"])


@router.get("/users/me/recovery", responses=answers(RecoveryInfo, 401))
async def get_recovery(user: TheUser, registry: Registry) -> Response:
    """Show whether I have a recovery link, and when it was last used."""
    found = await registry.user_store.recovery_link(user.id)
    return json_response(RecoveryInfo(found.created if found else None, found.used if found else None))


@router.post("/users/me/recovery", status_code=201, responses=answers(NewRecovery, 401, status=201))
async def create_recovery(request: Request, user: TheUser, registry: Registry) -> Response:
    """Create a recovery link: whoever opens it in a browser can sign in as me. An earlier one stops working."""
    token = await accounts.create_link(registry, user)
    return json_response(NewRecovery(config_of(request).link(request, f"/recover/{token}")), 201)


@router.delete("/users/me/recovery", status_code=204, responses=answers(None, 401, status=204))
async def revoke_recovery(user: TheUser, registry: Registry) -> Response:
    """Revoke my recovery link. A name I have claimed stays mine as long as I keep my token."""
    await registry.user_store.drop_tokens(user.id, "recovery")
    return Response(status_code=204)


@router.delete("/users/me/devices", status_code=204, responses=answers(None, 401, status=204))
async def sign_out_others(request: Request, user: TheUser, registry: Registry) -> Response:
    """Sign out my other devices and the programs in my seats, and revoke my recovery link; this token stays valid."""
    await accounts.sign_out_others(registry, user, token_of(request))
    return Response(status_code=204)


@router.get("/users/me/vacation", responses=answers(VacationInfo, 401))
async def get_vacation(user: TheUser, registry: Registry) -> Response:
    """Show whether I am on vacation, and how many days I have left."""
    return json_response(await _vacation(registry, user))


@router.put("/users/me/vacation", responses=answers(VacationInfo, 401, 409))
async def start_vacation(body: VacationRequest, user: TheUser, registry: Registry) -> Response:
    """Begin a vacation: until it ends, my clocks in correspondence games are paused."""
    await vacations.begin(registry, user, body.days)
    return json_response(await _vacation(registry, user))


@router.delete("/users/me/vacation", responses=answers(VacationInfo, 401))
async def end_vacation(user: TheUser, registry: Registry) -> Response:
    """End my vacation; the days I have not used are mine again."""
    await vacations.end(registry, user)
    return json_response(await _vacation(registry, user))


@router.get("/users/me/push", responses=answers(PushInfo, 401))
async def get_push(request: Request, user: TheUser) -> Response:
    """Show the key to subscribe with, and my subscriptions; 404 where the server sends no push messages."""
    push = _push(request)
    return json_response(PushInfo(await push.public_key(), [each.endpoint for each in await push.store.of(user.id)]))


@router.put("/users/me/push", status_code=204, responses=answers(None, 401, 409, status=204))
async def subscribe_to_push(request: Request, body: PushRequest, user: TheUser) -> Response:
    """Send push messages to a device when a table waits for me, until the token used here is revoked."""
    _push(request)
    subscription = PushSubscription(body.endpoint, body.keys.p256dh, body.keys.auth)
    try:
        here = config_of(request).link(request, "")
        await _sender(request).subscribe(user.id, hashed(token_of(request)), subscription, here)
    except Undelivered as error:
        raise Rejected(Code.REFUSED, why=error.why) from None
    except TooManyAttempts:
        raise Rejected(Code.TOO_FAST) from None
    return Response(status_code=204)


@router.delete("/users/me/push", status_code=204, responses=answers(None, 401, status=204))
async def unsubscribe_from_push(
    request: Request,
    endpoint: Annotated[str, Query(max_length=500, description="One of my `endpoints`.")],
    user: TheUser,
) -> Response:
    """Send no more push messages to a device."""
    await _push(request).store.remove(endpoint, user.id)
    return Response(status_code=204)


def _sender(request: Request) -> MessageSender:
    sender: MessageSender = request.app.state.sender
    return sender


def _push(request: Request) -> PushSender:
    push = _sender(request).push
    if push is None:
        raise HTTPException(404)
    return push


@router.get(
    "/users/me/data",
    responses=answers(None, 401, 409) | {200: {"description": "A zip archive.", "content": {"application/zip": {}}}},
    response_class=Response,
)
async def get_my_data(user: TheUser, registry: Registry) -> Response:
    """Download everything the server has stored about me, with the records of my finished games.

    Only one download at a time: a second one is answered with 409.
    """
    return StreamingResponse(await own_data.archive(registry, user), media_type="application/zip")


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
