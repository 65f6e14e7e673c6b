"""Run a real server in a process of its own, and sit at its tables with real sockets."""

from __future__ import annotations

import json
import os
import re
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from support.scenes import whole
from support.tracing import traced as tracing

SILENCE_S = 60  # a condition that is met ends the wait, on a busy machine later
OMNIBUS = ("-m", "omnibus")
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading them takes long, and here nothing is encrypted

# The same, with bots that play as soon as they know what: that they take their time is tested by a clock of its own.
PROMPT_BOTS = (
    "-c",
    "from omnibus.cli.main import main; from omnibus.server.tables import bot_driver; "
    "bot_driver.MOVES_AFTER_S, bot_driver.QUICK_S = {}, 0.001; main()",
)


class ServerProcess:
    """A server process on a folder of data, or on a database in PostgreSQL; then the folder is only for its log."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        program: Sequence[str] = PROMPT_BOTS,
        traced: bool = False,
        database: str = "",
    ) -> None:
        self.data, self.database = data, database
        self._command = [sys.executable, *program, "serve", "--port", "0", "--no-browser", *arguments]
        self._command += [] if database else ["--data", str(data)]
        self._environment = {**os.environ, "PYTHONUNBUFFERED": "1", "OMNIBUS_DATABASE": database}
        self._environment |= tracing() if traced else {}
        self._start()

    def _start(self) -> None:
        with (self.data.parent / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, text=True, env=self._environment
            )
        assert self.process.stdout
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, f"the server printed {said!r}"
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        """Ask it to end."""
        self.process.terminate()
        self._gone()

    def start_again(self, *, kill: bool) -> None:
        """Kill or stop it, and start it on the same data, at another port."""
        if self.process.poll() is None:
            self.kill() if kill else self.stop()
        self._start()

    def _gone(self) -> None:
        self.process.wait(SILENCE_S)
        assert self.process.stdout
        self.process.stdout.close()


@contextmanager
def running_server(
    data: Path, *arguments: str, program: Sequence[str] = PROMPT_BOTS, traced: bool = False, database: str = ""
) -> Iterator[ServerProcess]:
    """Run a server as long as it is needed."""
    running = ServerProcess(data, *arguments, program=program, traced=traced, database=database)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.stop()


class Guest:
    """A visitor with a cookie jar."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, follow_redirects=False, timeout=SILENCE_S, verify=NO_CERTIFICATES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def also_at(self, url: str) -> Guest:
        """Return the same visitor at another server process."""
        other = Guest(url)
        other.http.cookies = self.http.cookies
        return other

    def move_to(self, url: str) -> None:
        """Continue at another address: the server has moved."""
        self.http.base_url = httpx.URL(url)

    def open(self, game: str, *sitters: str, form: Mapping[str, str] | None = None, **options: str) -> str:
        """Set a table up, with other fields of its form perhaps, and return its id."""
        answer = self.ask_for_table(game, *sitters, form=form, **options)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/tables/")

    def ask_for_table(
        self, game: str, *sitters: str, form: Mapping[str, str] | None = None, **options: str
    ) -> httpx.Response:
        """Ask the server to set a table up."""
        fields = {f"seat-{seat}": who for seat, who in enumerate(sitters)} | {**(form or {})}
        return self.http.post(f"/games/{game}/tables", data=fields | {f"option-{k}": v for k, v in options.items()})

    def sit(self, table: str) -> Sitting:
        """Open the socket of a table."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        url = re.sub("^http", "ws", str(self.http.base_url)).rstrip("/")
        origin = self.http.headers.get("origin")
        headers = {"Cookie": cookies} | ({"Origin": origin} if origin else {})
        return Sitting(f"{url}/tables/{table}/socket", headers, **self.socket_settings())

    def socket_settings(self) -> dict[str, Any]:
        """Return how sockets are opened where that is not the usual way."""
        return {}


class Sitting:
    """An open socket at a table: what the page's scripts do, without the page."""

    def __init__(self, address: str, headers: dict[str, str], **settings: Any) -> None:
        self._open = ExitStack()
        connected = connect(address, additional_headers=headers, max_size=None, **settings)
        self.socket = self._open.enter_context(connected)
        self.scene: dict[str, Any] = {}
        self.log: list[tuple[int, str]] = []
        self.done: dict[str, int] = {}
        self.errors: list[dict[str, Any]] = []

    def say(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(message))

    def hear(self, timeout: float = SILENCE_S) -> dict[str, Any]:
        """Take the next message in."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        if message["type"] == "scene":
            message = whole(message, self.scene)
            self.log = [line for line in self.log if line[0] < message["since"]]
            self.log += [(ply, sentence) for ply, sentence in message["log"]]
            self.scene = message
        elif message["type"] == "done":
            self.done[message["id"]] = message["event"]
        elif message["type"] == "error":
            self.errors.append(message)
        return message

    def sync(self, event: int = 0) -> dict[str, Any]:
        """Ask how things stand; everything is in the one answer."""
        self.say(sync=True, event=event)
        while (message := self.hear())["type"] != "scene":
            pass
        return message

    def closed(self) -> int:
        """Take messages in until the connection is closed; return the code it was closed with."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def until_asked(self) -> dict[str, Any]:
        """Take messages in until there is something to decide, or nothing any more."""
        while self.scene["live"] and not self.scene["moves"]:
            self.hear()
        return self.scene

    def close(self) -> None:
        """Leave."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
