"""The API: users, tables, seats, chat, records, and its description."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from omnibus import Match, games
from omnibus.bots import names as bot_names
from omnibus.server.api.__main__ import written
from omnibus.server.tables.registry import TableRegistry
from support.api_client import WEAK, Caller, alone, known, together

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests/games/bus/records/3-plots.game"


async def test_creating_a_user(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """The token is shown once and needed from then on; names are cleaned, and can be changed."""
    ann = await known(client, "  Ann\u202e the\tfirst ")
    assert (await ann.ask("GET users/me"))["name"] == "Ann the first"
    assert (await ann.ask("PATCH users/me", {"name": "Ann"}))["name"] == "Ann"
    assert (await ann.ask("GET users/me"))["name"] == "Ann"
    for nobody in (Caller(client), Caller(client, "nonsense")):
        assert (await nobody.ask("GET users/me", status=401))["code"] == "unknown_user"
    await Caller(client, "nonsense").ask("GET games", status=401)
    await Caller(client).ask("POST users", {"name": 7}, status=400)
    await Caller(client).ask("POST users", {"nome": "Ann"}, status=400)


async def test_games_and_bots(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """With their options, in the language asked for."""
    offer = await Caller(client).ask("GET games")
    assert [game["name"] for game in offer["games"]] == list(games.names())
    assert [bot["name"] for bot in offer["bots"]] == list(bot_names())
    for game in offer["games"]:
        for option in game["options"]:
            assert option["default"] in [choice["value"] for choice in option["choices"]]
    german = await client.get("/api/games", headers={"accept-language": "de"})
    assert german.json()["bots"] != offer["bots"]


async def test_tables_that_cannot_be_set_up(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Each is rejected with a sentence."""
    ann = await known(client, "Ann")
    you, bot = {"who": "you"}, {"who": "bot"}
    for wrong, why in (
        ({"game": "chess", "seats": [you, bot]}, "chess"),
        ({"game": "bus", "seats": [you, bot]}, "3, 4 or 5 seats"),
        ({"game": "times_square", "seats": [bot, bot]}, "At least one seat must be yours"),
        ({"game": "times_square", "seats": [you, {"who": "bot", "bot": "grandmaster"}]}, "grandmaster"),
        ({"game": "times_square", "seats": [you, bot], "options": {"edition": "x"}}, "edition"),
        ({"game": "times_square", "seats": [you, bot], "patience": 1}, "patience"),
        ({"game": "times_square", "seats": [you, {"who": "dog"}]}, "who"),
        ({"game": "bus", "seats": [you, bot, bot], "options": {"city": {"crossings": []}}}, "city"),
    ):
        assert why in (await ann.ask("POST tables", wrong, status=400))["text"]
    assert (await ann.ask("GET users/me/tables"))["tables"] == []


async def test_chat(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Players chat before the game and during it; strangers do not; everybody can be muted."""
    ann, bo, cy = [await known(client, name) for name in ("Ann", "Bo", "Cy")]
    wish = {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}], "listed": True}
    table = (await ann.ask("POST tables", wish, status=201))["id"]
    assert [entry["id"] for entry in (await cy.ask("GET lobby"))["tables"]] == [table]
    await ann.ask(f"POST tables/{table}/chat", {"text": "Anybody there?"}, status=204)
    await bo.ask(f"PUT tables/{table}/seats/1", {"name": ""})
    assert (await cy.ask("GET lobby"))["tables"] == []
    await bo.ask(f"POST tables/{table}/chat", {"text": " I\nam <b>here</b> "}, status=204)
    heard = (await ann.ask(f"GET tables/{table}/chat"))["lines"]
    assert [line["text"] for line in heard] == ["Anybody there?", "I am <b>here</b>"]
    assert [line["own"] for line in heard] == [True, False]
    assert len((await ann.ask(f"GET tables/{table}/chat", since=1))["lines"]) == 1
    await cy.ask(f"GET tables/{table}/chat", status=403)
    await cy.ask(f"POST tables/{table}/chat", {"text": "me too"}, status=403)
    assert "The message is empty" in (await bo.ask(f"POST tables/{table}/chat", {"text": "\u200b"}, status=400))["text"]
    muted = await ann.ask(f"POST tables/{table}/mute", {"seat": 1})
    assert (muted["muted"], len(muted["lines"])) == ([1], 1)
    assert len((await ann.ask(f"POST tables/{table}/mute", {"seat": 1}))["lines"]) == 2


async def test_leaving(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Leave a seat, hand it over, resume, resign, abandon, delete."""
    table, ann, bo = await together(client)
    await ann.ask(f"PUT tables/{table}/stand-in", {"bot": "nobody"}, status=400)
    await ann.ask(f"PUT tables/{table}/stand-in", {"bot": WEAK})
    assert (await registry.table(table)).handed_over(0)
    await ann.ask(f"DELETE tables/{table}/stand-in")
    assert not (await registry.table(table)).handed_over(0)
    await ann.ask(f"POST tables/{table}/abandon", status=409)
    await bo.ask(f"POST tables/{table}/chat", {"text": "I have to go"}, status=204)
    await bo.ask(f"POST tables/{table}/resign")
    registry.live.unload_all()
    assert (await bo.ask(f"GET tables/{table}"))["standing"] == "over"
    await bo.ask(f"GET tables/{table}/chat")
    await ann.ask(f"POST tables/{table}/abandon", status=409)
    wish = {"game": "bus", "seats": [{"who": "you"}, {"who": "free"}, {"who": "free"}]}
    waiting = (await ann.ask("POST tables", wish, status=201))["id"]
    await ann.ask(f"GET tables/{waiting}/scene", status=409)
    await bo.ask(f"PUT tables/{waiting}/seats/1/bot", {"bot": WEAK}, status=403)
    await ann.ask(f"PUT tables/{waiting}/seats/1/bot", {"bot": WEAK})
    freed = await ann.ask(f"DELETE tables/{waiting}/seats/1")
    assert [seat["who"] for seat in freed["seats"]] == ["person", "free", "free"]
    await ann.ask(f"DELETE tables/{waiting}", status=204)
    await ann.ask(f"GET tables/{waiting}", status=404)


async def test_the_token_of_a_seat(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """It allows to play in this seat of this table, and nothing else; withdrawn, it is invalid."""
    ann = await known(client, "Ann")
    table, other = await alone(ann), await alone(ann)
    token = (await ann.ask(f"POST tables/{table}/seats/0/token", status=201))["token"]
    await ann.ask(f"POST tables/{table}/seats/1/token", status=403)
    program = Caller(client, token)
    await (await registry.table(table)).settled()
    assert (await program.ask(f"GET tables/{table}/scene"))["own"] == [0]
    assert (await program.ask(f"GET tables/{table}"))["seats"][0]["yours"] is True
    assert (await program.ask(f"GET tables/{other}/scene"))["own"] == []
    assert (await program.ask(f"GET tables/{other}"))["seats"][0]["yours"] is False
    line = {"line": "sue left", "event": 1}
    assert (await program.ask(f"POST tables/{other}/play", line, status=403))["code"] == "not_your_seat"
    await program.ask(f"POST tables/{other}/chat", {"text": "hello"}, status=403)
    await program.ask(f"POST tables/{other}/resign", status=403)
    for what in ("GET users/me", "GET users/me/tables", "GET users/me/awaited", f"DELETE tables/{table}"):
        assert (await program.ask(what, status=403))["code"] == "forbidden"
    await program.ask(f"POST tables/{table}/seats/0/token", status=403)
    lobby = await client.get("/", headers=program.headers)
    assert table not in lobby.text
    while not (scene := await program.ask(f"GET tables/{table}/scene"))["moves"]:
        await (await registry.table(table)).settled()
    await program.ask(f"POST tables/{table}/play", {"line": scene["moves"][0]["line"], "event": scene["event"]})
    await ann.ask(f"DELETE tables/{table}/seats/0/token", status=204)
    await program.ask(f"GET tables/{table}/scene", status=401)


async def test_cookies_work_from_our_own_pages(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A cookie is enough there, but not from pages of other sites."""
    await client.post("/play/times_square")
    page = Caller(client)
    assert len((await page.ask("GET users/me/tables"))["tables"]) == 1
    page.headers = {"origin": "http://elsewhere"}
    await page.ask("PATCH users/me", {"name": "Eve"}, status=403)
    page.headers = {"origin": "http://server"}
    await page.ask("PATCH users/me", {"name": "Ann"})


async def test_records(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Uploaded, shown and downloaded; the first wrong line is named; too much, or no text, is rejected."""
    ann = await known(client, "Ann")
    text = RECORD.read_text("utf-8")

    async def bring(content: bytes) -> httpx.Response:
        return await client.post("/api/records", content=content, headers=ann.headers)

    kept = (await bring(text.encode())).json()
    match = Match.read(text)
    assert (kept["game"], kept["plies"]) == ("bus", len(match.plies))
    assert await ann.ask(f"GET records/{kept['id']}") == text
    shown = await Caller(client).ask(f"GET records/{kept['id']}/positions/3", seat=2, pictures=True)
    assert (shown["ply"], shown["seat"]) == (3, 2)
    for wrong in ("positions/99999", "positions/0?seat=9", "positions/0?seat=5"):
        assert (await client.get(f"/api/records/{kept['id']}/{wrong}")).status_code in (400, 404)
    assert (await ann.ask(f"GET records/{kept['id']}/dice"))["verified"] is False
    for nowhere in ("records/nothing", "records/nothing/dice"):
        await ann.ask(f"GET {nowhere}", status=404)
    for content, status, why in (
        (text.replace("\n0 ", "\n1 ", 1).encode(), 400, "Line "),
        (b"\xff\xfe", 400, "not a text file"),
        (b"x" * 270_000, 413, "256 kB"),
        (b"x" * 400_000, 413, "256 kB"),
    ):
        answer = await bring(content)
        assert (answer.status_code, why in answer.json()["text"]) == (status, True)


async def test_the_description(client: httpx.AsyncClient, registry: TableRegistry) -> None:
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
    assert (await client.get("/api/nowhere")).json()["code"] == "gone"
    for path, verbs in (("games", "GET"), ("tables/x", "GET, DELETE"), ("tables/x/seats/0", "PUT, DELETE")):
        wrong = await client.post(f"/api/{path}")
        assert (wrong.status_code, wrong.json()["code"], wrong.headers["allow"]) == (405, "malformed", verbs)


def test_the_documentation_of_the_socket_is_up_to_date() -> None:
    """docs/api.md contains what `python -m omnibus.server.api` prints."""
    page = (ROOT / "docs/api.md").read_text("utf-8")
    assert page.split("<!-- messages: python -m omnibus.server.api -->\n")[1].strip() == written().strip()


@pytest.mark.parametrize("path", ["tables/x/at/y", "tables/x/at/99999999999999999999", "records/x/at/-1"])
async def test_malformed_paths(client: httpx.AsyncClient, registry: TableRegistry, path: str) -> None:
    """They are not found, and answered with a page."""
    answer = await client.get(f"/{path}")
    assert answer.status_code == 404
    assert "<html" in answer.text
