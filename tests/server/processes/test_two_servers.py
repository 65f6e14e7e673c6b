"""The traces on PostgreSQL: two servers on one database answer as one does, and one alone as one on a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection

from support.postgres import PostgresServer, missing
from support.server_process import NO_CERTIFICATES, SILENCE_S, ServerProcess, running_server
from support.trace_file import Step, Trace, fits, read
from support.trace_player import FIXED_DICE, Player, own_server, wants_own_server

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "all is there")

Servers = tuple[ServerProcess, ServerProcess]
PLAYING = ("api", "bots", "chat", "clocks", "dice", "play", "proposals", "tables", "teams")
PEOPLE = ("account", "blocks", "friends", "invitations", "lobby", "moderation", "notices", "people", "ratings")
FOLDERS = (*PLAYING, *PEOPLE, "deals", "tournaments")
OTHERWISE = {"resign-together", "time-is-up"}
"""Who is slower at the other server is told to look again, not that the game is over; a bot plays on meanwhile."""
FOUND = {path: read(path) for path in sorted((Path(__file__).parents[2] / "traces").glob("*/*.trace"))}
OWN = [path for path, trace in FOUND.items() if wants_own_server(trace)]
TRACES = [path for path in FOUND if path.parent.name in FOLDERS and path.stem not in OTHERWISE and path not in OWN]
ON_A_FILE = [path for path in OWN if any(step.kind == "disk" for step in FOUND[path].steps)]


class Alternating(Player):
    """Sends every request to another server than the one before, and opens every socket at another one."""

    def __init__(self, trace: Trace, servers: Servers) -> None:
        self.turns = cycle(servers)
        super().__init__(trace, servers[0])
        self.names.drawn |= {server.url: "http://server" for server in servers}

    def _client(self) -> httpx.Client:
        def send_elsewhere(request: httpx.Request) -> None:
            self.server = next(self.turns)
            request.url = request.url.copy_with(port=self.server.port)
            if request.headers["host"].startswith("127.0.0.1:"):
                request.headers["host"] = f"127.0.0.1:{self.server.port}"

        hooks = {"request": [send_elsewhere]}
        once = httpx.Limits(max_keepalive_connections=0)  # a server closes those that are idle for a while
        options: dict[str, Any] = {"limits": once, "event_hooks": hooks, "verify": NO_CERTIFICATES}
        return httpx.Client(base_url=self.server.url, timeout=SILENCE_S, **options)

    def _ask(self, step: Step) -> tuple[str, Any]:
        """Ask again when told to look again, unless that is expected: a bot may just have played at the other one."""
        answer = super()._ask(step)
        stale = answer[0] == "409" and isinstance(answer[1], dict) and answer[1]["code"] == "stale"
        return super()._ask(step) if stale and step.expected and "stale" not in step.expected[0] else answer

    def _connect(self, step: Step) -> list[tuple[str, Any]] | None:
        self.server = next(self.turns)
        return super()._connect(step)

    def _hear(self, socket: ClientConnection, step: Step) -> tuple[str, Any]:
        """Listen until what is expected is heard: what happens at the other server may be told twice."""
        expected = step.expected[0].partition(" ")[2]
        while (heard := super()._hear(socket, step))[0] != "closed" and not fits(json.loads(expected), heard[1]):
            pass
        return heard


@pytest.fixture(scope="module")
def servers(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Two servers on one database."""
    name, folder = postgres.create(), tmp_path_factory.mktemp("servers")
    address = postgres.address(name)
    with (
        running_server(folder / "one", program=FIXED_DICE, traced=True, database=address) as one,
        running_server(folder / "other", program=FIXED_DICE, traced=True, database=address) as other,
    ):
        yield one, other
    postgres.drop(name)


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", TRACES, ids=_name)
def test_every_answer_is_as_from_one_server(path: Path, servers: Servers) -> None:
    """Whichever of them is asked; what comes together comes at both, and sockets hear what happens at the other."""
    Alternating(FOUND[path], servers).play()


@pytest.mark.nightly
@pytest.mark.parametrize("path", [path for path in OWN if path not in ON_A_FILE], ids=_name)
def test_every_answer_is_as_on_a_file(path: Path, postgres: PostgresServer, tmp_path: Path) -> None:
    """Where a trace has a server of its own: after kills, when the host gives commands, with other settings."""
    name = postgres.create()
    with own_server(FOUND[path], tmp_path, postgres.address(name)) as server:
        Player(FOUND[path], server).play()
    postgres.drop(name)
