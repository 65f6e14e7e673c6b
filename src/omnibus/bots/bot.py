"""Bots by name. A bot gets what a person in its seat would see, and answers with a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from omnibus.kernel.game import Game

Bot = Callable[[Mapping[str, Any]], str]
"""Chooses a legal line from the view of the seat to act."""


def _random(game: Game[Any], random: Random) -> Bot:
    """Any legal move."""

    def choose(view: Mapping[str, Any]) -> str:
        state = game.redeal(view, random.randrange)
        return game.write(state, random.choice(game.legal(state)))

    return choose


def _greedy(game: Game[Any], random: Random) -> Bot:
    """The move after which it stands best, without looking further; among equals any."""

    def choose(view: Mapping[str, Any]) -> str:
        state = game.redeal(view, random.randrange)
        moves = game.legal(state)
        random.shuffle(moves)
        return game.write(state, max(moves, key=lambda move: worth(state, move)))

    def worth(state: Any, move: int) -> float:
        after = state.clone()
        game.apply(after, move)
        return game.judge(after, state.actor)

    return choose


_BOTS: Final[dict[str, Callable[[Game[Any], Random], Bot]]] = {"random": _random, "greedy": _greedy}


def names() -> tuple[str, ...]:
    """Return the names of all bots, weakest first."""
    return tuple(_BOTS)


def bot(name: str, game: Game[Any], *, seed: int | None = None) -> Bot:
    """Make a bot for a game; with the same seed it chooses the same."""
    if name not in _BOTS:
        raise ValueError(f"there is no bot {name!r}; there are: {', '.join(_BOTS)}")
    return _BOTS[name](game, Random(seed))
