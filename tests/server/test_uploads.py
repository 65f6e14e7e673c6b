"""Uploaded records: how large a map may be; all else about them is in tests/traces/records."""

from __future__ import annotations

import httpx
from fastapi import FastAPI

from omnibus import Match
from support.live import arrive

CROSSINGS = range(1, 31)


async def test_a_map_with_too_many_streets_is_refused(app: FastAPI, client: httpx.AsyncClient) -> None:
    """As a record, with its line, and as a table; what was stored before there was a limit is still shown."""
    crossings = [{"id": name, "xy": [name % 6, name // 6], "plots": ["A"] if name > 2 else []} for name in CROSSINGS]
    streets = [[one, other] for one in CROSSINGS for other in CROSSINGS if one < other]
    city = {"name": "dense", "stations": [1, 2], "centre": [3, 4, 5, 6], "crossings": crossings, "streets": streets}
    text = Match.new("bus", options={"city": city}, seed=1).record()
    answer = await client.post("/records", files={"record": ("a.game", text.encode())})
    assert answer.status_code == 400
    assert "435 streets; at most 90" in answer.text
    (ann,) = await arrive(app, client, "Ann")
    wish = {"game": "bus", "seats": [{"who": "you"}] * 3, "options": {"city": city}}
    assert "too large for a new game" in (await ann.ask("POST tables", wish, status=400))["text"]
    user = (await ann.ask("GET users/me"))["id"]
    stored = await app.state.registry.table_store.add_record(text, user)
    assert (await client.get(f"/records/{stored}")).status_code == 200
