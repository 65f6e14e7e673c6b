"""Call every route of the application with the most data its limits allow, and find what holds the event loop.

A data folder is filled with what one person and a crowd can leave behind within the published limits: hundreds of
finished games, boards with the most lines, a tournament with the most players, full lists of friends and reports. The
routes are those of the application itself, so a new one is called too, and one whose address has an unknown part stops
the run. The server says how long its event loop worked at a time (`omnibus_event_loop_work_seconds`): in processor
time, so that a busy machine makes no difference.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import httpx
import msgspec
from fastapi.routing import iter_route_contexts

from load import ServerProcess, aligned, say
from omnibus import Match, games
from omnibus.lab.analysis.runner import decided
from omnibus.lab.puzzles.document import puzzles_of
from omnibus.server.app import create_app
from omnibus.server.http.request_limits import largest
from omnibus.server.people import accounts
from omnibus.server.store.boards import MOST_BOARDS, MOST_NODES
from omnibus.server.store.deals import MOST_GAMES
from omnibus.server.store.models import Sitter, User
from omnibus.server.store.sqlite import FILE_NAME, open_database
from omnibus.server.store.tables import MOST_SAID
from omnibus.server.store.tournaments import TournamentSetup
from omnibus.server.tables.analyses import basis_of
from omnibus.server.tables.bot_pool import BotPool
from omnibus.server.tables.chat import LONGEST_SAYING
from omnibus.server.tables.deals import Deals
from omnibus.server.tables.registry import TableRegistry
from omnibus.server.tournaments.service import MOST_ENTRANTS, TournamentService

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from support.analyses import made_up

HELD_S: Final = 0.05
SHOWN: Final = 12  # calls that worked longest
FINISHED: Final = 1000  # games of one person; 30 tables may be opened in ten minutes
CROWD: Final = 1500  # users with a name and a rating
REPORTS: Final = 500
BANS: Final = 200
NEW_BOARDS: Final = 40  # which the calls may make
GAME: Final = "bus"
BOUND: Final = re.compile(r'^omnibus_event_loop_work_seconds_bucket\{le="([^"]+)"\} (\S+)$', re.M)
TOTAL: Final = re.compile(r"^omnibus_event_loop_work_seconds_sum (\S+)$", re.M)
QUIET_S: Final = 0.1
PATIENCE: Final = 300  # looks until a route has done everything it began
IDLE_S: Final = 0.015  # of work between two looks, most of it for the looks themselves
STARTING: Final = 150  # looks at least after something was started that is first prepared in the background

World = dict[str, list[str]]
"""What the parts of addresses may stand for; of parts with several meanings by the beginning of the address."""


class Held(NamedTuple):
    """How a call of a route held the event loop: the longest stretch is at most `most` seconds."""

    route: str
    path: str
    status: int
    work: float
    most: float


# what there is


async def fill(folder: Path) -> tuple[World, str]:
    """Fill a data folder; return what addresses may name, and the token of the person who has the most of it all."""
    database = open_database(folder)
    await database.connect()
    registry = TableRegistry(database, BotPool(0))
    try:
        return await _world(registry, folder)
    finally:
        await registry.close()
        await database.aclose()


async def one_with_games(folder: Path, number: int) -> str:
    """Add a person with so many finished games; return the token of their device."""
    database = open_database(folder)
    await database.connect()
    registry = TableRegistry(database, BotPool(0))
    try:
        (ann, token), (bob, _) = await registry.user_store.add_user(), await registry.user_store.add_user()
        over = await _table(registry, ann, [Sitter(user=each.id) for each in (ann, bob, ann)], None)
        with closing(sqlite3.connect(folder / FILE_NAME)) as file:
            _finished(file, over, number)
            file.commit()
        return token
    finally:
        await registry.close()
        await database.aclose()


async def _world(registry: TableRegistry, folder: Path) -> tuple[World, str]:
    (ann, token), (bob, _) = await registry.user_store.add_user("Annabel"), await registry.user_store.add_user("Bobby")
    await registry.user_store.add_token("recovery", user=ann.id)
    await accounts.claim(registry, ann, "Annabel")
    people = [Sitter(user=ann.id), Sitter(user=bob.id), Sitter(user=ann.id)]
    live, over = await _table(registry, ann, people, 60), await _table(registry, ann, people, None)
    alone = await _table(registry, ann, [Sitter(user=ann.id), Sitter(bot="easy"), Sitter(bot="easy")], None)
    deal = await Deals(registry).challenge(ann, alone)
    waiting = await registry.open(ann.id, GAME, {}, [Sitter(user=ann.id), Sitter(), Sitter()], listed=True)
    match = (await registry.table(over)).match
    record = await registry.table_store.add_record(match.record(), ann.id)
    tournaments = TournamentService(registry)
    setup = TournamentSetup(GAME, games.find(GAME).version, {}, "swiss", size=3)
    cups = [await tournaments.store.add(f"Cup {number}", ann.id, setup, None) for number in range(3)]
    mail = await registry.user_store.add_token("mail", user=ann.id)
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        board = _many(file, ann, bob, match, live=live, over=over, cups=cups)
        _deal(file, ann, alone, deal)
        file.commit()
    picture = min(path.stem for path in Path(games.__path__[0], GAME, "pictures").glob("*.game"))
    puzzle = next(iter(puzzles_of(games.find(GAME))))
    return {
        "table_id": [live, over, waiting.id],
        "record_id": [record],
        "board_id": [board],
        "tournament_id": cups,
        "game_id": [over],
        "deal_id": [deal],
        "kind": ["tables"],
        "name": ["Annabel"],
        "game": [GAME],
        "picture": [picture],
        "key": [puzzle],
        "puzzle_id": [puzzle],
        "report_id": ["report-1"],
        "ply": [str(decided(match)[-1])],
        "node": [str(MOST_NODES)],
        "seat": ["1"],
        "step": ["1"],
        "table": ["0"],
        "token": [mail],
        "action": ["start", "join", "dismiss"],
    }, token


async def _table(registry: TableRegistry, owner: User, sitters: list[Sitter], decisions: int | None) -> str:
    """Play a game to its end, or so many decisions of it."""
    setup = await registry.open(owner.id, GAME, {}, sitters)
    table, random, done = await registry.table(setup.id), Random(7), 0
    while table.actor is not None and (decisions is None or done < decisions):
        line = random.choice(table.match.lines())
        await table.play(table.actor, line, table.event, by_bot=table.awaits is None)
        done += 1
    return setup.id


def _many(
    file: sqlite3.Connection, ann: User, bob: User, match: Match, *, live: str, over: str, cups: list[str]
) -> str:
    """Fill up everything that can be long; return a board with the most lines."""
    now = time.time()
    crowd = [f"crowd-{number:010}" for number in range(CROWD)]
    _rows(file, "users (id, name, created, seen)", [(id_, f"Crowd {id_}", now, now) for id_ in crowd])
    _rows(file, "claims (user, folded, name, former, changed)", [(id_, id_, f"Crowd {id_}", "", now) for id_ in crowd])
    _rows(
        file,
        "friends (user_id, friend, at)",
        [pair for id_ in crowd[:200] for pair in ((ann.id, id_, now), (id_, ann.id, now))],
    )
    _rows(file, "blocks (user_id, blocked, at)", [(ann.id, id_, now) for id_ in crowd[200:400]])
    _rows(file, "moderators (user_id, at)", [(ann.id, now)])
    reports = [
        (f"report-{number}", id_, bob.id, "", 0, "", "x" * 500, now) for number, id_ in enumerate(crowd[:REPORTS])
    ]
    _rows(file, "reports (id, reporter, reported, table_id, line, said, reason, at)", reports)
    _rows(file, "bans (user_id, reason, at)", [(id_, "x" * 500, now) for id_ in crowd[-BANS:]])
    for cup in cups:
        entrants = [(cup, id_, number, 0) for number, id_ in enumerate(crowd[:MOST_ENTRANTS])]
        _rows(file, "tournament_entrants (tournament_id, user, number, withdrawn)", entrants)
    for table in (live, over):
        lines = [(table, number, ann.id, 0, "x" * LONGEST_SAYING, now) for number in range(1, MOST_SAID + 1)]
        _rows(file, "chat (table_id, number, user, seat, text, at)", lines)
    _finished(file, over, FINISHED)
    _ratings(file, ann, crowd)
    _analysed(file, over, match)
    return _boards(file, ann, match)


def _analysed(file: sqlite3.Connection, over: str, match: Match) -> None:
    """Add the judgement of every decision."""
    basis, rows = basis_of(match), list[tuple[Any, ...]]()
    for ply in decided(match):
        state = match.states[ply]
        view = match.game.view(state, state.actor)
        rows.append(
            (over, ply, basis, msgspec.json.encode(made_up(match.game, view, match.plies[ply][1], ply)).decode())
        )
    _rows(file, "table_analyses (table_id, ply, basis, decision)", rows)


def _rows(file: sqlite3.Connection, into: str, rows: list[tuple[Any, ...]]) -> None:
    file.executemany(f"INSERT INTO {into} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _finished(file: sqlite3.Connection, over: str, most: int) -> None:
    """Copy a finished game until there are enough."""
    columns = [row[1] for row in file.execute("PRAGMA table_info(tables)")]
    rest = ", ".join(column for column in columns if column != "id")
    for number in range(most):
        id_ = f"over-{number:011}"
        file.execute(f"INSERT INTO tables (id, {rest}) SELECT ?, {rest} FROM tables WHERE id = ?", (id_, over))
        file.execute("INSERT INTO sitting SELECT user, ?, 0 FROM sitting WHERE table_id = ?", (id_, over))
        file.execute("INSERT INTO events SELECT ?, number, body, NULL, at FROM events WHERE table_id = ?", (id_, over))
        file.execute("INSERT INTO analysis_results VALUES (?, 0, 80.0, 0.1)", (id_,))


def _deal(file: sqlite3.Connection, ann: User, alone: str, deal: str) -> None:
    """Let as many people as may play the same deal have played it."""
    columns = [row[1] for row in file.execute("PRAGMA table_info(tables)")]
    rest = ", ".join(column for column in columns if column not in ("id", "sitters"))
    for number in range(MOST_GAMES - 1):
        id_, player = f"deal-{number:011}", f"crowd-{number:010}"
        copied = f"SELECT ?, replace(sitters, ?, ?), {rest} FROM tables WHERE id = ?"
        query = f"INSERT INTO tables (id, sitters, {rest}) {copied}"
        file.execute(query, (id_, ann.id, player, alone))
        file.execute("INSERT INTO sitting VALUES (?, ?, 0)", (player, id_))
        file.execute("INSERT INTO events SELECT ?, number, body, NULL, at FROM events WHERE table_id = ?", (id_, alone))
        file.execute("INSERT INTO deal_games VALUES (?, ?, ?, ?)", (deal, player, number + 10, id_))


def _ratings(file: sqlite3.Connection, ann: User, crowd: list[str]) -> None:
    """Give everybody a rating, and one person a long history."""
    at, known, steady = time.time(), (GAME, "3", 1, 25.0, 8.0), (2.0, 1.0)
    rows: list[tuple[Any, ...]]
    rows = [(f"over-{n:011}", ann.id, at + n, *known, 25.0 + n / 100, *steady, n + 1) for n in range(FINISHED)]
    rows += [(f"rated-{n}", id_, at, *known, 25.0 + n / 100, *steady, 30) for n, id_ in enumerate(crowd)]
    _rows(file, "rating_changes", rows)


def _boards(file: sqlite3.Connection, ann: User, match: Match) -> str:
    """Add as many boards as one person may have, one of them with as many lines as it may have."""
    now, start = time.time(), Match.new(GAME, seats=3, dice=False).record()
    ids = [f"board-{number:010}" for number in range(MOST_BOARDS - NEW_BOARDS)]
    columns = "boards (id, owner, game, start, version, created, updated)"
    _rows(file, columns, [(id_, ann.id, GAME, start, 1, now, now) for id_ in ids])
    line = [played for _, played in match.plies][: MOST_NODES // 2]
    nodes = [(ids[0], number, number - 1, played) for number, played in enumerate(line, 1)]
    first = Match.new(GAME, seats=3, dice=False).lines()
    nodes += [(ids[0], number, 0, first[number % len(first)]) for number in range(len(line) + 1, MOST_NODES + 1)]
    _rows(file, "board_nodes (board_id, number, parent, line, bot)", [(*node, "") for node in nodes])
    return ids[0]


# calling routes

OF_GAMES: Final = (
    "/rules/{name}",
    "/learn/{name}",
    "/pictures/{name}",
    "/play/{name}",
    "/games/{name}",
    "/analysis/{name}",
)
"""Addresses in which a name is that of a game."""
LAST: Final = (
    "withdraw",
    "cancel",
    "abandon",
    "resign",
    "DELETE ",
    "delete",
    "devices",
    "erase",
    "DELETE /api/users/me ",
)
"""Parts of the names of routes that take away what others need, the worst last."""
PUT_OFF: Final = ("WEBSOCKET", "/static")


class Call(NamedTuple):
    """A request: the route it is for, its address, and the body, if it has one."""

    route: str
    method: str
    path: str
    body: str = ""
    kind: str = ""


def calls(world: World) -> list[Call]:
    """Return the calls of every route of the application: with everything its address may name, and every body."""
    with tempfile.TemporaryDirectory() as folder:
        routes = [
            (method, str(route.path))
            for route in iter_route_contexts(create_app(open_database(Path(folder)), workers=0).routes)
            for method in sorted(getattr(route, "methods", None) or ())
        ]
    found = []
    for method, path in routes:
        for address in _addresses(path, world):
            bodies = [("", "")] if method == "GET" else _bodies(method, path, address, world)
            found += [Call(f"{method} {path}", method, address, body, kind) for body, kind in bodies]
    return sorted(
        found, key=lambda call: max((n for n, part in enumerate(LAST, 1) if part in f"{call.route} "), default=0)
    )


def _addresses(path: str, world: World) -> Iterator[str]:
    parts = re.findall(r"{(\w+)}", path)
    meant = [[GAME] if part == "name" and path.startswith(OF_GAMES) else world.get(part) for part in parts]
    if None in meant:
        sys.exit(f"benchmarks/routes.py does not know what to call {path} with")
    for values in product(*(each for each in meant if each is not None)):
        address = path
        for value in values:
            address = re.sub(r"{\w+}", value, address, count=1)
        yield address


def _bodies(method: str, path: str, address: str, world: World) -> list[tuple[str, str]]:
    """Return the bodies a route is called with: what it is for, as far as that is work, and as much as it takes."""
    most = largest(address)
    if path.startswith("/api/"):
        meant = [json.dumps(body) for route, body in _meant(world) if route == f"{method} {path}"]
        deep = "[" * (most // 2) + "]" * (most // 2)
        junk = [json.dumps({"record": "é" * (most // 6 - 20)}), deep, "{" + '"a":1,' * (most // 6 - 2) + '"a":1}']
        text = world["text"] * (path == "/api/records")
        return [(body, "application/json") for body in (*meant, *junk)] + [(body, "text/plain") for body in text]
    form = "application/x-www-form-urlencoded"
    if path == "/analysis/check":
        texts = [json.dumps({"game": GAME, "text": text}) for text in (*world["text"], *world["position"])]
        return [(text, "application/json") for text in texts]
    texts = [f"game={GAME}&text={text}" for text in world["quoted"]] if path == "/analysis" else []
    return [
        (body, form)
        for body in (*texts, "sure=yes&name=Annabel&reason=x", "a=1&" * (most // 4), "text=" + "%41" * (most // 3 - 2))
    ]


def _meant(world: World) -> Iterator[tuple[str, Any]]:
    """Return bodies with which routes of the API have work to do."""
    yield "POST /api/boards", {"record": world["text"][0]}
    yield "POST /api/boards", {"board": world["board_id"][0]}
    yield "POST /api/boards", {"table": world["table_id"][1]}
    yield "POST /api/boards", {"game": GAME, "seats": 5}
    bots = [{"who": "you"}, *[{"who": "bot", "bot": "easy"}] * 4]
    yield "POST /api/tables", {"game": GAME, "seats": bots}
    yield "POST /api/tournaments", {"name": "x" * 40, "game": GAME, "size": 3}
    yield "POST /api/team-matches", {"game": "times_square", "seats": 2}
    yield "POST /api/boards/{board_id}/nodes", {"after": 0}
    yield "POST /api/tables/{table_id}/chat", {"text": "x" * LONGEST_SAYING}
    yield "POST /api/tables/{table_id}/play", {"line": "", "event": 1}
    yield "POST /api/pairing", {"game": GAME}
    yield "POST /api/reports", {"name": "Bobby", "reason": "x" * 500}
    yield "POST /api/moderation/bans", {"name": "Crowd crowd-0000000003", "reason": "x" * 200}
    yield "POST /api/users/me/blocks", {"name": "Crowd crowd-0000000004"}
    yield "POST /api/puzzles/{puzzle_id}/answer", {"line": ""}
    yield "POST /api/users", {"name": "x" * 20}
    yield "PATCH /api/users/me", {"name": "Annabel"}
    yield "PUT /api/users/me/vacation", {"days": 1}
    yield "PUT /api/tables/{table_id}/stand-in", {"bot": "easy"}


def measured(client: httpx.Client, call: Call) -> Held:
    """Call a route, and wait until the server has done what follows from it."""
    before, began = _bounds(client), _worked(client)
    headers = {"content-type": call.kind, "accept": "text/html"} if call.kind else {"accept": "text/html"}
    try:
        status = client.request(call.method, call.path, content=call.body or None, headers=headers).status_code
    except httpx.HTTPError:
        status = 0
    worked = _worked(client)
    for look in range(PATIENCE):
        time.sleep(QUIET_S)
        last, worked = worked, _worked(client)
        if worked - last < IDLE_S and look >= STARTING * ("start" in call.path and status < 400):
            break
    after = _bounds(client)
    gained = [(bound, after[bound] - before[bound]) for bound in after]
    most = next(bound for bound, number in gained if number == gained[-1][1])
    return Held(call.route, call.path, status, worked - began, most)


def _bounds(client: httpx.Client) -> dict[float, float]:
    return {
        float(bound.replace("+Inf", "inf")): float(number)
        for bound, number in BOUND.findall(client.get("/metrics").text)
    }


def _worked(client: httpx.Client) -> float:
    found = TOTAL.search(client.get("/metrics").text)
    assert found
    return float(found[1])


def held_loop(parts: Collection[str] = (), seconds: float = HELD_S) -> tuple[list[Held], list[Held]]:
    """Call every route of a server of its own, or those whose names have one of some parts.

    Return all calls, the most work first, and those that held the loop.
    """
    with tempfile.TemporaryDirectory(prefix="omnibus-routes-") as name:
        say("filling a data folder")
        world, token = asyncio.run(fill(Path(name)))
        server = ServerProcess(Path(name), "--metrics", "127.0.0.1")
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=120) as client:
                client.headers["authorization"] = f"Bearer {token}"
                client.cookies.set("omnibus_user", token)
                _complete(client, world)
                found = []
                todo = [each for each in calls(world) if not parts or any(part in each.route for part in parts)]
                for number, call in enumerate(todo):
                    say(f"{number} of {len(todo)}: {call.route}")
                    found.append(measured(client, call))
        finally:
            server.stop()
    found.sort(key=lambda each: -each.work)
    return found, [each for each in found if each.most > seconds]


def _complete(client: httpx.Client, world: World) -> None:
    """Add to the world what a running server makes."""
    world["match_id"] = [client.post("/api/team-matches", json={"game": "times_square", "seats": 2}).json()["id"]]
    text = client.get(f"/api/records/{world['record_id'][0]}").text
    position = json.dumps(Match.read(text).at(40).position())
    world |= {
        "text": [text],
        "position": [position],
        "quoted": [str(httpx.QueryParams({"t": each}))[2:] for each in (text, position)],
    }


def tell(parts: Collection[str] = ()) -> bool:
    """Call every route, and print those that worked longest; False when one held the event loop for too long."""
    found, slow = held_loop(parts)
    say()
    rows = [
        (each.route, each.path[-30:], str(each.status), f"{1000 * each.work:.0f}", f"{1000 * each.most:g}")
        for each in found
    ]
    shown = [row for each, row in zip(found, rows, strict=True) if each in slow or each in found[:SHOWN]]
    print(aligned([("route", "address", "status", "ms of work", "at a time less than"), *shown]))
    held = f"{len(slow)} of them held the event loop for more than {1000 * HELD_S:.0f} ms"
    print(f"{len(found)} calls of {len({each.route for each in found})} routes; {held}", flush=True)
    return not slow


if __name__ == "__main__":
    sys.exit(not tell(sys.argv[1:]))
