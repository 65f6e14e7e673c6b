"""Nothing that a seat or a spectator is sent depends on what it may not see.

Two servers have the same table, but in one of them everything a reader may not see has been dealt anew. The reader asks
both the same things over real sockets and pages while the game goes on with the same lines, and gets the same answers.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from omnibus import Match, games
from omnibus.bots import names as bot_names
from omnibus.server.app import create_app
from omnibus.server.serve import listen
from omnibus.server.store.boards import BoardStore
from omnibus.server.store.models import Sitter, TableSetup
from omnibus.server.store.tables import FirstEvent
from omnibus.server.tables import events
from omnibus.server.tables.events import Began, History, Played
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.table import Table
from support.server_process import NO_CERTIFICATES

from .conftest import database_at

NewAddress = Callable[[], str]
SETUPS = [("bus", 3, 0), ("metromania", 2, 0), ("metromania", 3, 1), ("times_square", 2, 0), ("times_square", 2, 1)]
STEPS = 4
WEAK = bot_names()[0]
NAMES = ("Anna", "Bert", "Cleo", "Dora")


class Twin:
    """A server with one table, whose game starts in a given state."""

    def __init__(self, registry: TableRegistry, port: int) -> None:
        self.registry = registry
        self.address = f"127.0.0.1:{port}"
        self.tokens: list[str] = []

    async def set_up(self, game: str, state: Any, alone: int | None = None) -> None:
        """Set up the table, with a person in every seat, or in one of them and bots in the others."""
        people = [await self.registry.user_store.add_user(name) for name in NAMES[: state.seats]]
        self.tokens = [token for _, token in people]
        match = Match(games.find(game), state, dice=None)
        match.names = NAMES[: match.seats]
        sitters = [Sitter(user=user.id, name=user.name) for user, _ in people]
        if alone is not None:
            sitters = [sitter if seat == alone else Sitter(bot=WEAK) for seat, sitter in enumerate(sitters)]
        setup = TableSetup("t", game, 1, match.seats, match.options, 1, sitters, people[alone or 0][0].id, 0.0)
        began = Began([])
        self.table = Table(self.registry.table_store, setup, match, History.of([began]), 1)
        await self.registry.table_store.add_table(setup, FirstEvent(events.write(began), self.table.awaits))
        self.registry.add(self.table, await self.registry.presence(setup))

    def may(self, line: str) -> bool:
        return line in self.table.match.lines()

    async def advance(self, line: str) -> None:
        """Play a line, of a seat or of chance."""
        async with self.table.writing():
            before = len(self.table.match.plies)
            self.table.match.play(line)
            played = Played(self.table.match.written(before))
            await self.registry.publisher.publish(self.table, self.table.commit(played, before))

    def known_as(self, seat: int | None) -> dict[str, str]:
        return {} if seat is None else {"Cookie": f"omnibus_user={self.tokens[seat]}"}

    async def page(self, seat: int | None, path: str) -> tuple[str, dict[str, str]]:
        """Return a page and its headers, without times, which are no secrets."""
        address = f"http://{self.address}"
        async with httpx.AsyncClient(base_url=address, timeout=60, verify=NO_CERTIFICATES) as client:
            answer = await client.get(path, headers={"accept": "text/html", **self.known_as(seat)})
        assert answer.status_code == 200, path
        text = re.sub(r'data-at="[\d.]+"', "", answer.text)
        return text, {name: value for name, value in answer.headers.items() if name not in ("date", "content-length")}


@asynccontextmanager
async def twin(folder: Path, address: str, game: str, state: Any) -> AsyncIterator[Twin]:
    """Run a server on a port of its own, in this process."""
    folder.mkdir()
    app = create_app(database_at(folder, address), workers=0)
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(app, log_config=None, access_log=False, ws="websockets-sansio", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    running = asyncio.create_task(server._serve([listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    both = Twin(app.state.registry, listening.getsockname()[1])
    await both.set_up(game, state)
    try:
        yield both
    finally:
        server.should_exit = True
        await running
        listening.close()


def somewhere(game: str, seats: int, random: Random) -> Any:
    """Return a state some way into a random game, with a seat to decide."""
    match = Match.new(game, seats=seats, seed=random.randrange(1 << 30))
    for _ in range(random.choice([0, 8, 30, 60])):
        if match.actor is None:
            break
        match.play(random.choice(match.lines()))
    while match.actor is None:
        match.undo()
    return match.state.clone()


def questions(one: Twin, seat: int | None, random: Random) -> list[dict[str, Any]]:
    """Return all sorts of requests, also some that no page would send."""
    table, event = one.table, one.table.event
    state = table.game.redeal(table.game.view(table.match.state, seat), random.randrange)
    everything = [random.randrange(table.game.space(state)[0]) for _ in range(12)]
    lines = [table.game.write(state, move) for move in everything]
    parts = random.sample(["card-sue", "supply", "street-1-2", "cell-0", "stock", "pass"], 1)
    differences = event % 2 == 1  # so that the scene after the next move is sent whole and as differences, in turns
    asked: list[dict[str, Any]] = [{"sync": True, "event": random.randrange(event + 1), "differences": differences}]
    asked += [{"look": look} for look in range(-1, table.match.seats)]
    asked += [{"preview": line, "event": event} for line in lines[:4]]
    asked += [{"why": part, "event": event} for part in parts]
    asked += [{"undo": True, "event": event, "id": "u"}] if not table.can_undo(seat) else []
    legal = table.match.lines() if table.actor == seat else []
    asked += [{"play": line, "event": event, "id": str(n)} for n, line in enumerate(lines) if line not in legal]
    asked += [{"hint": True, "event": event}, {"heard": 0}, {"mute": 0, "id": "m"}, {"play": "?", "event": event}]
    return asked


async def heard(socket: ClientConnection, asked: list[dict[str, Any]]) -> list[str | bytes]:
    """Send requests, and receive everything up to the answer to the last one."""
    for question in [*asked, {"preview": "nothing", "event": -1, "id": "the last"}]:
        await socket.send(json.dumps(question))
    return await until_told(socket, '"the last"')


async def until_told(socket: ClientConnection, text: str) -> list[str | bytes]:
    """Receive everything up to a message with a text."""
    messages = [await socket.recv()]
    while text not in str(messages[-1]):
        messages.append(await asyncio.wait_for(socket.recv(), 60))
    return messages


@pytest.mark.walk
@pytest.mark.parametrize(("game", "seats", "seed"), SETUPS)
def test_no_byte_over_the_wire_tells_a_secret(
    tmp_path: Path, new_address: NewAddress, game: str, seats: int, seed: int
) -> None:
    """Every byte of pages and sockets is the same, whatever the reader may not see."""
    random = Random(f"{game} {seats} {seed}")
    state = somewhere(game, seats, random)
    for reader in (None, *range(seats)):
        view = games.find(game).view(state, reader)
        dealt = games.find(game).redeal(view, random.randrange)
        folder = tmp_path / str(reader)
        folder.mkdir()
        places = [(folder / str(number), new_address()) for number in range(2)]
        asyncio.run(alike(places, game, [state.clone(), dealt], reader, random))


async def alike(
    places: list[tuple[Path, str]], game: str, states: list[Any], reader: int | None, random: Random
) -> None:
    """Play on both servers, and compare what they send."""
    async with AsyncExitStack() as stack:
        twins = [
            await stack.enter_async_context(twin(*place, game, state))
            for place, state in zip(places, states, strict=True)
        ]
        sockets = [
            await stack.enter_async_context(
                connect(f"ws://{one.address}/tables/t/socket", additional_headers=one.known_as(reader), max_size=None)
            )
            for one in twins
        ]
        if reader is not None:  # what waits for them is read from the database, and comes before or after the answers
            first, second = [await until_told(socket, '"awaited"') for socket in sockets]
            assert first == second
        for step in range(STEPS):
            asked = questions(twins[0], reader, random)
            first, second = [await heard(socket, asked) for socket in sockets]
            assert first == second
            seat = "" if reader is None else f"&seat={reader}"
            for path in ("/tables/t", "/", f"/tables/t/at/{random.randrange(step + 1)}?ground={seat}"):
                assert await twins[0].page(reader, path) == await twins[1].page(reader, path), path
            lines = [line for line in twins[0].table.match.lines() if twins[1].may(line)]
            if not lines:
                return
            line = random.choice(lines)
            for one in twins:
                await one.advance(line)
            over = [one.table.standing == "over" for one in twins]
            assert over[0] == over[1]
            if over[0]:
                return  # nothing is hidden any more


LAST_LURE: dict[str, Any] = {
    "edition": "times_square",
    "figures": {"sue": 2, "a": 1, "b": 6, "hal": 8, "deb": -4, "charlie": 6},
    "hands": [["hal2"] * 8, ["guard1", "guard1", "deb0", "deb1", "deb2", "deb3", "deb3", "deb4"]],
    "supply": ["sue"] * 12 + ["hal1", "hal1", "hal3", "hal3", "deb2", "deb3", "deb3", "deb3"],
    "discards": ["guard2"] * 10 + ["guard1", "guard1", "close", "close", "deb0", "deb2", "deb4", "deb4", "deb5"],
    "exhausted": 0,
    "seat": 1,
    "step": "act",
    "colour": None,
    "joker": None,
}
"""Luring guard b makes Charlie win, and a game that is over hides nothing."""


def test_a_preview_of_the_last_move_shows_no_hand(tmp_path: Path) -> None:
    """Whoever looks where a winning move leads, without making it, does not see the other hand."""
    game = games.find("times_square")
    state = game.place(LAST_LURE)
    dealt = game.redeal(game.view(state, 1), Random(1).randrange)
    assert game.position(dealt)["hands"][0] != LAST_LURE["hands"][0]
    first, second = [asyncio.run(preview(tmp_path / str(n), one)) for n, one in enumerate((state, dealt))]
    assert first == second


async def preview(folder: Path, state: Any) -> bytes:
    """Return the preview of a lure that decides the game."""
    folder.mkdir()
    app = create_app(database_at(folder), workers=0)
    async with app.router.lifespan_context(app):
        one = Twin(app.state.registry, 0)
        await one.set_up("times_square", state)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://server", headers=one.known_as(1)) as client:
            answer = await client.get("/api/tables/t/preview?event=1&line=lure+b")
    assert answer.status_code == 200, answer.text
    return answer.content


@pytest.mark.walk
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(("game", "seats", "seed"), SETUPS)
def test_no_byte_of_a_board_tells_a_secret(
    tmp_path: Path, new_address: NewAddress, game: str, seats: int, seed: int, alone: bool
) -> None:
    """A what-if board of a game in progress is the same, whatever the seat may not see; so is all that is exported."""
    random = Random(f"board {game} {seats} {seed}")
    state = somewhere(game, seats, random)
    seat = random.randrange(seats)
    dealt = games.find(game).redeal(games.find(game).view(state, seat), random.randrange)
    told = [
        asyncio.run(board_bytes(tmp_path / str(n), new_address(), game, one, seat, alone))
        for n, one in enumerate((state, dealt))
    ]
    assert told[0] == told[1]


async def board_bytes(folder: Path, address: str, game: str, state: Any, seat: int, alone: bool) -> list[bytes]:
    """Open boards as a seat of a live table, play on them, copy one; return all that was sent, and how they begin."""
    folder.mkdir()
    app = create_app(database_at(folder, address), workers=0)
    async with app.router.lifespan_context(app):
        one = Twin(app.state.registry, 0)
        await one.set_up(game, state, seat if alone else None)
        transport, headers = httpx.ASGITransport(app), {"accept": "text/html", **one.known_as(seat)}
        async with httpx.AsyncClient(transport=transport, base_url="http://server", headers=headers) as client:
            sent: list[bytes] = []
            path = (await client.post("/tables/t/boards")).headers["location"]
            sent += await all_of_a_board(client, path, alone)
            copy = (await client.post(f"{path}/copy")).headers["location"]
            sent += await all_of_a_board(client, copy, alone)
            again = (await client.post("/tables/t/boards", data={"ply": "0"})).headers["location"]  # dealt once more
            sent += await all_of_a_board(client, again, alone)
        store = BoardStore(one.registry.table_store.database)
        kept = [await store.board(board.rpartition("/")[2]) for board in (path, copy, again)]
    return sent + [board.start.encode() for board in kept if board]


async def all_of_a_board(client: httpx.AsyncClient, path: str, alone: bool) -> list[bytes]:
    """Play on a board, and return everything that was sent, without its name."""
    api, sent = f"/api{path}", []
    for after in range(STEPS // 2):
        scene = await client.get(f"{api}/nodes/{after}?pictures=1&seat=0")
        answers = [scene, await client.get(path), await client.get(api)]
        answers += [await client.get(f"{api}/nodes/{after}/why?part={part}") for part in ("card-sue", "pass", "stock")]
        exports = [await client.get(f"{api}/nodes/{after}/{export}") for export in ("position", "record")]
        exports.append(await client.get(f"/analysis/position?board={path.rpartition('/')[2]}&node={after}"))
        assert [answer.status_code for answer in exports] == [200 if alone else 403] * 3
        if scene.json()["moves"]:
            line = scene.json()["moves"][0]["line"]
            answers.append(await client.post(f"{api}/nodes", json={"after": after, "line": line}))
        sent += [answer.content for answer in (*answers, *exports)]
        if not scene.json()["moves"]:
            break
    return [text.replace(path.rpartition("/")[2].encode(), b"") for text in sent]
