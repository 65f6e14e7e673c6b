"""Traces: what a server is asked and what it answers, as text that people read and write by hand.

A file `NAME.trace` starts with a sentence that says what it shows, then come its steps (tests/traces/README.md):

    A move that is sent again with its id is made once.

    people Ann, Bo
    Ann POST tables {"game": "times_square", "seats": [{"who": "you"}, {"who": "free"}]}
    = 201 {"id": "table-1", "standing": "open", "…": "…"}
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

REST: Final = "…"
"""Stands for anything: a value, the rest of a text, of a list or of an object."""

LONGEST_TEXT: Final = 160
LONGEST_LIST: Final = 6
BULKY: Final = frozenset({"svg", "pieces", "ground", "symbols", "panels", "parts", "targets", "html", "steps", "log"})
"""What is drawn, and the sentences of the log: other tests look at them."""
CHANGING: Final = frozenset(
    {
        "at",
        "left",
        "updated",
        "created",
        "seen",
        "until",
        "took",
        "times",
        "starts",
        "began",
        "ends",
        "event_at",
        "used",
        "started",
        "ended",
    }
)
"""What depends on the time of day."""

RANDOM: Final = re.compile(r"(?=[\w-]*[A-Z0-9])[\w-]{16}|(?=[\w-]*[A-Z0-9])[\w-]{43}|[0-9a-f]{32}", re.ASCII)
"""An id or a token that the server has drawn."""

_REQUEST: Final = re.compile(r"(\w+) (GET|POST|PUT|PATCH|DELETE) (\S+)(?: (.*))?")
_SOCKET: Final = re.compile(r"(\w+) (opens|closes|sends|hears|hears no) ?(.*)")


class MalformedTrace(ValueError):
    """A trace that cannot be read: which line, and why."""


@dataclass
class Step:
    """One step of a trace, and what is expected of it."""

    line: int
    text: str
    kind: str
    """people, claimed, server, request, opens, closes, sends, hears, until, play, kill, disk, host, together …"""
    person: str = ""
    verb: str = ""
    path: str = ""
    body: Any = None
    expected: list[str] = field(default_factory=list)
    """The lines after `= `, as they stand in the file; empty: they are still to be recorded."""
    parts: list[Step] = field(default_factory=list)
    """The steps of `together`, or the one of `until`."""

    @property
    def last(self) -> int:
        """The last of its lines before what is expected."""
        return max([self.line, *(part.line for part in self.parts)])


@dataclass
class Trace:
    """What a file says."""

    path: Path
    title: str
    steps: list[Step]


def read(path: Path) -> Trace:
    """Read a file; MalformedTrace says what is wrong with it."""
    title, _, rest = path.read_text("utf-8").partition("\n\n")
    if not title.endswith(".") or not rest.strip():
        raise MalformedTrace(f"{path.name}: it starts with a sentence of what it shows, an empty line, then its steps")
    steps: list[Step] = []
    for number, line in enumerate(rest.splitlines(), title.count("\n") + 3):
        try:
            _add(steps, number, line)
        except ValueError as error:
            raise MalformedTrace(f"{path.name}, line {number}: {error}: {line}") from error
    return Trace(path, " ".join(title.split()), steps)


def _add(steps: list[Step], number: int, line: str) -> None:
    if not line.strip() or line.startswith("#"):
        return
    if line.startswith("= "):
        steps[-1].expected.append(line.removeprefix("= "))
    elif line.startswith("  "):
        if steps[-1].kind != "together":
            raise ValueError("only steps of `together` are indented")
        steps[-1].parts.append(_step(number, line.strip()))
    else:
        steps.append(_step(number, line))


def _step(number: int, line: str) -> Step:
    word, _, rest = line.partition(" ")
    if word in ("people", "claimed", "server", "play", "host", "kill", "restart", "disk", "together"):
        return Step(number, line, word, path=rest)
    if word == "until":
        return Step(number, line, "until", parts=[_step(number, rest)])
    if found := _REQUEST.fullmatch(line):
        person, verb, path, body = found.groups()
        return Step(number, line, "request", person, verb, path, _value(body))
    if found := _SOCKET.fullmatch(line):
        person, kind, rest = found.groups()
        if kind == "opens":
            return Step(number, line, "opens", person, path=rest)
        if kind == "hears":
            return Step(number, line, "hears", person, path=rest)
        return Step(number, line, kind, person, path=rest, body=_value(rest) if kind == "sends" else None)
    raise ValueError("this is no step")


def _value(text: str | None) -> Any:
    return None if not text else json.loads(text)


def write(trace: Trace, recorded: dict[int, list[str]]) -> None:
    """Write what was recorded after these lines, instead of what was expected there."""
    written: list[str] = []
    replacing = False
    for number, line in enumerate(trace.path.read_text("utf-8").splitlines(), 1):
        replacing = replacing and line.startswith("= ")
        if not replacing:
            written.append(line)
        if number in recorded:
            written += [f"= {found}" for found in recorded[number]]
            replacing = True
    trace.path.write_text("\n".join(written) + "\n", "utf-8")


def shortened(value: Any) -> Any:
    """Leave out of an answer what is long or depends on the time, to be recorded."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else value[:60] + REST
    if isinstance(value, list):
        return [shortened(each) for each in value[:LONGEST_LIST]] + ([REST] if len(value) > LONGEST_LIST else [])
    if isinstance(value, dict) and {"line", "parts"} <= set(value):
        return {"line": value["line"], REST: REST}
    if isinstance(value, dict):
        return {
            key: REST if each and (key in BULKY or key in CHANGING) else shortened(each) for key, each in value.items()
        }
    return value


def fits(expected: Any, found: Any) -> bool:
    """Compare an answer with what is expected; "…" stands for anything."""
    if expected == REST:
        return True
    if isinstance(expected, str) and isinstance(found, str) and REST in expected:
        return re.fullmatch(".*".join(map(re.escape, expected.split(REST))), found, re.DOTALL) is not None
    if isinstance(expected, dict) and isinstance(found, dict):
        named = {key: value for key, value in expected.items() if key != REST}
        if (REST not in expected and set(found) != set(named)) or not set(named) <= set(found):
            return False
        return all(fits(value, found[key]) for key, value in named.items())
    if isinstance(expected, list) and isinstance(found, list):
        if expected and expected[-1] == REST:
            expected = expected[:-1]
            found = found[: len(expected)]
        return len(expected) == len(found) and all(map(fits, expected, found))
    return bool(expected == found and type(expected) is type(found))
