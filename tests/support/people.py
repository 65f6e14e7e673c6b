"""People with claimed names, for tests."""

from __future__ import annotations

import httpx

from omnibus.server.people import accounts
from omnibus.server.store.models import User
from omnibus.server.tables.registry import TableRegistry
from support.api_client import Caller


async def claimed(registry: TableRegistry, name: str) -> User:
    """Make somebody who has claimed a name."""
    user, _ = await registry.user_store.add_user(name)
    await registry.user_store.add_token("recovery", user=user.id)
    await accounts.claim(registry, user, name)
    return user


async def claimed_caller(client: httpx.AsyncClient, registry: TableRegistry, name: str) -> tuple[User, Caller]:
    """Make somebody who has claimed a name and calls the API."""
    user = await claimed(registry, name)
    return user, Caller(client, await registry.user_store.add_token("device", user=user.id))
