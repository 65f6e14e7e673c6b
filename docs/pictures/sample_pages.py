"""A server on which everything has happened at least once, and the addresses of all its pages."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import NamedTuple

from playwright.sync_api import APIResponse, BrowserContext, FilePayload

from omnibus import games
from omnibus.bots import bot
from omnibus.lab.puzzles.document import puzzles_of
from support.analyses import finished_match, rows
from support.browser import SEATS, WEAK
from support.server_process import ServerProcess

People = dict[str, BrowserContext]
"""Annegret has done everything, Bertolda and Clothilde have helped her; a newcomer has done nothing yet."""
MANY = 2_000  # requests without the end of a game are too many
PATIENCE_S = 0.1  # between them
INSERT = "INSERT OR REPLACE INTO record_analyses (record_id, ply, basis, decision) VALUES (?, ?, ?, ?)"


class Sample(NamedTuple):
    """A page to be looked at, and what is done on it first."""

    name: str
    path: str
    who: str = "Annegret"
    click: str = ""
    """What to click first, as a selector."""
    calm: bool = False
    """Whether to close what only newcomers are shown."""


def post(person: BrowserContext, path: str, **form: str) -> str:
    """Send a form, and return the address it leads to."""
    answer = person.request.post(path, form=dict(form), max_redirects=0)
    assert answer.status < 400, (path, answer.status, answer.text()[:400])
    return answer.headers.get("location", "")


def sample_pages(server: ServerProcess, people: People) -> list[Sample]:
    """Let people do everything once, and return the pages of all that."""
    for name, person in people.items():
        if name != "newcomer":
            post(person, "/you/name", name=name)
            post(person, "/you/link")
            post(person, "/you/claim")
    return [
        *_of_people(people),
        *_of_tournaments(people),
        *_of_tables(people),
        *_of_analysis(server, people["Annegret"]),
        *_of_puzzles(),
        *_of_rules(),
        *_of_moderators(server, people),
    ]


# people


def _of_people(people: People) -> list[Sample]:
    ann, bo, cleo = (people[name] for name in ("Annegret", "Bertolda", "Clothilde"))
    post(ann, "/friends/ask", name="Bertolda")
    post(bo, "/friends/ask", name="Annegret")
    post(cleo, "/friends/ask", name="Annegret")
    recovery = _found(r'value="([^"]*/recover/[^"]+)"', bo.request.post("/you/link"))
    return [
        Sample("lobby newcomer", "/", "newcomer"),
        Sample("lobby", "/"),
        Sample("lobby form", "/", click="section.game summary"),
        Sample("friends", "/friends"),
        Sample("friends none", "/friends", "newcomer"),
        Sample("player", "/players/Annegret"),
        Sample("player other", "/players/Bertolda"),
        Sample("leaderboards", "/leaderboards"),
        Sample("account", "/you"),
        Sample("account newcomer", "/you", "newcomer"),
        Sample("erase", "/you/erase"),
        Sample("recover", _path(recovery), "newcomer"),
    ]


def _of_moderators(server: ServerProcess, people: People) -> list[Sample]:
    """Let somebody be reported, and banned; last, because they can do nothing afterwards."""
    command = [sys.executable, "-m", "omnibus", "admin", "moderator", "Annegret", "--data", str(server.data)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    post(people["Bertolda"], "/reports", name="Clothilde", reason="Leaves every game she is about to lose.")
    post(people["Annegret"], "/reports", name="Bertolda", reason="Writes rude things.")
    post(people["Annegret"], "/moderation/ban", name="Clothilde", days="7", reason="Leaves games.")
    return [Sample("moderation", "/moderation"), Sample("forbidden", "/moderation", "newcomer")]


def _found(pattern: str, answer: APIResponse) -> str:
    found = re.search(pattern, answer.text())
    assert found, (pattern, answer.url, answer.status)
    return found[1]


def _path(link: str) -> str:
    return re.sub(r"^\w+://[^/]+", "", link)


# tournaments


def _of_tournaments(people: People) -> list[Sample]:
    ann = people["Annegret"]
    open_ = _tournament(people, "Open cup", rounds="3")
    live = _tournament(people, "Friday cup", rounds="3", clock="normal")
    post(ann, f"{live}/start")
    over = _tournament(people, "Sunday cup", rounds="1", rated="yes")
    post(ann, f"{over}/start")
    _finish(people, over)
    arena = _tournament(people, "Evening arena", format="arena", game="metromania", clock="normal")
    cancelled = _tournament(people, "Rainy cup", rounds="1")
    post(ann, f"{cancelled}/cancel")
    return [
        Sample("tournaments", "/tournaments"),
        Sample("tournaments newcomer", "/tournaments", "newcomer"),
        Sample("tournament new", "/tournaments/new?game=metromania"),
        Sample("tournament open", open_),
        Sample("tournament open visitor", open_, "newcomer"),
        Sample("tournament live", live),
        Sample("tournament over", over),
        Sample("tournament arena", arena),
        Sample("tournament cancelled", cancelled),
    ]


def _tournament(people: People, name: str, **form: str) -> str:
    chosen = {"game": "times_square", "format": "swiss", "size": "2", "rounds": "0", "limit": "60", "clock": "none"}
    path = post(people["Annegret"], "/tournaments", name=name, **(chosen | form))
    for person in ("Annegret", "Bertolda", "Clothilde"):
        post(people[person], f"{path}/join")
    return path


def _finish(people: People, tournament: str) -> None:
    """Let the first one at each table resign until somebody has won."""
    for _ in range(MANY):
        for person in people.values():
            text = person.request.get(tournament).text()
            if "Winner" in text:
                return
            if found := re.search(r'id="your-table"[^>]*href="([^"]+)"', text):
                person.request.post(f"{found[1]}/resign")
        time.sleep(PATIENCE_S)
    raise AssertionError("the tournament does not end")


# tables


def _of_tables(people: People) -> list[Sample]:
    ann, bo = people["Annegret"], people["Bertolda"]
    pages = []
    for name, seats in SEATS.items():
        bots = {f"seat-{seat}": WEAK for seat in range(1, seats)}
        first = post(ann, f"/games/{name}/tables", **{"seat-0": "you"}, **bots)
        play(ann, first, name, 0)
        middle = post(ann, f"/games/{name}/tables", **{"seat-0": "you"}, **bots)
        play(ann, middle, name, 12)
        over = post(ann, f"/games/{name}/tables", **{"seat-0": "you"}, **bots)
        play(ann, over, name, MANY)
        pages += [
            Sample(f"table {name} first", first),
            Sample(f"table {name}", middle, calm=True),
            Sample(f"table {name} watched", middle, "newcomer"),
            Sample(f"table {name} end", over),
            Sample(f"table {name} end board", over, click="#close-result"),
        ]
    waiting = post(
        ann,
        "/games/bus/tables",
        **{"seat-0": "you", "seat-1": "friend", "seat-2": "friend"},
        listed="yes",
        clock="normal",
    )
    post(ann, f"{waiting}/invited", name="Bertolda")
    deal = post(ann, f"{over}/deal")
    match = post(ann, "/team-matches", match="metromania 2 teams")
    return [
        *pages,
        Sample("open table", waiting),
        Sample("open table invited", waiting, "Bertolda"),
        Sample("join", waiting, "newcomer"),
        Sample("players at a table", f"{_of_two(ann, bo)}/players"),
        Sample("table of two", _of_two(ann, bo)),
        Sample("deal", deal),
        Sample("deal newcomer", deal, "newcomer"),
        Sample("team match new", "/team-matches/new"),
        Sample("team match", match),
        Sample("dice", f"{over}/dice"),
        Sample("dice live", f"{middle}/dice"),
    ]


def _of_two(ann: BrowserContext, bo: BrowserContext) -> str:
    """Let two people play at a table with a clock; one has said something."""
    path = post(ann, "/games/times_square/tables", **{"seat-0": "you", "seat-1": "friend"}, clock="normal")
    post(bo, f"{path}/join")
    bo.request.post(f"/api{path}/chat", data={"text": "Good luck!"})
    return path


def play(person: BrowserContext, path: str, game: str, decisions: int) -> None:
    """Make some decisions at a table, or as many as there are."""
    player = bot(WEAK, games.find(game), seed=1)
    for _ in range(MANY):
        scene = person.request.get(f"/api{path}/scene").json()
        if not scene["live"] or (scene["moves"] and not decisions):
            return
        if scene["moves"]:
            line = player(person.request.get(f"/api{path}/view").json()["view"])
            person.request.post(f"/api{path}/play", data={"line": line, "event": scene["event"]})
            decisions -= 1
        else:
            time.sleep(PATIENCE_S)
    raise AssertionError("the game does not end")


# analysis


def _of_analysis(server: ServerProcess, ann: BrowserContext) -> list[Sample]:
    pages = [Sample("analysis", "/analysis"), Sample("analysis newcomer", "/analysis", "newcomer")]
    for name in SEATS:
        match = finished_match(name)
        file: FilePayload = {"name": "a.game", "mimeType": "text/plain", "buffer": match.record().encode()}
        record = ann.request.post("/records", multipart={"record": file}, max_redirects=0).headers["location"]
        with closing(sqlite3.connect(server.data / "omnibus.db", timeout=30)) as connection, connection:
            connection.executemany(INSERT, rows(match, record.removeprefix("/records/")))
        board = post(ann, f"/analysis/{name}")
        _play_on(ann, board)
        pages += [
            Sample(f"record {name}", record),
            Sample(f"record {name} dice", f"{record}/dice"),
            Sample(f"analysis {name}", f"{record}/analysis"),
            Sample(f"luck {name}", f"{record}/analysis/luck"),
            Sample(f"retry {name}", f"{record}/analysis/retry?seat=0"),
            Sample(f"what-if {name}", f"{board}?node=3"),
            Sample(f"editor {name}", f"/analysis/position?game={name}&begin=middle"),
        ]
    return [*pages, Sample("editor wrong", "/analysis/position")]


def _play_on(person: BrowserContext, board: str) -> None:
    """Play four lines on a board, two of them as alternatives."""
    for after in (0, 1, 2, 2):
        moves = person.request.get(f"/api{board}/nodes/{after}").json()["moves"]
        known = person.request.get(f"/api{board}").json()["nodes"]
        line = moves[len(known) % len(moves)]["line"]
        person.request.post(f"/api{board}/nodes", data={"after": after, "line": line})


# puzzles, rules and the rest


def _of_puzzles() -> list[Sample]:
    pages = [
        Sample("puzzles", "/puzzles"),
        Sample("puzzles none", "/puzzles?game=bus&theme=metromania.rides", "newcomer"),
        Sample("puzzle of the day", "/puzzles/daily"),
    ]
    for name in SEATS:
        key = next(iter(puzzles_of(games.find(name))))
        pages += [
            Sample(f"puzzle {name}", f"/puzzles/{key}"),
            Sample(f"puzzle {name} solved", f"/puzzles/{key}", click="#show-solution"),
        ]
    return pages


def _of_rules() -> list[Sample]:
    pages = []
    for name in SEATS:
        steps = len(games.find(name).lessons)
        pages += [Sample(f"rules {name}", f"/rules/{name}")]
        pages += [Sample(f"lesson {name} {step}", f"/learn/{name}?step={step}") for step in (1, 3, steps // 2 + 1)]
        pages += [Sample(f"lesson {name} end", f"/learn/{name}?step={steps}", click="#skip")]
    return [
        *pages,
        Sample("credits", "/credits"),
        Sample("api", "/api/"),
        Sample("not found", "/nowhere"),
        Sample("no such table", "/tables/nothing"),
    ]
