"""Limits on requests and sockets, wrong hosts and origins, and the headers of every response."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.config import ServerConfig
from omnibus.server.http import rate_limits
from omnibus.server.http.rate_limits import Counts, Quota, RateLimited, RateLimiter, Throttle, address_block
from omnibus.server.http.request_limits import CLOSED_TOO_FAST, MOST_OPEN
from omnibus.server.tables.registry import TableRegistry
from support.live import Socket, alone, arrive
from support.server_process import SILENCE_S, Guest, ServerProcess, running_server

from .conftest import app_at

PUBLIC = ServerConfig(public_url="https://games.example.org", host="127.0.0.1", limits=True)
GOOD = Path(__file__).parent.parent / "games/bus/records/3-plots.game"


def few(monkeypatch: pytest.MonkeyPatch, quota: Quota, person: int, address: int) -> None:
    """Lower a limit."""
    monkeypatch.setitem(rate_limits.LIMITS, quota, (f"{person} per 1 minute", f"{address} per 1 minute"))


# too fast


async def test_a_club_is_never_too_fast() -> None:
    """Twenty people at one address load pages and chat; a flood from one of them is noticed at once."""
    counts = RateLimiter()
    for person in map(str, range(20)):
        for quota, times in ((Quota.REQUEST, 8 * 15), (Quota.SOCKET, 10), (Quota.CHAT, 10), (Quota.TABLE, 4)):
            for _ in range(times):
                await counts.spend(quota, person, "198.51.100.7")
        await counts.spend(Quota.USER, None, "198.51.100.7")
    flood = [counts.spend(Quota.REQUEST, "flood", "203.0.113.9") for _ in range(1000)]
    with pytest.raises(RateLimited) as fast:
        await asyncio.gather(*flood)
    assert 1 <= fast.value.seconds <= 60
    await counts.spend(Quota.REQUEST, "20", "198.51.100.7")


async def test_many_people_at_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """New users do not help a flood from one address, nor new addresses a flood from one user."""
    few(monkeypatch, Quota.MESSAGE, 3, 5)
    counts = RateLimiter()
    for person in ("a", "b", "c", "d", "e"):
        await counts.spend(Quota.MESSAGE, person, "here")
    with pytest.raises(RateLimited):
        await counts.spend(Quota.MESSAGE, "f", "here")
    for address in ("1", "2"):
        await counts.spend(Quota.MESSAGE, "a", address)
    with pytest.raises(RateLimited):
        await counts.spend(Quota.MESSAGE, "a", "3")


async def test_counters_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """When its window has passed a counter starts at zero, and is removed in the end."""
    now = 1_000_000.0
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: now))
    counts = Counts()
    assert [await counts.incr("a", 10) for _ in range(3)] == [1, 2, 3]
    now += 10
    assert await counts.incr("a", 10) == 1
    now += rate_limits.SWEEP_S
    assert await counts.incr("b", 10) == 1
    assert set(counts.storage) == set(counts.expirations) == {"b"}


@pytest.mark.parametrize("jump", [-86_400, 86_400])
async def test_limits_do_not_go_by_the_wall_clock(monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    """A clock that is set back or forward neither locks anybody out nor gives anything away."""
    limits, today, now = RateLimiter(), time.time(), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for _ in range(30):
        await limits.spend(Quota.CHAT, "a", "here")
    monkeypatch.setattr(time, "time", lambda: today + jump)
    with pytest.raises(RateLimited) as limited:
        await limits.spend(Quota.CHAT, "a", "here")
    assert 1 <= limited.value.seconds <= 60
    now += 61
    await limits.spend(Quota.CHAT, "a", "here")


def test_one_address() -> None:
    """A household has one IPv4 address, or a network of IPv6; nonsense is cut."""
    assert address_block("198.51.100.7") == address_block("::ffff:198.51.100.7") == "198.51.100.7"
    assert address_block("2001:db8:1:2::5") == address_block("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert address_block("2001:db8:1:3::5") != address_block("2001:db8:1:2::5")
    assert address_block("fe80::1%eth0") == "fe80::/64"
    assert address_block("x" * 500) == "x" * 64


async def test_a_network_of_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has a large IPv6 network cannot use each of its blocks as another address; others are not affected."""
    few(monkeypatch, Quota.USER, 1, 2)
    counts = RateLimiter()
    for block in range(16):
        await counts.spend(Quota.USER, None, address_block(f"2001:db8:1:{block:x}::1"))
    with pytest.raises(RateLimited):
        await counts.spend(Quota.USER, None, address_block("2001:db8:1:99::1"))
    await counts.spend(Quota.USER, None, address_block("2001:db8:2:1::1"))
    await counts.spend(Quota.USER, None, address_block("198.51.100.7"))


@pytest.mark.server_config(ServerConfig(limits=True))
async def test_too_many_requests(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """429 and when to retry: as a page, plain text or JSON, in the visitor's language."""
    few(monkeypatch, Quota.REQUEST, 5, 10)
    for _ in range(10):
        assert (await client.get("/healthz")).status_code == 200
    for code, word in zip(
        LANGUAGES, ("Too many requests", "Troppe richieste", "Trop de requêtes", "Zu viele Anfragen"), strict=True
    ):
        page = await client.get("/", headers={"accept-language": code})
        assert page.status_code == 429
        assert 1 <= int(page.headers["retry-after"]) <= 60
        assert word in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert (await client.get("/static/style.css")).status_code == 200  # so that this page looks like one
    plain = await client.get("/", headers={"accept": "*/*"})
    assert plain.text.startswith("Too many requests. Please try again in ")
    for path, accept in (("/", "application/json"), ("/api/tables", "*/*")):
        answer = await client.get(path, headers={"accept": accept})
        assert answer.json()["code"] == "too_fast"
        assert answer.status_code == 429


@pytest.mark.server_config(ServerConfig(limits=True))
async def test_one_person_too_fast(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Users are told apart by their cookies; others at the address are not affected."""
    few(monkeypatch, Quota.REQUEST, 5, 100)
    await client.post("/play/bus")
    assert [(await client.get("/credits")).status_code for _ in range(6)] == [200] * 5 + [429]
    client.cookies.clear()
    assert (await client.get("/credits")).status_code == 200


async def test_nothing_is_counted_at_home(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that only this machine can reach has no limits."""
    for quota in Quota:
        few(monkeypatch, quota, 1, 1)
    assert {(await client.post("/play/bus")).status_code for _ in range(3)} == {303}


@pytest.mark.server_config(ServerConfig(limits=True))
async def test_making_things_has_limits_of_its_own(
    client: httpx.AsyncClient, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Users, tables and records: beyond the limit nothing is created."""
    for quota in (Quota.USER, Quota.TABLE, Quota.RECORD):
        few(monkeypatch, quota, 2, 3)  # who is a stranger when opening the first table is not yet counted as a person

    async def kept(what: str) -> int:
        count: int = (await registry.table_store.database.read(f"SELECT count(*) FROM {what}"))[0][0]
        return count

    assert [(await client.post("/play/bus")).status_code for _ in range(4)] == [303] * 3 + [429]
    record = {"record": ("a.game", GOOD.read_bytes())}
    assert [(await client.post("/records", files=record)).status_code for _ in range(3)] == [303, 303, 429]
    bad = {"record": ("a.game", b"no record")}
    assert (await client.post("/records", files=bad)).status_code == 429  # to read it is what costs
    strangers = []
    for _ in range(4):
        client.cookies.clear()
        strangers.append((await client.post("/records", data={"none": "x"})).status_code)
    assert strangers == [400, 400, 429, 429]  # with the first of above three users, and no more
    assert (await kept("tables"), await kept("users"), await kept("records")) == (3, 3, 1)


@pytest.mark.server_config(ServerConfig(limits=True))
async def test_tokens_for_programs(app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count for whoever makes them."""
    few(monkeypatch, Quota.TOKEN, 2, 9)
    ann, bo = await arrive(app, client, "Ann", "Bo")
    for person in (ann, bo):
        table = await alone(person, "times_square", 2)
        for status in (201, 201, 429):
            await person.ask(f"POST tables/{table}/seats/0/token", status=status)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a proxy on this machine, which makes limits apply."""
    folder = tmp_path_factory.mktemp("proxied") / "data"
    with running_server(folder, "--proxy", "127.0.0.1", traced=True) as running:
        yield running


def test_a_socket_too_fast(proxied: ServerProcess) -> None:
    """Its requests are answered with an error, then it is closed with a code of its own; others play on."""
    with Guest(proxied.url) as guest:
        table = guest.open("bus", "you", "another", "another")
        with guest.sit(table) as flood, Guest(proxied.url) as other, other.sit(table) as watching:
            for number in range(200):
                flood.say(play="no move", event=1, id=f"n{number}")
            assert flood.closed() == CLOSED_TOO_FAST
            told = [error for error in flood.errors if error["code"] == "too_fast"]
            assert [error["id"] for error in told] == [f"n{number}" for number in range(100, 120)]
            assert {error["text"] for error in told} == {"Too many requests."}
            watching.sync()
            with guest.sit(table) as again:
                again.say(sync=True)
                assert again.closed() == CLOSED_TOO_FAST


async def test_too_many_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, or at the same time: the close code tells the page to wait for long."""
    few(monkeypatch, Quota.SOCKET, 9, 5)
    monkeypatch.setitem(MOST_OPEN, "address", 2)
    async with app_at(tmp_path, ServerConfig(limits=True)) as app:

        def knock() -> Socket:
            return Socket(app, "lobby/socket", {})

        async with knock() as one, knock() as other:
            for socket in (one, other):
                await socket.hear("open_tables")
            assert (await knock().hear("closed"))["code"] == CLOSED_TOO_FAST
        for _ in range(2):
            async with knock() as socket:
                await socket.hear("open_tables")
        assert (await knock().hear("closed"))["code"] == CLOSED_TOO_FAST


async def test_bodies_have_a_size(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Announced or not, a body that is too large is not read to its end; the answer names the limit."""

    async def endless(begin: bytes) -> AsyncIterator[bytes]:
        yield begin
        while True:
            read.append(1)
            yield b"x" * 1024

    read: list[int] = []
    announced = await client.post("/settings", data={"back": "x" * 9000})
    assert announced.status_code == 413
    assert "Request too large: the limit is 8 kB." in announced.text
    assert announced.headers["connection"] == "close"
    form = {"content-type": "application/x-www-form-urlencoded"}
    chunked = await client.post("/games/bus/tables", content=endless(b"name-0="), headers=form)
    assert chunked.status_code == 413
    assert len(read) <= 9
    read.clear()
    parts = {"content-type": "multipart/form-data; boundary=x", "accept": "application/json"}
    file = b'--x\r\nContent-Disposition: form-data; name="record"; filename="a.game"\r\n\r\n'
    record = await client.post("/records", content=endless(file), headers=parts)
    assert record.status_code == 413
    assert record.json() == {"code": "too_large", "text": "Record too large: the limit is 256 kB."}
    assert len(read) <= 289
    fits = await client.post("/settings", data={"back": "/" + "x" * 8000})
    assert fits.status_code == 303


def test_a_large_message_closes_the_socket_and_nothing_else(server: ServerProcess) -> None:
    """Nothing is stored, nobody else notices, and the table goes on."""
    with Guest(server.url) as guest:
        table = guest.open("bus", "you", "another", "another")
        with guest.sit(table) as other, guest.sit(table) as large:
            event = other.sync()["event"]
            large.sync()
            large.socket.send(json.dumps({"play": other.scene["moves"][0]["line"], "event": event, "id": "x" * 9000}))
            assert large.closed() == 1009
            assert other.sync(event)["event"] == event
            other.say(play=other.scene["moves"][0]["line"], event=event, id="small")
            while "small" not in other.done:
                other.hear()


# wrong names and origins


def test_no_socket_at_a_wrong_host_name(server: ServerProcess) -> None:
    """A name that somebody else points here gets no socket, even beside a right one; pages are in tests/traces."""
    with pytest.raises(InvalidStatus, match="403"):
        connect("ws://rebound.example/socket", sock=socket.create_connection(("127.0.0.1", server.port)))
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://127.0.0.1:{server.port}/socket", additional_headers={"Host": "rebound.example"})
    answer = httpx.post(f"{server.url}/play/bus", headers={"host": f"rebound.example:{server.port}"})
    assert answer.status_code == 421


@pytest.mark.server_config(PUBLIC)
async def test_origins(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Forms are accepted from the public address, from the host's own name, or from no page at all."""

    async def post(**headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return (await client.post("/settings", data={"back": "/"}, headers=named)).status_code

    assert await post(host="games.example.org", origin="https://games.example.org") == 303
    assert await post(host="localhost:8787", origin="http://localhost:8787") == 303
    assert await post(host="games.example.org") == 303
    assert await post(host="games.example.org", origin="null", sec_fetch_site="same-origin") == 303
    assert await post(host="127.0.0.1:8787", origin="https://games.example.org") == 303  # a proxy gives its own name
    strange = ("null", "https://[", "file://", "http://games.example.org")
    for origin in (*strange, "https://elsewhere.example", "http://localhost:8787"):
        assert await post(host="games.example.org", origin=origin) == 403
    for site in ("cross-site", "same-site"):
        assert await post(host="games.example.org", sec_fetch_site=site) == 403
    assert await post(host="elsewhere.example", origin="https://elsewhere.example") == 421


@pytest.mark.server_config(PUBLIC)
async def test_cookies_behind_tls(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """They are secure if the public address uses TLS."""
    answer = await client.post("/play/bus", headers={"host": "games.example.org"})
    assert "; Secure" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]


def test_which_proxies_are_trusted(tmp_path: Path, server: ServerProcess, proxied: ServerProcess) -> None:
    """X-Forwarded headers count only from a named proxy, not even from this machine otherwise."""
    tls = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
    with running_server(tmp_path / "data", "--proxy", "192.0.2.0/24") as elsewhere:
        for running, secure in ((server, False), (proxied, True), (elsewhere, False)):
            answer = httpx.post(f"{running.url}/play/bus", headers=tls, timeout=SILENCE_S)
            assert ("; Secure" in answer.headers["set-cookie"]) is secure


async def test_headers_of_every_response(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """No foreign scripts, no frames, no sensors, no shared caches; static files may be cached."""
    for path in ("/", "/credits", "/nowhere", "/healthz", "/static/style.css"):
        headers = (await client.get(path)).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]
        assert headers["referrer-policy"] == "same-origin"
        assert "strict-transport-security" not in headers
        assert "server" not in headers
        assert (headers.get("cache-control") == "private, no-cache") is not path.startswith("/static/")


async def test_throttles_count_for_each_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of attempts within a while; when it is over, as many again."""
    now = [1000.0]
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    throttle = Throttle("2 per 1 minute")
    assert [await throttle.allows("a") for _ in range(3)] == [True, True, False]
    assert await throttle.allows("b")
    now[0] += 61
    assert await throttle.allows("a")
