"""What a page asks for while it is open: the socket of a table, and earlier positions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import msgspec
from fastapi import APIRouter, HTTPException, Response, WebSocket, WebSocketDisconnect

from omnibus.server.errors import NotReplayable, NotStarted, TableNotFound
from omnibus.server.http.connection import Connection
from omnibus.server.http.visitor import PageVisitor, Registry, Visitor, registry_of, same_origin, visitor
from omnibus.server.tables.board_view import BoardView, Reader
from omnibus.server.tables.presence import Presence
from omnibus.server.tables.scene import shown
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.table import Table
from omnibus.server.tables.waiting_session import WaitingSession

NOT_HERE: Final = 4404  # a close code of our own: asking again will not help
NOT_YOURS: Final = 4403

router = APIRouter()
sockets = APIRouter()
"""For pages, and under another address for programs."""


@sockets.websocket("/socket")
async def listening(socket: WebSocket) -> None:
    """Tell a page that is at no table which tables wait for its user."""
    await socket.accept()
    if not same_origin(socket):
        await socket.close(NOT_YOURS)
        return
    visit = visitor(socket)
    await _serve(socket, Connection(None if visit.only else visit.user, visit.language), visit)


@sockets.websocket("/tables/{table_id}/socket")
async def socket(socket: WebSocket, table_id: str) -> None:
    """Keep a page at a table: answer what it asks, tell it what happens."""
    await socket.accept()
    if not same_origin(socket):
        await socket.close(NOT_YOURS)
        return
    registry, visit = registry_of(socket), visitor(socket)
    try:
        table = registry.table(table_id)
    except (TableNotFound, NotReplayable):
        await socket.close(NOT_HERE)
    except NotStarted as still_open:
        await _wait_for_others(socket, registry.presence(still_open.setting), visit, table_id)
    else:
        await _sit_at(socket, table, visit)


async def _wait_for_others(socket: WebSocket, presence: Presence, visit: Visitor, table_id: str) -> None:
    page = WaitingSession(presence, visit.user_at(table_id), visit.language, only=visit.decides_for(table_id))
    with _among(presence, page):
        await _serve(socket, page, visit)


async def _sit_at(socket: WebSocket, table: Table, visit: Visitor) -> None:
    id_ = table.setting.id
    session = TableSession(table, visit.user_at(id_), visit.language, only=visit.decides_for(id_))
    table.sessions.add(session)
    try:
        with _among(table.presence, session):
            await _serve(socket, session, visit)
    finally:
        table.sessions.discard(session)


@contextmanager
def _among(presence: Presence | None, page: Connection) -> Iterator[None]:
    """Let a page be among the people at a table."""
    assert presence
    presence.enter(page)
    try:
        yield
    finally:
        presence.leave(page)


async def _serve(socket: WebSocket, page: Connection, visit: Visitor) -> None:
    """Answer a page, and send it what it is told, until it goes; who plays in one seat only is told of no other."""
    registry = registry_of(socket)
    sender = asyncio.create_task(_send(socket, page))
    if visit.only is None:
        registry.arrive(page)
    try:
        await _answer(socket, page)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page is gone, or we have closed the connection ourselves
    finally:
        registry.depart(page)
        sender.cancel()


async def _answer(socket: WebSocket, page: Connection) -> None:
    """Answer a page until it is cut off: who does not read what is sent is not told so, and yet heard no more."""
    while True:
        asked = await _received(socket)
        if page.closed:
            return
        await page.answer(asked)


async def _received(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect
    text: str | bytes = message.get("text") or message.get("bytes") or ""
    return text


async def _send(socket: WebSocket, page: Connection) -> None:
    """Send messages in their order, until there is nobody to send them to."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await page.outbox.get()) is not None:
            await socket.send_text(message.decode())
        await socket.close()


@router.get("/tables/{table_id}/at/{ply}")
async def at(
    table_id: str, ply: int, visit: PageVisitor, registry: Registry, seat: int | None = None, ground: str = ""
) -> Response:
    """Show an earlier position of a table, as an own seat or as a spectator."""
    table = registry.table(table_id)
    await table.settled()
    session = TableSession(table, visit.user, visit.language, only=visit.decides_for(table_id))
    if not 0 <= ply <= len(table.match.plies) or (seat is not None and seat not in session.own):
        raise HTTPException(404)
    return as_json(shown(table, Reader(seat, visit.language), ply=ply, ground=ground))


def as_json(position: BoardView) -> Response:
    """Answer with a position."""
    return Response(msgspec.json.encode(position), media_type="application/json")
