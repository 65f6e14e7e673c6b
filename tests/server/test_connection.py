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


async def test_a_page_that_does_not_listen_is_cut_off(
    registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages do not pile up for ever; the page will sync when it is back."""
    monkeypatch.setattr(connection, "MOST_WAITING", 3)
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    seat = Seat(registry, table, user)
    for _ in range(5):
        await seat.say(sync=True)
    messages = [seat.session.outbox.get_nowait() for _ in range(4)]
    assert messages[-1] is None


async def test_who_is_cut_off_is_heard_no_more(user: User) -> None:
    """A page that does not read what it is sent cannot go on asking, nor let messages pile up."""
    page = Connection(user, "en")
    for _ in range(3 * MOST_WAITING):
        page.send(Changed())
    assert page.outbox.qsize() <= MOST_WAITING + 1
    assert page.closed


async def test_a_socket_that_is_cut_off_is_not_served(registry: TableRegistry, user: User) -> None:
    """Whatever still comes over it after that is not done."""

    class Stubborn:
        """A connection whose other side sends on and on, and never reads."""

        async def receive(self) -> dict[str, str]:
            await asyncio.sleep(0)
            return {"type": "websocket.receive", "text": '{"chat": "still here"}'}

    setting = await registry.open(user.id, "bus", {}, [Sitter(user=user.id), Sitter(), Sitter()])
    page = WaitingSession(registry, setting, user, "en")
    page.close()
    async with asyncio.timeout(20):
        await sockets.receive(cast(WebSocket, Stubborn()), page)
    assert not registry.table_store.said(setting.id)
