"""Observations read from view documents, slowly and feature by feature: what the compiled writers must agree with.

Each game's features are read in tests/games/GAME/observations.py. Nothing there looks at a state, so an observation
that equals this one tells nothing that the view does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omnibus import games

View = Mapping[str, Any]
Arrays = dict[str, NDArray[Any]]


def marked(shape: tuple[int, ...], *places: tuple[int, ...] | int) -> NDArray[Any]:
    """Return zeros with ones in some places."""
    array = np.zeros(shape, np.uint8)
    for place in places:
        array[place] = 1
    return array


def one_of(words: Sequence[Any], word: Any) -> NDArray[Any]:
    """Mark a word among others; None marks nothing."""
    return marked((len(words),), *([] if word is None else [list(words).index(word)]))


def read(view: View) -> NDArray[Any]:
    """Return the observation of the seat a view belongs to."""
    game = games.find(view["game"])
    arrays: Arrays = import_module(f"games.{game.name}.observations").arrays(view)
    names = [feature.name for feature in game.features(game.redeal(view, lambda n: 0))]
    assert set(names) == set(arrays)
    return np.concatenate([np.asarray(arrays[name], np.uint8).ravel() for name in names])
