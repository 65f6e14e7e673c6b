"""The API: its description, what it offers, and who may call it. What it answers is in tests/traces."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

from omnibus import games
from omnibus.bots import names as bot_names
from omnibus.server.api.__main__ import written
from support.api_client import Caller, known

ROOT = Path(__file__).parents[2]


async def test_games_and_bots(client: httpx.AsyncClient) -> None:
    """With their options, in the language asked for."""
    offer = await Caller(client).ask("GET games")
    assert [game["name"] for game in offer["games"]] == list(games.names())
    assert [bot["name"] for bot in offer["bots"]] == list(bot_names())
    for game in offer["games"]:
        for option in game["options"]:
            assert option["default"] in [choice["value"] for choice in option["choices"]]
    german = await client.get("/api/games", headers={"accept-language": "de"})
    assert german.json()["bots"] != offer["bots"]


async def test_cookies_work_from_our_own_pages(client: httpx.AsyncClient) -> None:
    """A cookie is enough there, but not from pages of other sites."""
    await client.post("/play/times_square")
    page = Caller(client)
    assert len((await page.ask("GET users/me/tables"))["tables"]) == 1
    page.headers = {"origin": "http://elsewhere"}
    await page.ask("PATCH users/me", {"name": "Eve"}, status=403)
    page.headers = {"origin": "http://server"}
    await page.ask("PATCH users/me", {"name": "Ann"})


async def test_a_record_that_is_no_text(client: httpx.AsyncClient) -> None:
    """Bytes that are not UTF-8 are refused."""
    ann = await known(client, "Ann")
    answer = await client.post("/api/records", content=b"\xff\xfe", headers=ann.headers)
    assert (answer.status_code, "not a text file" in answer.json()["text"]) == (400, True)


async def test_the_description(client: httpx.AsyncClient) -> None:
    """Each route of the API, and nothing else, with summary, responses and errors; the page shows all of them."""
    described = (await client.get("/openapi.json")).json()
    page = (await client.get("/api")).text
    ids = []
    for path, verbs in described["paths"].items():
        assert path.startswith("/api/")
        for verb, operation in verbs.items():
            ids.append(operation["operationId"])
            assert operation["summary"]
            assert operation["description"]
            assert min(operation["responses"]) < "300"
            assert f'id="{operation["operationId"]}"' in page
            assert f"{verb.upper()}</b> <code>{path}</code>" in page
    assert len(ids) == len(set(ids)) > 35
    known = described["components"]["schemas"]
    for name in re.findall(r'"#/components/schemas/(\w+)"', (await client.get("/openapi.json")).text):
        assert name in known
        assert f'id="shape-{name}"' in page
    for link in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{link}"' in page
    for path, verbs in (("games", "GET"), ("tables/x", "GET, DELETE"), ("tables/x/seats/0", "PUT, DELETE")):
        wrong = await client.post(f"/api/{path}")
        assert (wrong.status_code, wrong.json()["code"], wrong.headers["allow"]) == (405, "malformed", verbs)


def test_the_documentation_of_the_socket_is_up_to_date() -> None:
    """docs/api.md contains what `python -m omnibus.server.api` prints."""
    page = (ROOT / "docs/api.md").read_text("utf-8")
    assert page.split("<!-- messages: python -m omnibus.server.api -->\n")[1].strip() == written().strip()
