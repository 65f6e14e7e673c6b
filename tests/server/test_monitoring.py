"""What programs that watch over a server ask: whether it is ready, and its metrics."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from omnibus.server import health
from omnibus.server.config import ServerConfig
from omnibus.server.http.middleware import TRY_LATER
from omnibus.server.metrics import BOUNDS, Histogram, Metric, Reading, written
from omnibus.server.metrics_folder import MetricsFolder
from omnibus.server.monitoring import LOOK_S
from omnibus.server.store.errors import StoreError
from omnibus.server.tables.registry import TableRegistry
from support.live import Socket, alone, arrive, play_first
from support.server_process import Guest, running_server

from .conftest import app_at

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
async def test_metrics_count(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Moves with their durations, requests by status, tables, workers: all in the format of Prometheus."""
    before = await read(client)
    (ann,) = await arrive(app, client, "Ann")
    await play_first(await alone(ann, "bus", 3), [ann] * 3, 3)
    assert (await client.get("/nowhere")).status_code == 404
    after = await read(client)
    for key, number in {
        ("omnibus_moves_total", "person"): 3,
        ("omnibus_move_seconds_count", ""): 3,
        ("omnibus_move_seconds_bucket", "+Inf"): 3,
        ("omnibus_http_requests_total", "4xx"): 1,
        ("omnibus_tables", ""): 1,
        ("omnibus_tables_loaded", ""): 1,
    }.items():
        assert after[key] - before[key] == number, key
    assert after["omnibus_bot_moves_waiting", ""] == 0
    assert after["process_cpu_seconds_total", ""] > 0


@pytest.mark.server_config(WATCHED)
async def test_metrics_without_a_database(
    app: FastAPI, client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They say that it is gone, and how many tables there were; so does whoever asks for health while it hangs."""
    (ann,) = await arrive(app, client, "Ann")
    await alone(ann, "bus", 3)
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
    more = {key: after[key] - before[key] for key in before}
    for what in ("lag", "work"):
        name = f"omnibus_event_loop_{what}_seconds"
        assert more[f"{name}_count", ""] - more[f"{name}_bucket", "0.1"] >= (what == "work")
        assert more[f"{name}_sum", ""] >= 0.1


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


@pytest.mark.parametrize(
    ("metrics", "address", "headers", "status"),
    [
        (WATCHED.metrics, "127.0.0.1", {}, 200),
        (WATCHED.metrics, "10.9.8.7", {}, 200),
        (WATCHED.metrics, "192.0.2.1", {}, 404),
        (WATCHED.metrics, "testclient", {}, 404),
        (WATCHED.metrics, "127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, 404),
        (WATCHED.metrics, "127.0.0.1", {"forwarded": "127.0.0.1"}, 404),
        (WATCHED.metrics, "10.0.0.3", {"x-real-ip": "10.0.0.3"}, 200),
        (WATCHED.metrics, "10.0.0.2", {"x-real-ip": "10.0.0.3"}, 404),
        (WATCHED.metrics, "10.0.0.2", {}, 404),
        ((), "127.0.0.1", {}, 404),
    ],
)
async def test_only_those_who_may_read_metrics(
    tmp_path: Path, metrics: tuple[str, ...], address: str, headers: dict[str, str], status: int
) -> None:
    """Who is named, by their address; no proxy, which asks for somebody else, even if it does not say so."""
    async with app_at(tmp_path, ServerConfig(metrics=metrics, proxies=("10.0.0.2",))) as app:
        transport = httpx.ASGITransport(app, client=(address, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://server", headers=headers) as other:
            assert (await other.get("/metrics")).status_code == status


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


@pytest.mark.parametrize("path", ["socket", "lobby/socket"])
async def test_a_socket_whose_data_cannot_be_read(app: FastAPI, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """It is closed with the code that says to come back, also when it was accepted already."""

    async def unreachable(_connection: object) -> None:
        raise StoreError("the database does not answer")

    monkeypatch.setattr(app.state.registry.online, "add", unreachable)
    assert await Socket(app, path, {}).hear("closed") == {"type": "closed", "code": TRY_LATER}
