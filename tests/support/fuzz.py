"""Hostile input, made up at random and always the same from the same seed: messages, frames, records, maps, forms.

Run by tests with a few thousand inputs, and with more as `nox -s bench -- --fuzz`. Inputs come in groups; a group
that fails is named with its kind, number and seed, and can be tried again alone: `--only KIND --first NUMBER`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import httpx

from omnibus import Match, games
from omnibus.bots import Idea
from omnibus.server.app import create_app
from omnibus.server.http.connection import Connection
from omnibus.server.store.models import Sitter, User
from omnibus.server.store.sqlite import SqliteDatabase
from omnibus.server.tables.board_view import Reader
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.messages import QUESTIONS
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tables.session import TableSession
from omnibus.server.tables.table import Table
from omnibus.server.tables.waiting_session import WaitingSession
from omnibus.server.uploads import record_view
from support import raw_frames
from support.mutations import ATOMS, as_sent, garbled, mutated, scratched
from support.seats import received
from support.server_process import Guest, ServerProcess, running_server

RECORDS = sorted((Path(__file__).parents[1] / "games").glob("*/records/*.game"))
CITIES = sorted((Path(games.find("bus").folder) / "data").glob("*.json"))
GROUP = 40  # inputs
LONGEST_RECORD = 60  # plies: a whole game would take long to replay, and its end is like its middle


@dataclass
class Fuzzed:
    """A server with a user and tables, to send hostile inputs to."""

    registry: TableRegistry
    http: httpx.AsyncClient
    user: User
    folder: Path
    stack: ExitStack
    process: ServerProcess | None = None
    """Another one that listens, for what no client library would send."""


Fuzz = Callable[[Fuzzed, Random], Awaitable[int]]
"""Sends a group of hostile inputs, and returns how many there were."""


async def _no_ideas(_table: Table, _seat: int, _language: str) -> list[Idea]:
    return []


@asynccontextmanager
async def fuzzed_server() -> AsyncIterator[Fuzzed]:
    """Run a server without a port, on a folder that is thrown away."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        app = create_app(SqliteDatabase(Path(folder) / "omnibus.db"), workers=0, bot_pool=BotPool(1))
        async with app.router.lifespan_context(app):
            registry: TableRegistry = app.state.registry
            stack.enter_context(patch.object(registry.bot_driver, "hint", _no_ideas))  # a strong bot takes long
            user, token = await registry.user_store.add_user("Ann")
            headers, transport = {"authorization": f"Bearer {token}"}, httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://server", headers=headers) as http:
                yield Fuzzed(registry, http, user, Path(folder), stack)


# messages


def _said(random: Random, scene: dict[str, Any]) -> dict[str, Any]:
    """Make up a message that could be meant."""
    question = random.choice(QUESTIONS)
    moves = [move["line"] for move in scene["moves"]] or ["done"]
    parts = [part for move in scene["moves"] for part in move["parts"]] or ["nothing"]
    meant: dict[str, Any] = {
        "play": random.choice(moves),
        "why": random.choice(parts),
        "preview": random.choice(moves),
        "look": random.randrange(-1, 4),
        "propose": random.choice(("undo", "bot")),
        "agree": random.random() < 0.5,
        "hand": random.choice(("", "", "nobody")),
        "chat": "Good luck!",
        "heard": 0,
        "mute": random.randrange(3),
    }
    return {
        question: meant.get(question, True),
        "event": scene["event"],
        "id": str(random.randrange(9)),
        "seat": random.randrange(3),
    }


async def fuzz_table(fuzzed: Fuzzed, random: Random) -> int:
    """Say things to a table, most of them wrong; it goes on, and what it answers can be read."""
    game = random.choice(games.names())
    seats = games.find(game).seats[0]
    sitters = [Sitter(user=fuzzed.user.id, name=f"Seat {seat}") for seat in range(seats)]
    table = await fuzzed.registry.table((await fuzzed.registry.open(fuzzed.user.id, game, {}, sitters)).id)
    session = TableSession(fuzzed.registry, table, fuzzed.user, "en", only=random.choice((None, None, 0)))
    session.presence.enter(session)
    await session.answer('{"look": 0}')
    scene = _scene(session, {})
    for _ in range(GROUP):
        said = _said(random, scene)
        if random.random() < 0.7:
            said = mutated(said, random)
        await session.answer(as_sent(said, random))
        scene = _scene(session, scene)
    await session.hinted()
    await session.answer('{"sync": true}')
    assert _scene(session, {}), "the table does not answer any more"
    assert not table.broken
    return GROUP


def _scene(page: Connection, scene: dict[str, Any]) -> dict[str, Any]:
    """Read what a page is told; return the last scene."""
    for text in received(page):
        if text is None:
            continue
        message = json.loads(text)
        if message["type"] == "error":
            assert message["text"]
        if message["type"] == "scene":
            scene = message
    return scene


async def fuzz_open_table(fuzzed: Fuzzed, random: Random) -> int:
    """Say things to a table at which seats are free."""
    free = [Sitter(user=fuzzed.user.id, name="Ann"), Sitter()]
    setup = await fuzzed.registry.open(fuzzed.user.id, "times_square", {}, free)
    session = WaitingSession(fuzzed.registry, await fuzzed.registry.presence(setup), fuzzed.user, "en")
    session.presence.enter(session)
    for _ in range(GROUP):
        await session.answer(as_sent(mutated(_said(random, {"moves": [], "event": 0}), random), random))
        assert received(session)
    await session.answer('{"heard": 0, "id": "last"}')
    assert b'"done"' in (received(session)[-1] or b"")
    return GROUP


# frames


async def fuzz_frames(fuzzed: Fuzzed, random: Random) -> int:
    """Send raw frames, most of them wrong, to the sockets of a server in a process of its own."""
    if fuzzed.process is None:
        fuzzed.process = fuzzed.stack.enter_context(running_server(fuzzed.folder / "data"))
    with Guest(fuzzed.process.url) as guest:
        table = guest.open("times_square", "you", "another")
    for path in ("/socket", f"/tables/{table}/socket", f"/tables/{table}/socket", "/api/socket"):
        frames = [raw_frames.frame(random) for _ in range(GROUP // 4)]
        await raw_frames.send_frames(fuzzed.process.port, path, frames, random)
    log = (fuzzed.folder / "server.log").read_text("utf-8")
    assert '"level": "error"' not in log, log[log.index('"level": "error"') - 200 :]
    return GROUP


# records, positions, maps


@cache
def _golden() -> list[list[str]]:
    """Return the lines of the golden records, as many as are quickly replayed."""
    found = []
    for path in RECORDS:
        lines = path.read_text("utf-8").splitlines()
        found.append([line for line in lines[: lines.index("") + LONGEST_RECORD] if not line.startswith("result")])
    return found


async def fuzz_records(fuzzed: Fuzzed, random: Random) -> int:
    """Bring records that are none, quite; what is taken in can be looked at."""
    for _ in range(GROUP // 4):
        lines = list(random.choice(_golden()))
        for _ in range(random.choice((1, 1, 2))):
            _spoil(lines, random)
        text = "\n".join(lines)
        content = text.encode("utf-8", "surrogatepass")
        content = garbled(content, random) if random.random() < 0.2 else content
        headers = {"content-type": "text/plain"}
        answer = await fuzzed.http.post("/api/records", content=content, headers=headers)
        assert answer.status_code in (201, 400), answer.text
        if answer.status_code == 400:
            assert answer.json()["text"]
            continue
        kept = answer.json()
        ply = random.randrange(kept["plies"] + 1)
        looked = await fuzzed.http.get(f"/api/records/{kept['id']}/positions/{ply}?pictures=true")
        assert looked.status_code == 200, looked.text
    return GROUP // 4


def _spoil(lines: list[str], random: Random) -> None:
    """Change a line, or put one in the place of another; headers as often as plies."""
    head = lines.index("") if "" in lines else len(lines)
    at = (
        random.randrange(max(1, head))
        if random.random() < 0.5 or head >= len(lines)
        else random.randrange(head, len(lines))
    )
    key, colon, value = lines[at].partition(": ")
    chance = random.random()
    if colon and chance < 0.6:
        try:
            lines[at] = f"{key}: {json.dumps(mutated(json.loads(value), random), ensure_ascii=False)}"
        except ValueError:
            lines[at] = scratched(lines[at], random)
    elif chance < 0.85:
        lines[at] = scratched(lines[at], random)
    else:
        lines[at] = random.choice(lines)


@cache
def _positions() -> list[tuple[str, Any]]:
    """Return positions from all over the golden games."""
    found = []
    for number, path in enumerate(RECORDS):
        match = Match.read(path.read_text("utf-8"))
        for at in range(number % 7, len(match.plies), 41):
            found.append((match.game.name, match.at(at).position()))
    return found


async def fuzz_positions(fuzzed: Fuzzed, random: Random) -> int:
    """Set up positions that are none, quite; those that are can be seen and played on."""
    for _ in range(GROUP):
        game, position = random.choice(_positions())
        try:
            match = Match.from_position(game, mutated(position, random), seed=random.getrandbits(64))
        except ValueError:
            continue
        for _ in range(3):
            if match.actor is None:
                break
            match.play(random.choice(match.lines()))
        record_view(match, Reader(random.choice((None, 0)), "en"))
        assert Match.from_position(game, match.position()).position() == match.position()
        Match.read(match.record())
    return GROUP


@cache
def _cities() -> list[Any]:
    return [json.loads(path.read_text("utf-8")) for path in CITIES]


async def fuzz_maps(fuzzed: Fuzzed, random: Random) -> int:
    """Set up tables of Bus in cities that are none, quite; in those that are one can play."""
    headers = {"content-type": "application/json"}
    for _ in range(GROUP // 4):
        options = {"city": mutated(random.choice(_cities()), random)}
        wish = {"game": "bus", "seats": [{"who": "you"}] * 3, "options": options}
        answer = await fuzzed.http.post("/api/tables", content=as_sent(wish, random), headers=headers)
        assert answer.status_code in (201, 400, 413), answer.text
        if answer.status_code != 201:
            assert answer.json()["text"]
            continue
        table = answer.json()["id"]
        fuzzed.registry.live.unload_all()  # it is read from the store again
        scene = await fuzzed.http.get(f"/api/tables/{table}/scene?pictures=true&seat=0")
        assert scene.status_code == 200, scene.text
    return GROUP // 4


# forms


async def fuzz_forms(fuzzed: Fuzzed, random: Random) -> int:
    """Fill in the forms of the pages with what nobody would."""
    for _ in range(GROUP):
        form = {f"{name}-{number}": _typed(random) for name in ("seat", "name", "option") for number in range(3)}
        form |= {"seat-0": random.choice(("you", _typed(random))), "seat-1": random.choice(("another", "random"))}
        form |= {"option-edition": _typed(random), "back": _typed(random), "language": _typed(random)}
        path = random.choice(("/games/times_square/tables", "/games/bus/tables", "/settings", "/records", "/play/x"))
        body = str(httpx.QueryParams(form)).encode()
        body = garbled(body, random) if random.random() < 0.2 else body
        headers = {"content-type": "application/x-www-form-urlencoded"}
        answer = await fuzzed.http.post(path, content=body, headers=headers)
        assert answer.status_code < 500, answer.text
        seen = await fuzzed.http.get("/" + str(httpx.QueryParams({"x": _typed(random)}))[2:60])
        assert seen.status_code < 500, seen.text
    return 2 * GROUP


def _typed(random: Random) -> str:
    """Make up something typed into a field."""
    atom = random.choice(ATOMS)
    text = atom if isinstance(atom, str) else json.dumps(atom)
    return text.encode("utf-8", "replace").decode()


KINDS: dict[str, tuple[Fuzz, float]] = {
    "messages": (fuzz_table, 0.35),
    "frames": (fuzz_frames, 0.05),
    "open_tables": (fuzz_open_table, 0.05),
    "records": (fuzz_records, 0.1),
    "positions": (fuzz_positions, 0.2),
    "maps": (fuzz_maps, 0.05),
    "forms": (fuzz_forms, 0.2),
}
"""What there is, and its share of the inputs."""


class Trouble(AssertionError):
    """A group of inputs that was too much."""


async def fuzz(kind: str, inputs: int, seed: int, first: int = 0) -> int:
    """Send so many inputs of a kind, in groups from a number on; return how many were sent."""
    done, number = 0, first
    async with fuzzed_server() as config:
        while done < inputs:
            try:
                tried = await KINDS[kind][0](config, Random(f"{seed} {kind} {number}"))
            except Exception as error:
                raise Trouble(f"--only {kind} --first {number} --seed {seed}: {error!r}"[:2000]) from error
            done, number = done + tried, number + 1
        assert (await config.http.get("/healthz")).json()["ok"] is True
    return done


def main() -> None:
    """Send hostile inputs, as the command line says."""
    parser = argparse.ArgumentParser(prog="nox -s bench -- --fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000_000, help="inputs in all (default: 1,000,000)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    parser.add_argument("--only", choices=KINDS, default=None, help="only this kind")
    parser.add_argument("--first", type=int, default=0, help="the number of the first group (default: 0)")
    given = parser.parse_args()
    logging.disable(logging.WARNING)  # errors are faults
    for kind in [given.only] if given.only else list(KINDS):
        inputs = given.cases if given.only else round(given.cases * KINDS[kind][1])
        began = time.perf_counter()
        done = asyncio.run(fuzz(kind, inputs, given.seed, given.first))
        rate = done / (time.perf_counter() - began)
        sys.stdout.write(f"{kind}: {done:,} inputs, {rate:,.0f} a second, seed {given.seed}: no trouble\n")


if __name__ == "__main__":
    main()
