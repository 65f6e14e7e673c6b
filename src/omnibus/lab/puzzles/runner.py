"""Make the puzzles of a game in several processes, and keep what is done, so that an interrupted run can go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from omnibus.kernel import registry
from omnibus.kernel.game import Game
from omnibus.kernel.match import Match
from omnibus.lab.processes import spread
from omnibus.lab.puzzles.document import VERSION, Collection, Method, Puzzle
from omnibus.lab.puzzles.look import REDEALS
from omnibus.lab.puzzles.maker import CONFIRMATIONS, SECONDS, TIMES, Judged, key, make
from omnibus.lab.puzzles.sieve import GAP, LEVEL, Position, played, recorded

SUFFIX: Final = ".log"
"""Beside the file of puzzles, what has been looked at is kept in a file with this suffix."""

T = TypeVar("T")
R = TypeVar("R")
Tick = Callable[[str, int, int], None]
"""Told what is looked at (games, records or positions), how many are done, and of how many."""


class Head(Struct, frozen=True):
    """The first line of the log: what it is of."""

    version: int
    game: str
    rules: int
    seats: int
    seed: int
    seconds: float


class Searched(Struct, frozen=True):
    """A game or a record that has been searched, and the positions found in it."""

    name: str
    positions: list[Position]


class Entry(Struct, frozen=True):
    """A line of the log: one of the two."""

    searched: Searched | None = None
    judged: Judged | None = None


class Log:
    """What has been looked at, kept in a file: a line that says what it is of, then a line for each result."""

    def __init__(self, path: Path, head: Head) -> None:
        self.searched: dict[str, Searched] = {}
        self.judged: dict[str, Judged] = {}
        self._path = path
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []  # a last line without an end is torn
        if lines and msgspec.json.decode(lines[0], type=Head) != head:
            raise ValueError(f"{path} is of other rules, seats, seconds or another seed; choose another file")
        for line in lines[1:]:
            self._count(msgspec.json.decode(line, type=Entry))
        path.write_bytes(b"".join(line + b"\n" for line in lines or [msgspec.json.encode(head)]))

    def add(self, entry: Entry) -> None:
        """Keep a result."""
        self._count(entry)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(entry) + b"\n")

    def _count(self, entry: Entry) -> None:
        if entry.searched:
            self.searched[entry.searched.name] = entry.searched
        if entry.judged:
            self.judged[entry.judged.position] = entry.judged

    @property
    def positions(self) -> list[Position]:
        """All positions that have been found."""
        return [position for each in self.searched.values() for position in each.positions]


def make_puzzles(
    game: Game[Any],
    out: Path,
    *,
    number: int,
    records: Sequence[str] = (),
    seats: int,
    seed: int = 0,
    seconds: float = SECONDS,
    jobs: int = 1,
    most: int | None = None,
    tick: Tick = lambda what, done, total: None,
) -> Collection:
    """Search records, or so many games of the bot against itself, and write the puzzles found in them to a file.

    What the log beside the file has is not done again. The most promising positions are judged first, at most so many.
    """
    log = Log(out.with_name(out.name + SUFFIX), Head(VERSION, game.name, game.version, seats, seed, seconds))
    texts = {sha256(text.encode()).hexdigest()[:16]: text for text in records}
    names = list(texts) or [str(each) for each in range(number)]
    search = partial(search_one, game.name, seats, seed, texts)
    waiting = [name for name in names if name not in log.searched]
    for searched in _done(search, waiting, jobs, "records" if texts else "games", tick):
        log.add(Entry(searched=searched))
    positions = [position for position in log.positions if key(position) not in log.judged]
    positions.sort(key=lambda position: -position.hint)
    for judged in _done(partial(judge_one, game.name, seconds), positions[:most], jobs, "positions", tick):
        log.add(Entry(judged=judged))
        if judged.puzzle:
            _write(out, collection(game, list(log.judged.values()), seconds))
    found = collection(game, list(log.judged.values()), seconds)
    _write(out, found)
    return found


def _done(work: Callable[[T], R], items: list[T], jobs: int, what: str, tick: Tick) -> Iterator[R]:
    """Yield the results for all items, and tell how many are done."""
    tick(what, 0, len(items))
    with closing(spread(work, items, min(jobs, len(items) or 1))) as results:
        for done, result in enumerate(results, 1):
            yield result
            tick(what, done, len(items))


def search_one(game: str, seats: int, seed: int, texts: dict[str, str], name: str) -> Searched:
    """Search one game or record for positions that may be puzzles."""
    if name in texts:
        return Searched(name, recorded(texts[name], seed=seed))
    return Searched(name, played(registry.find(game), int(name), seats=seats, seed=seed))


def judge_one(game: str, seconds: float, position: Position) -> Judged:
    """Judge one position."""
    return make(registry.find(game), position, seconds=seconds)


def collection(game: Game[Any], judged: Sequence[Judged], seconds: float) -> Collection:
    """Return the puzzles found, each position once, the easiest first."""
    found: dict[str, Puzzle] = {each.puzzle.id: each.puzzle for each in judged if each.puzzle}
    return Collection(
        version=VERSION,
        game=game.name,
        rules=game.version,
        method=Method(LEVEL, seconds, [TIMES * seconds] * CONFIRMATIONS, REDEALS, GAP),
        puzzles=sorted(found.values(), key=lambda puzzle: (puzzle.rating, puzzle.id)),
    )


def check_records(game: Game[Any], texts: Sequence[str]) -> None:
    """Check that records are of this game and can be replayed; ValueError."""
    for text in texts:
        if (match := Match.read(text)).game is not game:
            raise ValueError(f"this is a record of {match.game.title}, not of {game.title}")


def _write(path: Path, found: Collection) -> None:
    """Write a collection, one puzzle to a line."""
    head, puzzles = msgspec.json.encode(found), [msgspec.json.encode(puzzle) for puzzle in found.puzzles]
    begin, mark = head[: head.index(b'"puzzles":')], b'"puzzles":[\n'
    new = path.with_name(path.name + ".new")
    new.write_bytes(begin + mark + b",\n".join(puzzles) + b"\n]}\n")
    new.replace(path)
