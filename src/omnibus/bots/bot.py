"""The interface of a bot: it gets the view of its seat, returns a line, and can explain it."""

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
"""How many moves are explained: the chosen one and the best others."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate move: each seat's expected share, its visits, and a function that returns the state it leads to."""

    move: int
    shares: Sequence[float]
    visits: int
    after: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Thought:
    """What a bot thinks of a line: each seat's expected share of the win, the number of visits, and why.

    This is what hints are made of. `reasons` speak for the line and `doubts` against it; both are messages of the
    game's catalogue, to be translated with `words.gettext`.
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
        state, candidates = self._candidates(view)
        return self.game.write(state, candidates[0].move)

    def explain(self, view: View) -> list[Thought]:
        """Return its thoughts on the line it would play and on the best others, best first."""
        state, candidates = self._candidates(view)
        told = reasons(self.game, state, [candidate.after() for candidate in candidates[:SHOWN]])
        return [
            Thought(self.game.write(state, candidate.move), tuple(candidate.shares), candidate.visits, pros, cons)
            for candidate, (pros, cons) in zip(candidates[:SHOWN], told, strict=True)
        ]

    def _candidates(self, view: View) -> tuple[Any, list[Candidate]]:
        state = self._suppose(view)
        if state.actor != view["viewer"]:
            raise ValueError("a bot is asked only when its own seat is to act")
        return state, self._think(state, view)

    def _suppose(self, view: View) -> Any:
        """Return a full state with this view."""
        return self.game.redeal(view, self.random.randrange)

    @abstractmethod
    def _think(self, state: Any, view: View) -> list[Candidate]:
        """Return candidates about the legal moves, the chosen one first. The state must not be changed."""
