"""The games: every folder here, and the entry points of other distributions in the group `omnibus.games`."""

from __future__ import annotations

import pkgutil
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final, cast

from omnibus.kernel import registry
from omnibus.kernel.game import Game
from omnibus.kernel.registry import find, names

__all__ = ["find", "names"]

ENTRY_POINTS: Final = "omnibus.games"


def _load(name: str) -> Game[Any]:
    return cast("Game[Any]", import_module(f"{__name__}.{name}").GAME)


for _folder in pkgutil.iter_modules(__path__):
    if _folder.ispkg:
        registry.put(_folder.name, partial(_load, _folder.name))
for _entry in entry_points(group=ENTRY_POINTS):
    registry.put(_entry.name, _entry.load)
