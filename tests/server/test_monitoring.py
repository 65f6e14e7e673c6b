"""What programs that watch over a server ask: whether it is ready, and its metrics."""

from __future__ import annotations

import asyncio
import json
import re
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.types import Message

from omnibus.server import health
from omnibus.server.config import ServerConfig
from omnibus.server.http.middleware import TRY_LATER
from omnibus.server.metrics import BOUNDS, Histogram, Metric, Reading, written
from omnibus.server.metrics_folder import MetricsFolder
from omnibus.server.monitoring import LOOK_S
from omnibus.server.store.errors import StoreError
from omnibus.server.store.models import Sitter, User
from omnibus.server.tables.registry import TableRegistry
from support.seats import friends, opened, play_first
from support.server_process import Guest, running_server

DOCUMENT = (Path(__file__).parent.parent.parent / "docs/hosting.md").read_text(encoding="utf-8")
WATCHED = ServerConfig(metrics=("127.0.0.1", "10.0.0.0/8"))


def parsed(text: str) -> dict[tuple[str, str], float]:
    """Read metrics with the parser of Prometheus's own library; by name and value of the label."""
    from prometheus_client.parser import text_string_to_metric_families

    found: dict[tuple[str, str], float] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        for sample in family.samples:
            found[sample.name, ",".join(sample.labels.values())] = sample.value
    return found


async def read(client: httpx.AsyncClient) -> dict[tuple[str, str], float]:
    answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return parsed(answer.text)


def gained(after: dict[tuple[str, str], float], before: dict[tuple[str, str], float], *key: Any) -> float:
    return after[key] - before[key]


@pytest.mark.both_databases
@pytest.mark.server_config(ServerConfig(host="127.0.0.1"))
async def test_ready(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Under any name; not when another version has changed the database, or when it cannot be read."""
    answer = await client.get("/readyz", headers={"host": "10.1.2.3:8787"})
    assert (answer.status_code, answer.json()) == (200, {"ready": True})
    database = registry.table_store.database
    await database.execute("UPDATE installed_schema SET migrations = migrations + 1")
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "why": "another version of Omnibus has changed the database"}
    await database.execute("UPDATE installed_schema SET migrations = migrations - 1")
    assert (await client.get("/readyz")).status_code == 200


@pytest.mark.server_config(WATCHED)
async def test_metrics_count(client: httpx.AsyncClient, registry: TableRegistry, user: User) -> None:
    """Moves with their durations, requests by status, tables, workers: all in the format of Prometheus."""
    before = await read(client)
    people = await friends(registry, 2)
    sitters = [Sitter(user=person.id) for person in people]
    table = await opened(registry, people[0].id, "times_square", {}, sitters)
    await play_first(registry, table, 3)
    assert (await client.get("/nowhere")).status_code == 404
    after = await read(client)
    assert gained(after, before, "omnibus_moves_total", "person") == 3
    assert gained(after, before, "omnibus_move_seconds_count", "") == 3
    assert gained(after, before, "omnibus_move_seconds_bucket", "+Inf") == 3
    assert gained(after, before, "omnibus_http_requests_total", "4xx") == 1
    assert gained(after, before, "omnibus_tables", "") == 1
    assert gained(after, before, "omnibus_tables_loaded", "") == 1
    assert after["omnibus_bot_moves_waiting", ""] == 0
    assert after["process_cpu_seconds_total", ""] > 0


@pytest.mark.server_config(WATCHED)
async def test_metrics_without_a_database(
    client: httpx.AsyncClient, registry: TableRegistry, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They say that it is gone, and how many tables there were; so does whoever asks for health while it hangs."""
    await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    before = await read(client)
    assert (before["omnibus_database_up", ""], before["omnibus_tables", ""]) == (1, 1)
    assert before["omnibus_commit_seconds_count", ""] > 0

    async def hangs(*_: object) -> None:
        await asyncio.sleep(3600)

    monkeypatch.setattr(health, "PATIENCE_S", 0.05)
    monkeypatch.setattr(registry.table_store.database, "read", hangs)
    client.cookies.set("omnibus_user", "somebody")
    after = await read(client)
    assert (after["omnibus_database_up", ""], after["omnibus_tables", ""]) == (0, 1)
    assert after["process_cpu_seconds_total", ""] > 0
    for path in ("/healthz", "/readyz"):
        answer = await client.get(path)
        assert (answer.status_code, "does not answer" in answer.json()["why"]) == (503, True)


@pytest.mark.server_config(WATCHED)
async def test_work_that_holds_the_event_loop_is_seen(client: httpx.AsyncClient) -> None:
    """Both in how late everything else was, and in the processor time that it took."""
    before = await read(client)
    await asyncio.sleep(2 * LOOK_S)
    began = time.thread_time()
    while time.thread_time() - began < 0.11:
        pass
    await asyncio.sleep(2 * LOOK_S)
    after = await read(client)
    for what in ("lag", "work"):
        name = f"omnibus_event_loop_{what}_seconds"
        slow = gained(after, before, f"{name}_count", "") - gained(after, before, f"{name}_bucket", "0.1")
        assert slow >= (what == "work")
        assert gained(after, before, f"{name}_sum", "") >= 0.1


def test_buckets() -> None:
    """A bucket has all durations up to its bound, and those of the buckets before."""
    histogram = Histogram("x_seconds", "Test.")
    for seconds in (BOUNDS[0], BOUNDS[1], 1000.0):
        histogram.observe(seconds)
    found = parsed(written([histogram], {}))
    assert [found["x_seconds_bucket", str(bound)] for bound in (*BOUNDS[:3], "+Inf")] == [1, 2, 2, 3]
    assert found["x_seconds_sum", ""] == BOUNDS[0] + BOUNDS[1] + 1000


def test_processes_are_added_up(tmp_path: Path) -> None:
    """Whichever is asked; of one that has ended, what it has counted stays, so that no sum falls."""

    def counted(number: int) -> list[Metric]:
        return [
            Reading("moves_total", "Test.", number, "counter"),
            Reading("sockets", "Test.", number),
            Reading("tables", "Test.", number, shared=True),
        ]

    folder = MetricsFolder(tmp_path)
    folder.write(counted(10), 1)
    folder.write(counted(5), 2)
    assert folder.others(1) == {"moves_total": 5, "sockets": 5}
    assert parsed(written(counted(1), folder.others(3))) == {
        ("moves_total", ""): 16,
        ("sockets", ""): 16,
        ("tables", ""): 1,
    }
    folder.end(1)
    folder.end(4)
    assert folder.others(3) == {"moves_total": 15, "sockets": 5}
    folder.write(counted(100), 1)  # a new process with the same id
    assert folder.others(2) == {"moves_total": 110, "sockets": 100}
    folder.end(1)
    assert folder.others(2) == {"moves_total": 110}


@pytest.mark.server_config(ServerConfig(metrics=("127.0.0.1", "10.0.0.0/8"), proxies=("10.0.0.2",)))
async def test_no_proxy_may_read_metrics(app: FastAPI) -> None:
    """It asks for somebody else, also when it does not say so."""
    for address, status in (("10.0.0.3", 200), ("10.0.0.2", 404)):
        transport = httpx.ASGITransport(app, client=(address, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as other:
            assert (await other.get("/metrics", headers={"x-real-ip": "10.0.0.3"})).status_code == status


@pytest.mark.server_config(WATCHED)
async def test_only_those_who_may_read_metrics(app: FastAPI, client: httpx.AsyncClient) -> None:
    """By their address, and not through a proxy, whose address is not the visitor's."""
    assert (await client.get("/metrics")).status_code == 200
    for header in ("x-forwarded-for", "forwarded"):
        assert (await client.get("/metrics", headers={header: "127.0.0.1"})).status_code == 404
    for address, status in (("10.9.8.7", 200), ("192.0.2.1", 404), ("testclient", 404)):
        transport = httpx.ASGITransport(app, client=(address, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as other:
            assert (await other.get("/metrics")).status_code == status


async def test_nobody_may_read_metrics_by_default(client: httpx.AsyncClient) -> None:
    """A server that does not name anybody has no metrics to show."""
    assert (await client.get("/metrics")).status_code == 404


def test_metrics_of_a_real_server(tmp_path: Path) -> None:
    """The option, sockets that come and go, and the names that the hosting guide lists."""
    with running_server(tmp_path, "--metrics", "127.0.0.1") as running, Guest(running.url) as guest:
        with guest.sit(guest.open("bus", "you", "another", "another")) as seat:
            seat.sync()
            during = parsed(guest.http.get("/metrics").text)
            assert during["omnibus_sockets_open", ""] == 1
        names = {name for name, _ in during}
        listed = re.findall(
            r"`((?:omnibus|process)_[a-z_]+)", DOCUMENT[DOCUMENT.index("| metric |") :].split("\n\n")[0]
        )
        assert len(listed) > 10
        assert all({name, f"{name}_count"} & names for name in listed)


async def test_a_database_that_cannot_be_read(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has an account is told that the server cannot be used for now, by pages and by the API."""

    async def unreachable(token: str) -> None:
        raise StoreError("the database does not answer")

    monkeypatch.setattr(registry.user_store, "user", unreachable)
    client.cookies.set("omnibus_user", "somebody")
    assert (await client.get("/")).status_code == 503
    answer = await client.get("/api/lobby")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


@pytest.mark.parametrize("path", ["/socket", "/lobby/socket"])
async def test_a_socket_whose_data_cannot_be_read(app: FastAPI, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """It is closed with the code that says to come back, also when it was accepted already."""

    async def unreachable(_connection: object) -> None:
        raise StoreError("the database does not answer")

    monkeypatch.setattr(app.state.registry.online, "add", unreachable)
    assert await heard(app, path) == [TRY_LATER]


async def heard(app: FastAPI, path: str, *said: dict[str, Any], token: str = "", until: str = "") -> list[Any]:
    """Open a socket and say something; return the types of what is heard, and the code if the server closes it.

    It is closed by this side after a message of the type `until`.
    """
    coming: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    coming.put_nowait({"type": "websocket.connect"})
    for message in said:
        coming.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})
    sent: list[Any] = []

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            sent.append(json.loads(message["text"])["type"])
            if sent[-1] == until:
                coming.put_nowait({"type": "websocket.disconnect"})
        elif message["type"] == "websocket.close":
            sent.append(message["code"])

    headers = [(b"host", b"server"), (b"cookie", f"omnibus_user={token}".encode())]
    scope = {"type": "websocket", "path": path, "headers": headers, "query_string": b"", "client": ("127.0.0.1", 1)}
    await app(scope, coming.get, send)
    return sent


async def test_a_move_while_the_database_fails(
    app: FastAPI, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The socket is closed with the code that says to come back, without an answer: the page sends the move again."""
    user, token = await registry.user_store.add_user()
    table = await opened(registry, user.id, "bus", {}, [Sitter(user=user.id)] * 3)
    path = f"/tables/{table.setup.id}/socket"
    said: tuple[dict[str, Any], ...] = ({"sync": True}, {"play": table.match.lines()[0], "event": 1, "id": "x"})

    async def unreachable(*_: Any, **__: Any) -> None:
        raise StoreError("the database does not answer")

    with monkeypatch.context() as failing:
        failing.setattr(registry.table_store, "append", unreachable)
        told = await heard(app, path, *said, token=token)
    assert told[-1] == TRY_LATER
    assert not {"error", "done"} & set(told)
    assert "done" in await heard(app, path, *said, token=token, until="done")
    assert (await registry.table(table.setup.id)).event == 2
