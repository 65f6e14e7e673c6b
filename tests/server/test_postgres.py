"""PostgreSQL: the same store on another database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

pytest.importorskip("asyncpg")

from omnibus.bots import names as bot_names
from omnibus.server.people import accounts
from omnibus.server.store import postgres as postgres_store
from omnibus.server.store.database import Database, NewEvent, Transaction
from omnibus.server.store.errors import Conflict, StoreError, Unanswered, Unstorable
from omnibus.server.store.models import Sitter, TableSetup
from omnibus.server.store.opening import open_postgres
from omnibus.server.store.tables import TableStore
from omnibus.server.store.users import UserStore
from omnibus.server.tables import actions
from support.postgres import USER, PostgresServer, missing
from support.seats import Seat, bus_with, friends, play_first

from .conftest import registry_at

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")


@pytest.fixture
def kind() -> str:
    """All of this is about PostgreSQL."""
    return "postgres"


async def test_a_commit_is_durable(database: Database) -> None:
    """The server is asked to answer only when it is on the disk."""
    assert await database.read("SHOW synchronous_commit") == [("on",)]


async def test_it_cannot_be_reached(postgres: PostgresServer) -> None:
    """One sentence says why, and never shows a password."""
    for address, why in (
        (f"postgresql://omnibus:secret@/nowhere?host={postgres.folder}", 'database "nowhere" does not exist'),
        ("postgresql://omnibus:secret@127.0.0.1:1/omnibus", "cannot be used"),
        ("postgresql://omnibus:secret@127.0.0.1:port/omnibus", "cannot be used"),
    ):
        with pytest.raises(ValueError, match=why) as caught:
            await open_postgres(address).connect()
        assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="postgresql://"):
        open_postgres("mysql://localhost/omnibus")


async def test_a_pooler_is_refused(postgres: PostgresServer) -> None:
    """One that drops the settings of a connection, or does not take them: with it, commits might not be durable."""
    name = postgres.create()
    for refuses in (False, True):
        async with pooler(postgres, refuses=refuses) as port:
            with pytest.raises(ValueError, match="give the address of PostgreSQL itself"):
                await open_postgres(f"postgresql://{USER}@127.0.0.1:{port}/{name}").connect()
    postgres.drop(name)


@asynccontextmanager
async def pooler(postgres: PostgresServer, *, refuses: bool) -> AsyncIterator[int]:
    """Listen at a port as PgBouncer does: settings of a connection are dropped, or refused."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        begin = await packet(reader)
        if begin == ASKS_FOR_TLS:
            writer.write(b"N")
            begin = await packet(reader)
        if refuses:
            said = b"SFATAL\0C08P01\0Munsupported startup parameter: omnibus.settings\0\0"
            writer.write(b"E" + (len(said) + 4).to_bytes(4, "big") + said)
            writer.close()
            return
        words = begin[4:].split(b"\0")
        settings = dict(zip(words[::2], words[1::2], strict=False))
        kept = [word for name in (b"user", b"database") for word in (name, settings[name])]
        begin = begin[:4] + b"\0".join(kept) + b"\0\0"
        there, back = await asyncio.open_unix_connection(postgres.folder / ".s.PGSQL.5432")
        back.write((len(begin) + 4).to_bytes(4, "big") + begin)
        await asyncio.gather(passed_on(reader, back), passed_on(there, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


ASKS_FOR_TLS = (80877103).to_bytes(4, "big")


async def packet(reader: asyncio.StreamReader) -> bytes:
    """Read what a client begins with."""
    return await reader.readexactly(int.from_bytes(await reader.readexactly(4), "big") - 4)


async def passed_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass everything on, until there is nothing more."""
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()


async def table_in(database: Database, number: int) -> str:
    """A table without a game, for its events."""
    user, _ = await UserStore(database).add_user()
    id_ = f"table{number}"
    setup = TableSetup(id_, "bus", 1, 2, {}, 1, [Sitter(user=user.id), Sitter()], user.id, 0.0)
    await TableStore(database).add_table(setup, None)
    return id_


async def test_events_of_a_batch_do_not_depend_on_each_other(database: Database) -> None:
    """One of a deleted table, one that repeats a request, one that cannot be stored: the others are."""
    first, second = await table_in(database, 1), await table_in(database, 2)
    events = [
        NewEvent(first, 1, b"a", "same", 0.0, 1, "live"),
        NewEvent("deleted", 1, b"b", None, 0.0, None, "live"),
        NewEvent(second, 1, b"c", "x\0y", 0.0, None, "live"),
        NewEvent(first, 2, b"d", "same", 0.0, None, "live"),
        NewEvent(second, 1, b"e", None, 0.0, 0, "over", "[0]"),
    ]
    results = await asyncio.gather(*map(database.append, events), return_exceptions=True)
    assert [type(result) for result in results] == [type(None), Conflict, Unstorable, Conflict, type(None)]
    assert not await database.writable()
    rows = await database.read("SELECT id, awaits, standing, winners FROM tables ORDER BY id")
    assert rows == [(first, 1, "live", None), (second, 0, "over", "[0]")]


async def test_a_transaction_is_finished_though_nobody_waits(database: Database) -> None:
    """Whoever closes a page in the middle of a request leaves nothing half done."""
    begun = asyncio.Event()

    async def work(transaction: Transaction) -> None:
        begun.set()
        await transaction.execute("INSERT INTO users (id, name, created, seen) VALUES ('a', '', 0, 0)")

    waiting = asyncio.create_task(database.write(work))
    await begun.wait()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    while not await database.read("SELECT id FROM users"):
        await asyncio.sleep(0.01)


async def test_moves_do_not_wait_for_readers(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pages are read: all other connections are taken here."""
    table = await table_in(database, 1)
    monkeypatch.setattr(postgres_store, "WAIT_S", 0.1)
    assert isinstance(database, postgres_store.PostgresDatabase)
    async with AsyncExitStack() as stack:
        for _ in range(postgres_store.CONNECTIONS):
            await stack.enter_async_context(database.snapshot())
        with pytest.raises(StoreError):
            await database.read("SELECT 1")
        await database.append(NewEvent(table, 1, b"a", None, 0.0, 1, "live"))
    assert await database.read("SELECT number FROM events") == [(1,)]


async def test_nobody_needs_two_connections(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever held one and waited for another would wait for ever, if all others did so too: here there is one."""
    monkeypatch.setattr(postgres_store, "CONNECTIONS", 1)
    async with registry_at(Path(), address) as registry:
        monkeypatch.setattr(registry.bot_driver, "drive", lambda table: None)
        people = await friends(registry, 3)
        table = await bus_with(registry, people)
        seat = Seat(registry, table, people[0])
        await registry.online.add(seat.session)
        await seat.synced()
        await asyncio.gather(play_first(registry, table), seat.say(chat="hello"), registry.visit(table.setup.id))
        await actions.hand_over(registry, table, [1], bot_names()[0])
        await actions.resign(registry, people[2], table.setup.id)
        await accounts.rename(registry, people[0], "Ann")
        await registry.store_sightings()


async def test_an_event_whose_storing_was_not_answered(
    address: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody says that it is not stored, because it may be or become so; repeated, it is answered as it is stored."""
    monkeypatch.setattr(postgres_store, "ANSWER_S", 0.2)
    async with registry_at(Path(), address) as registry:
        people = await friends(registry, 3)
        table = await bus_with(registry, people)
        await play_first(registry, table)
        seat, line, event = table.actor or 0, table.match.lines()[0], table.event
        with postgres.frozen():
            with pytest.raises(Unanswered):
                await actions.play(registry, table, seat, line, event, "once")
            with pytest.raises(StoreError, match="does not answer") as failed:
                await registry.table(table.setup.id)
            assert not isinstance(failed.value, Unanswered)
        again = await registry.table(table.setup.id)
        assert (await actions.play(registry, again, seat, line, event, "once")).event == event + 1
        rows = await registry.database.read("SELECT number FROM events WHERE request = 'once'")
        assert rows == [(event + 1,)]


async def test_a_statement_that_takes_long_is_given_up(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits is told soon, others get a new connection, and a long reading may take its time."""
    assert isinstance(database, postgres_store.PostgresDatabase)
    monkeypatch.setattr(postgres_store, "ANSWER_S", 0.1)
    for _ in range(postgres_store.CONNECTIONS + 1):
        with pytest.raises(StoreError, match="does not answer"):
            await database.read("SELECT pg_sleep(60)")
    with pytest.raises(Unanswered):
        await database.execute("SELECT pg_sleep(60)")
    assert await database.writable() == ""
    async with database.snapshot() as source:
        assert await source.read("SELECT 1 FROM pg_sleep(1)") == [(1,)]
