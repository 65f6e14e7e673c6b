"""The house put together: routes, headers, logs, and what has to be begun and ended."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from omnibus import __version__
from omnibus.server import deeds, dice, library, live, pages
from omnibus.server.hall import Gone, Hall
from omnibus.server.ledger import Ledger
from omnibus.server.store import Store
from omnibus.server.visit import visitor
from omnibus.server.workers import Workers

LOG: Final = logging.getLogger("omnibus.requests")

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


def create_app(store: Store, *, workers: int) -> FastAPI:
    """Put the house together around a store; it is closed with the house."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = Workers(workers)
        app.state.hall = Hall(Ledger(store), pool)
        await pool.warm(workers)
        yield
        await app.state.hall.close()
        await pool.close()
        store.close()

    app = FastAPI(title="Omnibus", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.mount("/static", StaticFiles(directory=pages.WEB / "static"), name="static")
    for router in (pages.router, library.router, deeds.router, dice.router, live.router):
        app.include_router(router)
    app.add_api_route("/healthz", healthy, include_in_schema=True)
    app.add_exception_handler(Gone, _not_found)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_middleware(Porter)
    return app


async def healthy(request: Request) -> dict[str, Any]:
    """Say that the house stands: the store can be read, and how many tables there are."""
    hall: Hall = request.app.state.hall
    tables = hall.ledger.store.read("SELECT count(*) FROM tables")[0][0]
    return {"ok": True, "version": __version__, "tables": tables}


async def _not_found(request: Request, error: Exception) -> Response:
    """Answer with a page, or in plain words to what is no page."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("There is nothing here.\n" if status == 404 else "This cannot be done.\n", status)
    return pages.render(request, visitor(request), "gone.html", status=status)


class Porter:
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
                extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in given)]
                took = round((time.perf_counter() - began) * 1000, 1)
                what = {"method": scope["method"], "path": scope["path"], "status": message["status"], "ms": took}
                LOG.info("request", extra=what)
            await send(message)

        await self.app(scope, receive, out)
