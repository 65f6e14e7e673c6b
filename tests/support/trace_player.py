"""Play a trace against a real server: send what it asks over HTTP and sockets, and compare what comes back."""

from __future__ import annotations

import json
import re
import resource
import shlex
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from omnibus.server.http.visitor import TOKEN
from support.command_line import omnibus
from support.server_process import NO_CERTIFICATES, SILENCE_S, ServerProcess
from support.trace_file import RANDOM, REST, MalformedTrace, Step, Trace, fits, shortened, write

FIXED_DICE: Final = (str(Path(__file__).with_name("fixed_dice.py")),)
"""The command `omnibus` with dice that fall the same way at every first table of a person."""
PAUSE_S: Final = 0.02
KINDS: Final = {
    "tables": "table",
    "records": "record",
    "boards": "board",
    "deals": "deal",
    "users": "user",
    "tournaments": "tournament",
    "team-matches": "match",
    "own": "table",
    "your_table": "table",
    "key": "key",
    "pairing": "table",
}
LAST: Final = {"deal": "deal", "play": "table"}
"""What an answer is about, by the last word of its path where the first one says something else."""
REPEATED: Final = re.compile(r"(\w+) × (\d+)")
KEY: Final = re.compile(r"[0-9a-f]{64}")
"""What stands for an account in requests about it: the hash of its id."""
LINKED: Final = re.compile(r"(?<=[/=:#])[\w-]+")


class Different(AssertionError):
    """The server answered otherwise than a trace expects."""


class Names:
    """The names that stand in a trace for what is drawn at random: ids, tokens, the address of the server."""

    def __init__(self) -> None:
        self.drawn: dict[str, str] = {}  # what the server calls it → what the trace calls it

    def learn(self, value: Any, kind: str) -> None:
        """Name all ids and tokens in an answer that have no name yet."""
        if isinstance(value, dict):
            for key, each in value.items():
                self.learn(each, _kind(key, kind))
        elif isinstance(value, list):
            for each in value:
                self.learn(each, kind)
        elif isinstance(value, str):
            for word in [value, *(LINKED.findall(value) if "/" in value else [])]:
                drawn = KEY.fullmatch(word) if kind == "key" else RANDOM.fullmatch(word)
                if drawn and word not in self.drawn and word not in self.drawn.values():
                    self._name(word, "token" if len(word) == 43 else kind)

    def _name(self, word: str, kind: str) -> None:
        number = sum(name.startswith(kind + "-") for name in self.drawn.values()) + 1
        self.drawn[word] = f"{kind}-{number}"

    def told(self, text: str) -> str:
        """Write an answer as a trace does."""
        for drawn in sorted(self.drawn, key=len, reverse=True):
            text = text.replace(drawn, self.drawn[drawn])
        return text

    def meant(self, text: str) -> str:
        """Write a request as the server understands it."""
        for drawn, name in self.drawn.items():
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", drawn, text)
        return text


def _kind(key: str, kind: str) -> str:
    return key if key in KINDS.values() else KINDS.get(key, kind)


class Player:
    """Plays one trace."""

    def __init__(self, trace: Trace, server: ServerProcess, *, recording: bool = False) -> None:
        self.trace, self.server, self.recording = trace, server, recording
        self.names = Names()
        self.names.drawn[server.url] = "http://server"
        self.tokens: dict[str, str] = {}
        self.sockets: dict[str, ClientConnection] = {}
        self._open = ExitStack()
        self.recorded: dict[int, list[str]] = {}
        self.http = self._client()

    def _client(self) -> httpx.Client:
        idle = httpx.Limits(keepalive_expiry=1.0)  # the server closes connections that are idle for five seconds
        return httpx.Client(base_url=self.server.url, timeout=SILENCE_S, verify=NO_CERTIFICATES, limits=idle)

    def play(self) -> None:
        """Play all steps; Different at the first answer that is not as expected."""
        try:
            for step in self.trace.steps:
                found = self._do(step)
                if found is not None:
                    self._compare(step, found)
        finally:
            self._open.close()
            self.http.close()
            if self.recorded:
                write(self.trace, self.recorded)

    def _compare(self, step: Step, found: list[tuple[str, Any]]) -> None:
        expected = [_answer(line) for line in step.expected]
        if len(expected) == len(found) and all(
            status == other and fits(value, answer)
            for (status, value), (other, answer) in zip(expected, found, strict=True)
        ):
            return
        lines = [f"{status} {json.dumps(shortened(answer), ensure_ascii=False)}".strip() for status, answer in found]
        if self.recording:
            self.recorded[step.last] = lines
            return
        raise Different(
            f"{self.trace.path.name}, line {step.line}: {step.text}\n  expected: "
            + "\n            ".join(step.expected or ["(nothing is recorded: run pytest with --record-traces)"])
            + "\n  answered: "
            + "\n            ".join(lines)
        )

    def _do(self, step: Step) -> list[tuple[str, Any]] | None:
        """Do what a step says; return what came back, None where nothing is expected."""
        match step.kind:
            case "people" | "claimed":
                for name in step.path.split(", "):
                    self._arrive(name, claims=step.kind == "claimed")
            case "server":
                pass  # it was started so
            case "request":
                return [self._ask(step)]
            case "until":
                return self._until(step)
            case "opens" | "closes" | "sends" | "hears":
                return self._talk(step)
            case "together":
                return self._ask_together(step)
            case "play":
                self._play_on(step)
            case "kill" | "restart":
                self._start_again(kill=step.kind == "kill")
            case "disk":
                self._limit_disk(full=step.path == "full")
            case "host":
                return [self._host(step)]
        return None

    def _arrive(self, name: str, *, claims: bool) -> None:
        """Make a user; one who claims a name has another one on a server that is shared."""
        real = f"{name}{token_hex(2)}" if claims else name
        made = self.http.post("/api/users", json={"name": real})
        assert made.status_code == 201, made.text
        token = self.tokens[name.lower()] = made.json()["token"]
        if claims:
            self.names.drawn[real] = name
            claim = self.http.post("/api/users/me/claim", json={"name": real}, headers=self._headers(name.lower()))
            assert claim.status_code == 200, claim.text
        self.names.drawn[token] = f"token-of-{name.lower()}"
        self.names.learn(made.json(), "user")

    def _headers(self, person: str) -> dict[str, str]:
        if person == "nobody":
            return {}
        token = self.tokens.get(person) or self.names.meant(person.replace("_", "-"))
        return {"authorization": f"Bearer {token}"}

    def _ask(self, step: Step) -> tuple[str, Any]:
        """Send a request to the API or, with a path that begins with a slash, a form to a page."""
        host, asked = re.fullmatch(r"(?://([^/]+))?(.+)", step.path, re.DOTALL).groups()  # type: ignore[union-attr]
        page = asked.startswith("/")
        path = self.names.meant(asked if page else f"/api/{asked}")
        body = None if step.body is None else json.loads(self._written(step.body))
        text = isinstance(body, str)
        headers = self._headers(step.person) | ({"host": host} if host else {})
        if page and "authorization" in headers:
            self.http.cookies.clear()  # those of somebody else
            headers["cookie"] = f"{TOKEN}={headers['authorization'].removeprefix('Bearer ')}"
        answer = self.http.request(
            step.verb,
            path,
            headers=headers,
            content=body if text else None,
            data=body if page and not text else None,
            json=None if page or text else body,
        )
        if "location" in answer.headers:
            self.names.learn(answer.headers["location"], "id")
            return str(answer.status_code), self._told({"location": answer.headers["location"]})
        if answer.headers.get("content-type", "").startswith("application/json"):
            value = answer.json()
            first, *_, last = re.findall(r"[^/?]+", step.path) * 2
            self.names.learn(value, LAST.get(last) or KINDS.get(first, "id"))
        else:
            value = answer.text if answer.headers.get("content-type", "").startswith("text/") else REST
        return str(answer.status_code), self._told(value)

    def _written(self, body: Any) -> str:
        """Write a body as the server understands it; `x × 9000` stands for a long text."""
        meant = self.names.meant(json.dumps(body, ensure_ascii=False))
        return _repeated(meant)

    def _ask_together(self, step: Step) -> list[tuple[str, Any]] | None:
        """Send several requests at once; with a `kill` among them, the server is killed before it has answered all."""
        asked = [part for part in step.parts if part.kind != "kill"]
        with ThreadPoolExecutor(len(asked)) as pool:
            answers = [pool.submit(self._ask, part) for part in asked]
            if len(asked) < len(step.parts):
                self.server.kill()
                for answer in answers:
                    answer.exception()  # it came, or it did not
                return None
        return sorted((answer.result() for answer in answers), key=lambda found: (found[0], json.dumps(found[1])))

    def _told(self, value: Any) -> Any:
        return json.loads(self.names.told(json.dumps(value, ensure_ascii=False)))

    def _until(self, step: Step) -> list[tuple[str, Any]]:
        """Ask again and again until the answer is the expected one, or listen until it is heard."""
        asked, ends = replace(step.parts[0], expected=step.expected), time.monotonic() + SILENCE_S / 2
        (status, value), *_ = [_answer(line) for line in step.expected]
        while True:
            answer = self._hear(self.sockets[asked.person], asked) if asked.kind == "hears" else self._ask(asked)
            if (answer[0] == status and fits(value, answer[1])) or time.monotonic() > ends:
                return [answer]
            time.sleep(PAUSE_S)

    def _talk(self, step: Step) -> list[tuple[str, Any]] | None:
        if step.kind == "opens":
            return self._connect(step)
        socket = self.sockets[step.person]
        if step.kind == "closes":
            socket.close()
        elif step.kind == "sends":
            socket.send(self.names.meant(json.dumps(step.body)))
        else:
            return [self._hear(socket, step)]
        return None

    def _connect(self, step: Step) -> list[tuple[str, Any]] | None:
        address = re.sub("^http", "ws", self.server.url) + f"/api/{self.names.meant(step.path)}"
        try:
            self.sockets[step.person] = self._open.enter_context(
                connect(address, additional_headers=self._headers(step.person), max_size=None)
            )
        except InvalidStatus as refused:
            return [(str(refused.response.status_code), None)]
        return None

    def _hear(self, socket: ClientConnection, step: Step) -> tuple[str, Any]:
        """Take the next message of a type, or the code with which the socket is closed."""
        while True:
            try:
                message = json.loads(socket.recv(timeout=SILENCE_S))
            except ConnectionClosed as closed:
                return "closed", closed.rcvd.code if closed.rcvd else 1006
            if message["type"] == step.path:
                self.names.learn(message, "table")
                return "message", self._told(message)

    def _play_on(self, step: Step) -> None:
        """Play first lines: `play table-1 10`, or `play table-1 to the end`."""
        table, _, how = step.path.partition(" ")
        path, decisions, people = f"/api/tables/{self.names.meant(table)}", 0, list(self.tokens)
        ends = time.monotonic() + 2 * SILENCE_S
        while how == "to the end" or decisions < int(how):
            for number, person in enumerate(people):
                scene = self.http.get(f"{path}/scene", headers=self._headers(person)).json()
                if scene.get("moves"):
                    said = {"line": scene["moves"][0]["line"], "event": scene["event"]}
                    seat = {} if len(scene["own"]) < 2 else {"seat": scene["actor"]}
                    answer = self.http.post(f"{path}/play", json={**said, **seat}, headers=self._headers(person))
                    assert answer.status_code == 200, f"line {step.line}: {answer.text}"
                    decisions += 1
                    people = people[number:] + people[:number]  # who has decided often decides again, or the next one
                    break
            else:
                if not scene.get("live", False):
                    return
                assert time.monotonic() < ends, f"line {step.line}: nobody can do anything"
                time.sleep(PAUSE_S)  # a bot thinks

    def _start_again(self, *, kill: bool) -> None:
        self._open.close()
        self.sockets.clear()
        self.http.close()
        self.server.start_again(kill=kill)
        self.names.drawn[self.server.url] = "http://server"
        self.http = self._client()

    def _limit_disk(self, *, full: bool) -> None:
        """Let the server's files grow no more, as on a full disk, or let them grow again."""
        size = (self.server.data / "omnibus.db-wal").stat().st_size if full else resource.RLIM_INFINITY
        resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def _host(self, step: Step) -> tuple[str, Any]:
        """Run a command of the host's, such as `host admin moderator add Ann`."""
        asked = self.names.meant(step.path).replace("DATA", str(self.server.data))
        database = self.server.database
        done = omnibus(*shlex.split(asked), *(("--database", database) if database else ("--data", self.server.data)))
        said = self.names.told((done.stdout + done.stderr).replace(str(self.server.data), "DATA"))
        return f"exit-{done.returncode}", " ".join(said.split())


def _repeated(text: str) -> str:
    return REPEATED.sub(lambda found: found[1] * int(found[2]), text)


def _answer(line: str) -> tuple[str, Any]:
    status, _, text = line.partition(" ")
    try:
        return status, json.loads(_repeated(text)) if text else None
    except ValueError as error:
        raise MalformedTrace(f"this is no JSON: {text}") from error


def wants_own_server(trace: Trace) -> bool:
    """Tell whether a trace cannot share its server with others."""
    return any(step.kind in ("server", "kill", "restart", "host", "disk") for step in trace.steps)


@contextmanager
def own_server(trace: Trace, folder: Path, database: str = "") -> Iterator[ServerProcess]:
    """Run the server that a trace asks for: `server`, or `server --public-url https://games.example`."""
    arguments = [word for step in trace.steps if step.kind == "server" for word in shlex.split(step.path)]
    if database:
        (folder / "data").mkdir()  # where commands of the host write
    server = ServerProcess(folder / "data", *arguments, program=FIXED_DICE, traced=True, database=database)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
