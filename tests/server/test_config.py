"""The configuration of a server: host names, public address, origins, proxies."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from omnibus.server.config import ServerConfig, checked_networks, checked_url
from omnibus.server.serve import server_config


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("https://games.example.org", "https://games.example.org"),
        ("https://games.example.org/", "https://games.example.org"),
        ("https://Games.Example.org:443", "https://games.example.org"),
        ("http://games.example.org:8080", "http://games.example.org:8080"),
        ("http://[2001:db8::1]:80/", "http://[2001:db8::1]"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_a_public_address(said: str, meant: str) -> None:
    """It is kept as browsers write the origin of a page."""
    assert checked_url(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        *("", "games.example.org", "ftp://games.example.org", "https://", "https:///tables", "https://a.example/games"),
        *("https://a.example?x=1", "https://a.example#x", "https://ann:secret@a.example", "https://a.example:99999"),
        *("https://a b.example", "https://[::1", "https://a.example:port", "javascript:alert(1)", "https://a..\u00fc"),
    ],
)
def test_what_is_no_public_address(said: str) -> None:
    """One sentence says what one looks like."""
    with pytest.raises(ValueError, match="--public-url must look like https://games"):
        checked_url(said)


def test_proxies() -> None:
    """Addresses and networks, also as a server on IPv6 sees them; none that would trust everybody."""
    assert checked_networks(["10.0.0.2"], "--proxy") == ("10.0.0.2", "::ffff:10.0.0.2/128")
    assert checked_networks(["10.0.0.0/8", "::1"], "--proxy") == ("10.0.0.0/8", "::ffff:10.0.0.0/104", "::1")
    for wrong in ("*", "proxy.example", "10.0.0.1/8", "300.1.1.1", ""):
        with pytest.raises(ValueError, match="--proxy must be an address or a network"):
            checked_networks([wrong], "--proxy")
    with pytest.raises(ValueError, match="would trust everybody"):
        checked_networks(["0.0.0.0/0"], "--proxy")


def test_limits_begin_where_others_come_in() -> None:
    """On this machine alone nobody is too fast."""
    assert not server_config("127.0.0.1", None, []).limits
    assert not server_config("localhost", None, []).limits
    assert not server_config("::1", None, []).limits
    assert server_config("0.0.0.0", None, []).limits
    assert server_config("127.0.0.1", "https://games.example.org", []).limits
    assert server_config("127.0.0.1", None, ["127.0.0.1"]).limits


LOCAL = ["localhost", "localhost:8787", "127.0.0.1:80", "[::1]:8787", "LOCALHOST"]
NEAR = ["192.168.1.5:8787", "[fe80::1]", "attic", "attic.local:8787"]
FAR = ["rebound.example", "rebound.example:8787", "localhost.rebound.example"]
NONSENSE = ["", "a b", "ann@localhost", "localhost/x", "localhost:8787:1", "[::1", "x" * 300]


def test_host_names() -> None:
    """No other site can point its own name at this server and pass for one of its pages."""
    alone, near = server_config("127.0.0.1", None, []), server_config("0.0.0.0", None, [])
    public = server_config("0.0.0.0", "https://games.example.org", [])
    for config, welcome, unknown in (
        (alone, LOCAL, NEAR + FAR),
        (near, LOCAL + NEAR, FAR),
        (public, [*LOCAL, "games.example.org", "Games.Example.org:443"], NEAR + FAR),
    ):
        assert [name for name in welcome + unknown + NONSENSE if config.knows(name)] == welcome
    assert ServerConfig().knows("anything at all")


def test_links() -> None:
    """What is sent to others leads to the public address; without one, to where the visitor is."""
    scope = {"type": "http", "scheme": "http", "path": "/", "query_string": b"", "headers": [(b"host", b"attic:8787")]}
    visit = HTTPConnection({**scope, "server": ("attic", 8787), "root_path": ""})
    public = ServerConfig(public_url="https://games.example.org")
    assert public.link(visit, "/join/x") == "https://games.example.org/join/x"
    assert ServerConfig().link(visit, "/join/x") == "http://attic:8787/join/x"
    assert ServerConfig(local_url="http://127.0.0.1:9").link(None, "/join/x") == "http://127.0.0.1:9/join/x"
    socket = HTTPConnection({**scope, "type": "websocket", "scheme": "wss", "server": ("attic", 8787), "root_path": ""})
    assert ServerConfig().link(socket, "/x") == "https://attic:8787/x"
