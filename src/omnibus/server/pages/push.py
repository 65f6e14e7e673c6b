"""Push messages to this browser: its service worker, and the switch on the account page."""

from __future__ import annotations

import json
from functools import cache
from typing import Final

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import JSONResponse, Response

from omnibus.kernel.i18n import COMMON_TEXTS, LANGUAGES, words
from omnibus.server.http.visitor import TOKEN, PageVisitor, Registry, Visitor, config_of, own_page
from omnibus.server.notices.message_sender import TOO_MANY_ATTEMPTS, TooManyAttempts
from omnibus.server.notices.webhook import Undelivered
from omnibus.server.pages.account import Sender
from omnibus.server.pages.templates import WEB, texts
from omnibus.server.store.push import PushSubscription
from omnibus.server.store.users import hashed

LARGEST: Final = 4096  # bytes of a subscription
TEXTS_HERE: Final = "/* TEXTS: what a message without words says, by language, written by pages/push.py */"

router = APIRouter()


class _Keys(msgspec.Struct, frozen=True):
    p256dh: str
    auth: str


class _Subscription(msgspec.Struct, frozen=True):
    """A subscription as browsers write it."""

    endpoint: str
    keys: _Keys


@router.get("/push_worker.js")
async def worker() -> Response:
    """Send the service worker; from here, and not from /static, it may open every page."""
    return Response(_worker(), media_type="text/javascript", headers={"cache-control": "no-cache"})


@cache
def _worker() -> str:
    """Return the script of the service worker, with its texts."""
    script = (WEB / "static" / "push_worker.js").read_text("utf-8")
    told = {language: texts(language)["push_empty"] for language in LANGUAGES}
    return script.replace(TEXTS_HERE, f"const TEXTS = {json.dumps(told)};")


@router.post("/you/push", dependencies=[Depends(own_page)])
async def subscribe(request: Request, visit: PageVisitor, registry: Registry, sender: Sender) -> Response:
    """Send push messages to this browser from now on."""
    token = request.cookies.get(TOKEN, "")
    if visit.user is None or sender.push is None or not token:
        raise HTTPException(404)
    found = await _read(request)
    subscription = PushSubscription(found.endpoint, found.keys.p256dh, found.keys.auth)
    try:
        await sender.subscribe(visit.user.id, hashed(token), subscription, config_of(request).link(request, ""))
    except Undelivered as error:
        return _refused(visit, error.why)
    except TooManyAttempts:
        return _refused(visit, TOO_MANY_ATTEMPTS)
    await registry.user_store.speak(visit.user.id, visit.language)
    return Response(status_code=204)


@router.post("/you/push/stop", dependencies=[Depends(own_page)])
async def unsubscribe(request: Request, visit: PageVisitor, sender: Sender) -> Response:
    """Send no more push messages to this browser."""
    if visit.user is None or sender.push is None:
        raise HTTPException(404)
    await sender.push.store.remove((await _read(request)).endpoint, visit.user.id)
    return Response(status_code=204)


async def _read(request: Request) -> _Subscription:
    body = await request.body()
    try:
        return msgspec.json.decode(body if len(body) <= LARGEST else b"", type=_Subscription)
    except msgspec.MsgspecError:
        raise HTTPException(400) from None


def _refused(visit: Visitor, why: str) -> Response:
    return JSONResponse({"text": words(visit.language, COMMON_TEXTS).gettext(why)}, 400)
