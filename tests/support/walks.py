"""Parameters of tests that take long on the sources: a few are tried there, all of them on the compiled core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

SHALLOW = 1500  # nodes


def few(values: Iterable[Any], number: int = 1) -> list[Any]:
    """Make all values but the first ones walks."""
    found = list(values)
    return [*found[:number], *(pytest.param(*_parts(value), marks=pytest.mark.walk) for value in found[number:])]


def counted(tables: Mapping[Any, Sequence[int]], number: int | None = None) -> list[Any]:
    """Return tables of nodes by depth, each with the depths that have few nodes, then, as a walk, with the others.

    If a number is given, all tables but so many are walks.
    """
    found = []
    for at, (key, counts) in enumerate(tables.items()):
        for deep in (False, True):
            depths = {depth: nodes for depth, nodes in enumerate(counts, 1) if (nodes > SHALLOW) == deep}
            walk = deep or (number is not None and at >= number)
            if depths:
                name = "-".join(map(str, (*_parts(key), *depths)))
                found.append(pytest.param(*_parts(key), depths, id=name, marks=[pytest.mark.walk] if walk else []))
    return found


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
