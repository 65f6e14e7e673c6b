"""What a page asks for while it is open: the socket of a table, and earlier positions."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import msgspec
from fastapi import APIRouter, HTTPException, Response, WebSocket, WebSocketDisconnect

from omnibus.server.hall import Gone
from omnibus.server.position import Position, Reader
from omnibus.server.scene import shown
from omnibus.server.table import Frozen
from omnibus.server.visit import TheHall, Visit, hall_of, same_origin, visitor
from omnibus.server.watcher import Watcher

NOT_HERE: Final = 4404  # a close code of our own: asking again will not help
NOT_YOURS: Final = 4403

router = APIRouter()


@router.websocket("/tables/{table_id}/socket")
async def socket(socket: WebSocket, table_id: str) -> None:
    """Keep a page at a table: answer what it asks, tell it what happens."""
    await socket.accept()
    if not same_origin(socket):
        await socket.close(NOT_YOURS)
        return
    try:
        table = hall_of(socket).table(table_id)
    except (Gone, Frozen):
        await socket.close(NOT_HERE)
        return
    visit = visitor(socket)
    watcher = Watcher(table, visit.user, visit.language)
    table.watchers.add(watcher)
    sender = asyncio.create_task(_send(socket, watcher))
    try:
        while True:
            await watcher.answer(await _received(socket))
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page is gone, or we have closed the connection ourselves
    finally:
        table.watchers.discard(watcher)
        sender.cancel()


async def _received(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect
    text: str | bytes = message.get("text") or message.get("bytes") or ""
    return text


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    """Send messages in their order, until there is nobody to send them to."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await watcher.outbox.get()) is not None:
            await socket.send_text(message.decode())
        await socket.close()


@router.get("/tables/{table_id}/at/{ply}")
async def at(
    table_id: str, ply: int, visit: Visit, hall: TheHall, seat: int | None = None, ground: str = ""
) -> Response:
    """Show an earlier position of a table, as an own seat or as a spectator."""
    table = hall.table(table_id)
    await table.settled()
    own = table.seats_of(visit.user.id if visit.user else None)
    if not 0 <= ply <= len(table.match.plies) or (seat is not None and seat not in own):
        raise HTTPException(404)
    return as_json(shown(table, Reader(seat, visit.language), ply=ply, ground=ground))


def as_json(position: Position) -> Response:
    """Answer with a position."""
    return Response(msgspec.json.encode(position), media_type="application/json")
