"""Devices that get push messages, and the key with which this server signs them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from omnibus.server.store.database import Database, Transaction

MOST_DEVICES: Final = 20  # of one user; the latest are kept
_KEY: Final = "push"


class PushSubscription(Struct, frozen=True):
    """Where and how to send messages to a browser."""

    endpoint: str
    """The URL at the push service of the browser's maker."""
    p256dh: str
    """The public key of the browser, in base64url."""
    auth: str
    """A secret that only the browser and this server know, in base64url."""


class PushStore:
    """Stores subscriptions, each with the device that made it: they end when the device is signed out."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, user: str, device: str, subscription: PushSubscription) -> None:
        """Add a device of a user, given the hash of its token; what it had before is replaced."""
        row = (subscription.endpoint, user, device, subscription.p256dh, subscription.auth, time.time())

        async def add(transaction: Transaction) -> None:
            await transaction.execute("DELETE FROM push_subscriptions WHERE device = ?", device)
            query = (
                "INSERT INTO push_subscriptions (endpoint, user, device, p256dh, auth, created) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET user = excluded.user, "
                "device = excluded.device, p256dh = excluded.p256dh, auth = excluded.auth, created = excluded.created"
            )
            await transaction.execute(query, *row)
            extra = (
                "DELETE FROM push_subscriptions WHERE user = ?1 AND endpoint NOT IN (SELECT endpoint FROM "
                "push_subscriptions WHERE user = ?1 ORDER BY created DESC LIMIT ?2)"
            )
            await transaction.execute(extra, user, MOST_DEVICES)

        await self.database.write(add)

    async def of(self, user: str) -> list[PushSubscription]:
        """Return the subscriptions of a user, the latest first."""
        query = "SELECT endpoint, p256dh, auth FROM push_subscriptions WHERE user = ? ORDER BY created DESC"
        return [PushSubscription(*row) for row in await self.database.read(query, user)]

    async def remove(self, endpoint: str, user: str | None = None) -> None:
        """Remove a subscription that no longer works, or one of a user."""
        query = "DELETE FROM push_subscriptions WHERE endpoint = ?1 AND (?2 = '' OR user = ?2)"
        await self.database.execute(query, endpoint, user or "")

    async def key(self, make: Callable[[], str]) -> str:
        """Return the private key of this server; the first process that needs one makes it."""
        found = await self._key()
        if found is None:
            query = "INSERT INTO server_keys (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING"
            await self.database.execute(query, _KEY, make())
            found = await self._key()
        assert found is not None
        return found

    async def _key(self) -> str | None:
        rows = await self.database.read("SELECT value FROM server_keys WHERE name = ?", _KEY)
        return str(rows[0][0]) if rows else None

    async def replace_key(self, key: str) -> int:
        """Set another key; return how many devices have to subscribe again, because they trusted the former one."""

        async def replace(transaction: Transaction) -> int:
            await transaction.execute("DELETE FROM server_keys WHERE name = ?", _KEY)
            await transaction.execute("INSERT INTO server_keys (name, value) VALUES (?, ?)", _KEY, key)
            return await transaction.execute("DELETE FROM push_subscriptions")

        return await self.database.write(replace)
