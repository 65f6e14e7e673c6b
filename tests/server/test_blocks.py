"""The pages about blocked players; what a block keeps apart is in tests/traces/blocks."""

from __future__ import annotations

import httpx
import pytest

from omnibus.server.http.visitor import TOKEN
from support.api_client import known

pytestmark = pytest.mark.both_databases

LISTED = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}], "listed": True}


async def test_blocking_on_pages(client: httpx.AsyncClient) -> None:
    """Somebody is blocked on the page of a table, is not in one's lobby, and is unblocked on the page of friends."""
    ann, bert, cy = [await known(client, name) for name in ("Anna", "Bert", "Cy")]
    own, table = [(await each.ask("POST tables", LISTED, status=201))["id"] for each in (ann, bert)]

    async def lobby_of(token: str) -> list[bool]:
        client.cookies.set(TOKEN, token)
        page = (await client.get("/")).text
        return [f"/tables/{each}" in page for each in (own, table)]

    tokens = [each.headers["authorization"].split(" ")[1] for each in (ann, bert, cy)]
    assert [await lobby_of(token) for token in tokens] == [[True, True]] * 3
    client.cookies.set(TOKEN, tokens[0])
    assert "Block: Bert" in (await client.get(f"/tables/{table}/players")).text
    await client.post("/friends/block", data={"table": table, "seat": "0"})
    assert [await lobby_of(token) for token in tokens] == [[True, False], [False, True], [True, True]]
    client.cookies.set(TOKEN, tokens[0])
    assert "Unblock: Bert" in (await client.get("/friends")).text
    (blocked,) = (await ann.ask("GET users/me/blocks"))["blocked"]
    await client.post("/friends/unblock", data={"whom": blocked["key"]})
    assert [await lobby_of(token) for token in tokens] == [[True, True]] * 3
