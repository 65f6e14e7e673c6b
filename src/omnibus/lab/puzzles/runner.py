"""Make the puzzles of a game in several processes, and keep what is done, so that an interrupted run can go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from omnibus.kernel import registry
from omnibus.kernel.game import Game
from omnibus.kernel.match import Match
from omnibus.lab.processes import spread
from omnibus.lab.puzzles.document import VERSION, Collection, Method, Puzzle
from omnibus.lab.puzzles.look import REDEALS
from omnibus.lab.puzzles.maker import CONFIRMATIONS, POSITIONS, SECONDS, TIMES, Judged, key, make
from omnibus.lab.puzzles.sieve import GAP, LEVEL, VARIETY, Position, played, recorded

SUFFIX: Final = ".log"
"""Beside the file of puzzles, what has been looked at is kept in a file with this suffix."""
SIEVE: Final = 1
"""Raise it when other positions are found in the same games: logs of the earlier sieve are then refused."""
BATCH: Final = 8
"""So many games for each process are searched before the positions found in them are judged."""

T = TypeVar("T")
R = TypeVar("R")
Tick = Callable[[str, int, int], None]
"""Told what is looked at (games, records or positions), how many are done, and of how many."""


class SearchHeader(Struct, frozen=True):
    """The first line of the log: what it is of."""

    sieve: int
    game: str
    rules: int
    seats: int
    seed: int
    seconds: float


class Searched(Struct, frozen=True):
    """A game or a record that has been searched, and the positions found in it."""

    name: str
    positions: list[Position]
    seconds: float = 0.0
    """The processor time it took."""


class Entry(Struct, frozen=True):
    """A line of the log: one of the two."""

    searched: Searched | None = None
    judged: Judged | None = None


class Log:
    """What has been looked at, kept in a file: a line that says what it is of, then a line for each result."""

    def __init__(self, path: Path, head: SearchHeader) -> None:
        self.searched: dict[str, Searched] = {}
        self.judged: dict[str, Judged] = {}
        self._path = path
        self._before = 0
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []  # a last line without an end is torn
        if lines and msgspec.json.decode(lines[0], type=SearchHeader) != head:
            raise ValueError(f"{path} is of other rules, seats, seconds or another seed or sieve; choose another file")
        for line in lines[1:]:
            self._count(msgspec.json.decode(line, type=Entry))
        self._before = len(self.judged)
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

    def waiting(self, least: float = 0.0) -> list[Position]:
        """Return the positions that have not been judged and promise at least so much, the most promising first."""
        found = {key(position): position for each in self.searched.values() for position in each.positions}
        positions = [each for name, each in found.items() if name not in self.judged and each.hint >= least]
        return sorted(positions, key=lambda position: -position.hint)

    @property
    def puzzles(self) -> dict[str, Puzzle]:
        """The puzzles that have been found, by their ids."""
        return {each.puzzle.id: each.puzzle for each in self.judged.values() if each.puzzle}

    def has_enough(self, most: int | None, wanted: int | None) -> bool:
        """Tell whether so many positions have been judged since it was opened, or so many puzzles are there."""
        judged = len(self.judged) - self._before
        return (most is not None and judged >= most) or (wanted is not None and len(self.puzzles) >= wanted)

    def report(self) -> str:
        """Tell what came of the games and positions, and how much processor time it took."""
        searched, judged = self.searched.values(), self.judged.values()
        outcomes = Counter(
            each.why or ("exact" if each.puzzle and each.puzzle.exact else "confirmed") for each in judged
        )
        told = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
        games = _count(searched, "game or record", "games or records")
        positions = _count(judged, "position", "positions")
        return (
            f"{games} in {sum(each.seconds for each in searched):.0f} s, "
            f"{positions} in {sum(each.seconds for each in judged):.0f} s: {told or 'nothing judged'}"
        )


def _count(things: Sized, one: str, many: str) -> str:
    return f"{len(things)} {one if len(things) == 1 else many}"


def make_puzzles(
    game: Game[Any],
    out: Path,
    *,
    number: int,
    records: Sequence[str] = (),
    seats: int,
    seed: int = 0,
    seconds: float = SECONDS,
    jobs: int | None = 1,
    ray: str | None = None,
    least: float = 0.0,
    most: int | None = None,
    wanted: int | None = None,
    tick: Tick = lambda what, done, total: None,
) -> Log:
    """Search records, or so many games of the bot against itself, and write the puzzles found in them to a file.

    What the log beside the file has is not done again. After a few games the positions found in them that promise at
    `least` so much are judged, the most promising ones first; at most so many, and until so many puzzles are there.
    `jobs` and `ray` are those of `spread`.
    """
    log = Log(out.with_name(out.name + SUFFIX), SearchHeader(SIEVE, game.name, game.version, seats, seed, seconds))
    texts = {sha256(text.encode()).hexdigest()[:16]: text for text in records}
    names = [name for name in texts or map(str, range(number)) if name not in log.searched]
    workers = Workers(jobs, ray, tick)
    _judge(game, out, log, workers, seconds=seconds, least=least, most=most, wanted=wanted)
    while names and not log.has_enough(most, wanted):
        size = BATCH * (jobs or BATCH)
        batch, names = names[:size], names[size:]
        search = partial(search_one, game.name, seats, seed, texts)
        for searched in workers.done(search, batch, "records" if texts else "games"):
            log.add(Entry(searched=searched))
        _judge(game, out, log, workers, seconds=seconds, least=least, most=most, wanted=wanted)
    _write(out, collection(game, log.puzzles, seconds))
    return log


def _judge(
    game: Game[Any],
    out: Path,
    log: Log,
    workers: Workers,
    *,
    seconds: float,
    least: float,
    most: int | None,
    wanted: int | None,
) -> None:
    """Judge the positions that wait for it, and keep the puzzles found, until there are enough."""
    if log.has_enough(most, wanted):
        return
    for judged in workers.done(partial(judge_one, game.name, seconds), log.waiting(least)[:most], "positions"):
        log.add(Entry(judged=judged))
        if judged.puzzle:
            _write(out, collection(game, log.puzzles, seconds))
        if log.has_enough(most, wanted):
            return


@dataclass(frozen=True, slots=True)
class Workers:
    """Where the work is done, and who is told of it."""

    jobs: int | None
    ray: str | None
    tick: Tick

    def done(self, work: Callable[[T], R], items: list[T], what: str) -> Iterator[R]:
        """Yield the results for all items, and tell how many are done."""
        self.tick(what, 0, len(items))
        if not items:
            return
        with closing(spread(work, items, self.jobs, ray=self.ray)) as results:
            for done, result in enumerate(results, 1):
                yield result
                self.tick(what, done, len(items))


def search_one(game: str, seats: int, seed: int, texts: dict[str, str], name: str) -> Searched:
    """Search one game or record for positions that may be puzzles."""
    began = process_time()
    if name in texts:
        found = recorded(texts[name], seed=seed)
    else:
        found = played(registry.find(game), int(name), seats=seats, seed=seed)
    return Searched(name, found, round(process_time() - began, 2))


def judge_one(game: str, seconds: float, position: Position) -> Judged:
    """Judge one position."""
    began = process_time()
    judged = make(registry.find(game), position, seconds=seconds)
    return replace(judged, seconds=round(process_time() - began, 2))


def collection(game: Game[Any], puzzles: Mapping[str, Puzzle], seconds: float) -> Collection:
    """Return the puzzles of a game with how they were made, the easiest first."""
    confirmed = [TIMES * seconds] * CONFIRMATIONS
    return Collection(
        version=VERSION,
        game=game.name,
        rules=game.version,
        method=Method(LEVEL, seconds, confirmed, REDEALS, GAP, VARIETY, POSITIONS),
        puzzles=sorted(puzzles.values(), key=lambda puzzle: (puzzle.rating, puzzle.id)),
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
