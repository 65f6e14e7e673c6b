"""A house in this process: its store, its hall, and somebody to sit at its tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from fastapi import FastAPI

from omnibus.server.app import create_app
from omnibus.server.hall import Hall
from omnibus.server.house import House
from omnibus.server.rows import User
from omnibus.server.store import Store
from omnibus.server.workers import Workers

T = TypeVar("T")


@asynccontextmanager
async def hall_at(folder: Path) -> AsyncIterator[Hall]:
    """Run a hall on a folder."""
    store = Store(folder / "omnibus.db")
    workers = Workers(2)
    hall = Hall(store, workers)
    try:
        yield hall
    finally:
        await hall.close()
        await workers.close()
        store.close()


@pytest.fixture
def in_hall(tmp_path: Path) -> Callable[[Callable[[Hall, User], Awaitable[T]]], T]:
    """Run a coroutine with a hall and a user in it."""

    def run(visit: Callable[[Hall, User], Awaitable[T]]) -> T:
        async def visited() -> T:
            async with hall_at(tmp_path) as hall:
                user, _ = await hall.register.add_user()
                return await visit(hall, user)

        return asyncio.run(visited())

    return run


@asynccontextmanager
async def app_at(folder: Path, house: House | None = None) -> AsyncIterator[FastAPI]:
    """Run the whole house on a folder, without a port."""
    app = create_app(Store(folder / "omnibus.db"), workers=1, house=house)
    async with app.router.lifespan_context(app):
        yield app


Visiting = Callable[[httpx.AsyncClient, Hall], Awaitable[T]]


@pytest.fixture
def in_house(tmp_path: Path) -> Callable[[Visiting[T]], T]:
    """Run a coroutine with a browser's manners and the hall behind the pages."""

    def run(visit: Visiting[T], house: House | None = None) -> T:
        async def visited() -> T:
            async with app_at(tmp_path, house) as app:
                transport = httpx.ASGITransport(app)
                headers = {"accept": "text/html"}
                async with httpx.AsyncClient(transport=transport, base_url="http://house", headers=headers) as client:
                    return await visit(client, app.state.hall)

        return asyncio.run(visited())

    return run
