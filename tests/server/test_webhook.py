"""Webhooks: where messages may go, and that they go there and nowhere else."""

from __future__ import annotations

import asyncio
import ssl
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from omnibus.server.notices import webhook, webhook_url
from omnibus.server.notices.webhook import Undelivered, WebhookSender, machine_addresses, resolve
from omnibus.server.notices.webhook_url import BadAddress, Webhook, is_public, read
from support.receivers import OK, listener

PUBLIC = "93.184.215.14"

SPECIAL = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254"),
    *("172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.1.1"),
    *("198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe"),
    *("64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1"),
    *("3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1"),
    *("168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::a83f:8110", "161.26.0.10", "166.9.12.34"),  # of clouds
    *("100.100.100.200", "169.254.0.23", "192.0.0.192", "fd00:ec2::254", "fd00:42::42", "fd20:ce::254"),
    *("", "localhost", "2130706433", "0177.0.0.1", "0x7f.1", "127.1"),
]
ORDINARY = [PUBLIC, "8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("address", SPECIAL)
def test_no_special_address_is_public(address: str) -> None:
    """Loopback, private, link-local, multicast, reserved, documentation, services of clouds — in every disguise."""
    assert not is_public(address)


@pytest.mark.parametrize("address", [*ORDINARY, "64:ff9b::808:808"])
def test_ordinary_addresses_are_public(address: str) -> None:
    """Those of machines somewhere on the net; also of IPv4 from a network that has none."""
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_disguises_do_not_help(address: IPv4Address) -> None:
    """An IPv4 address inside one of IPv6 is judged as itself."""
    assert is_public(f"::ffff:{address}") == is_public(f"64:ff9b::{address}") == is_public(str(address))


@given(st.ip_addresses(v=6))
def test_what_is_public_is_global(address: IPv6Address) -> None:
    """Nothing is thought to be public that Python's own table knows to be private."""
    assert not (is_public(str(address)) and address.is_private and address.ipv4_mapped is None)


NO_URL = (
    *("", "example.org/hook", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org:6379/_FLUSHALL"),
    *("http:///path", "http://", "http://[::1", "http://[fe80::1%25eth0]/", "http://example.org:99999/"),
    *("http://example.org:x/", "http://example.org/a b", "http://example.org/\r\nX-Header: 1"),
    *("http://example.org\\@127.0.0.1/", "http://exämple.org/", "http://ⓔxample.org/"),
)
WITH_PASSWORD = ("http://u@example.org/", "http://example.org:80@127.0.0.1/", "https://user:password@example.org/")
REFUSED = {
    **dict.fromkeys(NO_URL, webhook_url.BAD_URL),
    **dict.fromkeys(WITH_PASSWORD, webhook_url.WITH_PASSWORD),
    **{f"http://example.org:{port}/": webhook_url.BAD_PORT for port in (25, 22, 0)},
    "http://example.org/" + "x" * 500: webhook_url.TOO_LONG,
}


@pytest.mark.parametrize("text", REFUSED)
def test_bad_webhooks(text: str) -> None:
    """What is no http address of a server is refused, in one sentence."""
    with pytest.raises(BadAddress) as refused:
        read(text)
    assert str(refused.value) == REFUSED[text]


def test_good_webhooks() -> None:
    """Taken apart, with the port where it has to be named."""
    assert read("https://Example.org/a/b?c=d#e") == Webhook(True, "example.org", 443, "/a/b?c=d")
    assert read("http://example.org:8080") == Webhook(False, "example.org", 8080, "/")
    assert read("http://example.org:8080").site == "example.org:8080"
    assert read("http://[2606:4700::1]/").site == "[2606:4700::1]"


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    """And what is read makes a request of one line."""
    for address in (text, f"http://{text}", f"https://example.org/{text}"):
        try:
            webhook = read(address)
        except BadAddress:
            continue
        assert not set(webhook.path + webhook.site) & set(" \r\n\t\0")


ON_THIS_MACHINE = WebhookSender(private=True)


async def told(carrier: WebhookSender, address: str) -> str:
    """Why a message did not arrive; nothing if it did."""
    try:
        await carrier.deliver(address, b'{"text":"now"}')
    except Undelivered as error:
        return error.why
    return ""


THIS_MACHINE = [
    *("127.0.0.1", "localhost", "2130706433", "0x7f000001", "017700000001", "0177.0.0.1", "127.1", "0", "127.0.0.1."),
    *("[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]"),
]


@pytest.mark.parametrize("host", THIS_MACHINE)
async def test_no_way_of_writing_leads_to_this_machine(host: str) -> None:
    """The system may understand what we do not: what counts is the address it finds."""
    async with listener() as listening:
        why = await told(WebhookSender(private=False), f"http://{host}:{listening.port}/")
        assert why in (webhook_url.NOT_PUBLIC, webhook.NO_SUCH_HOST)
        assert listening.heard == []


async def test_a_message_arrives() -> None:
    """Where the host allows it, on this machine too: one POST of JSON, under the name that was asked for."""
    async with listener() as listening:
        assert await told(ON_THIS_MACHINE, f"http://localhost:{listening.port}/hook?to=me#x") == ""
        ((head, body),) = listening.heard
    assert head.startswith("POST /hook?to=me HTTP/1.1\r\n")
    assert f"Host: localhost:{listening.port}\r\n" in head
    assert body == b'{"text":"now"}'


ANSWERS = {
    b"HTTP/1.1 200 OK\r\n" + b"x" * 100_000: "",
    b"HTTP/1.0 201 \r\n\r\n": "",
    b"HTTP/1.1 500 Oh\r\n\r\n": webhook.BAD_STATUS,
    b"HTTP/1.1 404 No\r\n\r\n": webhook.BAD_STATUS,
    **dict.fromkeys((b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 2xx OK\r\n\r\n", b""), webhook.NOT_HTTP),
    b"HTTP/1.1 200 " + b"x" * 100_000: webhook.NOT_HTTP,
}


async def test_answers() -> None:
    """Only the first line of an answer counts, and it is short."""
    async with listener(*ANSWERS) as listening:
        assert [await told(ON_THIS_MACHINE, listening.url) for _ in ANSWERS] == list(ANSWERS.values())


async def test_no_redirect_is_followed() -> None:
    """Not to this machine, nor anywhere else."""
    async with listener() as inside:
        location = f"Elsewhere\r\nLocation: {inside.url}\r\n\r\n"
        away = [f"HTTP/1.1 {status} {location}".encode() for status in (301, 302, 303, 307, 308)]
        async with listener(*away) as outside:
            assert [await told(ON_THIS_MACHINE, outside.url) for _ in away] == [webhook.REDIRECTED] * 5
        assert inside.heard == []


async def test_nobody_there() -> None:
    """No server, no such name, and one that never answers."""

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(-1)  # until the other side gives up
        gone.set()
        writer.close()

    gone = asyncio.Event()

    async def nowhere(host: str, port: int) -> list[str]:
        raise OSError

    async with listener() as listening:
        closed = listening.url
    assert await told(ON_THIS_MACHINE, closed) == webhook.UNREACHABLE
    assert await told(WebhookSender(private=True, resolve=nowhere), "http://no.example/") == webhook.NO_SUCH_HOST
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await told(WebhookSender(private=True, timeout=1.0), f"http://127.0.0.1:{port}/") == webhook.TOO_SLOW
        await gone.wait()


class Guide:
    """A name server that answers differently every time, and a door that remembers who went through it."""

    def __init__(self, *answers: list[str], port: int = 0) -> None:
        self.answers = list(answers)
        self.reached: list[Any] = []
        self._port = port

    async def resolve(self, host: str, port: int) -> list[str]:
        return self.answers.pop(0)

    async def connect(self, address: str, port: int, **more: Any) -> Any:
        """Go to this machine instead, and remember where to."""
        self.reached.append((address, port, more.pop("server_hostname", None)))
        more.pop("ssl", None)
        return await asyncio.open_connection("127.0.0.1", self._port, **more)


async def test_a_name_that_changes_its_meaning() -> None:
    """The address that was examined is the one connected to; when the name means this machine, nothing is sent."""
    async with listener() as listening:
        guide = Guide([PUBLIC], ["127.0.0.1"], [PUBLIC, "::1"], port=listening.port)
        carrier = WebhookSender(private=False, resolve=guide.resolve, connect=guide.connect)
        assert await told(carrier, "https://rebind.example/") == ""
        assert guide.reached == [(PUBLIC, 443, "rebind.example")]
        assert len(guide.answers) == 2  # it was asked once
        for _ in range(2):
            assert await told(carrier, "https://rebind.example/") == webhook_url.NOT_PUBLIC
        assert len(guide.reached) == len(listening.heard) == 1


async def test_the_next_address_is_tried() -> None:
    """A host may have addresses that do not answer from here."""
    async with listener(OK) as listening:
        guide = Guide(["127.0.0.9", "127.0.0.1"])
        carrier = WebhookSender(private=True, resolve=guide.resolve)
        assert await told(carrier, f"http://two.example:{listening.port}/") == ""


async def test_certificates_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the name in the address, not against the address that was found; strangers' are not believed."""
    authority = trustme.CA()
    security = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("hooks.example").configure_cert(security)
    async with listener(security=security) as listening:

        async def here(host: str, port: int) -> list[str]:
            return ["127.0.0.1"]

        carrier = WebhookSender(private=True, resolve=here)
        stranger = await told(carrier, f"https://hooks.example:{listening.port}/")
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert await told(carrier, f"https://hooks.example:{listening.port}/") == ""
        other = await told(carrier, f"https://other.example:{listening.port}/")
        assert stranger == other == webhook.NOT_SECURE
        assert len(listening.heard) == 1


async def refusal(sender: WebhookSender, address: str) -> str:
    """Why messages could not go to an address; nothing if they could."""
    try:
        await sender.check(address)
    except Undelivered as error:
        return error.why
    return ""


async def test_checked_before_it_is_saved() -> None:
    """Whether messages could go there, without sending any."""
    async with listener() as listening:
        assert await refusal(ON_THIS_MACHINE, listening.url) == ""
        assert await refusal(WebhookSender(private=False), listening.url) == webhook_url.NOT_PUBLIC
        assert listening.heard == []
    assert await resolve("127.0.0.1", 80) == ["127.0.0.1"]


async def test_the_server_itself_is_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not under its public name, nor under another name for one of its public addresses; other servers are."""
    own, interface = "93.184.216.34", "93.184.216.99"
    names = {
        "games": [own],
        "alias": [own],
        "mapped": [f"::ffff:{own}"],
        "interface": ["8.8.4.4", interface],
        "elsewhere": ["8.8.8.8"],
    }

    async def resolve(host: str, _: int) -> list[str]:
        return names[host.removesuffix(".example.org")]

    monkeypatch.setattr(webhook, "machine_addresses", lambda: {interface})
    sender = WebhookSender(private=False, public_url="https://games.example.org", resolve=resolve)
    assert [await refusal(sender, f"https://{host}.example.org/hook") for host in names] == [
        webhook_url.OWN_ADDRESS
    ] * 4 + [""]
    assert all(ip_address(address) for address in machine_addresses())
