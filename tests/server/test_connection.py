"""Connections that do not read what they are sent are closed, and not answered any more."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest
from fastapi import WebSocket

from omnibus.server.http import connection, sockets
from omnibus.server.http.connection import MOST_WAITING, Connection
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.messages import Changed
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.waiting_session import WaitingSession
from support.seats import Seat, opened


async def test_a_session_that_does_not_read_is_closed(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages do not pile up; the page syncs when it is back."""
    monkeypatch.setattr(connection, "MOST_WAITING", 3)
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    seat = Seat(registry, table, user)
    for _ in range(5):
        await seat.say(sync=True)
    messages = [seat.session.outbox.get_nowait() for _ in range(4)]
    assert messages[-1] is None


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
    page = WaitingSession(registry, setup, user, "en")
    page.close()
    async with asyncio.timeout(20):
        await sockets.receive(cast(WebSocket, Stubborn()), page)
    assert not registry.table_store.said(setup.id)
