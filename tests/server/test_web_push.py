"""Web Push: messages that a browser alone can read, signed by the server, sent to devices that are still there."""

from __future__ import annotations

import json
import re
import ssl
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi import FastAPI

from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.config import ServerConfig
from omnibus.server.http.visitor import TOKEN
from omnibus.server.notices.turn_notifier import TurnNotifier
from omnibus.server.notices.web_push import (
    LONGEST,
    RECORD_BYTES,
    authorization,
    decoded,
    derived,
    encoded,
    encrypted,
    new_key,
    public_key,
)
from omnibus.server.notices.webhook import Undelivered
from omnibus.server.store.models import Sitter
from omnibus.server.store.push import MOST_DEVICES, PushStore, PushSubscription
from omnibus.server.store.sqlite import FILE_NAME, SqliteDatabase
from omnibus.server.store.users import hashed
from omnibus.server.tables.registry import TableRegistry
from support.api_client import Caller
from support.command_line import omnibus
from support.receivers import listener
from support.seats import opened

from .test_account import another, me

CURVE = ec.SECP256R1()
GONE = b"HTTP/1.1 410 Gone\r\n\r\n"
BUSY = b"HTTP/1.1 503 Busy\r\n\r\n"
# The example of RFC 8291, section 5.
EXAMPLE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
LOCAL = pytest.mark.server_config(ServerConfig(private_webhooks=True))


@pytest.fixture
def secure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """What a push service on this machine needs for https, with a certificate that is believed here."""
    authority, security = trustme.CA(), ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(security)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return security


class Browser:
    """The side of a browser: its keys, and how it reads a message."""

    def __init__(self, private: int = 0, auth: bytes = b"0123456789abcdef") -> None:
        self.key = ec.derive_private_key(private, CURVE) if private else ec.generate_private_key(CURVE)
        self.auth = auth

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str = "https://93.184.215.14/send") -> PushSubscription:
        return PushSubscription(endpoint, encoded(self.point), encoded(self.auth))

    def as_json(self, endpoint: str) -> dict[str, Any]:
        """Write a subscription as `JSON.stringify` does."""
        found = self.subscription(endpoint)
        keys = {"p256dh": found.p256dh, "auth": found.auth}
        return {"endpoint": endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> bytes:
        """Decrypt a message (RFC 8291 and 8188)."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        secret = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        shared = derived(self.auth, secret, b"WebPush: info\0" + self.point + sender, 32)
        key = derived(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, shared, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        assert padded.endswith(b"\x02")
        return padded[:-1]


def signed(head: str, key: str) -> dict[str, Any]:
    """Check the signature of a request as a push service does; return what it says."""
    lines = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    token, shown = (part.split("=", 1)[1] for part in lines["Authorization"].removeprefix("vapid ").split(", "))
    assert shown == key
    said, _, signature = token.rpartition(".")
    numbers = [int.from_bytes(part, "big") for part in (decoded(signature)[:32], decoded(signature)[32:])]
    verifier = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(key))
    verifier.verify(encode_dss_signature(*numbers), said.encode(), ec.ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        verifier.verify(encode_dss_signature(*numbers), said.encode() + b"x", ec.ECDSA(SHA256()))
    claims: dict[str, Any] = json.loads(decoded(said.split(".")[1]))
    assert lines["Content-Encoding"] == "aes128gcm"
    return claims | {"ttl": int(lines["TTL"]), "topic": lines.get("Topic", "")}


def test_a_push_service_knows_whom_to_ask() -> None:
    """The signed statement names the address of the server, where there is one."""
    key = new_key()
    for contact, port in (("https://games.example.org", ""), ("", ":443")):
        statement = authorization(key, f"https://push.example.org{port}/x", contact)
        claims = signed(f"Authorization: {statement}\nContent-Encoding: aes128gcm\nTTL: 1", public_key(key))
        assert (claims["aud"], claims.get("sub", "")) == ("https://push.example.org", contact)


def test_the_example_of_the_standard() -> None:
    """What the tests take for a browser reads the message of RFC 8291, and messages of ours."""
    browser = Browser(
        int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"),
        decoded("BTBZMqHH6r4Tts7J_aSIgg"),
    )
    assert browser.read(decoded(EXAMPLE)) == b"When I grow up, I want to be a watermelon"
    assert browser.read(encrypted(b"Your turn", browser.subscription())) == b"Your turn"


@pytest.mark.both_databases
@LOCAL
async def test_a_device_is_told(
    client: httpx.AsyncClient, app: FastAPI, registry: TableRegistry, secure: ssl.SSLContext
) -> None:
    """Switched on by its browser, it gets what only it can read, when a table waits and no page is open."""
    notifier: TurnNotifier = app.state.notifier
    assert notifier.sender.push
    await client.post("/you/name", data={"name": "Ann"})
    user, browser = await me(client, registry), Browser()
    key = await notifier.sender.push.public_key()
    assert f'data-key="{key}"' in (await client.get("/you")).text
    async with listener(security=secure) as service:
        endpoint = f"https://127.0.0.1:{service.port}/send"
        assert (await client.post("/you/push", json=browser.as_json(endpoint))).status_code == 204
        assert f'data-known="{endpoint}"' in (await client.get("/you")).text
        table = await opened(registry, user.id, "times_square", {}, [Sitter(user=user.id)] * 2)
        await notifier.notify_later(user.id, table)
        assert notifier.due(user.id) is not None
        await notifier.notify(user.id)
        await service.until(1)
        head, body = service.heard[0]
        link = f"http://127.0.0.1:8787/tables/{table.setup.id}"
        told = {"title": "Your turn: Times Square", "text": "It is your turn in Times Square.", "link": link}
        assert json.loads(browser.read(body)) == told
        claims = signed(head, key)
        assert claims["aud"] == f"https://127.0.0.1:{service.port}"
        assert 0 < claims["exp"] - time.time() <= 24 * 3600
        assert claims["topic"] == table.setup.id
        page = await client.post("/you/test")
        assert "On this device: Delivered." in page.text
        await service.until(2)
        assert json.loads(browser.read(service.heard[1][1]))["title"] == "Test message"


@LOCAL
async def test_devices_that_are_gone_are_forgotten(
    client: httpx.AsyncClient, app: FastAPI, registry: TableRegistry, secure: ssl.SSLContext
) -> None:
    """A push service says so with 404 or 410; other errors leave the device where it is."""
    push = app.state.sender.push
    await client.post("/you/name", data={"name": "Ann"})
    user = await me(client, registry)
    async with listener(BUSY, GONE, security=secure) as service:
        await client.post("/you/push", json=Browser().as_json(f"https://127.0.0.1:{service.port}/send"))
        assert "status 503" in (await client.post("/you/test")).text
        assert len(await push.store.of(user.id)) == 1
        assert "No device is registered" in (await client.post("/you/test")).text
        assert await push.store.of(user.id) == []
    assert not (await registry.user_store.profile(user.id)).push


@LOCAL
async def test_subscriptions_end_with_their_device(
    client: httpx.AsyncClient, app: FastAPI, registry: TableRegistry
) -> None:
    """By the switch, by signing out the other devices, and when the browser is used by somebody else."""
    store: PushStore = app.state.sender.push.store
    await client.post("/you/name", data={"name": "Ann"})
    user = await me(client, registry)
    other = await registry.user_store.add_token("device", user=user.id)
    await client.post("/you/push", json=Browser().as_json("https://93.184.215.14/1"))
    caller = Caller(client, other)
    await caller.ask("PUT users/me/push", Browser().as_json("https://93.184.215.14/2"), status=204)
    told = await caller.ask("GET users/me/push")
    assert told["endpoints"] == ["https://93.184.215.14/2", "https://93.184.215.14/1"]
    await client.post("/you/devices")
    assert [each.endpoint for each in await store.of(user.id)] == ["https://93.184.215.14/1"]
    async with another(app) as second:
        await second.post("/you/name", data={"name": "Bob"})
        await second.post("/you/push/stop", json=Browser().as_json("https://93.184.215.14/1"))
        assert len(await store.of(user.id)) == 1  # not hers
        await second.post("/you/push", json=Browser().as_json("https://93.184.215.14/1"))
        assert await store.of(user.id) == []
        bob = await me(second, registry)
        assert len(await store.of(bob.id)) == 1
        await second.post("/you/push/stop", json=Browser().as_json("https://93.184.215.14/1"))
        assert await store.of(bob.id) == []


async def test_subscriptions_of_nobody(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Pages take them from users only, and refuse what is none or goes nowhere; more is in tests/traces/notices."""
    strange = Browser().as_json("https://127.0.0.1:9999/")
    assert (await client.post("/you/push", json=strange)).status_code == 404
    await client.post("/you/name", data={"name": "Ann"})
    assert (await client.post("/you/push", json={"endpoint": "https://93.184.215.14/"})).status_code == 400
    assert "not on the public internet" in (await client.post("/you/push", json=strange)).json()["text"]
    itself = Browser().as_json("https://server/send")
    assert "address of this server itself" in (await client.post("/you/push", json=itself)).json()["text"]
    store = PushStore(registry.table_store.database)
    assert await store.of((await me(client, registry)).id) == []


@LOCAL
async def test_messages_fit_into_one_record(app: FastAPI, registry: TableRegistry) -> None:
    """Push services take 4096 bytes and no more; what is longer is not sent."""
    browser, push = Browser(), app.state.sender.push
    sealed = encrypted(b"a" * LONGEST, browser.subscription())
    assert len(sealed) == RECORD_BYTES
    assert browser.read(sealed) == b"a" * LONGEST
    with pytest.raises(ValueError, match="too long"):
        encrypted(b"a" * (LONGEST + 1), browser.subscription())
    with pytest.raises(Undelivered, match="too long"):
        await push.deliver("", b"a" * (LONGEST + 1))


@pytest.mark.both_databases
async def test_the_latest_devices_are_kept(registry: TableRegistry) -> None:
    """So many of one user; and all processes on a database have the same key."""
    user, _ = await registry.user_store.add_user("Ann")
    store, browser = PushStore(registry.table_store.database), Browser()
    for number in range(MOST_DEVICES + 2):
        token = await registry.user_store.add_token("device", user=user.id)
        await store.add(user.id, hashed(token), browser.subscription(f"https://push.example.org/{number}"))
    kept = [each.endpoint for each in await store.of(user.id)]
    assert len(kept) == MOST_DEVICES
    assert kept[0].endswith(f"/{MOST_DEVICES + 1}")
    assert await store.key(new_key) == await PushStore(registry.table_store.database).key(new_key)


def test_the_command_for_keys(tmp_path: Path) -> None:
    """It shows the public key, and makes a new one only when it is told to."""
    asked = ("admin", "push-keys", "--data", str(tmp_path))
    SqliteDatabase(tmp_path / FILE_NAME).close()
    first, second = (omnibus(*asked).stdout.split()[-1] for _ in range(2))
    assert first == second
    assert len(decoded(first)) == 65
    omnibus(*asked, "--new", "--yes")
    assert omnibus(*asked).stdout.split()[-1] != first


@LOCAL
async def test_the_worker_is_served_for_all_pages(client: httpx.AsyncClient) -> None:
    """From the root, so that it can open every table."""
    answer = await client.get("/push_worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "showNotification" in answer.text
    texts = re.search(r"^const TEXTS = (.*);$", answer.text, re.MULTILINE)
    assert texts
    assert len(set(json.loads(texts[1]).values())) == len(json.loads(texts[1])) == len(LANGUAGES)
    assert client.cookies.get(TOKEN) is None
