"""Connections that do not read what they are sent are closed, and not answered any more."""

from __future__ import annotations

import asyncio
import json
import sys
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi import WebSocket

from omnibus.server.http import connection, sockets
from omnibus.server.http.connection import MOST_WAITING, Connection
from omnibus.server.http.visitor import TOKEN, Visitor
from omnibus.server.store.database import NewEvent
from omnibus.server.store.models import Sitter, User
from omnibus.server.store.users import hashed
from omnibus.server.tables.messages import Awaited, Changed
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.waiting_session import WaitingSession
from support.seats import Seat, opened, play_first, received


async def test_a_session_that_does_not_read_is_closed(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages do not pile up; the page syncs when it is back."""
    monkeypatch.setattr(connection, "MOST_WAITING", 3)
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    seat = Seat(registry, table, user)
    for _ in range(5):
        await seat.say(heard=0)
    assert received(seat.session) == [None]
    assert seat.session.aborted.is_set()


async def test_bytes_do_not_pile_up(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few large messages are as much as many small ones; the last one that fits may be of any size."""
    monkeypatch.setattr(connection, "MOST_BYTES", 100)
    page = Connection(user, "en")
    page.send(Awaited(["a" * 200]))
    assert not page.closed
    page.send(Changed())
    assert received(page) == [None]
    assert page.outbox.size == 0


async def test_a_reader_who_is_behind_gets_the_newest_scene(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One whole scene instead of all of them; answers are neither lost nor out of order."""
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    reader, player = Seat(registry, table, user), Seat(registry, table, user)
    await reader.say(sync=True)
    ground = (await reader.scene())["position"]["ground"]
    monkeypatch.setattr(connection, "BEHIND_BYTES", 1)
    monkeypatch.setattr(connection, "MOST_BYTES", 10_000)
    for number in range(30):
        await player.say(sync=True)
        assert (await player.scene())["event"] == table.event
        await reader.say(chat=str(number), id=str(number))
        await play_first(registry, table)
    heard = [json.loads(message or b"null") for message in received(reader.session)]
    assert [message["id"] for message in heard if message["type"] == "done"] == [str(number) for number in range(30)]
    (scene,) = (message for message in heard if message["type"] == "scene")
    assert (scene["event"], scene["since"]) == (table.event, 0)
    assert len(scene["log"]) >= 30
    assert scene["position"]["ground"] == ground
    assert scene["position"]["svg"]
    await play_first(registry, table)
    assert not (await reader.scene())["position"]["svg"]


async def test_messages_do_not_pile_up(user: User) -> None:
    """Beyond a limit the connection is closed, and nothing more is queued."""
    page = Connection(user, "en")
    for _ in range(3 * MOST_WAITING):
        page.send(Changed())
    assert page.outbox.qsize() <= MOST_WAITING + 1
    assert page.closed


async def test_a_closed_connection_is_not_answered(registry: TableRegistry, user: User) -> None:
    """Requests that still arrive are not carried out."""

    class Stubborn:
        """A socket whose other side sends on and on, and never reads."""

        async def receive(self) -> dict[str, str]:
            await asyncio.sleep(0)
            return {"type": "websocket.receive", "text": '{"chat": "still here"}'}

    setup = await registry.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()])
    page = WaitingSession(registry, await registry.presence(setup), user, "en")
    page.close()
    async with asyncio.timeout(60):
        await sockets.receive(cast(WebSocket, Stubborn()), page)
    assert not await registry.table_store.said(setup.id)


async def test_a_connection_knows_the_token_it_was_opened_with(registry: TableRegistry) -> None:
    """So that it can be closed when that is revoked; where the token was not valid, there is nothing to revoke."""
    user, token = await registry.user_store.add_user()

    async def disconnect() -> dict[str, str]:
        return {"type": "websocket.disconnect"}

    async def forget(_: object) -> None:
        """Send nothing anywhere."""

    app = SimpleNamespace(state=SimpleNamespace(registry=registry))
    for one, visit in (("cookie", user), ("authorization", user), ("cookie", None)):
        value = f"Bearer {token}" if one == "authorization" else f"{TOKEN}={token}"
        scope = {"type": "websocket", "headers": [(one.encode(), value.encode())], "app": app}
        opened_by = Connection(visit, "en")
        await sockets.serve(WebSocket(scope, disconnect, forget), opened_by, Visitor(visit, "en", None))
        assert opened_by.token == (hashed(token) if visit else "")


async def test_a_move_is_finished_when_the_connection_is_cut_off(registry: TableRegistry, user: User) -> None:
    """It is being stored, so the others are told, and the table stays as it is."""
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    reader, player = Seat(registry, table, user), Seat(registry, table, user)
    await reader.synced()
    database, storing, go_on = registry.database, asyncio.Event(), asyncio.Event()
    append = database.append

    async def slowly(event: NewEvent) -> None:
        storing.set()
        await go_on.wait()
        await append(event)

    class Page:
        """A socket over which one move comes."""

        async def receive(self) -> dict[str, str]:
            play = {"play": table.match.lines()[0], "event": 1, "id": "x"}
            return {"type": "websocket.receive", "text": json.dumps(play)}

    database.append = slowly  # type: ignore[method-assign]
    receiving = asyncio.create_task(sockets.receive(cast(WebSocket, Page()), player.session))
    async with asyncio.timeout(60):
        await storing.wait()
    receiving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await receiving
    go_on.set()
    assert (await reader.scene())["event"] == 2
    assert not table.broken


async def test_what_was_sent_is_forgotten(user: User) -> None:
    """An idle connection does not keep its last message: the first scene of a table is large."""
    arrived = asyncio.Event()

    class Browser:
        """A socket whose other side reads everything at once."""

        async def send_text(self, _text: str) -> None:
            arrived.set()

        async def close(self) -> None:
            arrived.set()

    page, message = Connection(user, "en"), bytes(1000)
    page.outbox.put(message)
    assert sys.getrefcount(message) == 3
    async with asyncio.timeout(60):
        sending = asyncio.create_task(sockets.send(cast(WebSocket, Browser()), page))
        await arrived.wait()
        assert sys.getrefcount(message) == 2
        page.close()
        await sending
