"""What an analysis says, as data: it is kept as JSON, and shown by the page and the terminal."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from omnibus.kernel.i18n import mark

VERSION: Final = 1
"""Raise it when an older analysis would mislead: it is then made again."""

LATER: Final = mark("What it gains in the next few moves:")
"""What is said before reasons that are about later moves."""

Grade = Literal["", "only", "inaccuracy", "mistake", "blunder"]
"""Only: the only good move, and it was found."""


class Alternative(Struct, frozen=True):
    """A line that could be played: each seat's share of the win after it, and why it is good or bad."""

    line: str
    shares: list[float]
    visits: int
    continuation: list[str]
    """The lines of the turn that it begins, itself first, as the search would go on."""
    reasons: list[str]
    doubts: list[str]
    """Both as messages of the game's catalogue."""
    later: bool = False
    """Whether the reasons tell what it leads to a few moves later, compared with the line played or the best one."""


class Decision(Struct, frozen=True):
    """A decision of a seat, judged from what the seat could see."""

    ply: int
    seat: int
    line: str
    best: str
    choices: int
    """How many lines were legal."""
    before: list[float]
    """Each seat's share of the win with the best line."""
    after: list[float]
    """Each seat's share with the line that was played."""
    gap: float
    """By how much the best other line is better than the one played; below zero if it is worse."""
    error: float
    """The standard error of this difference."""
    alternatives: list[Alternative]
    """The line played first, then the best others."""

    @property
    def loss(self) -> float:
        """The share of the win that was lost."""
        return max(0.0, self.gap)


class Luck(Struct, frozen=True):
    """A move of chance, and what it was worth to each seat."""

    ply: int
    line: str
    worth: list[float]


class Account(Struct, frozen=True):
    """Where a seat's result came from, in shares of a win; the entries add up to the result."""

    start: float
    luck: float
    own: float
    """Lost by own decisions: never above zero."""
    others: float
    """Gained by decisions of the others."""
    remainder: float
    """What the judge did not foresee: hidden cards, and its own uncertainty."""
    result: float

    @property
    def skill(self) -> float:
        """What the decisions of everybody brought."""
        return self.own + self.others


class Analysis(Struct, frozen=True):
    """The analysis of a record."""

    version: int
    game: str
    rules: int
    seats: int
    seconds: float
    judge: str
    decisions: list[Decision]
    chance: list[Luck]
    start: list[float]
    result: list[float]
