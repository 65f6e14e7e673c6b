"""What a bot is: it gets what a person in its seat would see, answers with a line, and can say why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from omnibus.bots.reasons import reasons
from omnibus.kernel.game import Game

View = Mapping[str, Any]

SHOWN: Final = 4
"""So many moves are explained: the chosen one and the best others."""


@dataclass(frozen=True, slots=True)
class Idea:
    """A move, what it promises each seat, how often it was looked at, and (asked for) where the turn leads with it."""

    move: int
    shares: Sequence[float]
    visits: int
    after: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Thought:
    """What a bot thinks of a line: each seat's share of the win after it, how often it looked, what is for and against.

    Reasons and doubts are message ids of the game's catalogue, to be told with `words.gettext`.
    """

    line: str
    shares: tuple[float, ...]
    visits: int
    reasons: tuple[str, ...]
    doubts: tuple[str, ...]


class Bot(ABC):
    """Chooses a legal line from the view of the seat to act."""

    def __init__(self, game: Game[Any], random: Random) -> None:
        self.game = game
        self.random = random

    def __call__(self, view: View) -> str:
        """Return the line it plays."""
        state, ideas = self._ideas(view)
        return self.game.write(state, ideas[0].move)

    def explain(self, view: View) -> list[Thought]:
        """Return what it thinks of the line it would play and of the best others, best first."""
        state, ideas = self._ideas(view)
        told = reasons(self.game, state, [idea.after() for idea in ideas[:SHOWN]])
        return [
            Thought(self.game.write(state, idea.move), tuple(idea.shares), idea.visits, pros, cons)
            for idea, (pros, cons) in zip(ideas[:SHOWN], told, strict=True)
        ]

    def _ideas(self, view: View) -> tuple[Any, list[Idea]]:
        state = self._suppose(view)
        if state.actor != view["viewer"]:
            raise ValueError("a bot is asked only when its own seat is to act")
        return state, self._think(state, view)

    def _suppose(self, view: View) -> Any:
        """Return a full state that looks the same through the view."""
        return self.game.redeal(view, self.random.randrange)

    @abstractmethod
    def _think(self, state: Any, view: View) -> list[Idea]:
        """Return ideas about the legal moves, best first; the state may be looked at, not changed."""
