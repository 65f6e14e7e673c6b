"""Which URLs messages may be sent to. Users choose them, so none may reach into the server's own network."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from omnibus.kernel.i18n import mark

LONGEST: Final = 500  # characters
PORTS: Final = {"http": 80, "https": 443}
FIRST_FREE_PORT: Final = 1024  # below are mail, SSH and the like, which webhooks must not reach

BAD_URL: Final = mark("This is not a valid webhook URL. It must begin with http:// or https:// and name a server.")
TOO_LONG: Final = mark("The URL can have at most 500 characters.")
WITH_PASSWORD: Final = mark("The URL must not contain a user name or password.")
BAD_PORT: Final = mark("Webhooks can use port 80, port 443, or any port from 1024 up.")
NOT_PUBLIC: Final = mark("This address is not on the public internet. This server does not allow such webhooks.")
OWN_ADDRESS: Final = mark("This is the address of this server itself. A webhook must be on another one.")

_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
_NAT64: Final = IPv6Network("64:ff9b::/96")  # stands for an IPv4 address in networks without IPv4
_SPECIAL: Final = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2002::/16", "3fff::/20", "5f00::/16")))
_OF_CLOUDS: Final = tuple(map(ip_network, ("168.63.129.16", "161.26.0.0/16", "166.8.0.0/14")))
"""Look public, but lead to services of the cloud a machine is in: of Azure (the host itself), and of IBM."""


class BadAddress(ValueError):
    """A URL nothing is sent to; the reason is a message to translate."""


class Webhook(Struct, frozen=True):
    """The URL of a webhook, taken apart."""

    secure: bool
    host: str
    port: int
    path: str
    """With the query."""

    @property
    def site(self) -> str:
        """The value of the Host header: with the port where it is not the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = PORTS["https" if self.secure else "http"]
        return host if self.port == usual else f"{host}:{self.port}"


def read(text: str) -> Webhook:
    """Read a URL; BadAddress says what is wrong with it."""
    if len(text) > LONGEST:
        raise BadAddress(TOO_LONG)
    if not text.isascii() or any(not " " < letter < "\x7f" or letter in '\\"<>^`{|}' for letter in text):
        raise BadAddress(BAD_URL)
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadAddress(BAD_URL) from None
    if parts.scheme not in PORTS or not host or "%" in host:
        raise BadAddress(BAD_URL)
    if "@" in parts.netloc:
        raise BadAddress(WITH_PASSWORD)
    if port is not None and port not in PORTS.values() and port < FIRST_FREE_PORT:
        raise BadAddress(BAD_PORT)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Webhook(parts.scheme == "https", host, port or PORTS[parts.scheme], path)


def is_public(address: str) -> bool:
    """Tell whether an IP address is on the public internet."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inside = _embedded(found)
        if inside is None and found not in _GLOBAL_UNICAST:
            return False
        found = inside or found
    special = found.is_multicast or found.is_reserved or found.is_unspecified
    return found.is_global and not special and not any(found in network for network in (*_SPECIAL, *_OF_CLOUDS))


def plain(address: str) -> str:
    """Return an address in its usual form, so that two ways of writing it are equal."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    inside = _embedded(found) if isinstance(found, IPv6Address) else None
    return str(inside or found)


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for, if any."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped
