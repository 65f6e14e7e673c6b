"""How a house is reached, and what its host allows: said once when it is opened, then only looked up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct
from starlette.requests import HTTPConnection

USUAL_PORTS: Final = {"http": 80, "https": 443}
EVERYWHERE: Final = ("0.0.0.0", "::", "")
NEARBY: Final = (".local", ".lan", ".internal", ".home.arpa")
"""Names of these kinds stand in no public directory, so that no stranger can let one of them lead here."""

_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::\d{0,5})?")


class ServerConfig(Struct, frozen=True):
    """What was said when the house was opened. Nothing: it is there for this machine only."""

    public_url: str = ""
    """The address others know it by, `https://games.example.org`; empty: none."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose word is taken for whom they speak for."""
    smtp: str = ""
    """The mail server that takes letters; empty: none."""
    private_webhooks: bool = False
    """Whether webhooks may lead into private networks."""
    limits: bool = False
    """Whether too much at once is refused."""
    host: str | None = None
    """Where it listens; None: on no port, as in tests, and then under any name."""
    local_url: str = "http://127.0.0.1:8787"
    """The address this machine itself knows it by."""

    @property
    def secure(self) -> bool:
        """Whether others come by TLS."""
        return self.public_url.startswith("https://")

    def link(self, connection: HTTPConnection | None, path: str) -> str:
        """Make a path an address that can be sent to somebody; a connection says where its visitor found the house."""
        if self.public_url or connection is None:
            return (self.public_url or self.local_url) + path
        return f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}{path}"

    def knows(self, host: str) -> bool:
        """Tell whether what a visitor took for the name of this house is one (a header `Host`, with or without port).

        A page elsewhere can let its own name lead to this machine, and then ask as if it were one of ours.
        """
        if self.host is None:
            return True
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = match[1].strip("[]").lower()
        if is_loopback(name) or name == urlsplit(self.public_url).hostname:
            return True
        return not self.public_url and not is_loopback(self.host) and _unrebindable(name)

    def is_origin(self, origin: str, host: str) -> bool:
        """Tell whether a page of that origin, which asks under the name `host`, is one of this house.

        Under its public name only with the scheme of it: a page that came without TLS may be anybody's.
        """
        if self.public_url and (origin == self.public_url or host == urlsplit(self.public_url).netloc):
            return origin == self.public_url
        return _netloc(origin) == host


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def is_loopback(name: str) -> bool:
    """Tell whether a name or address can only be reached from this machine."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def _unrebindable(name: str) -> bool:
    """Tell whether no public directory can say where a name leads: addresses, names without a dot, names nearby."""
    try:
        ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(NEARBY)
    return True


def checked_url(url: str) -> str:
    """Return the public address as browsers write an origin; ValueError says what is wrong with it."""
    wrong = ValueError(f"--public-url is like https://games.example.org, without a path, not {url!r}")
    try:
        parts = urlsplit(url)
        port, name = parts.port, _ascii(parts.hostname or "")
    except ValueError:
        raise wrong from None
    if parts.scheme not in USUAL_PORTS or parts.path not in ("", "/") or not _bare(parts):
        raise wrong
    shown = f"[{name}]" if ":" in name else name
    if not _HOST.fullmatch(shown):
        raise wrong
    return f"{parts.scheme}://{shown}" + ("" if port in (None, USUAL_PORTS[parts.scheme]) else f":{port}")


def _bare(parts: SplitResult) -> bool:
    return not (parts.query or parts.fragment or parts.username is not None or parts.password is not None)


def _ascii(name: str) -> str:
    """Write a name as it travels: letters beyond ASCII have a form of their own there."""
    return name if name.isascii() else name.encode("idna").decode()


def checked_proxies(proxies: Sequence[str]) -> tuple[str, ...]:
    """Return proxies as addresses and networks; ValueError names the one that is neither.

    Where the house listens on IPv6 an IPv4 address appears in its mapped form, which is added.
    """
    found: list[str] = []
    for proxy in proxies:
        try:
            network = ip_network(proxy)
        except ValueError as error:
            raise ValueError(f"--proxy is an address or a network, like 10.0.0.2 or 10.0.0.0/8: {error}") from None
        if network.prefixlen == 0:
            raise ValueError(f"--proxy {proxy} would believe everybody; name the proxy's own address")
        found.append(str(network) if "/" in proxy else str(network.network_address))
        if network.version == 4:
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return tuple(found)
