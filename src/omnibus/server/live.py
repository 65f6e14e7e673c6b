"""What a page asks for while it is open: the socket of a table, and earlier positions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import msgspec
from fastapi import APIRouter, HTTPException, Response, WebSocket, WebSocketDisconnect

from omnibus.server.company import Company
from omnibus.server.hall import Gone, Open
from omnibus.server.page import Page
from omnibus.server.position import Position, Reader
from omnibus.server.scene import shown
from omnibus.server.table import Frozen, Table
from omnibus.server.visit import TheHall, Visit, Visitor, hall_of, same_origin, visitor
from omnibus.server.waiter import Waiter
from omnibus.server.watcher import Watcher

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
    await _serve(socket, Page(None if visit.only else visit.user, visit.language), visit)


@sockets.websocket("/tables/{table_id}/socket")
async def socket(socket: WebSocket, table_id: str) -> None:
    """Keep a page at a table: answer what it asks, tell it what happens."""
    await socket.accept()
    if not same_origin(socket):
        await socket.close(NOT_YOURS)
        return
    hall, visit = hall_of(socket), visitor(socket)
    try:
        table = hall.table(table_id)
    except (Gone, Frozen):
        await socket.close(NOT_HERE)
    except Open as still_open:
        await _wait_for_others(socket, hall.company(still_open.setting), visit, table_id)
    else:
        await _sit_at(socket, table, visit)


async def _wait_for_others(socket: WebSocket, company: Company, visit: Visitor, table_id: str) -> None:
    page = Waiter(company, visit.user_at(table_id), visit.language, only=visit.decides_for(table_id))
    with _among(company, page):
        await _serve(socket, page, visit)


async def _sit_at(socket: WebSocket, table: Table, visit: Visitor) -> None:
    id_ = table.setting.id
    watcher = Watcher(table, visit.user_at(id_), visit.language, only=visit.decides_for(id_))
    table.watchers.add(watcher)
    try:
        with _among(table.company, watcher):
            await _serve(socket, watcher, visit)
    finally:
        table.watchers.discard(watcher)


@contextmanager
def _among(company: Company | None, page: Page) -> Iterator[None]:
    """Let a page be among the people at a table."""
    assert company
    company.enter(page)
    try:
        yield
    finally:
        company.leave(page)


async def _serve(socket: WebSocket, page: Page, visit: Visitor) -> None:
    """Answer a page, and send it what it is told, until it goes; who plays in one seat only is told of no other."""
    hall = hall_of(socket)
    sender = asyncio.create_task(_send(socket, page))
    if visit.only is None:
        hall.arrive(page)
    try:
        await _answer(socket, page)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page is gone, or we have closed the connection ourselves
    finally:
        hall.depart(page)
        sender.cancel()


async def _answer(socket: WebSocket, page: Page) -> None:
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


async def _send(socket: WebSocket, page: Page) -> None:
    """Send messages in their order, until there is nobody to send them to."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await page.outbox.get()) is not None:
            await socket.send_text(message.decode())
        await socket.close()


@router.get("/tables/{table_id}/at/{ply}")
async def at(
    table_id: str, ply: int, visit: Visit, hall: TheHall, seat: int | None = None, ground: str = ""
) -> Response:
    """Show an earlier position of a table, as an own seat or as a spectator."""
    table = hall.table(table_id)
    await table.settled()
    watcher = Watcher(table, visit.user, visit.language, only=visit.decides_for(table_id))
    if not 0 <= ply <= len(table.match.plies) or (seat is not None and seat not in watcher.own):
        raise HTTPException(404)
    return as_json(shown(table, Reader(seat, visit.language), ply=ply, ground=ground))


def as_json(position: Position) -> Response:
    """Answer with a position."""
    return Response(msgspec.json.encode(position), media_type="application/json")
