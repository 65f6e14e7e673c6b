"""The server in the browser: the application, on a file that the browser keeps, with bots in web workers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from fastapi import FastAPI

from omnibus.server.app import create_app, open_pages_api
from omnibus.server.background import work_in
from omnibus.server.config import ServerConfig
from omnibus.server.store.database import Database
from omnibus.server.store.errors import StoreError
from omnibus.server.store.saved_sqlite import Keeper, SavedSqliteDatabase
from omnibus.server.store.sqlite import FILE_NAME
from omnibus.server.tables.bot_pool import BotPool
from omnibus.static_site.runtime.asgi import PageRequest, Response, Socket, respond
from omnibus.static_site.runtime.bots import StartWebWorker, in_web_workers
from omnibus.static_site.runtime.cookies import CookieJar

T = TypeVar("T")
WORKERS: Final = 1
IN_OUR_FRAME: Final = ("frame-ancestors 'none'", "frame-ancestors 'self'")  # the site shows its pages in a frame


class EventLoopExecutor(Executor):
    """Does work in the event loop, between other things: a browser gives Python no threads."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Do some work soon."""
        done: Future[T] = Future()

        def do() -> None:
            try:
                done.set_result(fn(*args, **kwargs))
            except Exception as error:
                done.set_exception(error)

        asyncio.get_running_loop().call_soon(do)
        return done


class BrowserServer:
    """Answers the requests of all pages of a site in one browser."""

    def __init__(self, app: FastAPI, origin: str, cookies: CookieJar, database: Database) -> None:
        self.app = app
        self._origin = origin
        self._cookies = cookies
        self._database = database
        self._sockets: dict[str, Socket] = {}
        self._closing = AsyncExitStack()

    async def respond(self, request: PageRequest) -> Response:
        """Answer a request, with the cookies of the site."""
        if request.path.startswith("/api/"):
            open_pages_api(self.app)  # only now: loading it takes long where Python is slow
        given = [pair for pair in request.headers if pair[0] != "cookie"]
        scripts = "; ".join(value for name, value in request.headers if name == "cookie")
        request = request._replace(headers=[*given, ("cookie", self._cookies.header(scripts))])
        response = await respond(self.app, self._origin, request)
        headers = [(name, value.replace(*IN_OUR_FRAME)) for name, value in response.headers]
        if self._cookies.keep(value for name, value in response.headers if name == "set-cookie"):
            with suppress(StoreError):  # they are written with the next response then
                await self._cookies.write(self._database)
        return response._replace(headers=headers)

    def open_socket(self, number: str, path: str, headers: list[tuple[str, str]], send: Callable[..., None]) -> None:
        """Open a socket for a page."""
        sent = [*headers, ("cookie", self._cookies.header(""))]
        self._sockets[number] = Socket(self.app, self._origin, path, sent, send)

    def receive(self, number: str, text: str) -> None:
        """Pass on what a page sends through a socket."""
        if number in self._sockets:
            self._sockets[number].receive(text)

    def close_socket(self, number: str) -> None:
        """Close a socket whose page has gone."""
        socket = self._sockets.pop(number, None)
        if socket is not None:
            socket.close()

    async def close(self) -> None:
        """Stop everything."""
        await self._closing.aclose()

    @classmethod
    async def start(cls, folder: Path, origin: str, keeper: Keeper, start_worker: StartWebWorker) -> BrowserServer:
        """Start the application on the database in a folder."""
        logging.basicConfig(level="WARNING")
        work_in(EventLoopExecutor())
        database = SavedSqliteDatabase(folder / FILE_NAME, keeper)
        pool = BotPool(WORKERS, start=in_web_workers(start_worker))
        app = create_app(database, workers=WORKERS, bot_pool=pool, config=ServerConfig(shared=False, local_url=origin))
        server = cls(app, origin, CookieJar(folder / "cookies.json"), database)
        await server._closing.enter_async_context(app.router.lifespan_context(app))
        return server
