"""The pages and forms, as a browser asks for them; traces/pages has what their forms answer."""

from __future__ import annotations

import re
import threading
from html import unescape
from pathlib import Path
from typing import get_args

import httpx
import pytest

from omnibus import Match, games
from omnibus.kernel.i18n import LANGUAGES
from omnibus.server.config import ServerConfig
from omnibus.server.pages import previews, templates, texts
from omnibus.server.pages.board_texts import BOARD_SCRIPT, EDITOR_SCRIPT
from omnibus.server.pages.previews import style
from omnibus.server.pages.templates import TEXTS, WEB
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.results import Result
from support.sections import SECTION

RECORDS = Path(__file__).parent.parent / "games"
LARGEST_PAGE = 100_000  # bytes of scripts and styles


async def one_click(client: httpx.AsyncClient, game: str) -> str:
    answer = await client.post(f"/play/{game}")
    assert answer.status_code == 303
    return str(answer.headers["location"])


async def test_strange_scripts_are_kept_out(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Every page forbids inline scripts and styles and has none; no script reads the cookie, no other site sends it.

    Its token is not in the database.
    """
    paths = ["/", "/credits", "/nowhere", *(f"/rules/{name}" for name in games.names())]
    for path in [*paths, *[await one_click(client, name) for name in games.names()]]:
        page = await client.get(path)
        policy = page.headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert not re.findall(r"<script(?! type=\"application/json\"| type=\"module\" src=)|<style", page.text)
        assert not re.search(r"\son\w+=|\sstyle=", page.text)
    (cookie,) = client.cookies.jar
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "lax"
    assert cookie.value
    assert not await registry.database.read("SELECT 1 FROM tokens WHERE hash = ?", cookie.value)


async def test_forms_of_other_pages_are_refused(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A form that another site sends does nothing."""
    answer = await client.post("/play/bus", headers={"origin": "http://elsewhere"})
    assert answer.status_code == 403
    told = "This was sent by a page of http://elsewhere, but the address of this server is http://server, so nothing"
    assert told in answer.text
    assert "not found" not in answer.text
    assert (await client.post("/play/bus", headers={"origin": "http://server"})).status_code == 303
    assert await registry.table_store.database.read("SELECT count(*) FROM tables") == [(1,)]


@pytest.mark.server_config(ServerConfig(public_url="https://games.example.org"))
async def test_a_refused_form_says_which_addresses_differ(client: httpx.AsyncClient) -> None:
    """In the visitor's language, to people and programs alike; so does the person learn who runs the server."""
    other = {"origin": "http://games.example.org", "host": "games.example.org"}
    for spoken, wanted, both in (
        ("en", "text/html", "page of http://games.example.org, but the address of this server is https://games.exa"),
        ("it", "text/html", "pagina di http://games.example.org, ma l’indirizzo di questo server è https://games.exa"),
        ("fr", "*/*", "page de http://games.example.org, mais l’adresse de ce serveur est https://games.exa"),
        ("de", "application/json", "unter http://games.example.org, dieser Server hat aber die Adresse https://games."),
    ):
        asked = other | {"accept-language": spoken, "accept": wanted}
        for path in ("/play/bus", "/api/users"):
            answer = await client.post(path, headers=asked)
            assert answer.status_code == 403
            assert both in answer.text
            assert "--public-url" in answer.text
            assert "--proxy" in answer.text
    hidden = await client.post("/play/bus", headers=other | {"origin": "null"})
    assert "hides its address" in hidden.text
    shown = await client.post("/play/bus", headers=other | {"origin": "http://<b>" + "x" * 500, "accept": "text/html"})
    assert "&lt;b&gt;x" in shown.text
    assert "x" * 100 not in shown.text


async def test_what_cannot_be_is_not_said_to_be_missing(client: httpx.AsyncClient) -> None:
    """A page that is there, but asked for something that makes no sense, does not claim that it was deleted."""
    answer = await client.post("/learn/bus/1", data={"line": "nonsense"}, headers={"accept": "text/html"})
    assert answer.status_code in (400, 409)
    assert "This is not possible." in answer.text
    assert "not found" not in answer.text


@pytest.mark.parametrize("code", LANGUAGES)
async def test_languages(client: httpx.AsyncClient, code: str) -> None:
    """By what the browser wishes, by what was chosen here; every page says which it is."""
    path = await one_click(client, "times_square")
    for page in ("/", path, "/credits", "/rules/bus", "/nowhere"):
        text = (await client.get(page, headers={"accept-language": f"{code};q=0.8, xx"})).text
        assert f'<html lang="{code}"' in text
    await client.post("/settings", data={"language": code, "back": "/"})
    text = (await client.get("/", headers={"accept-language": "fr" if code != "fr" else "de"})).text
    assert f'<html lang="{code}"' in text


@pytest.mark.parametrize(
    ("wishes", "cookie", "wanted"),
    [
        ("sv, de-CH;q=0.7, fr;q=0.9", "", "fr"),
        ("de", "omnibus_language=it", "it"),
        ("de", "omnibus_language=xx", "de"),
        ("", "", "en"),
        (";;;q=2, %%, de;q=0", "", "en"),
    ],
)
async def test_wishes_for_languages(client: httpx.AsyncClient, wishes: str, cookie: str, wanted: str) -> None:
    """The strongest wish that can be granted, unless a language was chosen; nonsense is no wish."""
    page = await client.get("/credits", headers={"accept-language": wishes, "cookie": cookie})
    assert f'<html lang="{wanted}"' in page.text


async def test_records_come_in(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """A good record becomes a page with all its positions; as often as it is brought, it is kept once."""
    for path in (RECORDS / "bus/records/3-plots.game", RECORDS / "metromania/records/4-strict-stock.game"):
        for _ in range(2):
            answer = await client.post("/records", files={"record": (path.name, path.read_bytes())})
            assert answer.status_code == 303, answer.text
        where = answer.headers["location"]
        match = Match.read(path.read_text(encoding="utf-8"))
        assert match.game.title in (await client.get(where)).text
        for ply in (0, 1, len(match.plies)):
            for seat in ("", "?seat=0"):
                shown = await client.get(f"{where}/at/{ply}{seat}")
                assert shown.json()["ply"] == ply
        assert (await client.get(f"{where}/at/{len(match.plies) + 1}")).status_code == 404
        assert (await client.get(f"{where}?seat=9")).status_code == 404
    assert await registry.table_store.database.read("SELECT count(*) FROM records") == [(2,)]


async def test_bad_records_stay_out(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """With the line and the reason, and nothing is kept."""
    good = (RECORDS / "bus/records/3-plots.game").read_text(encoding="utf-8")
    lines = good.splitlines()
    wrong_ply = "\n".join([*lines[:20], "0 take everything", *lines[21:]])
    cases = [
        (wrong_ply.encode(), "Line 21:", 400),
        (b"hello", "Line 1:", 400),
        (b"\xff\xfe\x00", "not a text file", 400),
        (b"x" * 270_000, "256 kB", 400),
        (b"x" * 300_000, "256 kB", 413),
    ]
    for content, why, status in cases:
        answer = await client.post("/records", files={"record": ("a.game", content)})
        assert answer.status_code == status
        assert why in unescape(answer.text)
    empty = await client.post("/records", data={"other": "x"})
    assert "Please choose a file" in empty.text
    assert await registry.table_store.database.read("SELECT count(*) FROM records") == [(0,)]


async def test_a_frozen_table_is_shown_with_its_reason(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """Its record can still be had by who plays alone, not by strangers, and the other tables are as before."""
    path, fine = await one_click(client, "bus"), await one_click(client, "bus")
    id_ = path.removeprefix("/tables/")
    await registry.table_store.database.execute("UPDATE tables SET rules = 99 WHERE id = ?", id_)
    registry.live.unload_all()
    page = await client.get(path)
    assert page.status_code == 200
    assert "needs version 99" in page.text
    assert "rules: 99" in (await client.get(f"{path}/record")).text
    assert (await client.get(fine)).status_code == 200
    assert (await client.get("/")).text.count('href="/tables/') == 2
    client.cookies.clear()
    strange = await client.get(path)
    assert strange.status_code == 200
    assert "needs version 99" not in strange.text
    assert f"{path}/record" not in strange.text
    assert (await client.get(f"{path}/record")).status_code == 409


async def test_an_uploaded_record_that_no_longer_replays(client: httpx.AsyncClient, registry: TableRegistry) -> None:
    """It says so; nothing else is the worse for it."""
    user, _ = await registry.user_store.add_user()
    text = next(RECORDS.glob("bus/**/*.game")).read_text()
    newer = re.sub(r"^rules: \d+", "rules: 99", text, flags=re.MULTILINE)
    page = await client.get(f"/records/{await registry.table_store.add_record(newer, user.id)}")
    assert page.status_code == 409
    assert "another version of Omnibus" in page.text


@pytest.mark.parametrize("name", games.names())
async def test_rules_and_pictures(client: httpx.AsyncClient, name: str) -> None:
    """Every game has a preview; wherever a § is mentioned, in short and in the text, a link leads to where it is."""
    pictures = {f"/pictures/{name}.svg"}
    for code in LANGUAGES:
        page = (await client.get(f"/rules/{name}", headers={"accept-language": code})).text
        anchors = re.findall(r'<span id="([\d.]+)">', page)
        assert set(re.findall(r'href="#([\d.]+)"', page)) <= set(anchors)
        assert len(anchors) == len(set(anchors))
        assert cited(name) <= set(anchors)
        assert len(re.findall(r'<li><a href="#\d+">', page)) == page.count("<h2><span id=")
        pictures.update(re.findall(r'(?:src|srcset)="(/rules/[^"]+)"', page))
    for picture in pictures:
        assert (await client.get(picture)).headers["content-type"] == "image/svg+xml"


async def test_previews_are_drawn_in_the_background(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview takes many bot moves, and nobody else waits for them."""
    threads: list[str] = []

    def drawn(_game: str, _language: str) -> str:
        threads.append(threading.current_thread().name)
        return "<svg/>"

    monkeypatch.setattr(previews, "preview", drawn)
    assert (await client.get("/pictures/bus.svg")).text == "<svg/>"
    assert [name.rpartition("_")[0] for name in threads] == ["background"]


def scripts_of(script: str) -> set[str]:
    """Return a script with all that it imports."""
    text = (WEB / "static" / script).read_text()
    imported = re.findall(r'from "\./(\w+\.js)"', text)
    return {script}.union(*(scripts_of(other) for other in imported))


def test_the_page_stays_small() -> None:
    """The scripts and styles a page loads, uncompressed, whichever page it is."""
    common = (WEB / "static" / "style.css").stat().st_size + len(style())
    for template in (WEB / "templates").iterdir():
        sheet = "table.css" if "sheet %}table" in template.read_text() else "pages.css"
        styles = common + (WEB / "static" / sheet).stat().st_size
        entries = re.findall(r'src="/static/(\w+\.js)"', template.read_text())
        scripts = set().union(*map(scripts_of, entries))
        assert styles + sum((WEB / "static" / script).stat().st_size for script in scripts) < LARGEST_PAGE, template


def test_every_text_is_used() -> None:
    """Every text stands in a template, a script or a page module, and none is asked for that is missing."""
    folder = Path(texts.__file__).parent
    pages = "".join(path.read_text("utf-8") for path in (WEB / "templates").iterdir())
    scripts = "".join(path.read_text("utf-8") for path in (WEB / "static").glob("*.js"))
    modules = "".join(path.read_text("utf-8") for path in folder.glob("*.py") if not path.name.endswith("texts.py"))
    by_status = {"over", "closed", *get_args(Result)}  # the lobby asks for these by how a table stands
    by_way = {"webhook", "mail"}  # and the account page for these by the way of a message
    by_value = {"pace_slow", "pace_normal", "pace_instant"}  # and the table page for these by the value of a choice
    in_templates = set(re.findall(r"\bt\.(\w+)", pages))
    in_scripts = set(re.findall(r"\btexts\.(\w+)", scripts))
    on_boards = set(re.findall(r"\bsaid\.(\w+)", scripts)) & {*BOARD_SCRIPT, *EDITOR_SCRIPT}
    for key in TEXTS.keys() - in_templates - in_scripts - on_boards - by_status - by_way - by_value:
        assert f'"{key}"' in modules, key
    assert in_templates <= set(TEXTS)
    assert in_scripts <= set(texts.TABLE)


def test_every_key_stands_for_one_text() -> None:
    """No two modules have a text by the same key, and no method of dict hides one from the templates."""
    parts = {name: each for name, each in vars(templates).items() if name.isupper() and isinstance(each, dict)}
    kept = [each for name, each in parts.items() if name not in ("TEXTS", "_PEOPLE", "LANGUAGE_NAMES")]
    assert len(TEXTS) == sum(map(len, kept))
    assert not any(hasattr(dict, key) for key in TEXTS)


def cited(name: str) -> set[str]:
    """The § that the program itself names to players: in short, and in the reasons of refusals."""
    folder = Path(games.find(name).folder)
    return {found for path in folder.rglob("*.py") for found in SECTION.findall(path.read_text(encoding="utf-8"))}


async def test_large_responses_are_compressed(client: httpx.AsyncClient) -> None:
    """For those who understand it; small ones and those of others are sent as they are."""
    plain = await client.get("/", headers={"accept-encoding": "identity"})
    packed = await client.get("/", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    assert packed.text == plain.text
    assert "content-encoding" not in (await client.get("/healthz", headers={"accept-encoding": "gzip"})).headers


async def test_what_the_lobby_says_of_a_game(client: httpx.AsyncClient) -> None:
    """How many play, for how long, and how much there is to think about."""
    page = (await client.get("/")).text
    assert "2 players · 20–30 minutes · light strategy" in page
    assert "3–5 players · 90–120 minutes · deep strategy" in page
    assert page.index("light strategy") < page.index("medium strategy") < page.index("deep strategy")
