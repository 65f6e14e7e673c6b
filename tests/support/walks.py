"""Parameters of tests that take long on the sources: a few are tried there, all of them on the compiled core."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(values: Iterable[Any], number: int = 1) -> list[Any]:
    """Make all values but the first ones walks."""
    found = list(values)
    return [*found[:number], *(pytest.param(*_parts(value), marks=pytest.mark.walk) for value in found[number:])]


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
