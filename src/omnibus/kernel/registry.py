"""Where the games stand. The kernel knows none of them: they are put here by name and fetched when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omnibus.kernel.game import Game

_shelf: dict[str, Callable[[], Game[Any]]] = {}


def put(name: str, load: Callable[[], Game[Any]]) -> None:
    """Put a game on the shelf, to be loaded on first use."""
    _shelf[name] = load


def names() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order."""
    return tuple(sorted(_shelf))


def find(name: str) -> Game[Any]:
    """Fetch a game by its name; ValueError tells which there are."""
    if name not in _shelf:
        raise ValueError(f"there is no game {name!r}; there are: {', '.join(names())}")
    return _shelf[name]()
