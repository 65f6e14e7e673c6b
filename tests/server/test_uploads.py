"""Uploaded records: how large they may be, and what is kept of what was drawn."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from omnibus import Match
from omnibus.server.store.models import Sitter
from omnibus.server.tables.board_view import BoardView, Reader
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.uploads import PictureCache, record_view

CROSSINGS = 30


def dense() -> dict[str, Any]:
    """A city in which every crossing is joined to every other."""
    return {
        "name": "dense",
        "stations": [1, 2],
        "centre": [3, 4, 5, 6],
        "crossings": [
            {"id": name, "xy": [name % 6, name // 6], "plots": ["A"] if name > 2 else []}
            for name in range(1, CROSSINGS + 1)
        ],
        "streets": [[one, other] for one in range(1, CROSSINGS + 1) for other in range(one + 1, CROSSINGS + 1)],
    }


def record_of(city: Any) -> str:
    return Match.new("bus", options={"city": city}, seed=1).record()


async def test_a_map_with_too_many_streets_is_refused(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """As a record, with its line, and as a table; what was stored before there was a limit is still shown."""
    text = record_of(dense())
    answer = await client.post("/records", files={"record": ("a.game", text.encode())})
    assert answer.status_code == 400
    assert "435 streets; at most 90" in answer.text
    user, _ = await registry.user_store.add_user()
    with pytest.raises(ValueError, match="too large for a new game"):
        await registry.open(user.id, "bus", {"city": dense()}, [Sitter(user=user.id)] * 3)
    stored = await registry.table_store.add_record(text, user.id)
    assert (await client.get(f"/records/{stored}")).status_code == 200


def test_pictures_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers of all records share what was drawn; the oldest go when there is too much."""
    matches = [Match.read(record_of(city)) for city in ("bus-city", "small-town")]
    views = [record_view(match, Reader(None, "en")) for match in matches]
    assert all(view.svg for view in views)
    drawn = []

    def draw(match: Match, _: Reader, view: BoardView, known: str) -> BoardView:
        drawn.append(match)
        return views[matches.index(match)]

    monkeypatch.setattr("omnibus.server.uploads.for_reader", draw)
    cache = PictureCache(most=max(len(view.svg or "") for view in views))
    for match, view in zip(matches, views, strict=True):
        for _ in range(3):
            assert cache.on_ground(match, Reader(None, "en"), view, "").svg == view.svg
        assert cache.on_ground(match, Reader(None, "en"), view, view.ground) is view
    assert drawn == matches
    cache.on_ground(matches[0], Reader(None, "en"), views[0], "")
    assert drawn == [*matches, matches[0]]
