"""The house put together: routes, headers, logs, and what has to be begun and ended."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omnibus import __version__
from omnibus.kernel.i18n import COMMON_TEXTS, words
from omnibus.server import api
from omnibus.server.api import errors, openapi
from omnibus.server.config import ServerConfig
from omnibus.server.errors import Forbidden, Rejected
from omnibus.server.http import sockets
from omnibus.server.http.middleware import RequestLimits, TooLarge, too_fast, too_large
from omnibus.server.http.rate_limits import RateLimited
from omnibus.server.http.visitor import page_visitor
from omnibus.server.notices.mailer import Mailer, mail_server
from omnibus.server.notices.turn_notifier import TurnNotifier
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.pages import (
    account,
    dice,
    lobby,
    open_table,
    previews,
    records,
    rules,
    settings,
    table,
    table_forms,
)
from omnibus.server.pages import credits as credits_page
from omnibus.server.pages.templates import WEB, render
from omnibus.server.store.database import Database
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.registry import NotStarted, TableNotFound, TableRegistry
from omnibus.server.tables.table import NotReplayable

PERSONAL: Final = {"cache-control": "private, no-cache"}  # a page shows what its visitor may see, and nobody else

PAGES: Final = (lobby, table, open_table, table_forms, records, dice, rules, previews, credits_page, settings, account)

LOG: Final = logging.getLogger("omnibus.requests")

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()",
}

_TOKEN_IN_PATH: Final = re.compile(r"^((?:/api)?/(?:recover|mail|join|invitations)/)[^/]+")


def create_app(store: Database, *, workers: int, config: ServerConfig | None = None) -> FastAPI:
    """Put the house together around a store, which is closed with it; others find what its host said in its state."""
    settled = config or ServerConfig()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = BotPool(workers)
        app.state.registry = registry = TableRegistry(store, pool)
        mailer = Mailer(mail_server(settled.smtp)) if settled.smtp else None
        webhooks = WebhookSender(private=settled.private_webhooks)
        app.state.notifier = TurnNotifier(registry, webhooks, mailer, lambda path: settled.link(None, path))
        registry.summon = app.state.notifier.summon
        await pool.warm(workers)
        rounds = asyncio.create_task(registry.look_around())
        yield
        rounds.cancel()
        await app.state.notifier.close()
        await registry.close()
        await pool.close()
        store.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None)  # what is described, and how, is for the API to say
    app.state.config = settled
    app.mount("/static", StaticFiles(directory=WEB / "static"), name="static")
    for module in (*PAGES, sockets, openapi, api):
        app.include_router(module.router)
    app.include_router(sockets.sockets)
    app.include_router(sockets.sockets, prefix="/api")
    app.add_api_route("/healthz", healthy)
    for expected in (
        TableNotFound,
        NotStarted,
        NotReplayable,
        Forbidden,
        Rejected,
        errors.Refused,
        RequestValidationError,
        HTTPException,
        sqlite3.IntegrityError,  # what it was about has been deleted meanwhile
    ):
        app.add_exception_handler(expected, _not_done)
    app.add_exception_handler(RateLimited, _too_fast)
    app.add_exception_handler(TooLarge, _too_large)
    app.add_middleware(RequestLimits)
    app.add_middleware(HeadersAndLog)
    return app


async def healthy(request: Request) -> dict[str, Any]:
    """Say that the house stands: the store can be read, and how many tables there are."""
    registry: TableRegistry = request.app.state.registry
    tables = registry.table_store.store.read("SELECT count(*) FROM tables")[0][0]
    return {"ok": True, "version": __version__, "tables": tables}


async def _not_done(request: Request, error: Exception) -> Response:
    """Say why something was not done, to a program or on a page."""
    if request.url.path.startswith("/api/"):
        return errors.answer(request, error)
    if isinstance(error, Forbidden | Rejected):
        return _refused(request, error)
    return _not_found(request, error)


def _not_found(request: Request, error: Exception) -> Response:
    """Answer with a page, or in plain words to what is no page."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("There is nothing here.\n" if status == 404 else "This cannot be done.\n", status)
    return render(request, page_visitor(request), "not_found.html", status=status)


def _refused(request: Request, error: Forbidden | Rejected) -> Response:
    """Answer a form that asks for what is not to be: why, in the visitor's language."""
    visit = page_visitor(request)
    why = words(visit.language, COMMON_TEXTS).gettext(error.why)
    return render(request, visit, "error.html", status=403 if isinstance(error, Forbidden) else 409, why=why)


async def _too_fast(request: Request, error: Exception) -> Response:
    assert isinstance(error, RateLimited)
    return too_fast(request, error)


async def _too_large(request: Request, _error: Exception) -> Response:
    return too_large(request)


def masked(path: str) -> str:
    """Return a path as it may be written down: without the token some have in them."""
    return _TOKEN_IN_PATH.sub(r"\1…", path)


class HeadersAndLog:
    """Stands at the door: gives every answer its headers and writes down who asked for what, and how long it took."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in and its answer out."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def out(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                wanted = HEADERS if scope["path"].startswith("/static/") else HEADERS | PERSONAL
                extra = [(name.encode(), value.encode()) for name, value in wanted.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in given)]
                took = round((time.perf_counter() - began) * 1000, 1)
                what = {
                    "method": scope["method"],
                    "path": masked(scope["path"]),
                    "status": message["status"],
                    "ms": took,
                }
                LOG.info("request", extra=what)
            await send(message)

        await self.app(scope, receive, out)
