"""What a puzzle is, as data: the puzzles of a game come with it as one JSON file, with how they were made."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from omnibus.kernel.choices import placed
from omnibus.kernel.game import Document, Game, Words

VERSION: Final = 1
"""Raise it when files of puzzles are written differently."""
FILE: Final = "puzzles.json"
"""The file in a game's folder."""


class ComparedLine(Struct, frozen=True, omit_defaults=True):
    """A line that was compared with the others."""

    line: str
    share: float
    """The share of the win the seat expects with it."""
    error: float = 0.0
    """The standard error of the share."""
    turn: list[str] = []
    """The lines of the turn that it begins, itself first, as the search would go on."""
    reasons: list[str] = []
    doubts: list[str] = []
    """Both as names of terms of the game's evaluation (`Game.phrases`)."""


class Source(Struct, frozen=True, omit_defaults=True):
    """Where a position comes from: a game the miner played, by its number, or a record, by its hash."""

    ply: int
    seed: int = 0
    game: int = -1
    record: str = ""
    ending: int = 0
    """Which of the other endings that were played of this game; 0: it is a position of the game itself."""


class Puzzle(Struct, frozen=True, omit_defaults=True):
    """A position, the seat that is to find the best first line of its turn, and the answer."""

    id: str
    seat: int
    position: Document
    """What the seat cannot see has been dealt at random: it says nothing about the game the position comes from."""
    solution: list[str]
    choices: list[ComparedLine]
    """The lines that were compared, the best first; the solution comes first."""
    gap: float
    """By how much the last line of the solution is better than the best other line."""
    error: float
    """The standard error of this difference."""
    lines: int
    """How many lines are legal."""
    themes: list[str]
    """The terms of the evaluation that speak for the solution."""
    rating: int
    deviation: int
    """How difficult it is, from the bots' attempts, and how uncertain that is (docs/puzzles.md)."""
    source: Source
    exact: bool = False
    """Whether it was solved by going through everything that can follow."""


class Method(Struct, frozen=True):
    """How puzzles were made."""

    judge: str
    seconds: float
    """Processor time of the first look at a position."""
    confirmed: list[float]
    """Processor time of each further look, all with other seeds; a look ends sooner if its result is clear."""
    redeals: int
    gap: float
    variety: float = 0.0
    """How often the bot played one of its next best moves instead, so that no two games are alike."""
    exact: int = 0
    """Up to so many positions were gone through to solve the end of a game exactly."""


class Collection(Struct, frozen=True):
    """The puzzles of a game, and how they were made."""

    version: int
    game: str
    rules: int
    """The version of the rules."""
    method: Method
    puzzles: list[Puzzle]


def identifier(position: Document, seat: int) -> str:
    """Return the id of a puzzle: a short hash of its position."""
    return sha256(msgspec.json.encode([seat, position], order="deterministic")).hexdigest()[:8]


def puzzles_of(game: Game[Any]) -> dict[str, Puzzle]:
    """Return the puzzles that come with a game by their ids; none where they are of other rules or another format."""
    return _read(Path(game.folder) / FILE, game.version)


@cache
def _read(path: Path, rules: int) -> dict[str, Puzzle]:
    if not path.exists():
        return {}
    found = msgspec.json.decode(path.read_bytes(), type=Collection)
    return {puzzle.id: puzzle for puzzle in found.puzzles} if (found.version, found.rules) == (VERSION, rules) else {}


def has_hidden(game: Game[Any], puzzle: Puzzle) -> bool:
    """Tell whether there is something that the seat of a puzzle cannot see."""
    state = state_of(game, puzzle)
    views = [game.view(state, seat) | {"viewer": None} for seat in range(state.seats)]
    return any(view != views[0] for view in views)


def state_of(game: Game[Any], puzzle: Puzzle) -> Any:
    """Return a state with what the seat of a puzzle sees."""
    return placed(game, puzzle.position)


def turn_labels(game: Game[Any], puzzle: Puzzle, choice: ComparedLine, told: Words) -> list[str]:
    """Label the lines of a turn, each in the position in which it is played."""
    state, labels = state_of(game, puzzle), []
    for line in choice.turn or [choice.line]:
        labels.append(game.label(game.view(state, puzzle.seat), line, told))
        game.apply(state, game.parse(state, line))
    return labels
