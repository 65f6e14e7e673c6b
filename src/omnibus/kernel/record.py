"""A match as text, the `.game` record: header lines `key: value` (JSON), an empty line, then one line per ply.

A ply is its actor (a seat, or `-` for chance) and its notation; a chance line made by roll n of the dice ends in ` #n`.
The header `commitment` commits to the dice; `seed` reveals them, once there is nothing left to roll (docs/dice.md).
This room knows the format. Whether the plies are moves of the game is for the match that replays them to find out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from omnibus.kernel.game import Actor, Document, Outcome

LONGEST_NAME: Final = 60

_PLY: Final = re.compile(r"(-|0|[1-9]\d?) (\S(?:.*?\S)?)(?: #([1-9]\d{0,14}))?")
_REQUIRED: Final = ("game", "rules", "seats", "options")
_OPTIONAL: Final = ("names", "position", "commitment", "seed", "result")
_HASH: Final = re.compile("[0-9a-f]{64}")


class BadRecord(ValueError):
    """Text that is no record of a game; `line` is the number of the first wrong line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Ply(NamedTuple):
    """One line of the record: who, what, and the number of the roll that decided it, if dice did."""

    actor: Actor
    line: str
    roll: int | None = None

    def __str__(self) -> str:
        """Write the ply as it stands in a record."""
        who = "-" if self.actor == "chance" else self.actor
        return f"{who} {self.line}" + (f" #{self.roll}" if self.roll else "")


@dataclass(frozen=True, slots=True)
class Record:
    """All that a record says."""

    game: str
    rules: int
    seats: int
    options: Document
    names: tuple[str, ...] = ()
    position: Document | None = None
    commitment: str | None = None
    seed: str | None = None
    result: Document | None = None
    plies: tuple[Ply, ...] = ()
    lines: dict[str, int] = field(default_factory=dict, compare=False)
    """On which line of the text each header stands, and, as "plies", the first ply."""


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
    headers["result"] = record.result
    head = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in headers.items()]
    return "\n".join([*head, "", *map(str, record.plies)]) + "\n"


def result(outcome: Outcome | None) -> Document | None:
    """Return what a record says of an outcome; None while the game goes on."""
    if outcome is None:
        return None
    told = outcome.document()
    del told["details"]  # they follow from the position
    return told


def parse(text: str) -> Record:
    """Read a record; BadRecord names the first line that cannot be one."""
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
            raise BadRecord(number, f"expected `key: value` with one of {', '.join(_REQUIRED + _OPTIONAL)}")
        if key in headers:
            raise BadRecord(number, f"{key} stands here a second time")
        try:
            headers[key] = json.loads(value, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise BadRecord(number, f"the value of {key} is not JSON: {error}") from None
        places[key] = number
    for key in _REQUIRED:
        if key not in headers:
            raise BadRecord(len(lines) + 1, f"the header {key} is missing")
    return headers, places


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def ply_of(line: str) -> Ply:
    """Read one ply as it stands in a record."""
    return _ply(1, line)


def _ply(number: int, line: str) -> Ply:
    match = _PLY.fullmatch(line.rstrip())
    if match is None:
        raise BadRecord(number, "expected an actor (a seat, or - for chance) and a line")
    who, said, roll = match.groups()
    if roll and who != "-":
        raise BadRecord(number, "only chance rolls dice")
    return Ply("chance" if who == "-" else int(who), said, int(roll) if roll else None)


def _checked(headers: Document, places: dict[str, int], plies: tuple[Ply, ...]) -> Record:
    def expect(key: str, good: bool, what: str) -> None:
        if not good:
            raise BadRecord(places[key], f"{key} must be {what}")

    expect("game", isinstance(headers["game"], str), "the name of a game")
    expect("rules", _whole(headers["rules"]), "a whole number")
    expect("seats", _whole(headers["seats"]), "a whole number")
    expect("options", isinstance(headers["options"], dict), "an object")
    if "names" in headers:
        expect("names", _names(headers["names"]), f"a list of names: printable, at most {LONGEST_NAME} characters each")
        expect("names", len(headers["names"]) in (0, headers["seats"]), "one name for each seat")
    if "position" in headers:
        expect("position", isinstance(headers["position"], dict), "an object")
    if "commitment" in headers:
        expect("commitment", _is_hash(headers["commitment"]), "64 hexadecimal digits")
    if "seed" in headers:
        expect("seed", _is_hash(headers["seed"]), "64 hexadecimal digits")
        expect("seed", "commitment" in headers, "left out where there is no commitment")
    if "result" in headers:
        expect("result", isinstance(headers["result"], dict | None), "an object or null")
    headers["names"] = tuple(headers.get("names", ()))
    return Record(**headers, plies=plies, lines=places)


def _whole(value: Any) -> bool:
    return type(value) is int


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(_is_name(item) for item in value)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.isprintable()
