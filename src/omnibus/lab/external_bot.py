"""External bots: programs that play a seat by the line protocol (docs/protocol.md). No misbehaviour stops the arena."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from time import monotonic
from typing import IO, Final

from omnibus.kernel.game import Document
from omnibus.lab.protocol import VERSION

STARTING: Final = 30.0
"""Seconds a program has to start, and to get ready for a game."""
GRACE: Final = 1.0
"""Seconds a program may exceed its thinking time by."""
UNTIMED: Final = 60.0
"""Seconds a program has for an answer when only its simulations are limited."""
LEAVING: Final = 0.5
"""Seconds a program has to exit once the game is over."""
LONGEST_ANSWER: Final = 64 << 10
"""Bytes in a line. A longer line, or more lines than `MOST_LINES` before an answer, forfeit the game as a flood."""
MOST_LINES: Final = 10_000


class Forfeit(Exception):
    """An external bot forfeits its game; `kind` says why."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class ExternalBot:
    """A running program that plays one game. As a context manager it leaves no process behind."""

    def __init__(self, command: str, seconds: float | None, simulations: int | None, errors: Path | None) -> None:
        self.seconds = UNTIMED if seconds is None else seconds
        self.go = " ".join(
            f"{name} {value:g}" for name, value in (("seconds", self.seconds), ("simulations", simulations)) if value
        )
        self.lines: Callable[[], list[str]] = list
        """Returns the legal lines; called whenever it is the program's turn."""
        self._process = start(command, errors)
        self._received: Queue[bytes] = Queue(maxsize=100)
        self._to_send: Queue[bytes | None] = Queue()
        self._closed = Event()
        assert self._process.stdout
        assert self._process.stdin
        self._threads = [
            Thread(target=self._receive_lines, args=(self._process.stdout,), daemon=True),
            Thread(target=self._send_lines, args=(self._process.stdin,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> ExternalBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, game: Document, seed: int) -> None:
        """Start the protocol and announce the game; Forfeit if the program does not get ready."""
        self._send(f"omnibus {VERSION}")
        offered = self._until("ready", STARTING, "option")
        if any(option.split()[:1] == ["seed"] for option in offered):
            self._send(f"set seed {seed}")
            self._until("ready", STARTING)
        self._send(f"game {json.dumps(game, ensure_ascii=False)}")
        self._until("ready", STARTING)

    def __call__(self, view: Document) -> str:
        """Return the line the program answers with; Forfeit if there is none in time."""
        legal = {**view, "legal": self.lines()}
        self._send(f"view {json.dumps(legal, ensure_ascii=False)}")
        self._send(f"go {self.go}")
        return self._until("play", self.seconds + GRACE)[-1]

    def end(self, result: Document | None) -> None:
        """Send the result."""
        self._send(f"over {json.dumps(result, ensure_ascii=False)}")

    def close(self) -> None:
        """Ask the program to quit, then kill it and its child processes."""
        self._send("quit")
        self._to_send.put(None)
        self._wait_for_end()
        _kill(self._process)
        self._closed.set()
        for thread in self._threads:
            thread.join(LEAVING)  # each closes its stream, which takes longer on a busy machine

    def _until(self, awaited: str, seconds: float, collected: str = "play") -> list[str]:
        """Read lines up to the awaited one; return the arguments of the collected ones and of it."""
        deadline = monotonic() + seconds
        said: list[str] = []
        for _ in range(MOST_LINES):
            word, _, rest = self._next_line(deadline, seconds).partition(" ")
            if word in (awaited, collected):
                said.append(rest.strip())
            if word == awaited:
                return said
            if word == "error":
                raise Forfeit("error", rest[:200])
            if word not in ("info", "name", "option"):
                raise Forfeit("nonsense", f"{f'{word} {rest}'.strip()[:200]!r} instead of `{awaited}`")
        raise Forfeit("flood", f"more than {MOST_LINES} lines before `{awaited}`")

    def _next_line(self, deadline: float, seconds: float) -> str:
        try:
            line = self._received.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise Forfeit("hang", f"no answer within {seconds:g} seconds") from None
        if not line:
            raise Forfeit("crash", "it ended before it answered")
        if len(line) > LONGEST_ANSWER:
            raise Forfeit("flood", f"a line of more than {LONGEST_ANSWER} bytes")
        return line.decode("utf-8", "replace").strip()

    def _send(self, line: str) -> None:
        self._to_send.put(line.encode() + b"\n")

    def _receive_lines(self, source: IO[bytes]) -> None:
        """Queue lines as they come, without blank ones; the end of the stream is queued as an empty line."""
        line = b"begin"
        with source:
            while line and not self._closed.is_set():
                line = source.readline(LONGEST_ANSWER + 1)
                if line.strip() or not line:
                    self._queue(line)

    def _queue(self, line: bytes) -> None:
        while not self._closed.is_set():
            with suppress(Full):
                self._received.put(line, timeout=0.1)
                return

    def _send_lines(self, sink: IO[bytes]) -> None:
        """Write queued lines. This has its own thread, because a program that does not read must block nobody else."""
        with suppress(OSError):  # the program has exited; whoever waits for its answer will notice
            while (line := self._to_send.get()) is not None:
                sink.write(line)
                sink.flush()
        with suppress(OSError):
            sink.close()

    def _wait_for_end(self) -> None:
        """Give the program a moment to close its output."""
        deadline = monotonic() + LEAVING
        with suppress(Empty):
            while monotonic() < deadline and self._received.get(timeout=LEAVING):
                pass


def start(command: str, errors: Path | None) -> subprocess.Popen[bytes]:
    """Start a program in its own process group; its standard error is appended to a file or dropped."""
    with (errors or Path(os.devnull)).open("ab") as file:
        return subprocess.Popen(
            _words(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file, start_new_session=True
        )


def check_command(command: str) -> None:
    """Check that a command can be started; ValueError says why not."""
    try:
        process = start(command, None)
    except OSError as error:
        raise ValueError(f"--program {command!r} cannot be started: {error.strerror or error}") from None
    for stream in (process.stdin, process.stdout):
        assert stream
        stream.close()
    _kill(process)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise ValueError(f"--program {command!r} cannot be read: {error}") from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and its process group. The group goes first: its number is not reused until it is waited for."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses for a group of the dead
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
