"""A match as text, the `.game` record: header lines `key: value` (JSON), an empty line, then one line per ply.

A ply is its actor (a seat, or `-` for chance) and its notation; a chance line made by roll n of the dice ends in ` #n`.
The header `commitment` commits to the dice; `seed` reveals them, once there is nothing left to roll (docs/dice.md).
The header `resigned` lists the seats that resigned, as [seat, number of plies before]: they do not win, whatever is
played in them afterwards, and when only one seat is left, it wins at once.
The header `clock` has the time control of a game between people, in seconds, and for each of their decisions the ply,
the time it took and what was left.
This module knows the format only; the match that replays a record finds out whether its plies are moves of the game.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from omnibus.kernel.game import Actor, Document, Outcome
from omnibus.kernel.i18n import Message, MessageError, mark

LONGEST_NAME: Final = 60

_PLY: Final = re.compile(r"(-|0|[1-9]\d?) (\S(?:.*?\S)?)(?: #([1-9]\d{0,14}))?")
_REQUIRED: Final = ("game", "rules", "seats", "options")
_OPTIONAL: Final = ("names", "position", "commitment", "seed", "resigned", "clock", "result")
_TIMES: Final = ("bank", "increment", "turn")
_HASH: Final = re.compile("[0-9a-f]{64}")

EXPECTED_HEADER: Final = mark("expected `key: value` with one of {keys}")
NO_JSON_FROM: Final = mark("the value of {key} is not JSON: see column {column}")
NO_NUMBER: Final = mark("{key} must be a whole number")
NO_OBJECT: Final = mark("{key} must be an object")
NO_HASH: Final = mark("{key} must be 64 hexadecimal digits")
BAD_RESIGNED: Final = mark("{key} must be a list of [seat, number of plies], in order, each seat once")
BAD_CLOCK: Final = mark(
    "{key} must have bank, increment and turn in seconds, and times as [ply, seconds taken, seconds left], in order"
)
BAD_NAMES: Final = mark("{key} must be a list of printable names of at most {longest} characters")


class BadRecord(MessageError):
    """Text that is not a record of a game: the number of the first wrong line, and what is wrong with it."""

    def __init__(self, line: int, reason: Message) -> None:
        super().__init__(mark("line {line}: {reason}"), line=line, reason=reason)
        self.line = line
        self.reason = reason


class Ply(NamedTuple):
    """One line of the record: the actor, the notation, and the number of the roll if it was rolled."""

    actor: Actor
    line: str
    roll: int | None = None

    def __str__(self) -> str:
        """Write the ply as in a record."""
        who = "-" if self.actor == "chance" else self.actor
        return f"{who} {self.line}" + (f" #{self.roll}" if self.roll else "")


@dataclass(frozen=True, slots=True)
class Record:
    """The contents of a record."""

    game: str
    rules: int
    seats: int
    options: Document
    names: tuple[str, ...] = ()
    position: Document | None = None
    commitment: str | None = None
    seed: str | None = None
    resigned: tuple[tuple[int, int], ...] = ()
    """The seats that resigned, each with the number of plies before that."""
    clock: Document | None = None
    """The time control, and under `times` what each decision took: [ply, seconds taken, seconds left]."""
    result: Document | None = None
    plies: tuple[Ply, ...] = ()
    lines: dict[str, int] = field(default_factory=dict, compare=False)
    """The line number of each header and, as "plies", of the first ply."""


def write(record: Record) -> str:
    """Write a record as text."""
    headers: Document = {"game": record.game, "rules": record.rules, "seats": record.seats}
    if record.names:
        headers["names"] = list(record.names)
    headers["options"] = record.options
    if record.position is not None:
        headers["position"] = record.position
    if record.commitment is not None:
        headers["commitment"] = record.commitment
    if record.seed is not None:
        headers["seed"] = record.seed
    if record.resigned:
        headers["resigned"] = list(record.resigned)
    if record.clock is not None:
        headers["clock"] = record.clock
    headers["result"] = record.result
    head = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in headers.items()]
    return "\n".join([*head, "", *map(str, record.plies)]) + "\n"


def result(outcome: Outcome | None) -> Document | None:
    """Return an outcome as a record has it; None while the game goes on."""
    if outcome is None:
        return None
    told = outcome.document()
    del told["details"]  # they follow from the position
    return told


def parse(text: str) -> Record:
    """Read a record; BadRecord names the first wrong line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    end = next((n for n, line in enumerate(lines) if not line.strip()), len(lines))
    headers, places = _headers(lines[:end])
    places["plies"] = end + 2
    plies = tuple(_ply(number, line) for number, line in enumerate(lines[end + 1 :], end + 2))
    return _checked(headers, places, plies)


def _headers(lines: list[str]) -> tuple[Document, dict[str, int]]:
    headers: Document = {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        key, colon, value = line.partition(":")
        if not colon or key not in _REQUIRED + _OPTIONAL:
            raise BadRecord(number, Message(EXPECTED_HEADER, keys=", ".join(_REQUIRED + _OPTIONAL)))
        if key in headers:
            raise BadRecord(number, Message(mark("the header {key} is given twice"), key=key))
        try:
            headers[key] = json.loads(value, parse_constant=_refuse_constant)
        except json.JSONDecodeError as error:
            raise BadRecord(number, Message(NO_JSON_FROM, key=key, column=len(key) + 1 + error.colno)) from None
        except (ValueError, RecursionError):
            raise BadRecord(number, Message(mark("the value of {key} is not JSON"), key=key)) from None
        places[key] = number
    for key in _REQUIRED:
        if key not in headers:
            raise BadRecord(len(lines) + 1, Message(mark("the header {key} is missing"), key=key))
    return headers, places


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def ply_of(line: str) -> Ply:
    """Read one ply as written in a record."""
    return _ply(1, line)


def _ply(number: int, line: str) -> Ply:
    match = _PLY.fullmatch(line.rstrip())
    if match is None:
        raise BadRecord(number, Message(mark("expected an actor (a seat, or - for chance) and a move")))
    who, said, roll = match.groups()
    if roll and who != "-":
        raise BadRecord(number, Message(mark("only chance rolls dice")))
    return Ply("chance" if who == "-" else int(who), said, int(roll) if roll else None)


def _checked(headers: Document, places: dict[str, int], plies: tuple[Ply, ...]) -> Record:
    def require(key: str, good: bool, what: str) -> None:
        if not good:
            raise BadRecord(places[key], Message(what, key=key, longest=LONGEST_NAME))

    require("game", isinstance(headers["game"], str), mark("{key} must be the name of a game"))
    require("rules", _whole(headers["rules"]), NO_NUMBER)
    require("seats", _whole(headers["seats"]), NO_NUMBER)
    require("options", isinstance(headers["options"], dict), NO_OBJECT)
    if "names" in headers:
        require("names", _names(headers["names"]), BAD_NAMES)
        require("names", len(headers["names"]) in (0, headers["seats"]), mark("{key} must have one name for each seat"))
    if "position" in headers:
        require("position", isinstance(headers["position"], dict), NO_OBJECT)
    if "commitment" in headers:
        require("commitment", _is_hash(headers["commitment"]), NO_HASH)
    if "seed" in headers:
        require("seed", _is_hash(headers["seed"]), NO_HASH)
        require("seed", "commitment" in headers, mark("{key} needs the header commitment"))
    if "resigned" in headers:
        require("resigned", _is_resigned(headers["resigned"], headers["seats"], len(plies)), BAD_RESIGNED)
    if "clock" in headers:
        require("clock", _is_clock(headers["clock"], plies), BAD_CLOCK)
    if "result" in headers:
        require("result", isinstance(headers["result"], dict | None), mark("{key} must be an object or null"))
    headers["names"] = tuple(headers.get("names", ()))
    headers["resigned"] = tuple((seat, ply) for seat, ply in headers.get("resigned", ()))
    return Record(**headers, plies=plies, lines=places)


def _whole(value: Any) -> bool:
    return type(value) is int


def _is_resigned(value: Any, seats: int, plies: int) -> bool:
    if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        return False
    if not all(_whole(number) for pair in value for number in pair):
        return False
    at = [0, *(ply for _, ply in value), plies]
    return at == sorted(at) and len({seat for seat, _ in value if 0 <= seat < seats}) == len(value)


def _is_clock(value: Any, plies: tuple[Ply, ...]) -> bool:
    if not isinstance(value, dict) or set(value) != {*_TIMES, "times"} or not isinstance(value["times"], list):
        return False
    if not all(_is_seconds(value[key]) for key in _TIMES):
        return False
    if not all(isinstance(time, list) and len(time) == 3 and _whole(time[0]) for time in value["times"]):
        return False
    at = [time[0] for time in value["times"]]
    if any(before >= after for before, after in itertools.pairwise([-1, *at, len(plies)])):
        return False
    decided = all(plies[ply].actor != "chance" for ply in at)
    return decided and all(_is_seconds(seconds) for time in value["times"] for seconds in time[1:])


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(_is_name(item) for item in value)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.isprintable()
