"""The tutorial of a game, played on the real engine: the position of each step, and what follows its move."""

from __future__ import annotations

from typing import Any

from omnibus.kernel.game import Game, LessonStep
from omnibus.kernel.match import Match

LEARNER = 0
"""The seat of whoever plays the tutorial."""


def match_at(game: Game[Any], number: int) -> Match:
    """Return the match as it stands when a step begins. Steps are numbered from 1."""
    first = number
    while (start := game.lessons[first - 1].start) is None:
        first -= 1
    match = Match.from_position(game.name, start, dice=False)
    for step in game.lessons[first - 1 : number - 1]:
        play_step(match, step, step.wanted[0])
    return match


def play_step(match: Match, step: LessonStep, line: str) -> None:
    """Play one of the wanted lines of a step, and what the others and chance play after it."""
    for each in (line, *step.then):
        match.play(each)


def begins_anew(game: Game[Any], number: int) -> bool:
    """Tell whether the next step begins with a position of its own, or there is none."""
    return number == len(game.lessons) or game.lessons[number].start is not None
