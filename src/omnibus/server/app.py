"""The web application: routes, middleware, exception handlers, and what is started and stopped with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from typing import Final

from fastapi import APIRouter, FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import iter_route_contexts
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute

from omnibus import __version__, games
from omnibus.kernel.match import Match
from omnibus.server.background import do_later
from omnibus.server.config import ServerConfig
from omnibus.server.errors import NotReplayable, NotStarted, Rejected, TableNotFound
from omnibus.server.health import answered
from omnibus.server.http import sockets
from omnibus.server.http.middleware import TRY_LATER, HeadersAndLog, ResolveVisitor
from omnibus.server.http.rate_limits import RateLimited
from omnibus.server.http.request_limits import RequestLimits, TooLarge
from omnibus.server.notices.mailer import Mailer, mail_server
from omnibus.server.notices.message_sender import MessageSender
from omnibus.server.notices.turn_notifier import TurnNotifier
from omnibus.server.notices.web_push import AVAILABLE, PushSender
from omnibus.server.notices.webhook import WebhookSender
from omnibus.server.pages import (
    account,
    account_data,
    account_links,
    analysis,
    boards,
    deals,
    dice,
    friends,
    lessons,
    lobby,
    moderation,
    open_table,
    pairing,
    players,
    position_editor,
    previews,
    push,
    puzzles,
    records,
    rules,
    settings,
    table,
    table_forms,
    team_matches,
    tournaments,
)
from omnibus.server.pages import credits as credits_page
from omnibus.server.pages.error_pages import error_page, limit_response, unavailable_response
from omnibus.server.pages.lobby_feed import LobbyFeed
from omnibus.server.pages.templates import WEB, compile_ahead
from omnibus.server.people import vacations
from omnibus.server.people.online import OnlineUsers
from omnibus.server.store.database import Database
from omnibus.server.store.errors import Conflict, StoreError, Unanswered
from omnibus.server.store.push import PushStore
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore
from omnibus.server.tables.board_view import draw_ahead
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.other_processes import join_others
from omnibus.server.tables.periodic import rate_missing, resume_clocks, run_rounds
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tournaments.service import TournamentService

LOG: Final = logging.getLogger("omnibus.store")
IN_A_THREAD: Final = 32 * 1024  # responses from this size on are compressed outside the event loop
PAGES: Final = (
    lobby,
    table,
    open_table,
    table_forms,
    records,
    analysis,
    dice,
    rules,
    lessons,
    puzzles,
    previews,
    credits_page,
    settings,
    account,
    account_data,
    position_editor,  # before the boards, whose paths would match its own
    boards,
)
PAGES_WITH_OTHERS: Final = (
    account_links,
    push,
    deals,
    friends,
    moderation,
    pairing,
    players,
    team_matches,
    tournaments,
)
"""Pages that nobody needs who is alone with a server."""

EXPECTED_ERRORS: Final = (
    TableNotFound,
    NotStarted,
    NotReplayable,
    Rejected,
    RequestValidationError,
    HTTPException,
    Conflict,  # it was deleted meanwhile
)


def create_app(
    store: Database, *, workers: int, config: ServerConfig | None = None, bot_pool: BotPool | None = None
) -> FastAPI:
    """Build the application on a database, which is closed with it; the configuration is kept in its state.

    Bots think in so many processes of this machine, unless there is a pool that has others.
    """
    config = config or ServerConfig()
    running = partial(_running, store=store, workers=workers, bot_pool=bot_pool)
    app = FastAPI(lifespan=running, openapi_url=None)  # see api/openapi.py
    app.state.config = config
    app.state.stopping = False
    app.router.routes += _routes_for_all()
    for expected in EXPECTED_ERRORS:
        app.add_exception_handler(expected, _not_done)
    if config.shared:
        app.mount("/static", StaticFiles(directory=WEB / "static"), name="static")
        app.router.routes += _routes_for_others()
    for limit in (RateLimited, TooLarge):
        app.add_exception_handler(limit, _turned_away)
    app.add_exception_handler(StoreError, _store_failed)  # type: ignore[arg-type]  # says nothing of sockets
    app.add_middleware(RequestLimits, answer=limit_response)
    app.add_middleware(ResolveVisitor, unavailable=_not_stored)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=4, thread_minimum_size=IN_A_THREAD)
    app.add_middleware(HeadersAndLog)
    return app


@cache
def _routes_for_all() -> list[BaseRoute]:
    """Return the routes of the pages and sockets; FastAPI takes long to build them, so all applications share them."""
    router = APIRouter()
    for module in (*PAGES, sockets):
        router.include_router(module.router)
    for both in (sockets, lobby):
        router.include_router(both.sockets)
    return router.routes


@cache
def _routes_for_others() -> list[BaseRoute]:
    """Return the routes that a browser that is its own server does not need."""
    from omnibus.server import api, monitoring  # imported here: it takes a second where Python is slow
    from omnibus.server.api import openapi

    router = APIRouter()
    for each in (
        *(page.router for page in PAGES_WITH_OTHERS),
        openapi.router,
        api.router_of(api.PARTS),
        monitoring.router,
    ):
        router.include_router(each)
    for both in (sockets, lobby):
        router.include_router(both.sockets, prefix="/api")
    router.add_api_route("/healthz", healthy)
    return router.routes


def load_routes() -> None:
    """Build all routes now, so that a server can start soon."""
    _routes_for_all()
    _routes_for_others()


@cache
def _routes_of_pages_api() -> list[BaseRoute]:
    """Return the routes of the API that pages use."""
    from omnibus.server import api

    return api.router_of(api.OF_PAGES).routes


def paths_without_others() -> set[str]:
    """Return the paths that an application answers that nobody else can reach."""
    routes = iter_route_contexts([*_routes_for_all(), *_routes_of_pages_api()])
    return {route.path for route in routes if route.path}


def open_pages_api(app: FastAPI) -> None:
    """Add what pages ask the API for, unless it is there: a browser that is its own server loads it when it is used."""
    routes = _routes_of_pages_api()
    if routes[0] not in app.router.routes:
        app.router.routes += routes


@asynccontextmanager
async def _running(app: FastAPI, *, store: Database, workers: int, bot_pool: BotPool | None) -> AsyncIterator[None]:
    """Start what the application needs, and stop it at the end."""
    config: ServerConfig = app.state.config
    await store.connect()
    pool, online = bot_pool or BotPool(workers), OnlineUsers(TableStore(store))
    mailer = Mailer(mail_server(config.smtp)) if config.smtp else None
    webhooks = WebhookSender(private=config.private_webhooks, public_url=config.public_url)
    push = PushSender(PushStore(store), webhooks, config.contact) if AVAILABLE and config.shared else None
    link = partial(config.link, None)
    app.state.sender = sender = MessageSender(UserStore(store), webhooks, mailer, link, push)
    app.state.notifier = notifier = TurnNotifier(sender, TableStore(store), online)
    app.state.registry = registry = TableRegistry(store, pool, online=online, notify=notifier.notify_later)
    app.state.lobby_feed = lobby_feed = LobbyFeed(registry)
    await notifier.resume()
    await pool.warm(workers)
    await resume_clocks(registry)
    await vacations.tell_missing(registry)
    await rate_missing(registry)
    due = await registry.table_store.bots_due()
    app.state.tournaments = played = TournamentService(registry, hosts=config.tournament_hosts, notifier=notifier)
    tasks = [
        asyncio.create_task(run_rounds(registry)),
        asyncio.create_task(registry.bot_driver.keep_sweeping(registry, due)),
        *([asyncio.create_task(played.runner.keep_running())] if config.shared else []),
    ]
    if store.shared:
        tasks += await join_others(registry, notifier.take_over)
    if config.shared:
        _warm_up()
        tasks += _measuring(app, registry)
    yield
    for task in tasks:
        task.cancel()
    await lobby_feed.close()
    await notifier.close()
    await registry.close()
    await pool.close()
    await store.aclose()


def _measuring(app: FastAPI, registry: TableRegistry) -> list[asyncio.Task[None]]:
    """Start what measures for the metrics, and writes them for other processes."""
    from omnibus.server import monitoring  # imported here, as for its routes

    folder, config = getattr(app.state, "metrics_folder", None), app.state.config
    watching = [asyncio.create_task(monitoring.watch_event_loop())] if config.metrics else []
    return watching + ([asyncio.create_task(monitoring.keep_writing(folder, registry))] if folder else [])


@cache
def _warm_up() -> None:
    """Do in the background what would hold up the first visitor: compile the templates, lay out the boards."""
    for compile_template in compile_ahead():
        do_later(compile_template)
    for name in games.names():
        do_later(partial(_lay_out, name))


def _lay_out(name: str) -> None:
    draw_ahead(Match.new(name, dice=False))


async def healthy(request: Request) -> Response:
    """Report that the server is up and the database can be read and written, with the number of tables.

    If it cannot, the status is 503, and `why` says what is wrong.
    """
    registry: TableRegistry = request.app.state.registry
    try:
        why, tables = await answered(_health(registry.table_store))
    except StoreError as error:
        why, tables = str(error), 0
    if why:
        return JSONResponse({"ok": False, "version": __version__, "why": f"the database cannot be used: {why}"}, 503)
    return JSONResponse({"ok": True, "version": __version__, "tables": tables})


async def _health(table_store: TableStore) -> tuple[str, int]:
    return await table_store.database.writable(), await table_store.count_tables()


async def _not_done(request: Request, error: Exception) -> Response:
    """Say why something was not done: as JSON in the API, as a page elsewhere."""
    if not request.url.path.startswith("/api/"):
        return error_page(request, error)
    from omnibus.server.api import errors  # imported here: it takes a second where Python is slow

    return await errors.answer(request, error)


async def _not_stored(request: Request, error: Exception) -> Response:
    """Say that the database failed: nothing of what was asked for has happened, or nobody knows."""
    LOG.error("not kept", extra={"why": str(error)})
    return unavailable_response(request, unknown=isinstance(error, Unanswered))


async def _store_failed(connection: Request | WebSocket, error: Exception) -> Response | None:
    """Answer a request whose data could not be read or written; close a socket, and whoever opened it comes back."""
    if isinstance(connection, Request):
        return await _not_stored(connection, error)
    LOG.error("socket closed", extra={"why": str(error)})
    with suppress(RuntimeError):  # closed already
        await connection.close(TRY_LATER)
    return None


async def _turned_away(request: Request, error: Exception) -> Response:
    return limit_response(request, error)
