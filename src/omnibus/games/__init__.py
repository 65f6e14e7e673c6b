"""The games. Every folder in here is one; adding a game means adding a folder."""

from __future__ import annotations

import pkgutil
from functools import partial
from importlib import import_module
from typing import Any, cast

from omnibus.kernel import registry
from omnibus.kernel.game import Game
from omnibus.kernel.registry import find, names

__all__ = ["find", "names"]


def _load(name: str) -> Game[Any]:
    return cast("Game[Any]", import_module(f"{__name__}.{name}").GAME)


for _folder in pkgutil.iter_modules(__path__):
    if _folder.ispkg:
        registry.put(_folder.name, partial(_load, _folder.name))
