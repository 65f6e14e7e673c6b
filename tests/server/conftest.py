"""The server in this process: a table registry on a database of its own, or the whole app behind an HTTP client.

Tests with the mark `both_databases` run on SQLite and on PostgreSQL; with OMNIBUS_TEST_DATABASE=postgres in the
environment all tests run on PostgreSQL that use these fixtures, except those with the mark `one_file`.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import httpx
import pytest
from fastapi import FastAPI

from omnibus.bots import names as bot_names
from omnibus.server.app import create_app
from omnibus.server.config import ServerConfig
from omnibus.server.store.database import Database
from omnibus.server.store.models import User
from omnibus.server.store.sqlite import FILE_NAME, SqliteDatabase
from omnibus.server.tables import bot_driver
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.registry import TableRegistry
from support.postgres import PostgresServer, missing, postgres_server
from support.server_process import ServerProcess, running_server
from support.wall_clock import WallClock


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests on the databases they are meant for."""
    if "kind" not in metafunc.fixturenames or metafunc.definition.get_closest_marker("one_file"):
        return
    if os.environ.get("OMNIBUS_TEST_DATABASE") == "postgres":
        metafunc.parametrize("kind", ["postgres"])
    elif metafunc.definition.get_closest_marker("both_databases"):
        metafunc.parametrize("kind", ["sqlite", "postgres"])


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server."""
    if missing():
        pytest.skip(missing())
    with postgres_server() as server:
        yield server


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    """A clock that only the test moves."""
    return WallClock(monkeypatch)


@pytest.fixture(autouse=True)
def prompt_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the weakest bots play as soon as they know what."""
    monkeypatch.setitem(bot_driver.MOVES_AFTER_S, bot_names()[0], 0.001)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[ServerProcess]:
    """A server in a process of its own; tests share it, each with users and tables of its own."""
    address = ""
    if os.environ.get("OMNIBUS_TEST_DATABASE") == "postgres":
        postgres: PostgresServer = request.getfixturevalue("postgres")
        address = postgres.address(postgres.create())
    with running_server(tmp_path_factory.mktemp("server") / "data", database=address) as running:
        yield running


@pytest.fixture
def kind() -> str:
    """Which database a test runs on."""
    return "sqlite"


@pytest.fixture
def new_address(kind: str, request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """A function that returns the address of an empty database in PostgreSQL; an empty one for a file."""
    if kind == "sqlite":
        yield str
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    names: list[str] = []

    def create() -> str:
        names.append(server.create())
        return server.address(names[-1])

    yield create
    for name in names:
        server.drop(name)


@pytest.fixture
def address(new_address: Callable[[], str]) -> str:
    """The address of a database in PostgreSQL; empty for a file."""
    return new_address()


def database_at(folder: Path, address: str = "") -> Database:
    """Return a database: in a file in a folder, or at an address."""
    if not address:
        if not (folder / FILE_NAME).exists():
            (folder / FILE_NAME).write_bytes(empty_file())
        return SqliteDatabase(folder / FILE_NAME)
    from omnibus.server.store.postgres import PostgresDatabase

    return PostgresDatabase(address)


@cache
def empty_file() -> bytes:
    """Return a database file with nothing in it: to copy it is faster than to make it."""
    with TemporaryDirectory() as folder:
        SqliteDatabase(Path(folder) / FILE_NAME).close()
        return (Path(folder) / FILE_NAME).read_bytes()


@pytest.fixture
async def database(tmp_path: Path, address: str) -> AsyncIterator[Database]:
    """An empty database."""
    database = database_at(tmp_path, address)
    await database.connect()
    yield database
    await database.aclose()


@asynccontextmanager
async def registry_at(folder: Path, address: str = "") -> AsyncIterator[TableRegistry]:
    """Run a table registry on a folder, or on a database in PostgreSQL."""
    database = database_at(folder, address)
    await database.connect()
    bot_pool = BotPool(2)
    registry = TableRegistry(database, bot_pool)
    try:
        yield registry
    finally:
        await registry.close()
        await bot_pool.close()
        await database.aclose()


@asynccontextmanager
async def app_at(folder: Path, config: ServerConfig | None = None, address: str = "") -> AsyncIterator[FastAPI]:
    """Run the whole server on a folder, or on a database in PostgreSQL, without a port.

    No worker for bots is started before it is needed: most tests need none.
    """
    app = create_app(database_at(folder, address), workers=1, config=config)
    with patch.object(BotPool, "warm", start_no_worker):
        async with app.router.lifespan_context(app):
            yield app


async def start_no_worker(_pool: BotPool, _number: int) -> None:
    """Stand in for `BotPool.warm`."""


@pytest.fixture
async def app(tmp_path: Path, address: str, request: pytest.FixtureRequest) -> AsyncIterator[FastAPI]:
    """The whole server, with the configuration a mark `server_config` gives."""
    mark = request.node.get_closest_marker("server_config")
    async with app_at(tmp_path, mark.args[0] if mark else None, address) as app:
        yield app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A browser's manners, and the whole server behind it."""
    transport, headers = httpx.ASGITransport(app), {"accept": "text/html"}
    async with httpx.AsyncClient(transport=transport, base_url="http://server", headers=headers) as client:
        yield client


@pytest.fixture
async def registry(tmp_path: Path, address: str, request: pytest.FixtureRequest) -> AsyncIterator[TableRegistry]:
    """The registry of the app where a test uses one, else a registry alone."""
    if "app" in request.fixturenames:
        yield request.getfixturevalue("app").state.registry
        return
    async with registry_at(tmp_path, address) as registry:
        yield registry


@pytest.fixture
async def user(registry: TableRegistry) -> User:
    """Somebody to sit at tables."""
    return (await registry.user_store.add_user())[0]
