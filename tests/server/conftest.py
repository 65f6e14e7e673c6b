"""The server in this process: a table registry on a database of its own, or the whole app behind an HTTP client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from omnibus.server.app import create_app
from omnibus.server.config import ServerConfig
from omnibus.server.store.database import Database
from omnibus.server.store.models import User
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.registry import TableRegistry


@asynccontextmanager
async def registry_at(folder: Path) -> AsyncIterator[TableRegistry]:
    """Run a table registry on a folder."""
    database = Database(folder / "omnibus.db")
    bot_pool = BotPool(2)
    registry = TableRegistry(database, bot_pool)
    try:
        yield registry
    finally:
        await registry.close()
        await bot_pool.close()
        database.close()


@asynccontextmanager
async def app_at(folder: Path, config: ServerConfig | None = None) -> AsyncIterator[FastAPI]:
    """Run the whole server on a folder, without a port."""
    app = create_app(Database(folder / "omnibus.db"), workers=1, config=config)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def app(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[FastAPI]:
    """The whole server, with the configuration a mark `server_config` gives."""
    mark = request.node.get_closest_marker("server_config")
    async with app_at(tmp_path, mark.args[0] if mark else None) as app:
        yield app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A browser's manners, and the whole server behind it."""
    transport, headers = httpx.ASGITransport(app), {"accept": "text/html"}
    async with httpx.AsyncClient(transport=transport, base_url="http://server", headers=headers) as client:
        yield client


@pytest.fixture
async def registry(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[TableRegistry]:
    """The registry of the app where a test uses one, else a registry alone."""
    if "app" in request.fixturenames:
        yield request.getfixturevalue("app").state.registry
        return
    async with registry_at(tmp_path) as registry:
        yield registry


@pytest.fixture
async def user(registry: TableRegistry) -> User:
    """Somebody to sit at tables."""
    return (await registry.user_store.add_user())[0]
