"""The pages of team matches; all else about them is in tests/traces/teams."""

from __future__ import annotations

import httpx

from omnibus.kernel.i18n import LANGUAGES


async def test_pages(client: httpx.AsyncClient) -> None:
    """The form and the match in every language; who has a seat in it is offered no other one."""
    made = await client.post("/team-matches", data={"match": "times_square 2 teams", "name": "Ann"})
    path = made.headers["location"]
    for language in LANGUAGES:
        said = {"accept-language": language}
        assert (await client.get("/team-matches/new?game=metromania", headers=said)).text.count("<option ") == 5
        page = (await client.get(path, headers=said)).text
        assert ("<strong>Ann</strong>" in page, page.count("/sit/")) == (True, 0)
