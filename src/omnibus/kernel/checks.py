"""The smallest checks of a position document: keys, whole numbers, words of a list. BadPosition names the culprit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnibus.kernel.game import BadPosition


def expect(good: bool, complaint: str) -> None:
    """Refuse the document unless this is so."""
    if not good:
        raise BadPosition(complaint)


def check_keys(what: str, document: Any, keys: Sequence[str], *, optional: Sequence[str] = ()) -> None:
    """Refuse an object that has not exactly these keys, apart from the optional ones."""
    expect(isinstance(document, Mapping), f"{what} must be an object")
    for key in keys:
        expect(key in document, f"{what} has no {key}")
    for key in document:
        expect(key in keys or key in optional, f"{what} has an unknown key {key!r}")


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return a whole number within its bounds."""
    good = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    expect(good, f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)


def index(name: str, value: Any, choices: Sequence[str]) -> int:
    """Return where a word stands in a list of words."""
    good = isinstance(value, str) and len(value) > 0 and value in list(choices)
    expect(good, f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return choices.index(value)
