"""The configuration of a server: set once when it starts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct
from starlette.requests import HTTPConnection

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
ALL_ADDRESSES: Final = ("0.0.0.0", "::", "")
LOCAL_SUFFIXES: Final = (".local", ".lan", ".internal", ".home.arpa")
"""Names with these endings are not in the public DNS, so that no stranger can point one at this machine."""

_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::\d{0,5})?")


class ServerConfig(Struct, frozen=True):
    """The configuration of a server. The defaults are for a server that only this machine uses."""

    public_url: str = ""
    """The public address, like `https://games.example.org`; empty when there is none."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose forwarding headers are trusted."""
    smtp: str = ""
    """The URL of the mail server; empty when there is none."""
    private_webhooks: bool = False
    """Whether webhooks may be in private networks."""
    limits: bool = False
    """Whether rate limits apply."""
    host: str | None = None
    """The address the server listens on; None in tests, where any host name is accepted."""
    shared: bool = True
    """Whether others can reach the server. If not, as in a browser of its own (static_site), there are no friends to
    play with, no messages, no other devices and no programs, and pages do not offer them."""
    metrics: tuple[str, ...] = ()
    """Addresses and networks that may read the metrics."""
    tournament_hosts: tuple[str, ...] | None = None
    """The claimed names of those who may set up tournaments; None: everybody who has claimed a name."""
    local_url: str = "http://127.0.0.1:8787"
    """The address of the server on this machine."""

    @property
    def secure(self) -> bool:
        """Whether the public address uses HTTPS."""
        return self.public_url.startswith("https://")

    @property
    def contact(self) -> str:
        """Where the operator of another service finds out who runs this one; empty if nowhere."""
        return self.public_url if self.secure else ""

    def link(self, connection: HTTPConnection | None, path: str) -> str:
        """Return the URL of a path: with the public address, or the one through which a visitor reached the server."""
        if self.public_url or connection is None:
            return (self.public_url or self.local_url) + path
        return f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}{path}"

    def knows(self, host: str) -> bool:
        """Tell whether a `Host` header, with or without port, names this server.

        Otherwise another site could point its own name at this machine and act like one of our pages (DNS rebinding).
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
        """Tell whether a request to `host` from a page of that origin comes from one of our pages.

        With the public address the scheme must match too: a page without HTTPS may be anybody's.
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
    """Tell whether the public DNS cannot point a name elsewhere: addresses, names without a dot, local names."""
    try:
        ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(LOCAL_SUFFIXES)
    return True


def checked_url(url: str) -> str:
    """Return the public address as an origin; ValueError says what is wrong with it."""
    wrong = ValueError(f"--public-url must look like https://games.example.org, without a path, not {url!r}")
    try:
        parts = urlsplit(url)
        port, name = parts.port, _ascii(parts.hostname or "")
    except ValueError:
        raise wrong from None
    if parts.scheme not in DEFAULT_PORTS or parts.path not in ("", "/") or not _bare(parts):
        raise wrong
    shown = f"[{name}]" if ":" in name else name
    if not _HOST.fullmatch(shown):
        raise wrong
    return f"{parts.scheme}://{shown}" + ("" if port in (None, DEFAULT_PORTS[parts.scheme]) else f":{port}")


def _bare(parts: SplitResult) -> bool:
    return not (parts.query or parts.fragment or parts.username is not None or parts.password is not None)


def _ascii(name: str) -> str:
    """Encode a host name with letters beyond ASCII (IDNA)."""
    return name if name.isascii() else name.encode("idna").decode()


def checked_networks(given: Sequence[str], option: str) -> tuple[str, ...]:
    """Return the values of an option as addresses and networks; ValueError names the one that is neither.

    IPv4 addresses are added in their mapped form too: that is how they appear when the server listens on IPv6.
    """
    found: list[str] = []
    for each in given:
        try:
            network = ip_network(each)
        except ValueError as error:
            raise ValueError(
                f"{option} must be an address or a network, like 10.0.0.2 or 10.0.0.0/8: {error}"
            ) from None
        if network.prefixlen == 0:
            raise ValueError(f"{option} {each} would trust everybody; give an address or a smaller network")
        found.append(str(network) if "/" in each else str(network.network_address))
        if network.version == 4:
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return tuple(found)
