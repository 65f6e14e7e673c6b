"""The line protocol, the other side of it: an outside program sits in a seat. Whatever it does, the arena goes on."""

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
"""Seconds a program has to introduce itself, and to get ready for a game."""
GRACE: Final = 1.0
"""Seconds a program has for an answer beyond its thinking time."""
UNTIMED: Final = 60.0
"""Seconds a program may take for an answer when only its simulations are limited."""
LEAVING: Final = 0.5
"""Seconds a program has to end by itself once the game is over."""
LONGEST_ANSWER: Final = 64 << 10
"""More bytes than this in a line, or more lines than the next before an answer, are a flood."""
MOST_LINES: Final = 10_000


class Lost(Exception):
    """An outside program has lost its game; `kind` says by what."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class Outside:
    """A running program, from the beginning of one game to its end; a context that leaves nothing behind."""

    def __init__(self, command: str, seconds: float | None, simulations: int | None, errors: Path | None) -> None:
        self.seconds = UNTIMED if seconds is None else seconds
        self.go = " ".join(
            f"{name} {value:g}" for name, value in (("seconds", self.seconds), ("simulations", simulations)) if value
        )
        self.lines: Callable[[], list[str]] = list
        """Asked for the legal lines whenever it is the program's turn."""
        self._process = start(command, errors)
        self._heard: Queue[bytes] = Queue(maxsize=100)
        self._to_say: Queue[bytes | None] = Queue()
        self._closed = Event()
        assert self._process.stdout
        assert self._process.stdin
        self._threads = [
            Thread(target=self._listen, args=(self._process.stdout,), daemon=True),
            Thread(target=self._speak, args=(self._process.stdin,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Outside:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, game: Document, seed: int) -> None:
        """Introduce ourselves and the game; Lost if the program does not get ready."""
        self._say(f"omnibus {VERSION}")
        offered = self._until("ready", STARTING, "option")
        if any(option.split()[:1] == ["seed"] for option in offered):
            self._say(f"set seed {seed}")
            self._until("ready", STARTING)
        self._say(f"game {json.dumps(game, ensure_ascii=False)}")
        self._until("ready", STARTING)

    def __call__(self, view: Document) -> str:
        """Return the line the program answers with; Lost if there is none in time."""
        legal = {**view, "legal": self.lines()}
        self._say(f"view {json.dumps(legal, ensure_ascii=False)}")
        self._say(f"go {self.go}")
        return self._until("play", self.seconds + GRACE)[-1]

    def end(self, result: Document | None) -> None:
        """Tell how the game ended."""
        self._say(f"over {json.dumps(result, ensure_ascii=False)}")

    def close(self) -> None:
        """Let the program go, and end what is left of it and of its children."""
        self._say("quit")
        self._to_say.put(None)
        self._wait_for_end()
        _kill(self._process)
        self._closed.set()
        for thread in self._threads:
            thread.join(LEAVING)  # each closes its stream, a little later on a busy machine

    def _until(self, awaited: str, seconds: float, collected: str = "play") -> list[str]:
        """Hear lines up to the awaited one; return what the collected ones and it said."""
        deadline = monotonic() + seconds
        said: list[str] = []
        for _ in range(MOST_LINES):
            word, _, rest = self._hear(deadline, seconds).partition(" ")
            if word in (awaited, collected):
                said.append(rest.strip())
            if word == awaited:
                return said
            if word == "error":
                raise Lost("error", rest[:200])
            if word not in ("info", "name", "option"):
                raise Lost("nonsense", f"{f'{word} {rest}'.strip()[:200]!r} where `{awaited}` was awaited")
        raise Lost("flood", f"more than {MOST_LINES} lines before `{awaited}`")

    def _hear(self, deadline: float, seconds: float) -> str:
        try:
            line = self._heard.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise Lost("hang", f"no answer within {seconds:g} seconds") from None
        if not line:
            raise Lost("crash", "it ended before it answered")
        if len(line) > LONGEST_ANSWER:
            raise Lost("flood", f"a line of more than {LONGEST_ANSWER} bytes")
        return line.decode("utf-8", "replace").strip()

    def _say(self, line: str) -> None:
        self._to_say.put(line.encode() + b"\n")

    def _listen(self, source: IO[bytes]) -> None:
        """Hand lines over as they come, blank ones left out and the end as an empty one, until nobody listens."""
        line = b"begin"
        with source:
            while line and not self._closed.is_set():
                line = source.readline(LONGEST_ANSWER + 1)
                if line.strip() or not line:
                    self._hand_over(line)

    def _hand_over(self, line: bytes) -> None:
        while not self._closed.is_set():
            with suppress(Full):
                self._heard.put(line, timeout=0.1)
                return

    def _speak(self, sink: IO[bytes]) -> None:
        """Write what is to be said, in a thread of its own: a program that does not read must stop nobody else."""
        with suppress(OSError):  # it has gone; whoever waits for its answer will notice
            while (line := self._to_say.get()) is not None:
                sink.write(line)
                sink.flush()
        with suppress(OSError):
            sink.close()

    def _wait_for_end(self) -> None:
        """Hear the program out, for a moment, until it closes its output."""
        deadline = monotonic() + LEAVING
        with suppress(Empty):
            while monotonic() < deadline and self._heard.get(timeout=LEAVING):
                pass


def start(command: str, errors: Path | None) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own; what it says on standard error is added to a file, or dropped."""
    with (errors or Path(os.devnull)).open("ab") as file:
        return subprocess.Popen(
            _words(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file, start_new_session=True
        )


def rehearse(command: str) -> None:
    """Make sure that a command starts anything at all; ValueError tells why not."""
    try:
        process = start(command, None)
    except OSError as error:
        raise ValueError(f"--bot {command!r} cannot be started: {error.strerror or error}") from None
    for stream in (process.stdin, process.stdout):
        assert stream
        stream.close()
    _kill(process)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise ValueError(f"--bot {command!r} cannot be read: {error}") from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and its whole group. The group goes first: until it is waited for, nobody else gets its number."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses for a group of the dead
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
