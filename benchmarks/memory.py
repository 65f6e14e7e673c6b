"""Measure what tables cost a server process in memory: idle ones, with and without sockets, and ones only stored.

An idle table is in memory and nothing happens there; its four players have their pages open, or nobody has. A stored
table is only in the database: the server is started on many of them, and on none, to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import httpx
from stored_tables import store_copies

from load import CLOCK, GAME, SEATS, Postgres, Row, ServerProcess, aligned, database, prepare, say
from load_clients import Clients, Place, allow_files
from omnibus.server.store.database import Database
from omnibus.server.store.models import Sitter
from omnibus.server.store.opening import open_postgres
from omnibus.server.store.sqlite import open_database
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.periodic import ROUND_S
from omnibus.server.tables.registry import TableRegistry

RESTING_S = 2 * ROUND_S + 5  # after so long without an event a table forgets what readers were shown
STORED_HEADS = ("stored", "s to start", "MiB at once", "MiB later", "lobby, ms", "own table, ms", "CPU s a minute")


def own_memory(server: ServerProcess) -> float:
    """Return the memory of the process that serves, in MiB."""
    return max(server.own_memory().values())


@contextmanager
def running(folder: Path, address: str) -> Iterator[ServerProcess]:
    """Run a server."""
    server = ServerProcess(folder, database=address)
    try:
        yield server
    finally:
        server.stop()


def rest(seconds: float, what: str) -> None:
    """Wait."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        say(f"{what}: {left:.0f} s")
        time.sleep(min(1.0, left))


def idle(tables: int, seed: int, postgres: Postgres | None) -> list[Row]:
    """Measure idle tables, first with all sockets and then, in a server of its own, with none."""
    allow_files(tables * SEATS)
    address = postgres()[0] if postgres else ""
    rows: list[Row] = [("idle table", "MiB each at once", f"after {RESTING_S:.0f} s")]
    with tempfile.TemporaryDirectory(prefix="omnibus-memory-") as name:
        first, *places = asyncio.run(prepare(Path(name), tables + 1, seed, address))
        for what, touch in (("with its four sockets", with_sockets), ("without", without)):
            with running(Path(name), address) as server:
                asyncio.run(touch(server, [first]))  # what a first table needs is not counted
                before = own_memory(server)
                sizes = asyncio.run(touch(server, places, wait=True))
                rows.append((what, *(f"{(size - before) / tables:.2f}" for size in sizes)))
    return rows


async def with_sockets(server: ServerProcess, places: list[Place], *, wait: bool = False) -> list[float]:
    """Connect everybody; return the memory at once and after a while."""
    clients = Clients(places, 0)
    await clients.connect_all(server.port, lambda count: say(f"connecting: {count} of {len(places)} tables"))
    sizes = await measured(server, "tables with sockets rest") if wait else []
    await clients.close()
    return sizes


async def without(server: ServerProcess, places: list[Place], *, wait: bool = False) -> list[float]:
    """Look at every table once; return the memory at once and after a while."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as client:
        for place in places:
            answer = await client.get(f"/tables/{place.table}", headers={"Cookie": f"omnibus_user={place.tokens[0]}"})
            answer.raise_for_status()
    return await measured(server, "tables without sockets rest") if wait else []


async def measured(server: ServerProcess, what: str) -> list[float]:
    """Return the memory now and when tables have come to rest."""
    now = own_memory(server)
    await asyncio.to_thread(rest, RESTING_S, what)
    return [now, own_memory(server)]


async def store(folder: Path, address: str, number: int) -> Place:
    """Store so many live tables, half of them with clocks; return one of somebody who has no other."""
    base: Database = open_postgres(address) if address else open_database(folder)
    await base.connect()
    registry = TableRegistry(base, BotPool(1))
    try:
        for half, clock in enumerate((None, CLOCK)):
            people = [(await registry.user_store.add_user())[0].id for _ in range(SEATS)]
            setup = await registry.open(people[0], GAME, {}, [Sitter(user=user) for user in people], clock=clock)
            before = half * number // 2
            await store_copies(base, setup.id, number // 2, partial(_tell_stored, number, before))
        user, token = await registry.user_store.add_user()
        own = await registry.open(user.id, GAME, {}, [Sitter(user=user.id)] * SEATS)
        return Place(own.id, [token])
    finally:
        await registry.close()
        await base.aclose()


def _tell_stored(number: int, before: int, done: int) -> None:
    say(f"storing tables: {before + done} of {number}")


def stored(number: int, postgres: Postgres | None) -> Row:
    """Start a server on so many stored tables, and measure it."""
    address = postgres()[0] if postgres else ""
    with tempfile.TemporaryDirectory(prefix="omnibus-memory-") as name:
        place = asyncio.run(store(Path(name), address, number))
        began = time.monotonic()
        with running(Path(name), address) as server:
            started, at_once = time.monotonic() - began, own_memory(server)
            rest(10.0, "the server starts")
            cpu = server.cpu()
            rest(ROUND_S, "the server does what it does every minute")
            cpu, later = server.cpu() - cpu, own_memory(server)
            pages = [took(server, path, place) for path in ("/", f"/tables/{place.table}")]
    return (f"{number:,}", f"{started:.1f}", *(f"{figure:.0f}" for figure in (at_once, later, *pages)), f"{cpu:.1f}")


def took(server: ServerProcess, path: str, place: Place) -> float:
    """Return the milliseconds that a page takes, the best of three."""
    times = []
    for _ in range(3):
        began = time.monotonic()
        cookie = {"Cookie": f"omnibus_user={place.tokens[0]}"}
        httpx.get(f"http://127.0.0.1:{server.port}{path}", headers=cookie, timeout=60).raise_for_status()
        times.append(1000 * (time.monotonic() - began))
    return min(times)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(prog="dev.py bench --memory", description=__doc__)
    parser.add_argument("--tables", type=int, default=150, help="idle tables (default: 150; 0: none)")
    parser.add_argument("--stored", type=int, default=100_000, help="stored tables (default: 100,000; 0: none)")
    parser.add_argument("--postgres", action="store_true", help="on a temporary PostgreSQL (default: on SQLite)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: 1)")
    arguments = parser.parse_args()
    core = os.environ.get("OMNIBUS_CORE", "interpreted")
    print(f"Python {platform.python_version()} on {platform.machine()}, {core}, one server process")
    with ExitStack() as stack:
        try:
            postgres = stack.enter_context(database("")) if arguments.postgres else None
        except ValueError as trouble:
            sys.exit(f"This cannot be measured here: {trouble}.")
        if arguments.stored:
            rows = [STORED_HEADS, *(stored(number, postgres) for number in (0, arguments.stored))]
            say()
            print(aligned(rows), flush=True)
        if arguments.tables:
            rows = idle(arguments.tables, arguments.seed, postgres)
            say()
            print(f"{arguments.tables} tables of {GAME} at all stages of a game")
            print(aligned(rows), flush=True)


if __name__ == "__main__":
    main()
