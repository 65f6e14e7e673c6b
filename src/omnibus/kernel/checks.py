"""Checks that the position documents of all games need: keys, whole numbers, choices. BadPosition names the culprit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnibus.kernel.game import BadPosition
from omnibus.kernel.i18n import Message, mark


def expect(good: bool, complaint: object) -> None:
    """Raise BadPosition with this complaint unless the condition holds."""
    if not good:
        raise BadPosition(complaint)


def check_keys(what: str, document: Any, keys: Sequence[str], *, optional: Sequence[str] = ()) -> None:
    """Check that this is an object with exactly these keys, apart from the optional ones."""
    if not isinstance(document, Mapping):
        raise BadPosition(Message(mark("{what} must be an object"), what=what))
    for key in keys:
        if key not in document:
            raise BadPosition(Message(mark("{what} has no {key}"), what=what, key=key))
    for key in document:
        if key not in keys and key not in optional:
            raise BadPosition(Message(mark("{what} has an unknown key {key}"), what=what, key=repr(key)))


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return a value that must be a whole number within bounds."""
    if not (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
        wanted = mark("{name} must be a whole number from {least} to {most}, not {value}")
        raise BadPosition(Message(wanted, name=name, least=least, most=most, value=repr(value)))
    return int(value)


def index(name: str, value: Any, choices: Sequence[str]) -> int:
    """Return the index of a value that must be one of the choices."""
    if not (isinstance(value, str) and len(value) > 0 and value in list(choices)):
        wanted = mark("{name} must be one of {choices}, not {value}")
        raise BadPosition(Message(wanted, name=name, choices=", ".join(choices), value=repr(value)))
    return choices.index(value)
