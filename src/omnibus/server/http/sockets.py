"""WebSockets, for pages and programs, and the earlier positions a page asks for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import msgspec
from fastapi import APIRouter, HTTPException, Response, WebSocket, WebSocketDisconnect

from omnibus.server.errors import NotReplayable, NotStarted, TableNotFound
from omnibus.server.http.connection import Connection
from omnibus.server.http.visitor import PageVisitor, Registry, Visitor, registry_of, same_origin, token_of, visitor
from omnibus.server.store.users import hashed
from omnibus.server.tables.board_view import BoardView
from omnibus.server.tables.scene import shown
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.viewpoint import Viewpoint
from omnibus.server.tables.waiting_session import WaitingSession

NOT_HERE: Final = 4404  # a close code of our own: reconnecting will not help
NOT_YOURS: Final = 4403
ANSWERING: Final[set[asyncio.Future[None]]] = set()
"""What is being done for connections, some of which may be gone."""

router = APIRouter()
sockets = APIRouter()
"""Under `/` for pages and under `/api` for programs."""


@sockets.websocket("/socket")
async def listening(socket: WebSocket) -> None:
    """Tell a page elsewhere which tables wait for its user."""
    await socket.accept()
    if not same_origin(socket):
        await socket.close(NOT_YOURS)
        return
    visit = visitor(socket)
    await serve(socket, Connection(None if visit.only else visit.user, visit.language), visit)


@sockets.websocket("/tables/{table_id}/socket")
async def socket(socket: WebSocket, table_id: str) -> None:
    """Open a session at a table."""
    await socket.accept()
    if not same_origin(socket):
        await socket.close(NOT_YOURS)
        return
    registry, visit = registry_of(socket), visitor(socket)
    user, only = visit.user_at(table_id), visit.decides_for(table_id)
    session: TableSession | WaitingSession
    try:
        session = TableSession(registry, await registry.visit(table_id), user, visit.language, only=only)
    except (TableNotFound, NotReplayable):
        await socket.close(NOT_HERE)
        return
    except NotStarted as waiting:
        presence = await registry.presence(waiting.setup)
        session = WaitingSession(registry, presence, user, visit.language, only=only)
    with session.presence.joined(session):
        if isinstance(session, TableSession):
            await registry.online.come_to(session.table.setup, user)
        if registry.database.shared and isinstance(session, TableSession) and session.presence.is_only_here:
            registry.bot_driver.take_over(session.table)  # the process that was here before may have stopped
        await serve(socket, session, visit)


async def serve(socket: WebSocket, connection: Connection, visit: Visitor) -> None:
    """Receive and send until the socket is closed; the token of one seat tells nothing of the user's other tables."""
    online = registry_of(socket).online
    connection.token = hashed(token_of(socket)) if visit.user else ""
    ends = [
        asyncio.create_task(_receive_all(socket, connection)),
        asyncio.create_task(connection.aborted.wait()),  # the other side does not read: the protocol cuts it off
    ]
    sender = asyncio.create_task(send(socket, connection))
    try:
        if visit.only is None:
            await online.add(connection)
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        online.remove(connection)
        for task in (*ends, sender):
            task.cancel()
    if not connection.aborted.is_set():
        await ends[0]


async def _receive_all(socket: WebSocket, connection: Connection) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # closed by the other side, or by us
        await receive(socket, connection)


async def receive(socket: WebSocket, connection: Connection) -> None:
    """Answer messages until the connection is closed; one that does not read may not notice, but is not answered."""
    while True:
        message = await _received(socket)
        if connection.closed:
            return
        answering = asyncio.ensure_future(connection.answer(message))
        ANSWERING.add(answering)
        answering.add_done_callback(ANSWERING.discard)
        await asyncio.shield(answering)  # or a move would be stored and nobody told, if the connection is cut off now


async def _received(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect
    text: str | bytes = message.get("text") or message.get("bytes") or ""
    return text


async def send(socket: WebSocket, connection: Connection) -> None:
    """Send the queued messages in order."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while await _send_next(socket, connection):
            pass
        await socket.close()


async def _send_next(socket: WebSocket, connection: Connection) -> bool:
    """Send the next message; False when the connection is to be closed.

    A message is forgotten once it is sent: while the next one is awaited, an idle socket would keep its last scene.
    """
    message = await connection.outbox.get()
    if message is None:
        return False
    await socket.send_text(message.decode())
    return True


@router.get("/tables/{table_id}/at/{ply}")
async def at(
    table_id: str,
    ply: int,
    visit: PageVisitor,
    registry: Registry,
    seat: int | None = None,
    ground: str = "",
    wide: bool = False,
) -> Response:
    """Show an earlier position of a table, through one of the visitor's seats or as a spectator."""
    table = await registry.table(table_id)
    await table.settled()
    user, only = visit.user, visit.decides_for(table_id)
    viewpoint = Viewpoint(table, registry.live.presence_at(table), user, visit.language, only=only, wide=wide)
    if not 0 <= ply <= len(table.match.plies) or (seat is not None and seat not in viewpoint.own):
        raise HTTPException(404)
    viewpoint.look_through(seat)
    return as_json(shown(table, viewpoint.reader, ply=ply, grounds=[ground]))


def as_json(position: BoardView) -> Response:
    """Return a position as JSON."""
    return Response(msgspec.json.encode(position), media_type="application/json")
