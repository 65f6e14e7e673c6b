"""The interface of a bot: it gets the view of its seat, returns a line, and can explain it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from omnibus.bots.reasons import Reasons, reasons
from omnibus.kernel.game import Game, Words
from omnibus.kernel.i18n import ENGLISH

View = Mapping[str, Any]

SHOWN: Final = 4
"""How many moves are explained: the chosen one and the best others."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate move: each seat's expected share, its visits, and what it leads to."""

    move: int
    shares: Sequence[float]
    visits: int
    after: Callable[[], Any]
    """Return the state at the end of the turn, as far as the bot has looked."""
    path: Callable[[], list[int]]
    """Return the moves of the turn that lead there, this one first."""


@dataclass(frozen=True, slots=True)
class Idea:
    """A line a bot considers: what share of the win it expects with it, the reasons for it and against it."""

    line: str
    label: str
    share: float
    """The expected share of the win of the seat that decides."""
    reasons: tuple[str, ...]
    doubts: tuple[str, ...]
    shares: tuple[float, ...]
    """The expected share of each seat."""
    visits: int
    """How often the search looked at it."""


class Bot(ABC):
    """Chooses a legal line from the view of the seat to act."""

    def __init__(self, game: Game[Any], random: Random) -> None:
        self.game = game
        self.random = random

    def __call__(self, view: View) -> str:
        """Return the line it plays."""
        state, candidates = self.candidates(view)
        return self.game.write(state, candidates[0].move)

    def explain(self, view: View, words: Words = ENGLISH) -> list[Idea]:
        """Explain the line it would play and the best others, best first, in a language."""
        state, candidates = self.candidates(view)
        shown = candidates[:SHOWN]
        told = reasons(self.game, state, [candidate.after() for candidate in shown])
        return [
            self._idea(view, self.game.write(state, candidate.move), candidate, why, words)
            for candidate, why in zip(shown, told, strict=True)
        ]

    def _idea(self, view: View, line: str, candidate: Candidate, why: Reasons, words: Words) -> Idea:
        pros, cons = (tuple(map(words.gettext, phrases)) for phrases in why)
        shares = tuple(candidate.shares)
        label = self.game.label(view, line, words)
        return Idea(line, label, shares[view["viewer"]], pros, cons, shares, candidate.visits)

    def candidates(self, view: View) -> tuple[Any, list[Candidate]]:
        """Return a state with this view, and all candidates the bot has looked at, the chosen one first."""
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
