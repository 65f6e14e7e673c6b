"""The registry of games. The kernel knows none of them: each is put here by name and loaded on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from omnibus.kernel.game import Game
from omnibus.kernel.i18n import MessageError

Loader = Callable[[], Game[Any]]

_loaders: dict[str, Loader] = {}


def put(name: str, load: Loader) -> None:
    """Register a game, to be loaded on first use; ValueError if there is one of this name already."""
    if name in _loaders:
        raise ValueError(f"there are two games named {name!r}")
    _loaders[name] = load


def names() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order."""
    return tuple(sorted(_loaders))


def find(name: str) -> Game[Any]:
    """Return a game by its name; ValueError lists those there are."""
    if name not in _loaders:
        raise MessageError("there is no game {name!r}; there are: {names}", name=name, names=", ".join(names()))
    return _loaders[name]()
