"""The server of the static site, here without a browser: the same application, other surroundings."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts
from starlette.routing import Match

from omnibus import games
from omnibus.server import background
from omnibus.server.app import create_app
from omnibus.server.pages.templates import WEB
from omnibus.server.store.sqlite import SqliteDatabase
from omnibus.static_site import builder
from omnibus.static_site.runtime.asgi import PageRequest, Response
from omnibus.static_site.runtime.bots import WebWorkerProcess
from omnibus.static_site.runtime.rehearsal import FORM, ORIGIN, BotsHere, NoKeeper, compiled, rehearse
from omnibus.static_site.runtime.server import BrowserServer
from support.analyses import finished_match, rows

ANALYSED = "INSERT INTO record_analyses (record_id, ply, basis, decision) VALUES (?, ?, ?, ?)"
FILES = ("/static/", "/offline/")  # from the file server
FOLDERS = (WEB / "static", builder.FILES / "offline")
RECORDS = Path(__file__).parent.parent / "games" / "bus" / "records"


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Other tests have a thread for the background again."""
    yield
    background.work_in(ThreadPoolExecutor(1))


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[BrowserServer]:
    started = await BrowserServer.start(tmp_path, ORIGIN, NoKeeper(), BotsHere)
    yield started
    await started.close()


async def get(server: BrowserServer, path: str) -> Response:
    return await server.respond(PageRequest("GET", path, []))


async def posted(server: BrowserServer, path: str, body: bytes = b"", form: tuple[str, str] = FORM) -> str:
    """Post a form; return where it leads."""
    response = await server.respond(PageRequest("POST", path, [form], body))
    assert response.status == 303
    return dict(response.headers)["location"]


async def uploaded(server: BrowserServer, record: bytes) -> str:
    head = b'--x\r\nContent-Disposition: form-data; name="record"; filename="a.game"\r\n\r\n'
    kind = ("content-type", "multipart/form-data; boundary=x")
    return await posted(server, "/records", head + record + b"\r\n--x--\r\n", kind)


async def test_the_rehearsal_succeeds() -> None:
    """All pages that are visited while the site is built answer, and the modules they need are compiled."""
    await rehearse()
    code = compiled()
    for name in games.names():
        assert any(f"games/{name}/" in path for path in code)


async def test_a_failing_page_ends_the_rehearsal() -> None:
    with pytest.raises(RuntimeError, match=r"/pictures/chess\.svg is answered with 404"):
        await rehearse("chess")


async def test_nothing_waits_for_a_thread(tmp_path: Path) -> None:
    """Endpoints and what they depend on are coroutines: FastAPI calls others in a thread, and a browser has none."""
    database = SqliteDatabase(tmp_path / "omnibus.db")
    routes = [
        route for route in iter_route_contexts(create_app(database, workers=1).routes) if hasattr(route, "dependant")
    ]
    assert len(routes) > 100
    for route in routes:
        waiting = [route.dependant]
        while waiting:
            dependant: Any = waiting.pop()
            assert dependant.call is None or asyncio.iscoroutinefunction(dependant.call), dependant.call
            waiting += dependant.dependencies
    database.close()


async def test_what_needs_others_is_not_offered(server: BrowserServer) -> None:
    lobby = (await get(server, "/")).body.decode()
    assert "You play without a server" in lobby
    assert 'value="another"' in lobby
    assert 'value="friend"' not in lobby
    assert "/team-matches/new" not in lobby
    await server.respond(PageRequest("POST", "/you/name", [FORM], b"name=Ada"))
    account = (await get(server, "/you")).body.decode()
    assert 'value="Ada"' in account
    assert "/you/link" not in account
    for path in ("/api/users/me", "/friends", "/leaderboards", "/team-matches/new?game=bus", "/tournaments"):
        assert (await get(server, path)).status == 404


async def finished_games(server: BrowserServer) -> None:
    """Leave a finished table, a record with its analysis, and a board behind."""
    await posted(server, f"{await posted(server, '/play/times_square')}/resign")
    match = finished_match()
    record = await uploaded(server, match.record().encode())
    kept = rows(match, record.removeprefix("/records/"))
    await server.app.state.registry.database.write(lambda transaction: transaction.execute_many(ANALYSED, kept))
    for name in games.names():
        await posted(server, f"/analysis/{name}")


def routed(server: BrowserServer, path: str) -> bool:
    """Whether something answers a form, a socket or a script; scripts add a number to a path that ends with a slash."""
    asked = {"path": f"{path}0" if path.endswith("/") else path, "root_path": "", "headers": []}
    kinds = ({"type": "http", "method": "GET"}, {"type": "http", "method": "POST"}, {"type": "websocket"})
    return any(route.matches(asked | kind)[0] is Match.FULL for route in server.app.router.routes for kind in kinds)


async def test_every_address_on_the_pages_answers(server: BrowserServer) -> None:
    """Links, pictures, forms, and what scripts are told to ask for: nothing leads nowhere."""
    await finished_games(server)
    waiting, known, dead = ["/"], {"/"}, list[str]()
    while waiting:
        address = waiting.pop()
        response = await get(server, address)
        dead += [address] if response.status in (404, 500) else []
        page = response.body.decode() if "text/html" in dict(response.headers).get("content-type", "") else ""
        for name, found in re.findall(r' ([a-z-]+)="(/[^"]*)"', page):
            if found in known:
                continue
            known.add(found)
            if found.startswith(FILES):
                dead += [] if any((folder / found.split("/", 2)[2]).is_file() for folder in FOLDERS) else [found]
            elif name in ("href", "src", "srcset", "data-board"):
                waiting.append(unescape(found))
            else:
                dead += [] if routed(server, found) else [found]
    assert not dead
    assert any(path.startswith("/api/boards/") for path in known)
    assert any(path.endswith("/analysis/luck") for path in known)


async def test_cookies_identify_the_player(server: BrowserServer, tmp_path: Path) -> None:
    """Who plays is known again when the site is opened another time; the pages themselves get no cookie.

    What was chosen stays until it is taken back.
    """
    response = await server.respond(PageRequest("POST", "/play/bus", [FORM]))
    table = dict(response.headers)["location"]
    await posted(server, "/settings", b"theme=dark")
    await server.close()
    again = await BrowserServer.start(tmp_path, ORIGIN, NoKeeper(), BotsHere)
    page = (await get(again, "/")).body.decode()
    assert f'href="{table}"' in page
    assert 'data-theme="dark"' in page
    await posted(again, "/settings", b"theme=device")
    assert 'data-theme="dark"' not in (await get(again, "/")).body.decode()
    await again.close()


async def test_pages_may_be_shown_in_the_frame_of_the_site(server: BrowserServer) -> None:
    policy = dict((await get(server, "/")).headers)["content-security-policy"]
    assert "frame-ancestors 'self'" in policy


async def test_a_game_over_a_socket(server: BrowserServer) -> None:
    """A page plays, and a bot answers."""
    response = await server.respond(PageRequest("POST", "/play/times_square", [FORM]))
    table = dict(response.headers)["location"]
    said: asyncio.Queue[tuple[str, str | int]] = asyncio.Queue()
    server.open_socket("1", f"{table}/socket", [], lambda kind, value: said.put_nowait((kind, value)))
    assert await said.get() == ("accept", "")
    server.receive("1", '{"sync": true}')
    answered = False
    while not answered:
        kind, value = await said.get()
        assert kind == "text"
        scene: dict[str, Any] = json.loads(str(value))
        if scene["type"] == "scene":
            answered = bool(scene["steps"])
            if scene["moves"]:
                play = {"play": scene["moves"][0]["line"], "event": scene["event"], "id": str(scene["event"])}
                server.receive("1", json.dumps(play))
    server.close_socket("1")
    server.close_socket("1")
    server.receive("1", "{}")


async def test_a_socket_that_leads_nowhere_is_closed(server: BrowserServer) -> None:
    said: asyncio.Queue[tuple[str, str | int]] = asyncio.Queue()
    server.open_socket("1", "/tables/none/socket", [], lambda kind, value: said.put_nowait((kind, value)))
    assert [await said.get(), await said.get()] == [("accept", ""), ("close", 4404)]


async def test_a_web_worker_is_a_process() -> None:
    """It can be killed, and one that fails has ended."""
    ways: list[Callable[[], None]] = []

    class Silent:
        def __init__(self, say: Callable[[str], None], fail: Callable[[], None]) -> None:
            ways.append(fail)
            say("ready")

        def write(self, line: str) -> None:
            """Answer nothing."""

        def terminate(self) -> None:
            ways.clear()

    process = WebWorkerProcess(Silent)
    assert await process.read_line() == b"ready"
    await process.write_line(b"?")
    ways[0]()
    await process.wait()
    assert await process.read_line() == b""
    with pytest.raises(ProcessLookupError):
        await process.write_line(b"?")
    process.kill()
    assert not ways
