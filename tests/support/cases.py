"""Cases of the rules as text: a position, what is played, and what is then so (tests/games/README.md)."""

from __future__ import annotations

import json
import re
from functools import reduce
from importlib import import_module
from operator import getitem
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from omnibus import BadNotation, BadPosition, Match
from omnibus.kernel.clicks import why_not
from omnibus.kernel.i18n import COMMON_TEXTS, words
from support.rules import refusal, refused

GAMES = Path(__file__).parents[1] / "games"
NAMES = ("Ann", "Ben", "Cem", "Dot", "Eve")
BEGIN = re.compile(r"(place|resolve|new)(?: ([a-z_]+))?(?: ({.*}))?")
CHECK = re.compile(r"([\w.]+)(?: (.+?))? (=|>=|#)(?: (.*))?")
SENTENCES = ("status", "label", "reason", "click", "piece")
LISTS = ("lines", "parts")
IMPOSSIBLE = re.compile(r"impossible(?: (?!with)([a-z_]+))?(?: ({.*?}))?(?: with ({.*}))?(?: without (\S+))?: ([^{}]+)")
REFUSED = re.compile(r"(\S+) (§\S+)(?: ({.*}))?")


class Case(NamedTuple):
    """A sentence of the rules, and the lines below it with their numbers."""

    game: str
    file: str
    number: int
    title: str
    steps: list[tuple[int, str]]
    shared: dict[str, str]
    """Facts that several cases of a file begin from, by their names."""

    def __str__(self) -> str:
        return f"{self.file}-{self.number}"


def cases(game: str, ending: str = "cases") -> list[Case]:
    """Return all cases of a game, from files with an ending."""
    return [case for path in sorted((GAMES / game).glob(f"*.{ending}")) for case in read(game, path)]


def read(game: str, path: Path) -> list[Case]:
    """Return the cases of a file."""
    found: list[Case] = []
    shared: dict[str, str] = {}
    for number, text in _statements(path):
        if text.startswith("§"):
            found.append(Case(game, path.stem, number, text, [], shared))
        elif text.startswith("let "):
            _, name, facts = text.split(" ", 2)
            shared[name] = facts
        else:
            found[-1].steps.append((number, text))
    return found


def _statements(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a file with their numbers; what is indented goes on, sentences of a log stay together."""
    found: list[tuple[int, str]] = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if text.startswith(" "):
            found[-1] = (found[-1][0], f"{found[-1][1]} {text.strip()}")
        elif text.startswith("|") and found[-1][1].startswith("|"):
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{text}")
        elif text and not text.startswith("#"):
            found.append((number, text))
    return found


def check(case: Case) -> None:
    """Play a case; what is not as it says is named with its line."""
    running = _Running(case)
    for number, text in case.steps:
        try:
            running.step(text)
        except (Exception, pytest.fail.Exception) as error:
            raise AssertionError(f"{case.title}\n{case.file}.cases:{number}: {text}\n{error}") from error
    assert running.checked, f"{case.title}: nothing is checked"


def begun(case: Case) -> Match:
    """Return the match at which a case arrives without its last line."""
    running = _Running(case)
    for _, text in case.steps[:-1]:
        running.step(text)
    return running.match


def changed(value: Any, changes: Any) -> Any:
    """Return a copy with other values at the places that are named; what is in a list is named by its number."""
    if not isinstance(changes, dict) or not isinstance(value, dict | list):
        return changes
    if isinstance(value, list) and not changes:
        return changes
    copy = value.copy()
    for key, change in changes.items():
        old = copy[key] if isinstance(copy, list) else copy.get(key)
        copy[key] = changed(old, change)
    return copy


class _Running:
    def __init__(self, case: Case) -> None:
        self.case, self.checked, self.since = case, 0, 0
        self.reader: int | None = None
        self.language = "en"
        self.match: Match

    def step(self, text: str) -> None:
        """Do what a line says."""
        verb, _, rest = text.partition(" ")
        if BEGIN.fullmatch(text):
            self.match, self.since = self._begun(text), 0
        elif verb == "record":
            name, ply = rest.split(" ")
            text = (GAMES / self.case.game / "records" / f"{name}.game").read_text("utf-8")
            self.match, self.since = Match.read(text).at(int(ply)), int(ply)
        elif verb == "play":
            self.since = self.match.length
            for line in rest.split(", "):
                self.match.play(line)
        elif verb == "reader":
            self.reader = json.loads(rest)
        elif verb == "language":
            self.language = rest
        else:
            self.checked += 1
            self._check(text, verb, rest)

    def _begun(self, text: str) -> Match:
        found = BEGIN.fullmatch(text)
        assert found
        facts = self._facts(found[2], found[3])
        if found[1] == "new":
            return Match.new(self.case.game, **{"dice": False, **facts})
        match: Match = getattr(import_module(f"games.{self.case.game}.positions"), found[1])(**facts)
        return match

    def _check(self, text: str, verb: str, rest: str) -> None:
        if verb == "not":
            lines, _, reason = rest.rpartition(": ") if "{" not in rest else rest.partition(": ")
            wanted = REFUSED.fullmatch(reason)
            assert wanted, "a refusal has a code and a §"
            for line in lines.split(", "):
                assert refused(self.match, line) == (wanted[1], wanted[2]), (line, refused(self.match, line))
                assert not wanted[3] or refusal(self.match, line).args == _json(wanted[3])
        elif verb == "impossible":
            self._refuse(text)
        elif verb == "no":
            with pytest.raises(BadNotation):
                self.match.play(json.loads(rest))
        elif verb == "|":
            pattern = "".join(".*" if line == "| …" else re.escape(f"{line}\n") for line in text.split("\n"))
            told = "".join(f"| {sentence}\n" for sentence in self._told())
            assert re.fullmatch(pattern, told, re.DOTALL), told
        else:
            self._compare(text)

    def _refuse(self, text: str) -> None:
        found = IMPOSSIBLE.fullmatch(text)
        assert found, "neither facts nor changes and a complaint"
        document = import_module(f"games.{self.case.game}.positions").describe(**self._facts(found[1], found[2]))
        document = changed(document, _json(found[3] or "{}"))
        if found[4]:
            *path, last = [int(key) if key.isdigit() else key for key in found[4].split("/")]
            del reduce(getitem, path, document)[last]
        with pytest.raises(BadPosition) as caught:
            Match.from_position(self.case.game, document)
        assert found[5] in str(caught.value), str(caught.value)

    def _facts(self, name: str | None, more: str | None) -> Any:
        return {**_json(self.case.shared[name] if name else "{}"), **_json(more or "{}")}

    def _compare(self, text: str) -> None:
        found = CHECK.fullmatch(text)
        assert found, "neither a step nor a check"
        root, about, how, wanted = found[1], found[2] or "", found[3], found[4] or ""
        value = self._value(root, about)
        if how == "#":
            assert len(value) == int(wanted), value
        elif root in SENTENCES:
            assert value == wanted, value
        else:
            right = _listed(wanted) if root in LISTS else _json(wanted)
            assert _holds(value, right) if how == ">=" else value == right, value

    def _value(self, root: str, about: str) -> Any:
        match, game = self.match, self.match.game
        told = words(self.language, game.folder, COMMON_TEXTS)
        if root == "lines":
            return [line for line in match.lines() if line.startswith(about)]
        if root == "reason":
            return refusal(match, about).reason
        if root == "parts":
            return sorted(set(game.parts(match.state, game.parse(match.state, about))))
        if root == "piece":
            (piece,) = [each for each in game.pieces(match.view(self.reader), told) if each.id == about]
            return piece.label
        if root == "click":
            why = why_not(game, match.state, about)
            return why and game.explain(why, told)
        if root == "label":
            return game.label(match.view(match.actor if isinstance(match.actor, int) else None), about, told)
        if root == "tip":
            tip = game.tip(match.view(match.actor if isinstance(match.actor, int) else None), told)
            return tip and list(tip)
        if root == "status":
            return game.status(match.view(self.reader), NAMES[: match.seats], told)
        value: Any = {"actor": match.actor, "outcome": match.outcome and match.outcome.document()}
        value |= {"view": match.view(self.reader), **match.position()}
        for key in root.split("."):
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    def _told(self) -> list[str]:
        match = self.match
        told = words(self.language, match.game.folder, COMMON_TEXTS)
        return [sentence for _, sentence in match.log(self.reader, NAMES[: match.seats], told, self.since)]


def _holds(value: Any, wanted: Any) -> bool:
    """Whether an object has these fields, or a list these things, whatever else it has."""
    if isinstance(wanted, dict):
        return all(key in value and value[key] == wanted[key] for key in wanted)
    return all(each in value for each in wanted)


def _listed(text: str) -> list[str]:
    return text.split(", ") if text else []


def _json(text: str) -> Any:
    """Read JSON; numbers of seats may be keys."""
    return json.loads(text, object_hook=lambda read: {int(key) if key.isdigit() else key: read[key] for key in read})
