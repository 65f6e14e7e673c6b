"""Pages for programs that watch over a server: whether it is ready, and its metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, Response

from omnibus.server import metrics
from omnibus.server.health import answered
from omnibus.server.http.visitor import Registry, config_of
from omnibus.server.metrics import Reading
from omnibus.server.metrics_folder import WRITTEN_S, MetricsFolder
from omnibus.server.store.errors import StoreError
from omnibus.server.tables.registry import TableRegistry

LOOK_S: Final = 0.01

router = APIRouter()


@router.get("/readyz")
async def ready(request: Request, registry: Registry) -> Response:
    """Report whether to send requests here: the database answers, with the schema of this version, and no stop is due.

    While it stops it still serves for a while, so that whoever asks has time to send them to others.
    """
    if request.app.state.stopping:
        return JSONResponse({"ready": False, "why": "the server is about to stop"}, 503)
    try:
        why = await answered(registry.table_store.database.unready())
    except StoreError as error:
        why = str(error)
    return JSONResponse({"ready": False, "why": why}, 503) if why else JSONResponse({"ready": True})


@router.get("/metrics")
async def show_metrics(request: Request, registry: Registry) -> Response:
    """Send the metrics of the server in the text format of Prometheus, to those who may read them."""
    if not _may_read(request):
        raise HTTPException(404)
    found = metrics.collected([*_readings(registry), *await _database(request, registry)])
    folder: MetricsFolder | None = getattr(request.app.state, "metrics_folder", None)  # None: there is one process
    if folder is not None:
        folder.write(found)  # before anybody is told these numbers, so that no other process tells lower ones
    return Response(metrics.written(found, folder.others() if folder else {}), media_type=metrics.MEDIA_TYPE)


async def keep_writing(folder: MetricsFolder, registry: TableRegistry) -> None:
    """Write the metrics of this process every few seconds, and at the end."""
    try:
        while True:
            folder.write(metrics.collected(_readings(registry)))
            await asyncio.sleep(WRITTEN_S)
    finally:
        folder.write(metrics.collected(_readings(registry)))


async def watch_event_loop() -> None:
    """Measure a hundred times a second how late the event loop is, and how long it was busy by its processor time.

    The first is what everybody waits for, whatever the reason; the second is what one piece of work has taken, however
    busy the machine is.
    """
    while True:
        due, worked = time.monotonic() + LOOK_S, time.thread_time()
        await asyncio.sleep(LOOK_S)
        metrics.LOOP_LAG.observe(max(0.0, time.monotonic() - due))
        metrics.LOOP_WORK.observe(time.thread_time() - worked)


def _may_read(request: Request) -> bool:
    """Tell whether a request comes directly from an address that may read the metrics.

    Whatever a proxy has passed on comes from somewhere else, even if the proxy itself is at such an address, and sends
    no header that says so.
    """
    config = config_of(request)
    allowed = config.metrics
    if not allowed or request.client is None or {"x-forwarded-for", "forwarded"} & set(request.headers):
        return False
    try:
        caller = ip_address(request.client.host)
    except ValueError:
        return False
    return any(caller in ip_network(each) for each in allowed) and not any(
        caller in ip_network(each) for each in config.proxies
    )


async def _database(request: Request, registry: TableRegistry) -> list[Reading]:
    """Read whether the database answers, and how many tables there were when it last did."""
    state, up = request.app.state, True
    try:
        state.tables = await answered(registry.table_store.count_tables())
    except StoreError:
        up = False
    known: int | None = getattr(state, "tables", None)
    return [
        Reading("omnibus_database_up", "Whether the database answers.", int(up), shared=True),
        *([] if known is None else [Reading("omnibus_tables", "Tables in the database.", known, shared=True)]),
    ]


def _readings(registry: TableRegistry) -> Iterator[Reading]:
    pool, sockets = registry.bot_pool, metrics.SOCKETS.values
    yield Reading("omnibus_sockets_open", "Open WebSockets.", sockets["opened"] - sockets["closed"])
    yield Reading("omnibus_tables_loaded", "Tables in memory.", len(registry.loaded()))
    yield Reading("omnibus_bot_moves_waiting", "Bot moves that wait for a worker.", pool.queued)
    yield Reading("omnibus_bot_workers_busy", "Workers that think about a move.", pool.busy)
    yield Reading("omnibus_bot_workers_replaced_total", "Workers that died or hung.", pool.replaced, "counter")
